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

// passes returns problems whose partial gradients are long compared with the work of a pass.
func passes(t testing.TB, n int) map[string]*models.Risk {
	t.Helper()
	return map[string]*models.Risk{
		"digits": testbed.Digits(t, n),
		"words": testbed.Build(t, chain.Model{Edges: "tied"},
			generated.Words{Train: n, MaxLetters: 8, Seed: 1}).Objective(models.LogLoss(), 0.01).(*models.Risk),
	}
}

// TestPassReusesMemory: a pass over the examples reuses the memory of the pass before, with one worker and with
// several.
func TestPassReusesMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would take it away
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
			// Under the race detector a pool loses a quarter of what it is given: not nothing, but less than the gradients
			// alone.
			if bytes, partial := (after.TotalAlloc-before.TotalAlloc)/most, 8*8*uint64(p.Dim); bytes >= partial {
				t.Errorf("%s, %d workers: a pass allocates %d bytes; its partial gradients have %d", name, workers, bytes, partial)
			}
		}
	}
}

// BenchmarkPass measures one pass of the gradient over the examples.
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
