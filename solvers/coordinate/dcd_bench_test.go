package coordinate

import (
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// BenchmarkDCD measures the mean time of a visit in the first ten epochs. The problems have 2 classes and sparse rows
// with 16 non-zeros, or 10 or 26 classes and dense rows.
func BenchmarkDCD(b *testing.B) {
	for name, p := range map[string]*models.Risk{
		"binary": testbed.Build(b, multiclass.Binary{LossScale: 1}, generated.SparseText{Train: 30000, Features: 123,
			Density: .13, Noise: .05, Seed: 1}).Objective(models.Hinge(), 1./30000).(*models.Risk),
		"digits": testbed.Build(b, multiclass.Model{LossScale: 1}, generated.Digits{Train: 5000, Seed: 1}).Objective(
			models.Hinge(), 1e-3).(*models.Risk),
		"letters": testbed.TaskOf(b, multiclass.Model{LossScale: 1}, testbed.OverlappingClasses(15000, 16, 26)).Objective(
			models.Hinge(), 1./15000).(*models.Risk),
	} {
		b.Run(name, func(b *testing.B) {
			st := newDCDSession(p, solvers.Env{Seed: 1}, true)
			for b.Loop() {
				if st.visits == 10*len(st.set) {
					st = newDCDSession(p, solvers.Env{Seed: 1}, true)
				}
				st.next()
			}
		})
	}
}
