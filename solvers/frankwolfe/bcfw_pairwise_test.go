package frankwolfe

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/cuttingplane"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// mixture returns the distributions α as a mixture: explicit labellings with masses.
func (a atoms) mixture() mixture {
	out := make(mixture, len(a))
	for i, set := range a {
		for _, x := range set {
			out[i] = append(out[i], weighted{slices.Clone(x.y), x.mass})
		}
	}
	return out
}

// TestPairwiseStep checks that a pairwise step moves the best amount of mass between two labellings, and that w, the
// marginals, the label losses and D agree with the masses.
func TestPairwiseStep(t *testing.T) {
	if testing.Short() {
		t.Skip("the test takes minutes with the race detector, and has only one goroutine")
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
				t.Fatalf("visit %d: the dual decreases from %v to %v", k, before, after)
			}
			if d := testbed.Distance(st.w, w); d > 1e-11*(1+math.Abs(after)) ||
				math.Abs(st.dual()-after) > 1e-11*(1+math.Abs(after)) {
				t.Fatalf("visit %d: |w − w(α)| = %v, want 0; dual = %v, want %v", k, d, st.dual(), after)
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
				t.Fatalf("visit %d: sum of the masses = %v, want 1; label loss = %v, want %v; error of the marginals = %v, want 0",
					k, mass, st.loss[i], loss, testbed.Distance(mu, st.marginals(i)))
			}
			from, moved := exchanged(old[i], alpha[i], st.y)
			switch {
			case moved < from:
				partial++
			case len(alpha[i]) < len(old[i])+1:
				dropped++
			}
			for _, share := range []float64{0.9, 1.1} { // compare with a step that moves this share of the mass
				other := min(from, share*moved)
				if d, _ := between(old, alpha, i, other/moved).value(p); d > after+1e-12*(1+math.Abs(after)) {
					t.Fatalf("visit %d: dual = %v after moving %v, want the maximum: moving %v gives %v", k, after, moved, other, d)
				}
			}
			before = after
		}
		w := slices.Clone(st.w)
		st.refresh()
		if d := testbed.Distance(st.w, w); d > 1e-11 {
			t.Errorf("refresh changes w by %v, want 0", d)
		}
	})
	if partial == 0 || dropped == 0 {
		t.Errorf("%d steps moved a part of the mass of a labelling, and %d all of it: want some of both", partial, dropped)
	}
}

// exchanged compares the masses of an example before and after a step. It returns the old mass of the labelling that
// lost mass, and how much mass y gained.
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

// between returns a copy of old in which example i has the masses old + t (now − old).
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

// TestPairwiseAgrees checks that pairwise steps find the same optimum as cutting planes, and that the duality gap of
// pairwise steps after 100 passes is at most the gap of Frank-Wolfe steps.
func TestPairwiseAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("the test takes minutes with the race detector, and has only one goroutine")
	}
	const accuracy = 2e-4
	eachHinge(t, 6, 30, func(t *testing.T, p *models.Risk) {
		best := testbed.EndOf(t, &cuttingplane.OneSlack{Epsilon: 1e-3, CacheRule: "svmstruct", Step: "qp"}, p)
		at := gapTo(t, p, &BCFW{Order: "permutation", Step: pairwise}, accuracy, 2000)
		if at.gap() > accuracy || at.dual > best.Primal*(1+1e-9) || at.primal < best.Dual*(1-1e-9) {
			t.Errorf("primal = %v and dual = %v, want a small gap and bounds on the optimum, which is from %v to %v", at.primal,
				at.dual, best.Dual, best.Primal)
		}
		corners := gapTo(t, p, &BCFW{Order: "permutation"}, accuracy, 100)
		pairs := gapTo(t, p, &BCFW{Order: "permutation", Step: pairwise}, accuracy, 100)
		if pairs.gap() > corners.gap() {
			t.Errorf("relative gap after 100 passes = %v, want at most %v as with Frank-Wolfe steps", pairs.gap(), corners.gap())
		}
	})
}
