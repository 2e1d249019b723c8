package cuttingplane

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// bmrmLosses contains a loss of each kind that BMRM supports.
var bmrmLosses = map[string]models.Loss{
	"hinge":          models.Hinge(),
	"log":            models.LogLoss(),
	"softmax margin": {Temp: 1, Margin: 1},
	"smoothed hinge": {Temp: 0.3, Margin: 1},
	"perceptron":     {}, // the zero Loss has no margin, so w = 0 is the optimum
	"double margin":  {Margin: 2},
}

// eachBundle runs a subtest for each small task and each loss that the task supports.
func eachBundle(t *testing.T, lambda float64, check func(t *testing.T, p *models.Risk)) {
	t.Helper()
	for _, c := range planeCases(t) {
		for name, loss := range bmrmLosses {
			p := c.Task.Objective(loss, lambda).(*models.Risk)
			if p.Examples[0].ZeroOne > 0 && loss.Margin != 0 {
				continue
			}
			t.Run(c.Name+"/"+name, func(t *testing.T) { check(t, p) })
		}
	}
}

// risk returns R(w), the mean loss of the examples.
func risk(p *models.Risk, w []float64) float64 { return p.Primal(w) - p.Lambda/2*dualspace.Dot(w, w) }

// TestBMRMPlanes checks that each plane has the value R(w) at the w at which it was computed, and that no plane is
// above the risk R at other points. This includes the plane 0.
func TestBMRMPlanes(t *testing.T) {
	eachBundle(t, 0.02, func(t *testing.T, p *models.Risk) {
		st := newBMRMState(&BMRM{}, p, solvers.Env{Seed: 1})
		for it := range testbed.Iterates(t, st.Run(p.Lambda)) {
			if it.Epoch == 0 {
				continue
			}
			last := st.planes[len(st.planes)-1]
			if at, want := last.dot(it.W)+last.b, risk(p, it.W); math.Abs(at-want) > 1e-12*(1+want) {
				t.Fatalf("plane %d at its w = %v, want R(w) = %v", len(st.planes), at, want)
			}
			if it.Epoch == 12 {
				break
			}
		}
		rng := rand.New(rand.NewPCG(7, 7))
		for range 200 {
			w, size := make([]float64, p.Dim), math.Exp(4*rng.Float64()-2)
			for j := range w {
				w[j] = size * rng.NormFloat64()
			}
			want := risk(p, w)
			if want < -1e-12 {
				t.Fatalf("R(w) = %v, want at least 0", want)
			}
			for k, plane := range st.planes {
				if at := plane.dot(w) + plane.b; at > want+1e-12*(1+want) {
					t.Fatalf("plane %d at a random w = %v, want at most R(w) = %v", k, at, want)
				}
			}
		}
	})
}

// TestBMRMModel checks that D_k (see BMRM) is the minimum of λ/2 |w|² plus the maximum of the planes, up to the
// allowed error of the QP. For this, it compares D_k with the value of this function at w_k. D_k must never decrease,
// and be at most P(w_k).
func TestBMRMModel(t *testing.T) {
	eachBundle(t, 0.02, func(t *testing.T, p *models.Risk) {
		st := newBMRMState(&BMRM{}, p, solvers.Env{Seed: 1})
		before, allowed, best := 0.0, 0.0, math.Inf(1)
		for it := range testbed.Iterates(t, st.Run(p.Lambda)) {
			dual, primal := it.Dual(), p.Primal(it.W)
			highest := 0.0
			for _, plane := range st.planes[:max(0, len(st.planes)-1)] { // the newest plane is not yet in the bound D_k
				highest = max(highest, plane.dot(it.W)+plane.b)
			}
			model := p.Lambda/2*dualspace.Dot(it.W, it.W) + highest
			if dual > model+1e-12 || model > dual+allowed+1e-12 {
				t.Fatalf("epoch %d: dual = %v, want at most %v below the value of the model, %v", it.Epoch, dual, allowed, model)
			}
			if dual < before-1e-13 || dual > primal+1e-13 {
				t.Fatalf("epoch %d: dual = %v after %v, want no decrease, and at most the primal %v", it.Epoch, dual, before,
					primal)
			}
			if before = dual; it.Epoch == 0 {
				continue
			}
			best = min(best, primal)
			if got := testbed.EndAt(it).Stats; math.Abs(got["primal_best"]-best) > 1e-13 ||
				math.Abs(got["bmrm_gap"]-(best-dual)) > 1e-13 ||
				got["model_value"] != dual || math.Abs(got["violation"]-(primal-model)) > 1e-12 {
				t.Fatalf("epoch %d: statistics %v do not agree with the best primal %v, the dual %v, the model at w, %v, and "+
					"P(w) = %v", it.Epoch, got, best, dual, model, primal)
			}
			if allowed = bmrmShare * (best - dual); it.Epoch == 60 {
				break
			}
		}
	})
}

// TestBMRMGap checks that the statistic bmrm_gap bounds the suboptimality of the best iterate so far, and that the
// setting eps bounds its suboptimality at the end.
func TestBMRMGap(t *testing.T) {
	eachBundle(t, 0.02, func(t *testing.T, p *models.Risk) {
		exact := testbed.EndOf(t, &BMRM{Epsilon: 1e-10}, p)
		for _, eps := range []float64{0.1, 1e-3, 1e-6} {
			var at testbed.End
			for it := range testbed.Iterates(t, solvers.Run(&BMRM{Epsilon: eps}, p, solvers.Env{Seed: 1})) {
				at = testbed.EndAt(it)
				if gap, ok := at.Stats["bmrm_gap"]; ok && gap < at.Stats["primal_best"]-exact.Stats["primal_best"]-1e-10 {
					t.Fatalf("epoch %d: bmrm_gap = %v, want at least the suboptimality: primal_best = %v, and the optimum is %v",
						at.Epoch, gap, at.Stats["primal_best"], exact.Stats["primal_best"])
				}
			}
			if over := at.Stats["primal_best"] - exact.Dual; over > eps+1e-10 || at.Stats["bmrm_gap"] > eps {
				t.Errorf("eps = %v: bmrm_gap = %v and suboptimality = %v at the end, want at most eps", eps, at.Stats["bmrm_gap"],
					over)
			}
		}
	})
}

// TestBMRMEnds checks that a run with eps = 0 ends by itself and without an error, when rounding errors prevent the gap
// from decreasing further.
func TestBMRMEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test solves problems to the end")
	}
	for _, lambda := range []float64{100, 0.1, 1e-3} {
		eachBundle(t, lambda, func(t *testing.T, p *models.Risk) {
			for _, b := range []*BMRM{{}, {Drop: 5}} {
				if at := testbed.EndOf(t, b, p); at.Primal-at.Dual > 1e-9*(1+at.Primal) {
					t.Errorf("λ = %v, drop %d: primal = %v and dual = %v at the end, in epoch %d: want a gap of 0", lambda, b.Drop,
						at.Primal, at.Dual, at.Epoch)
				}
			}
		})
	}
}

// stretched is a feature map with all features multiplied by a number.
type stretched struct {
	models.FeatureMap
	by float64
}

func (s stretched) Score(theta, w []float64) {
	s.FeatureMap.Score(theta, w)
	for r := range theta {
		theta[r] *= s.by
	}
}

func (s stretched) AddAdjoint(w []float64, c float64, mu []float64) {
	s.FeatureMap.AddAdjoint(w, c*s.by, mu)
}

// TestBMRMOverflow checks that a run ends with an error if the features are so large that numbers overflow.
func TestBMRMOverflow(t *testing.T) {
	task := testbed.TaskOf(t, multiclass.Model{LossScale: 1}, testbed.OverlappingClasses(10, 3, 3))
	for _, size := range []float64{1e300, math.Inf(1)} {
		for _, loss := range []models.Loss{models.Hinge(), models.LogLoss()} {
			p := task.Objective(loss, 0.1).(*models.Risk).Map(func(e *models.Example) {
				e.Features = stretched{e.Features,
					size}
			}).(*models.Risk)
			var last error
			for it, err := range solvers.Run(&BMRM{}, p, solvers.Env{Seed: 1}) {
				if last = err; it.Epoch > 100 {
					t.Fatalf("features of size %v: the run has not ended by epoch 100", size)
				}
			}
			if last == nil {
				t.Errorf("features of size %v: no error, want one", size)
			}
		}
	}
}
