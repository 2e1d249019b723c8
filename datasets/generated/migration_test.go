package generated

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

func TestMigration(t *testing.T) {
	for _, m := range []Migration{
		{Side: 3, Steps: 6, Walkers: 500, Distance: 1, Drift: 0.5, Noise: 0.3, Rate: 0.5, Seed: 1},
		{Side: 2, Steps: 1, Walkers: 1, Rate: 1},
		{Side: 3, Steps: 4, Walkers: 50, Distance: 100, Drift: 100, Noise: 100, Rate: 1000, Seed: 1},
	} {
		d, _ := sample[*datasets.CellCounts](t, m)
		k, l := m.Side*m.Side, m.Steps
		if d.Cells != k || d.Steps != l || len(d.Theta) != l*k+(l-1)*k*k || len(d.Moves) != len(d.Theta) ||
			len(d.Counts) != l*k {
			t.Fatalf("%+v: %d cells, %d steps, %d scores, %d moves, %d counts; want the sizes of the settings",
				m, d.Cells, d.Steps, len(d.Theta), len(d.Moves),
				len(d.Counts))
		}
		if d.Len() != 1 || d.Population != float64(m.Walkers) || d.Rate != m.Rate {
			t.Errorf("%+v: population %v, rate %v; want those of the settings", m, d.Population, d.Rate)
		}
		for t1 := range l - 1 { // the moves from a cell, and the moves to it, must sum to the number of walkers in the cell
			for y := range k {
				var out, in float64
				for j := range k {
					out += moves(d, d.Moves, t1, y)[j]
					in += moves(d, d.Moves, t1, j)[y]
				}
				if out != d.Moves[t1*k+y] || in != d.Moves[(t1+1)*k+y] {
					t.Fatalf("%+v: moves of cell %d at step %d: want the number of walkers in the cell as their sum", m, y, t1)
				}
			}
		}
		for r, n := range d.Counts {
			if d.Moves[r] == 0 && n != 0 || n != math.Trunc(n) || n < 0 {
				t.Errorf("%+v: count %d = %v with %v walkers; want a whole number ≥ 0, and 0 without walkers", m, r, n,
					d.Moves[r])
			}
		}
		if n := sumOf(d.Moves[(l-1)*k : l*k]); n != float64(m.Walkers) {
			t.Errorf("%+v: walkers at the last step = %v, want the number in the settings", m, n)
		}
	}
}

func TestMigrationScores(t *testing.T) {
	d, _ := sample[*datasets.CellCounts](t, Migration{Side: 3, Steps: 3, Walkers: 1, Distance: 2, Drift: 0.5, Rate: 1})
	// The cells of the grid are numbered as below. So the distance from cell 4 to the far corner, cell 8, is √2.
	//
	//	0 1 2
	//	3 4 5
	//	6 7 8
	for r, want := range map[int]float64{0: 0, 4: -2 * math.Sqrt2, 9 + 4: 0, 27 + 4*9 + 8: -1.5 * math.Sqrt2,
		27 + 81 + 8*9 + 4: -2.5 * math.Sqrt2} {
		if math.Abs(d.Theta[r]-want) > 1e-12 {
			t.Errorf("score %d is %v, want %v", r, d.Theta[r], want)
		}
	}
}

// TestMigrationCounts checks that counts have the variance of a Poisson distribution, and that walkers move from the
// near corner to the far one.
func TestMigrationCounts(t *testing.T) {
	m := Migration{Side: 4, Steps: 20, Walkers: 2000, Distance: 1, Drift: 0.5, Noise: 0.1, Rate: 0.7, Seed: 3}
	d, _ := sample[*datasets.CellCounts](t, m)
	var chi, cells float64
	for r, y := range d.Counts {
		if n := m.Rate * d.Moves[r]; n > 0 {
			chi += (y - n) * (y - n) / n
			cells++
		}
	}
	if math.Abs(chi/cells-1) > 5*math.Sqrt(3/cells) { // for a Poisson distribution, variance / mean = 1
		t.Errorf("variance of counts over that of a Poisson distribution = %v, want about 1", chi/cells)
	}
	away := func(n []float64) (mean float64) {
		for i, v := range n {
			mean += v * m.distance(i, d.Cells-1) / d.Population
		}
		return mean
	}
	first, last := d.Moves[:d.Cells], d.Moves[(d.Steps-1)*d.Cells:d.Steps*d.Cells]
	if slices.Max(first) != first[0] || away(first) < away(last)+1 {
		t.Errorf("mean distance to the far corner = %v at the first step, %v at the last; want it smaller by 1 or more",
			away(first), away(last))
	}
}

func sumOf(v []float64) (sum float64) {
	for _, x := range v {
		sum += x
	}
	return sum
}

// TestPickIsALinearSearch compares pick with a search from the first cell on, for each number of cells and for cells of
// probability 0.
func TestPickIsALinearSearch(t *testing.T) {
	for k := 1; k <= 40; k++ {
		weights := rand.New(rand.NewPCG(uint64(k), 1))
		sums, sum := make([]float64, k), 0.0
		for j := range sums {
			if j != k/2 && k > 1 && weights.IntN(4) == 0 {
				sums[j] = sum
				continue
			}
			sum += weights.Float64()
			sums[j] = sum
		}
		const n = 300
		got, want := make([]float64, k), make([]float64, k)
		pick(rand.New(rand.NewPCG(9, uint64(k))), got, sums, n)
		again := rand.New(rand.NewPCG(9, uint64(k)))
		for range n {
			u, j := again.Float64()*sum, 0
			for sums[j] <= u {
				j++
			}
			want[j]++
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d cells: counts %v, want %v", k, got, want)
		}
	}
}
