package coordinate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// smoCase is a small hinge problem, in which equalities and μ ≥ 0 describe the polytope of the marginals.
type smoCase struct {
	name       string
	p          *models.Risk
	labellings [][]models.Vertex // all labellings of each example
}

func smoCases(t testing.TB, lambda float64) []smoCase {
	t.Helper()
	rng := rand.New(rand.NewPCG(2, 2))
	var out []smoCase
	for _, c := range []struct {
		name string
		task *models.Task
	}{
		{"multiclass", testbed.TaskOf(t, multiclass.Model{LossScale: 3}, testbed.OverlappingClasses(12, 3, 4))},
		{"chain", testbed.TaskOf(t, chain.Model{Edges: "untied"}, testbed.ShortSequences(3, 3, 3, 1, 4, 2, 4, 2, 3))},
	} {
		sc := smoCase{name: c.name, p: c.task.Objective(models.Hinge(), lambda).(*models.Risk)}
		for i := range sc.p.Examples {
			sc.labellings = append(sc.labellings, testbed.LabellingsOf(rng, &sc.p.Examples[i]))
		}
		out = append(out, sc)
	}
	if n := len(out[1].labellings[4]); n != 81 {
		t.Fatalf("LabellingsOf found %d labellings of a sequence of length 4, want 81", n)
	}
	return out
}

// eachSMO runs a subtest on each case at a small and at a large λ.
func eachSMO(t *testing.T, check func(t *testing.T, c smoCase)) {
	t.Helper()
	for _, lambda := range []float64{0.3, 0.01} {
		for _, c := range smoCases(t, lambda) {
			t.Run(c.name, func(t *testing.T) { check(t, c) })
		}
	}
}

// smoDual returns the dual D(μ) and w(μ) of SMO, computed by their definitions.
func smoDual(p *models.Risk, mu func(i int) []float64) (dual float64, w []float64) {
	w = make([]float64, p.Dim)
	n := float64(len(p.Examples))
	for i := range p.Examples {
		e, v := &p.Examples[i], slices.Clone(mu(i))
		for r, c := range e.Cost {
			dual += c * v[r] / n
		}
		for r := range v {
			v[r] = -v[r]
		}
		for _, r := range e.Truth {
			v[r]++
		}
		e.Features.AddAdjoint(w, 1/(p.Lambda*n), v)
	}
	return dual - p.Lambda/2*dualspace.Dot(w, w), w
}

// extremes returns the largest score of all labellings of example i, and the smallest score of the labellings whose
// parts all have mass in mu. It computes the scores of all labellings.
func (c smoCase) extremes(i int, s, mu []float64) (high, low float64) {
	high, low = math.Inf(-1), math.Inf(1)
	for _, y := range c.labellings[i] {
		high = max(high, y.Dot(s))
		if withMass(y, mu) {
			low = min(low, y.Dot(s))
		}
	}
	return high, low
}

// withMass reports whether all parts of y have a positive marginal in mu.
func withMass(y models.Vertex, mu []float64) bool {
	return !slices.ContainsFunc(y, func(r int) bool { return mu[r] <= 0 })
}

// TestSMOStep checks that each visit moves mass between the pair of labellings with the largest slope, by the best
// feasible amount, and that the dual D changes as the formula in SMO predicts. It compares the pair with all
// labellings, and computes D by its definition.
func TestSMOStep(t *testing.T) {
	eachSMO(t, func(t *testing.T, c smoCase) {
		st := newSMOState(c.p)
		rng := rand.New(rand.NewPCG(1, 1))
		n := len(c.p.Examples)
		moved, full := 0, 0
		for visit := range 30 * n {
			i := rng.IntN(n)
			before := slices.Clone(st.mu)
			if err := st.visit(i, 1); err != nil {
				t.Fatal(err)
			}
			most, delta := c.checkVisit(t, st, i, before)
			if t.Failed() {
				t.Fatalf("the errors above occurred in visit %d", visit)
			}
			if delta > 0 {
				moved++
			}
			if delta == most {
				full++
			}
		}
		if moved < n || full == 0 || full == moved {
			t.Errorf("%d steps moved mass, %d of them as much as is feasible: want several of both kinds", moved, full)
		}
	})
}

// checkVisit checks a visit of example i with one step, where before are the marginals before the visit. It returns the
// largest feasible amount of mass, and the amount that the step moved.
func (c smoCase) checkVisit(t *testing.T, st *smoState, i int, before []float64) (most, delta float64) {
	t.Helper()
	e := &c.p.Examples[i]
	mu := before[st.Start[i]:st.Start[i+1]]
	along := func(delta float64) (float64, []float64) { // the dual D and the weights w after a move of mass delta
		trial := slices.Clone(mu)
		for r, d := range st.diff[:len(mu)] {
			trial[r] -= delta * d
		}
		return smoDual(c.p, func(j int) []float64 {
			if j == i {
				return trial
			}
			return before[st.Start[j]:st.Start[j+1]]
		})
	}
	dual, w := along(0)
	s := make([]float64, len(mu))
	e.Features.Score(s, w)
	c.p.Loss.Augment(s, e.Cost)
	high, low := c.extremes(i, s, mu)
	if plus, minus := st.plus.Dot(s), st.minus.Dot(s); math.Abs(plus-high) > 1e-9 || math.Abs(minus-low) > 1e-9 ||
		!withMass(st.minus, mu) {
		t.Errorf("scores of the pair = %v and %v, want %v and %v", plus, minus, high, low)
	}
	most = math.Inf(1)
	at := 0
	for r, d := range st.diff[:len(mu)] {
		if d != 0 {
			at = r
		}
		if d > 0 {
			most = min(most, mu[r]/d)
		}
	}
	if st.diff[at] != 0 {
		delta = (mu[at] - st.marginals(i)[at]) / st.diff[at]
	}
	if delta < 0 || delta > most {
		t.Errorf("moved mass = %v, want from 0 to %v", delta, most)
	}
	after, _ := smoDual(c.p, st.marginals)
	if again, _ := along(delta); math.Abs(after-again) > 1e-12 || math.Abs(st.dual()-after) > 1e-9 {
		t.Errorf("dual of the marginals = %v and dual() = %v, want both %v, as after moving %v between the pair", after,
			st.dual(), again, delta)
	}
	if math.IsInf(most, 1) { // both labellings of the pair are the same
		return most, delta
	}
	candidates := []float64{0.99 * delta, min(1.01*delta, most)}
	for k := range 41 {
		candidates = append(candidates, most*float64(k)/40)
	}
	for _, x := range candidates {
		if d, _ := along(x); d > after+1e-12 {
			t.Errorf("dual = %v after moving %v, want the maximum: moving %v gives %v", after, delta, x, d)
			break
		}
	}
	v := make([]float64, c.p.Dim)
	e.Features.AddAdjoint(v, 1, st.diff[:len(mu)])
	n := float64(len(c.p.Examples))
	if change := delta * (high - low - delta*dualspace.Dot(v, v)/(2*c.p.Lambda*n)) / n; math.Abs(
		after-dual-change) > 1e-12 {
		t.Errorf("change of the dual = %v, want %v", after-dual, change)
	}
	return most, delta
}

// TestSMOMarginals checks that the marginals at every yield are exactly the marginals of a distribution over
// labellings: subtracting weighted labellings, as takeApart does, must reduce all marginals to 0.
func TestSMOMarginals(t *testing.T) {
	eachSMO(t, func(t *testing.T, c smoCase) {
		session, err := (&SMO{Order: "random", Steps: 2}).Start(c.p, solvers.Env{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		st := session.(*smoSession).smoState
		last := math.Inf(-1)
		for it := range testbed.Iterates(t, session.Run(c.p.Lambda)) {
			if d := it.Dual(); d < last-1e-12 {
				t.Fatalf("epoch %d: the dual decreases from %v to %v", it.Epoch, last, d)
			}
			last = it.Dual()
			if v := testbed.Stat(it, "infeasibility"); v != 0 {
				t.Fatalf("epoch %d: infeasibility = %v, want 0", it.Epoch, v)
			}
			for i, list := range c.labellings {
				if left := takeApart(slices.Clone(st.marginals(i)), list); left != 0 {
					t.Fatalf("epoch %d: the marginals of example %d belong to no distribution: the rest is %v, want 0", it.Epoch, i,
						left)
				}
			}
			if it.Epoch == 40 {
				break
			}
		}
		kept := slices.Clone(st.w)
		st.refresh()
		for j, w := range st.w {
			if math.Abs(w-kept[j]) > 1e-10*(1+math.Abs(w)) {
				t.Errorf("w[%d] = %v, want %v from the marginals", j, kept[j], w)
			}
		}
	})
}

// takeApart subtracts from the marginals as much of each labelling as is possible, one labelling after the other. It
// returns the largest absolute value of the rest. If the marginals are in the polytope, then after each subtraction the
// rest is a multiple of a point of the polytope. So the rest at the end is 0 in any order of the labellings.
func takeApart(mu []float64, labellings []models.Vertex) float64 {
	for _, y := range labellings {
		least := math.Inf(1)
		for _, r := range y {
			least = min(least, mu[r])
		}
		for _, r := range y {
			mu[r] -= least
		}
	}
	return max(slices.Max(mu), -slices.Min(mu))
}

// TestSMOMask checks the scores that mask writes. The max-oracle at these scores must return the labelling with the
// smallest score s, among the labellings whose parts all have mass. This must hold for scores of any size.
func TestSMOMask(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, c := range smoCases(t, 1) {
		for _, size := range []float64{0, 1e-300, 1e-30, 1, 1e15, 1e150, 1e300} {
			for i, list := range c.labellings {
				e := &c.p.Examples[i]
				parts := e.Features.Parts()
				mu, theta, masked := make([]float64, parts), make([]float64, parts), make([]float64, parts)
				for range 1 + rng.IntN(3) {
					for _, r := range list[rng.IntN(len(list))] {
						mu[r] += smoUnit
					}
				}
				for r := range theta {
					theta[r] = size * rng.NormFloat64()
				}
				mask(masked, theta, mu)
				y, _ := e.Max.Max(nil, masked)
				worst := math.Inf(1)
				for _, z := range list {
					if withMass(z, mu) {
						worst = min(worst, z.Dot(theta))
					}
				}
				if !withMass(y, mu) || y.Dot(theta) > worst+1e-12*size {
					t.Errorf("%s, scores of size %v: the score of labelling %v = %v, want %v and mass in all parts", c.name, size, y,
						y.Dot(theta), worst)
				}
			}
		}
	}
}

// TestSMOSupport checks that the statistic support is the mean over the examples of the number of parts with a positive
// marginal.
func TestSMOSupport(t *testing.T) {
	for _, c := range smoCases(t, 0.01) {
		st := newSMOState(c.p)
		for _, visits := range []int{0, len(c.p.Examples)} {
			for i := range visits {
				if err := st.visit(i, 2); err != nil {
					t.Fatal(err)
				}
			}
			positive := 0
			for i := range c.p.Examples {
				for _, m := range st.marginals(i) {
					if m > 0 {
						positive++
					}
				}
			}
			want := float64(positive) / float64(len(c.p.Examples))
			if got, _ := st.shape(); got != want {
				t.Errorf("%s: support = %v after %d visits, want %v", c.name, got, visits, want)
			}
		}
	}
}
