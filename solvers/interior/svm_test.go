package interior

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/coordinate"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// svmProblems returns problems with each form of features that SVM supports. If raw, the columns of the rows have
// scales from 1 to 1e4.
func svmProblems(t testing.TB, raw bool) map[string]*models.Risk {
	t.Helper()
	two, many := testbed.OverlappingClasses(60, 4, 2), testbed.OverlappingClasses(60, 5, 4)
	if raw {
		for j := range two.X.Value {
			two.X.Value[j] *= math.Pow(10, float64(j%4)*4/3)
		}
		for j := range many.X.Value {
			many.X.Value[j] *= math.Pow(10, float64(j%5))
		}
	}
	risk := func(task *models.Task, lambda float64) *models.Risk {
		return task.Objective(models.Hinge(), lambda).(*models.Risk)
	}
	return map[string]*models.Risk{
		"two classes":       risk(testbed.TaskOf(t, multiclass.Binary{LossScale: 1}, two), 0.1),
		"two classes, bias": risk(testbed.TaskOf(t, multiclass.Binary{LossScale: 3, Bias: 2}, two), 0.01),
		"two blocks":        risk(testbed.TaskOf(t, multiclass.Model{LossScale: 1}, two), 0.03),
		"four classes":      risk(testbed.TaskOf(t, multiclass.Model{LossScale: 2}, many), 1e-3),
	}
}

// TestSVMDirection checks that the direction of solve satisfies the four linear equations of a Newton step, at a state
// where s_ic ≠ ξ_i − h_ic (see solve).
func TestSVMDirection(t *testing.T) {
	for name, p := range svmProblems(t, false) {
		rng := rand.New(rand.NewPCG(5, 5))
		st := newSVMState(p)
		for j := range st.slack {
			st.slack[j] *= 0.5 + rng.Float64()
			st.to.product[j] = rng.NormFloat64()
		}
		st.evaluate()
		if !st.factorise() {
			t.Fatalf("%s: the matrix is not positive definite", name)
		}
		st.solve()
		want := make([]float64, p.Dim) // Δw by w(α + Δα) − w(α)
		small := func(what string, i int, v float64) {
			if math.Abs(v) > 1e-9 {
				t.Errorf("%s, example %d: the error of %s = %v, want 0", name, i, what, v)
			}
		}
		for i := range p.Examples {
			e := &p.Examples[i]
			h, changed := make([]float64, e.Features.Parts()), make([]float64, e.Features.Parts())
			e.Features.Score(h, st.w)
			e.Features.Score(changed, st.to.w)
			alpha, slack := st.layout.Of(st.alpha, i), st.layout.Of(st.slack, i)
			dAlpha, dSlack := st.layout.Of(st.to.alpha, i), st.layout.Of(st.to.slack, i)
			truth, sum, v := e.Truth[0], 0.0, make([]float64, len(h))
			for c := range h {
				small("s·Δα + α·Δs", i, slack[c]*dAlpha[c]+alpha[c]*dSlack[c]-st.layout.Of(st.to.product, i)[c])
				after := st.xi[i] + st.to.xi[i] - p.Loss.Margin*e.Cost[c] - (h[c] + changed[c]) + h[truth] + changed[truth]
				small("s + Δs", i, slack[c]+dSlack[c]-after)
				sum += dAlpha[c]
				v[c] = -dAlpha[c]
			}
			small("ΣΔα", i, sum)
			e.Features.AddAdjoint(want, 1/(p.Lambda*float64(p.N())), v)
		}
		for j, v := range st.to.w {
			if math.Abs(v-want[j]) > 1e-9*(1+math.Abs(v)) {
				t.Errorf("%s: Δw[%d] = %v, want %v, the change of w(α)", name, j, v, want[j])
			}
		}
	}
}

// TestSVMBounds checks P(w) and D(α) at a state whose w is not w(α), as after rounding errors. D(α) must not depend on
// w, so it is a lower bound on the optimum in spite of these errors.
func TestSVMBounds(t *testing.T) {
	for name, p := range svmProblems(t, false) {
		rng := rand.New(rand.NewPCG(6, 6))
		st := newSVMState(p)
		for j := range st.w {
			st.w[j] += rng.NormFloat64()
		}
		primal, dual := st.evaluate()
		if want := p.Primal(st.w); math.Abs(primal-want) > 1e-12*want {
			t.Errorf("%s: P(w) = %v, want %v", name, primal, want)
		}
		w, want := make([]float64, p.Dim), 0.0
		for i := range p.Examples {
			e, v := &p.Examples[i], make([]float64, p.Examples[i].Features.Parts())
			for c, a := range st.layout.Of(st.alpha, i) {
				want += a * p.Loss.Margin * e.Cost[c] / float64(p.N())
				v[c] = -a
			}
			v[e.Truth[0]]++
			e.Features.AddAdjoint(w, 1/(p.Lambda*float64(p.N())), v)
		}
		for _, v := range w {
			want -= p.Lambda / 2 * v * v
		}
		if math.Abs(dual-want) > 1e-12*math.Abs(want) {
			t.Errorf("%s: D(α) = %v, want %v", name, dual, want)
		}
	}
}

// TestSVMRaw checks that SVM reaches a relative gap of 1e-8 in few iterations, also where the columns have scales from
// 1 to 1e4, and that no bound of DCD contradicts its optimum.
func TestSVMRaw(t *testing.T) {
	for _, raw := range []bool{false, true} {
		for name, p := range svmProblems(t, raw) {
			var low, high float64
			epochs := 0
			for it := range testbed.Iterates(t, NewSVM().Train(p, solvers.Env{})) {
				if it.Dual == nil {
					continue
				}
				low, high, epochs = it.Dual(), p.Primal(it.W), it.Epoch
				if high-low <= 1e-8*high {
					break
				}
			}
			if !(high-low <= 1e-8*high) || low > high+1e-12 || epochs > 40 {
				t.Errorf("%s, raw = %v: bounds %v and %v after %d iterations, want a relative gap of 1e-8 after at most 40",
					name, raw, low, high, epochs)
			}
			for it := range testbed.Iterates(t, coordinate.NewDCD().Train(p, solvers.Env{})) {
				if it.Epoch > 50 {
					break
				}
				if it.Dual == nil {
					continue
				}
				if d, v := it.Dual(), p.Primal(it.W); d > high*(1+1e-12) || v < low*(1-1e-12) {
					t.Fatalf("%s, raw = %v: DCD has the bounds %v and %v, but SVM %v and %v", name, raw, d, v, low, high)
				}
			}
		}
	}
}

// TestSVMMostWeights checks that Missing returns an error for a problem with too many weights for SVM.
func TestSVMMostWeights(t *testing.T) {
	wide := testbed.OverlappingClasses(6, mostWeights/2+1, 2)
	p := testbed.TaskOf(t, multiclass.Model{LossScale: 1}, wide).Objective(models.Hinge(), 0.1)
	var unsupported *solvers.Unsupported
	err := solvers.Missing(NewSVM(), p)
	if !errors.As(err, &unsupported) || !strings.Contains(err.Error(), "weights × weights; this model has 2002") {
		t.Errorf("error = %v, want an Unsupported with the limit and the number of weights", err)
	}
}
