package coordinate

import (
	"iter"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestRefreshes checks that DCD, SDCA and Decomposition recompute w after every tenth epoch: then w has the same bits
// as a recomputed w. After other epochs, rounding errors must make the bits different for some problem. Decomposition
// also recomputes w and the gradient before a run ends.
func TestRefreshes(t *testing.T) {
	var dcd, sdca, decomposition refreshes
	for name, p := range dcdProblems(t, 30) {
		o := newDCDSession(p, solvers.Env{Seed: 1}, true)
		dcd.check(t, "dcd, "+name, o.Run(p.Lambda), func() []float64 {
			switch point := o.point.(type) {
			case *dcdPairs:
				c := *point
				c.w = make([]float64, p.Dim)
				c.refresh()
				return c.w
			case *dcdClasses:
				c := *point
				c.w = make([]float64, p.Dim)
				c.refresh()
				return c.w
			}
			return nil
		})
	}
	for name, p := range sdcaProblems(t, 5, 1) {
		for _, batch := range []int{1, 3} {
			o := visitsOf(t, &SDCA{Order: "permutation", Begin: "truth", Minibatch: batch}, p)
			sdca.check(t, "sdca, "+name, o.Run(p.Lambda), func() []float64 {
				c := *o.sdcaState
				c.w = make([]float64, p.Dim)
				c.refresh()
				return c.w
			})
		}
	}
	x, y := overlapping(6, 45, 4)
	for _, pair := range []string{"violating", "second-order"} {
		d := newDecompositionState(twoClasses(t, multiclass.Binary{LossScale: 100}, x, y, 1e-5), &Decomposition{Pair: pair})
		recomputed := func() decompositionState {
			c := *d
			c.w, c.gradient = make([]float64, d.p.Dim), make([]float64, len(d.gradient))
			c.refresh()
			return c
		}
		run := func(yield func(solvers.Iterate, error) bool) { d.run(1e-3, solvers.Env{}, yield) }
		decomposition.check(t, "decomposition, "+pair, run, func() []float64 { return recomputed().w })
		for range run {
			continue
		}
		if c := recomputed(); !slices.Equal(c.w, d.w) || !slices.Equal(c.gradient, d.gradient) {
			t.Errorf("decomposition, %s: w and the gradient at the end differ from the recomputed ones, want equal bits", pair)
		}
	}
	for name, r := range map[string]refreshes{"dcd": dcd, "sdca": sdca, "decomposition": decomposition} {
		if r.checked == 0 || r.drifted == 0 {
			t.Errorf("%s: w was recomputed in %d epochs and drifted in %d, want at least one of each", name, r.checked,
				r.drifted)
		}
	}
}

// refreshes counts the epochs after which w was recomputed, and those after which w had rounding errors.
type refreshes struct{ checked, drifted int }

// check checks the bits of w in the first thirty epochs of a run. again returns a recomputed w.
func (r *refreshes) check(t *testing.T, name string, run iter.Seq2[solvers.Iterate, error], again func() []float64) {
	t.Helper()
	last := 0
	for it := range testbed.Iterates(t, run) {
		if it.Epoch == last {
			continue
		}
		last = it.Epoch
		switch same := slices.Equal(it.W, again()); {
		case last%10 == 0:
			if r.checked++; !same {
				t.Errorf("%s: after epoch %d, w differs from the recomputed w, want equal bits", name, last)
			}
		case !same:
			r.drifted++
		}
		if last == 30 {
			break
		}
	}
}
