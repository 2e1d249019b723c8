package coordinate

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/gradient"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestSDCAOptimum: SDCA finds the optimum of L-BFGS, by both bounds, at a linear rate.
func TestSDCAOptimum(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic on one goroutine, which takes minutes with the race detector")
	}
	for name, p := range sdcaProblems(t, 12, 1) {
		least, dual := testbed.After(t, p, &gradient.LBFGS{Memory: 10}, 300)
		if least-dual > 1e-8*least {
			t.Fatalf("%s: L-BFGS ends with the bounds %v and %v", name, least, dual)
		}
		for _, s := range []*SDCA{{Order: "random", Begin: "truth"},
			{Order: "permutation", Begin: "uniform"}, {Order: "cyclic", Begin: "truth"}} {
			marks := []float64{1e-2, 1e-4, 1e-6} // relative gaps
			var at []int
			last, epoch := math.Inf(-1), -1
			for it := range testbed.Iterates(t, solvers.Run(s, p, solvers.Env{Seed: 1})) {
				bound := it.Dual()
				if bound < last-1e-12*(1+math.Abs(last)) || bound > least*(1+1e-10) {
					t.Fatalf("%s, %+v, epoch %d: the dual is %v after %v, the optimum %v", name, *s, it.Epoch, bound, last, least)
				}
				last = bound
				if it.Epoch == epoch {
					continue
				}
				epoch = it.Epoch
				primal := p.Primal(it.W)
				for len(at) < len(marks) && primal-bound <= marks[len(at)]*primal {
					at = append(at, epoch)
				}
				if len(at) == len(marks) {
					if math.Abs(primal-least) > 1e-6*least || math.Abs(bound-least) > 1e-6*least {
						t.Errorf("%s, %+v: primal %v and dual %v: the optimum is %v", name, *s, primal, bound, least)
					}
					break
				}
				if epoch == 1000 {
					t.Fatalf("%s, %+v: the primal is %v and the dual %v after 1000 epochs: the optimum is %v", name, *s, primal, bound,
						least)
				}
			}
			if at[2]-at[1] > 2*(at[1]-at[0])+5 {
				t.Errorf("%s, %+v: relative gaps of %v at epochs %v: want equal distances", name, *s, marks, at)
			}
		}
	}
}
