package catalogue

import (
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
)

// TestMemory checks that the memory that a solver declares is at most the memory that it uses after a few steps, for
// many features and for many examples. The harness refuses a run if the declared memory is not available. So if a
// solver declared more memory than it uses, the harness could refuse a run that would fit.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test trains with all solvers on large problems")
	}
	shapes := []struct {
		name                string
		n, dim, nonzeros, k int
	}{
		{"many features", 12, 60_000, 5, 3},
		{"many examples", 6_000, 20, 10, 20},
		{"two classes", 6_000, 5_000, 10, 2},
	}
	for _, shape := range shapes {
		builder := models.Builder(multiclass.New())
		if shape.k == 2 {
			builder = multiclass.NewBinary()
		}
		task, err := builder.Build(scattered(shape.n, shape.dim, shape.nonzeros, shape.k), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, loss := range []models.Loss{models.LogLoss(), models.Hinge()} {
			for _, e := range Solvers() {
				p, s := task.Objective(loss, 0.1).(*models.Risk), e.New()
				if e.Outside || e.Name == "given" || solvers.Missing(s, p) != nil { // no memory to measure, or s does not support p
					continue
				}
				least := s.Needs().Memory.Bytes(p)
				if held := heldBy(t, s, p); least > 1.02*held {
					t.Errorf("%s, %s: declared memory = %.3g bytes, want at most the used memory %.3g", shape.name, e.Name, least,
						held)
				}
			}
		}
	}
}

// heldBy returns by how many bytes the heap has grown since the start of a run, at its second or fifth iterate. It
// returns the larger of the two numbers.
func heldBy(t *testing.T, s solvers.Solver, p *models.Risk) float64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.GC() // only the second collection frees the memory in each sync.Pool
	runtime.ReadMemStats(&before)
	yields, most := 0, uint64(0)
	for _, err := range solvers.Run(s, p, solvers.Env{Seed: 1, Workers: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		if yields++; yields == 2 || yields == 5 { // the second is measured because some solvers end before the fifth
			runtime.GC()
			runtime.ReadMemStats(&after)
			most = max(most, after.HeapAlloc)
		}
		if yields == 5 {
			break
		}
	}
	return float64(most) - float64(before.HeapAlloc)
}

// scattered returns rows whose non-zeros are spread evenly over the features.
func scattered(n, dim, nonzeros, k int) *datasets.Labelled {
	rng := rand.New(rand.NewPCG(1, 2))
	d := &datasets.Labelled{X: datasets.Rows{N: n, Dim: dim, Start: []int{0}}}
	for c := range k {
		d.Classes = append(d.Classes, strconv.Itoa(c))
	}
	for i := range n {
		for j := range nonzeros {
			d.X.Index = append(d.X.Index, int32(j*(dim/nonzeros)+rng.IntN(dim/nonzeros)))
			d.X.Value = append(d.X.Value, rng.Float64())
		}
		d.X.Start = append(d.X.Start, len(d.X.Index))
		d.Y = append(d.Y, i%k)
	}
	return d
}
