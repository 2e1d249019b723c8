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

// bmrmLosses are the losses of all kinds that bmrm takes.
var bmrmLosses = map[string]models.Loss{
	"hinge":          models.Hinge(),
	"log":            models.LogLoss(),
	"softmax margin": {Temp: 1, Margin: 1},
	"smoothed hinge": {Temp: 0.3, Margin: 1},
	"perceptron":     {}, // no margin: w = 0 is the optimum
	"double margin":  {Margin: 2},
}

// eachBundle runs a subtest for each small task and loss that go together.
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

// risk returns R(w).
func risk(p *models.Risk, w []float64) float64 { return p.Primal(w) - p.Lambda/2*dualspace.Dot(w, w) }

// TestBMRMPlanes: each plane touches R where it was found and is below R everywhere else, and so is the plane 0.
func TestBMRMPlanes(t *testing.T) {
	eachBundle(t, 0.02, func(t *testing.T, p *models.Risk) {
		st := newBMRMState(&BMRM{}, p, solvers.Env{Seed: 1})
		for it := range testbed.Iterates(t, st.Run(p.Lambda)) {
			if it.Epoch == 0 {
				continue
			}
			last := st.planes[len(st.planes)-1]
			if at, want := last.dot(it.W)+last.b, risk(p, it.W); math.Abs(at-want) > 1e-12*(1+want) {
				t.Fatalf("plane %d is %v at its w: R is %v", len(st.planes), at, want)
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
				t.Fatalf("R is %v: want at least 0", want)
			}
			for k, plane := range st.planes {
				if at := plane.dot(w) + plane.b; at > want+1e-12*(1+want) {
					t.Fatalf("plane %d is %v at a random w: R is %v", k, at, want)
				}
			}
		}
	})
}

// TestBMRMModel: D_k is the minimum of the model up to what the QP may leave, compared with the planes' value at w_k.
// It never decreases and is at most P(w_k).
func TestBMRMModel(t *testing.T) {
	eachBundle(t, 0.02, func(t *testing.T, p *models.Risk) {
		st := newBMRMState(&BMRM{}, p, solvers.Env{Seed: 1})
		before, allowed, best := 0.0, 0.0, math.Inf(1)
		for it := range testbed.Iterates(t, st.Run(p.Lambda)) {
			dual, primal := it.Dual(), p.Primal(it.W)
			highest := 0.0
			for _, plane := range st.planes[:max(0, len(st.planes)-1)] { // the newest is not in D_k yet
				highest = max(highest, plane.dot(it.W)+plane.b)
			}
			model := p.Lambda/2*dualspace.Dot(it.W, it.W) + highest
			if dual > model+1e-12 || model > dual+allowed+1e-12 {
				t.Fatalf("epoch %d: the dual is %v: the model has the value %v, and the QP may leave %v", it.Epoch, dual, model,
					allowed)
			}
			if dual < before-1e-13 || dual > primal+1e-13 {
				t.Fatalf("epoch %d: the dual is %v after %v: the primal is %v", it.Epoch, dual, before, primal)
			}
			if before = dual; it.Epoch == 0 {
				continue
			}
			best = min(best, primal)
			if got := testbed.EndAt(it).Stats; math.Abs(got["primal_best"]-best) > 1e-13 ||
				math.Abs(got["bmrm_gap"]-(best-dual)) > 1e-13 ||
				got["model_value"] != dual || math.Abs(got["violation"]-(primal-model)) > 1e-12 {
				t.Fatalf("epoch %d: %v: the best primal is %v, the dual %v, the model's value at w %v and P(w) %v", it.Epoch, got,
					best, dual, model, primal)
			}
			if allowed = bmrmShare * (best - dual); it.Epoch == 60 {
				break
			}
		}
	})
}

// TestBMRMGap: the watched gap bounds the distance of the best iterate from the optimum, and eps bounds it at the end.
func TestBMRMGap(t *testing.T) {
	eachBundle(t, 0.02, func(t *testing.T, p *models.Risk) {
		exact := testbed.EndOf(t, &BMRM{Epsilon: 1e-10}, p)
		for _, eps := range []float64{0.1, 1e-3, 1e-6} {
			var at testbed.End
			for it := range testbed.Iterates(t, solvers.Run(&BMRM{Epsilon: eps}, p, solvers.Env{Seed: 1})) {
				at = testbed.EndAt(it)
				if gap, ok := at.Stats["bmrm_gap"]; ok && gap < at.Stats["primal_best"]-exact.Stats["primal_best"]-1e-10 {
					t.Fatalf("epoch %d: the gap is %v, but the best iterate is %v and the optimum %v", at.Epoch, gap,
						at.Stats["primal_best"], exact.Stats["primal_best"])
				}
			}
			if over := at.Stats["primal_best"] - exact.Dual; over > eps+1e-10 || at.Stats["bmrm_gap"] > eps {
				t.Errorf("eps = %v: it ended at a gap of %v and %v above the optimum", eps, at.Stats["bmrm_gap"], over)
			}
		}
	})
}

// TestBMRMEnds: with eps = 0 a run ends by itself, without an error, when rounding keeps the gap from falling further.
func TestBMRMEnds(t *testing.T) {
	for _, lambda := range []float64{100, 0.1, 1e-3} {
		eachBundle(t, lambda, func(t *testing.T, p *models.Risk) {
			for _, b := range []*BMRM{{}, {Drop: 5}} {
				if at := testbed.EndOf(t, b, p); at.Primal-at.Dual > 1e-9*(1+at.Primal) {
					t.Errorf("λ = %v, drop %d: it ended in epoch %d at the primal %v and the dual %v", lambda, b.Drop, at.Epoch,
						at.Primal, at.Dual)
				}
			}
		})
	}
}

// stretched multiplies all features by a number.
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

// TestBMRMOverflow: numbers that are too large end the run with an error.
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
					t.Fatalf("features of %v: no end by epoch 100", size)
				}
			}
			if last == nil {
				t.Errorf("features of %v: no error", size)
			}
		}
	}
}
