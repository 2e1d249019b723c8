package saddle

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// passes returns problems with few examples compared with the length of w. On such problems, the partial gradients of a
// pass need much of the memory.
func passes(t testing.TB, n int) map[string]*models.Risk {
	t.Helper()
	return map[string]*models.Risk{
		"digits": testbed.Digits(t, n),
		"words": testbed.Build(t, chain.Model{Edges: "tied"},
			generated.Words{Train: n, MaxLetters: 8, Seed: 1}).Objective(models.LogLoss(), 0.01).(*models.Risk),
	}
}

// TestPassReusesMemory checks that a pass over the examples reuses the memory of the previous pass, with one worker and
// with several workers.
func TestPassReusesMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a garbage collection would free the memory
	const most = 20
	for name, p := range passes(t, 20) {
		g, w := make([]float64, p.Dim), make([]float64, p.Dim)
		for _, workers := range []int{1, 3} {
			p := p.Parallel(workers)
			p.AddExpectations(g, w, p.Loss)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range most {
				p.AddExpectations(g, w, p.Loss)
			}
			runtime.ReadMemStats(&after)
			// With the race detector, a sync.Pool drops a quarter of its values. So a pass may allocate memory, but less than
			// the memory of all partial gradients.
			if bytes, partial := (after.TotalAlloc-before.TotalAlloc)/most, 8*8*uint64(p.Dim); bytes >= partial {
				t.Errorf("%s, %d workers: a pass allocates %d bytes, want less than the %d bytes of its partial gradients", name,
					workers, bytes, partial)
			}
		}
	}
}

// BenchmarkPass measures the time of one pass over the examples that computes the gradient.
func BenchmarkPass(b *testing.B) {
	for name, p := range passes(b, 200) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			g, w := make([]float64, p.Dim), make([]float64, p.Dim)
			for b.Loop() {
				p.AddExpectations(g, w, p.Loss)
			}
		})
	}
}
