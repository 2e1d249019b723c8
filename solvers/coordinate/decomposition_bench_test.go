package coordinate

import (
	"fmt"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// BenchmarkDecomposition measures two times on sparse rows with about 40 non-zeros: the time of a step whose columns
// are in the cache, and the time to compute a column that is not in the cache. Both are linear in n, so compare ns/row.
func BenchmarkDecomposition(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		p := testbed.Build(b, multiclass.Binary{LossScale: 1},
			generated.SparseText{Train: n, Features: 10000, Density: .004, Noise: .05, Seed: 1}).Objective(models.Hinge(),
			1/float64(n)).(*models.Risk)
		perRow := func(b *testing.B) {
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
		}
		b.Run(fmt.Sprintf("cached/n=%d", n), func(b *testing.B) {
			d := newDecompositionState(p, &Decomposition{Cache: 100, Pair: "violating"})
			first, second := d.column(0), d.column(1)
			b.ReportAllocs()
			for b.Loop() { // the work of a step without computing columns
				i, _ := d.worst()
				d.worstBut(i)
				d.follow(1e-20, first, 1e-20, second)
			}
			perRow(b)
		})
		b.Run(fmt.Sprintf("column/n=%d", n), func(b *testing.B) {
			d := newDecompositionState(p, &Decomposition{Pair: "violating"})
			i := 0
			for b.Loop() {
				d.column(i % n)
				i++
			}
			perRow(b)
		})
	}
}

// BenchmarkDecompositionRun measures the time and the number of steps of a whole run with each rule for the second
// variable.
func BenchmarkDecompositionRun(b *testing.B) {
	p := testbed.Build(b, multiclass.Binary{LossScale: 1},
		generated.SparseText{Train: 1000, Features: 10000, Density: .004, Noise: .05,
			Seed: 1}).Objective(models.Hinge(), 1e-3).(*models.Risk)
	for _, pair := range []string{"violating", "second-order"} {
		b.Run(pair, func(b *testing.B) {
			b.ReportAllocs()
			steps := 0.0
			for b.Loop() {
				s := &Decomposition{Tol: 1e-3, Cache: 100, Pair: pair}
				for it := range testbed.Iterates(b, solvers.Run(s, p, solvers.Env{Seed: 1})) {
					steps = testbed.Stat(it, "steps")
				}
			}
			b.ReportMetric(steps, "steps")
		})
	}
}
