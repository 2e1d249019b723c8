package generated

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// TestTracking checks that the first positions, the steps and the symbols have the probabilities in the comment of
// Tracking.
func TestTracking(t *testing.T) {
	g := Tracking{Train: 2000, Validation: 3, Length: 50, States: 10, Observations: 7, P: 0.3, Q: 0.4, Seed: 1}
	s, validation := sample[*datasets.Sequences](t, g)
	if n := s.Len(); n != 2000 || validation.Len() != 3 || len(s.Y) != 2000*50 {
		t.Fatalf("sequences = %d, positions = %d, validation sequences = %d; want 2000, 100000, 3",
			n, len(s.Y), validation.Len())
	}
	start, steps, symbols := make([]float64, 10), make([]float64, 10), make([][]float64, 10)
	for y := range symbols {
		symbols[y] = make([]float64, 7)
	}
	for i := range s.Len() {
		start[s.Y[s.Start[i]]]++
		for p := s.Start[i]; p < s.Start[i+1]; p++ {
			if p > s.Start[i] {
				steps[(s.Y[p]-s.Y[p-1]+10)%10]++
			}
			index, value := s.X.Row(p)
			if len(index) != 1 || value[0] != 1 {
				t.Fatalf("row %d has indices %v, values %v; want a unit vector", p, index, value)
			}
			symbols[s.Y[p]][index[0]]++
		}
	}
	near := func(what string, counts []float64, want func(j int) float64) {
		t.Helper()
		var sum float64
		for _, n := range counts {
			sum += n
		}
		for j, n := range counts {
			p := want(j)
			if got := n / sum; math.Abs(got-p) > 5*math.Sqrt(p*(1-p)/sum) {
				t.Errorf("frequency of %s %d = %.4f, want about %.4f", what, j, got, p)
			}
		}
	}
	near("start", start, func(int) float64 { return 0.1 })
	near("step", steps, func(j int) float64 {
		if j == 1 {
			return 0.7 + 0.03
		}
		return 0.03
	})
	for y, counts := range symbols {
		near("symbol", counts, func(j int) float64 {
			switch {
			case y >= 7:
				return 1.0 / 7
			case j == y:
				return 0.6 + 0.4/7
			}
			return 0.4 / 7
		})
	}
}

// TestTrackingNoiseless checks that without noise each step leads to the next state, and each state shows its symbol.
// There are more symbols than states, which is allowed.
func TestTrackingNoiseless(t *testing.T) {
	s, _ := sample[*datasets.Sequences](t, Tracking{Train: 20, Length: 9, States: 4, Observations: 6})
	for i := range s.Len() {
		for p := s.Start[i]; p < s.Start[i+1]; p++ {
			if p > s.Start[i] && s.Y[p] != (s.Y[p-1]+1)%4 || int(s.X.Index[p]) != s.Y[p] {
				t.Fatalf("position %d: label %d after label %d, symbol %d; want the next label on the ring, and its symbol",
					p, s.Y[p], s.Y[max(p, 1)-1], s.X.Index[p])
			}
		}
	}
}

// TestTrackingAgainstAnotherSampler compares counts of Tracking with those of a sampler of any hidden Markov model,
// which draws from explicit tables of probabilities. Two steps and two symbols at a time show dependences that
// frequencies of single steps do not.
func TestTrackingAgainstAnotherSampler(t *testing.T) {
	const k, m, l, n = 5, 3, 6, 20_000
	const p, q = 0.4, 0.3
	transition, emission := make([][]float64, k), make([][]float64, k)
	for y := range k {
		transition[y], emission[y] = slices.Repeat([]float64{p / k}, k), slices.Repeat([]float64{1.0 / m}, m)
		transition[y][(y+1)%k] += 1 - p
		if y < m {
			emission[y] = slices.Repeat([]float64{q / m}, m)
			emission[y][y] += 1 - q
		}
	}
	rng := rand.New(rand.NewPCG(99, 1))
	from := func(table []float64) (at int) {
		for u := rng.Float64(); at < len(table)-1 && u >= table[at]; at++ {
			u -= table[at]
		}
		return at
	}
	type event [4]int // kind of the count, and what was seen
	count := func(counts map[event]float64, state, symbol []int) {
		for at := range l {
			counts[event{0, at, state[at], symbol[at]}]++
			if at > 1 {
				counts[event{1, state[at-2], state[at-1], state[at]}]++
				counts[event{2, symbol[at-2], symbol[at-1], symbol[at]}]++
			}
		}
	}
	want, got := map[event]float64{}, map[event]float64{}
	for range n {
		state, symbol := make([]int, l), make([]int, l)
		for at := range l {
			if state[at] = rng.IntN(k); at > 0 {
				state[at] = from(transition[state[at-1]])
			}
			symbol[at] = from(emission[state[at]])
		}
		count(want, state, symbol)
	}
	s, _ := sample[*datasets.Sequences](t, Tracking{Train: n, Length: l, States: k, Observations: m, P: p, Q: q, Seed: 3})
	for i := range s.Len() {
		var symbol []int
		for at := s.Start[i]; at < s.Start[i+1]; at++ {
			index, _ := s.X.Row(at)
			symbol = append(symbol, int(index[0]))
		}
		count(got, s.Y[s.Start[i]:s.Start[i+1]], symbol)
	}
	if len(want) != l*k*m+k*k*k+m*m*m {
		t.Fatalf("%d kinds of events; want each to occur", len(want))
	}
	for e, a := range want {
		// the variance of a difference of two counts is at most (l−2)·(a + b), as a sequence has l−2 events of one kind
		if b := got[e]; math.Abs(a-b) > 5*math.Sqrt(float64(l-2)*(a+b)) {
			t.Errorf("event %v occurs %v times; the other sampler has it %v times", e, b, a)
		}
	}
}
