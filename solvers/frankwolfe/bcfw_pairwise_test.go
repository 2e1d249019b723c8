package frankwolfe

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/cuttingplane"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// mixture returns α as the state keeps it.
func (a atoms) mixture() mixture {
	out := make(mixture, len(a))
	for i, set := range a {
		for _, x := range set {
			out[i] = append(out[i], weighted{slices.Clone(x.y), x.mass})
		}
	}
	return out
}

// TestPairwiseStep: a pairwise step moves the best mass between two labellings, and w, the marginals, the label losses
// and D are those that the masses give by definition.
func TestPairwiseStep(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic on one goroutine, which takes minutes with the race detector")
	}
	partial, dropped := 0, 0
	eachHinge(t, 6, 1, func(t *testing.T, p *models.Risk) {
		n := len(p.Examples)
		st := newBCFWState(&BCFW{Order: "cyclic", Step: pairwise}, p, 1)
		before, _ := st.atoms.mixture().value(p)
		for k := range 8 * n {
			i := k % n
			old := st.atoms.mixture()
			if _, gamma := st.visit(i); gamma == 0 {
				continue
			}
			alpha := st.atoms.mixture()
			after, w := alpha.value(p)
			if !(after > before-1e-12) {
				t.Fatalf("visit %d: the dual falls from %v to %v", k, before, after)
			}
			if d := testbed.Distance(st.w, w); d > 1e-11*(1+math.Abs(after)) ||
				math.Abs(st.dual()-after) > 1e-11*(1+math.Abs(after)) {
				t.Fatalf("visit %d: w is off by %v; the dual is %v: want %v", k, d, st.dual(), after)
			}
			var mass, loss float64
			mu := make([]float64, p.Examples[i].Features.Parts())
			for _, x := range alpha[i] {
				mass += x.mass
				loss += x.mass * p.Examples[i].LabelLoss(x.y)
				for _, r := range x.y {
					mu[r] += x.mass
				}
			}
			if math.Abs(mass-1) > 1e-12 || math.Abs(loss-st.loss[i]) > 1e-12*(1+loss) ||
				testbed.Distance(mu, st.marginals(i)) > 1e-12 {
				t.Fatalf("visit %d: masses add up to %v, the label loss is %v and not %v, or the marginals differ", k, mass,
					st.loss[i], loss)
			}
			from, moved := exchanged(old[i], alpha[i], st.y)
			switch {
			case moved < from:
				partial++
			case len(alpha[i]) < len(old[i])+1:
				dropped++
			}
			for _, share := range []float64{0.9, 1.1} { // of the mass moved
				other := min(from, share*moved)
				if d, _ := between(old, alpha, i, other/moved).value(p); d > after+1e-12*(1+math.Abs(after)) {
					t.Fatalf("visit %d: a mass of %v gives the dual %v, and %v gives %v", k, moved, after, other, d)
				}
			}
			before = after
		}
		w := slices.Clone(st.w)
		st.refresh()
		if d := testbed.Distance(st.w, w); d > 1e-11 {
			t.Errorf("w moves by %v when it is computed anew", d)
		}
	})
	if partial == 0 || dropped == 0 {
		t.Errorf("%d steps moved a part of the mass, and %d all of it: want both", partial, dropped)
	}
}

// exchanged returns the mass that the labelling had which lost some, and how much of it y gained.
func exchanged(old, now []weighted, y models.Vertex) (from, moved float64) {
	mass := func(set []weighted, y models.Vertex) float64 {
		if k := slices.IndexFunc(set, func(x weighted) bool { return slices.Equal(x.y, y) }); k >= 0 {
			return set[k].mass
		}
		return 0
	}
	for _, x := range old {
		if mass(now, x.y) < x.mass {
			from = x.mass
		}
	}
	return from, mass(now, y) - mass(old, y)
}

// between returns old + t (now − old) in example i.
func between(old, now mixture, i int, t float64) mixture {
	out := slices.Clone(old)
	out[i] = nil
	for _, x := range old[i] {
		out[i] = append(out[i], weighted{x.y, (1 - t) * x.mass})
	}
	for _, x := range now[i] {
		out[i] = append(out[i], weighted{x.y, t * x.mass})
	}
	return out
}

// TestPairwiseAgrees: pairwise steps find the optimum of cutting planes, and come nearer to it than steps towards
// corners in as many passes.
func TestPairwiseAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic on one goroutine, which takes minutes with the race detector")
	}
	const accuracy = 2e-4
	eachHinge(t, 6, 30, func(t *testing.T, p *models.Risk) {
		best := testbed.EndOf(t, &cuttingplane.OneSlack{Epsilon: 1e-3, CacheRule: "svmstruct", Step: "qp"}, p)
		at := gapTo(t, p, &BCFW{Order: "permutation", Step: pairwise}, accuracy, 2000)
		if at.gap() > accuracy || at.dual > best.Primal*(1+1e-9) || at.primal < best.Dual*(1-1e-9) {
			t.Errorf("the primal is %v and the dual %v: the optimum is in %v to %v", at.primal, at.dual, best.Dual, best.Primal)
		}
		corners := gapTo(t, p, &BCFW{Order: "permutation"}, accuracy, 100)
		pairs := gapTo(t, p, &BCFW{Order: "permutation", Step: pairwise}, accuracy, 100)
		if pairs.gap() > corners.gap() {
			t.Errorf("the relative gap after 100 passes is %v: want at most the %v of steps towards corners", pairs.gap(),
				corners.gap())
		}
	})
}
