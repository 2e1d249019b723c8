package nonlocal

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// chainExample returns an example of a chain with l positions and k labels.
func chainExample(t testing.TB, k, l int, edges string) models.Example {
	t.Helper()
	data := &datasets.Sequences{
		X: datasets.Rows{N: l, Dim: 1, Value: make([]float64, l)}, Start: []int{0, l}, Y: make([]int, l),
		Labels: make([]string, k),
	}
	task, err := chain.Model{Edges: edges}.Build(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return task.Train[0]
}

// randomMeasurements draws n measurements of labels and, if pairs is true, also of pairs of labels.
func randomMeasurements(rng *rand.Rand, k, n int, pairs bool) []Measurement {
	size := k
	if pairs {
		size += k * k
	}
	list := make([]Measurement, n)
	for i := range list {
		m := Measurement{B: float64(rng.IntN(3) - 2)}
		for r := range size {
			if v := rng.IntN(4) - 2; v != 0 && v > -2 {
				m.Row.Index, m.Row.Value = append(m.Row.Index, int32(r)), append(m.Row.Value, float64(v))
			}
		}
		list[i] = m
	}
	return list
}

// penalised computes θ·1_y − Σ_j c_j v_j(y), the objective of SoftConstraints, by definition. The last components of
// theta are −c_j. Positive components count as 0.
func penalised(y models.Vertex, theta []float64, d *softDecomposition, l int) float64 {
	n := len(theta) - len(d.constraints)
	value := y.Dot(theta)
	for j, v := range violationsOf(y, d, l) {
		value += min(0, theta[n+j]) * float64(v)
	}
	return value
}

// violationsOf returns max(0, 1 − (a·U − b)) for each measurement, where U are the totals of y.
func violationsOf(y models.Vertex, d *softDecomposition, l int) []int {
	k := d.k
	label := func(t int) int { return y[t] - t*k }
	out := make([]int, len(d.list))
	for j, m := range d.list {
		z := 1 + m.B
		for i, index := range m.Row.Index {
			r := int(index)
			for t := range l {
				if r < k && label(t) == r || r >= k && t > 0 && label(t-1) == (r-k)/k && label(t) == (r-k)%k {
					z -= m.Row.Value[i]
				}
			}
		}
		out[j] = max(0, int(z))
	}
	return out
}

// TestSoftDecompositionAgainstEnumeration compares the results of solve with enumeration. The returned value must be
// the value of the returned labelling. It must be at most the largest value, and at least the value of the labelling
// that the base predicts. The bound must be at least the largest value. If value and bound are equal, the labelling
// must be the best one. They must be equal in at least 80 % of the instances.
func TestSoftDecompositionAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	instances, certified := 0, 0
	for _, edges := range []string{"tied", "untied"} {
		for _, shape := range [][2]int{{2, 1}, {2, 5}, {3, 4}, {4, 3}} {
			k, l := shape[0], shape[1]
			e := chainExample(t, k, l, edges)
			all := examples.Chains(k, edges == "untied")(&e)
			for trial := range 60 {
				d := newSoftDecomposition(k, randomMeasurements(rng, k, 1+trial%4, trial%2 == 1), 200)
				theta := make([]float64, e.Features.Parts()+len(d.constraints))
				for r := range theta {
					theta[r] = rng.NormFloat64()
				}
				best := math.Inf(-1)
				for _, y := range all {
					best = max(best, penalised(y, theta, d, l))
				}
				s := new(softScratch)
				value, bound := d.solve(s, e.Max, theta, l)
				name := fmt.Sprintf("%s chain of %d positions with %d labels, trial %d", edges, l, k, trial)
				if got := penalised(s.best, theta, d, l); math.Abs(got-value) > 1e-12 {
					t.Fatalf("%s: value of the labelling %v = %v, but the oracle returns %v", name, s.best, got, value)
				}
				for j, v := range violationsOf(s.best, d, l) {
					if max(0, s.bestExcess[j]) != v {
						t.Fatalf("%s: violation of constraint %d in %v = %d, want %d", name, j, s.best, s.bestExcess[j], v)
					}
				}
				first, _ := e.Max.Max(nil, theta[:e.Features.Parts()])
				if value > best+1e-9 || bound < best-1e-9 || value < penalised(first, theta, d, l)-1e-12 {
					t.Fatalf("%s: value = %v and bound = %v, want the largest value, %v, between them, and a value of at least %v",
						name, value, bound, best, penalised(first, theta, d, l))
				}
				instances++
				if bound-value <= 1e-9 {
					certified++
				}
			}
		}
	}
	t.Logf("%d of %d instances are certified", certified, instances)
	if certified < instances*8/10 {
		t.Errorf("%d of %d instances are certified: want at least 80 %%", certified, instances)
	}
}
