package interior

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/generative"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// eachGenerative runs a subtest for a small problem with each kind of terms f_i, penalty h and rescaling of the loss.
func eachGenerative(t *testing.T, check func(t *testing.T, p *models.Generative)) {
	t.Helper()
	set, err := generated.Tracking{Train: 5, Length: 4, States: 3, Observations: 2, P: 0.3, Q: 0.3, Seed: 7}.
		Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := generated.RandomNetwork{Variables: 3, Values: 2, Classes: 3, Contrast: 1, Train: 7, Seed: 3}.
		Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	for _, divergence := range []string{"kl", "chi-squared", "squared"} {
		for _, penalty := range []string{"linear", "quadratic"} {
			hmm := generative.HMM{LabelLoss: "ring", Eta: 0.3, Prior: "smoothed-ml", Divergence: divergence, Penalty: penalty,
				Hidden: "all"}
			net := generative.BayesNet{Nodes: 4, Structure: "tan", LossScale: 2, Eta: 0.3, Prior: "smoothed-ml",
				Divergence: divergence, Penalty: penalty}
			chains := testbed.TaskOf(t, hmm, set.Train).Objective(models.Hinge(), 0).(*models.Generative)
			classes := testbed.TaskOf(t, net, rows.Train).Objective(models.Slack(), 0).(*models.Generative)
			t.Run(fmt.Sprint(divergence, "/", penalty, "/margin"), func(t *testing.T) { check(t, chains) })
			t.Run(fmt.Sprint(divergence, "/", penalty, "/slack"), func(t *testing.T) { check(t, classes) })
		}
	}
}

// TestPlanesTouch checks the planes of look at several θ: at θ, the planes of a round add up with the terms to P(θ),
// and at another θ they are not above it. The planes must keep their slopes, and the best point and its objective are
// those of the least P.
func TestPlanesTouch(t *testing.T) {
	eachGenerative(t, func(t *testing.T, p *models.Generative) {
		const blocks = 3
		rng := rand.New(rand.NewPCG(28, 9))
		r := newRun(p.Parallel(2), blocks)
		var points [][]float64
		least := math.Inf(1)
		for range 5 {
			theta := make([]float64, p.Dim())
			for j := range theta {
				theta[j] = r.best[j] - rng.Float64()
			}
			before := len(r.m.planes)
			r.look(theta)
			points = append(points, theta)
			least = min(least, p.Primal(theta))
			if added := len(r.m.planes) - before; added != blocks {
				t.Fatalf("%d planes were added, want %d", added, blocks)
			}
			if math.Abs(r.upper-least) > 1e-9*math.Abs(least) || math.Abs(p.Primal(r.best)-least) > 1e-9*math.Abs(least) {
				t.Errorf("upper = %v and P = %v at best, want %v", r.upper, p.Primal(r.best), least)
			}
		}
		for k := range points {
			for l, theta := range points {
				sum := p.Term(theta)
				for b, x := range r.m.planes[k*blocks : (k+1)*blocks] {
					if x.b != b {
						t.Fatalf("plane %d belongs to block %d, want %d", k*blocks+b, x.b, b)
					}
					sum += floats.Dot(x.slope, theta) + x.at0
				}
				want := p.Primal(theta)
				if sum > want+1e-9*math.Abs(want) || k == l && math.Abs(sum-want) > 1e-9*math.Abs(want) {
					t.Errorf("the planes of point %d give %v at point %d, want P = %v there", k, sum, l, want)
				}
			}
		}
		r.m.slacks()
		for i := range r.m.planes {
			if r.m.planes[i].slack <= 0 {
				t.Errorf("plane %d has the slack %v, want a positive one", i, r.m.planes[i].slack)
			}
		}
	})
}

// TestNewtonStep compares the Newton step of F_τ with differences of F_τ: the decrement is minus the slope along the
// step, and a small part of the step changes the slope along any direction by this part of its negative.
func TestNewtonStep(t *testing.T) {
	eachGenerative(t, func(t *testing.T, p *models.Generative) {
		rng := rand.New(rand.NewPCG(28, 10))
		r := newRun(p, 2)
		r.look(r.best)
		r.look(r.m.theta)
		m := r.m
		m.tau = 3
		for b := range m.xi {
			m.xi[b] += 1 + float64(b)
		}
		decrement, ok := m.newton()
		if !ok || !(decrement > 0) {
			t.Fatalf("decrement = %v, %v, want a positive one", decrement, ok)
		}
		n := len(m.theta)
		at := func(steps float64, dir []float64, h float64) float64 { // F_τ after a part of the step, and h along dir
			theta, xi := make([]float64, n), make([]float64, len(m.xi))
			floats.AddScaledTo(theta, m.theta, steps, m.step)
			floats.AddScaledTo(xi, m.xi, steps, m.stepXi)
			floats.AddScaled(theta, h, dir[:n])
			floats.AddScaled(xi, h, dir[n:])
			return m.value(theta, xi)
		}
		slope := func(steps float64, dir []float64) float64 {
			const h = 1e-4 // differences of fourth order
			return (8*(at(steps, dir, h)-at(steps, dir, -h)) - at(steps, dir, 2*h) + at(steps, dir, -2*h)) / (12 * h)
		}
		both := append(append([]float64{}, m.step...), m.stepXi...)
		size := floats.Norm(both, 2)
		floats.Scale(1/size, both)
		if got := -size * slope(0, both); math.Abs(got-decrement) > 1e-5*decrement {
			t.Errorf("the slope along the step is −%v, want minus the decrement %v", got, decrement)
		}
		part := 1e-3 / size
		for trial := range 8 {
			dir := testbed.Gaussian(rng, n+len(m.xi))
			if trial == 7 { // only ξ
				clear(dir[:n])
			}
			floats.Scale(1/floats.Norm(dir, 2), dir)
			curved, want := (slope(part, dir)-slope(-part, dir))/(2*part), -slope(0, dir)
			if math.Abs(curved-want) > 1e-3*(1+math.Abs(want)) {
				t.Errorf("direction %d: the slope changes by %v along the step, want %v", trial, curved, want)
			}
		}
	})
}

// TestBoundOffCentre checks that bound is a lower bound also away from a centre, for several sizes of τ and ξ: on P,
// and on the Lagrangian Σ β (g·θ + o) + Σ f_i(θ_i) of its multipliers β at many feasible θ. Near a late centre,
// it must be close to P. In some trials the bound must be −∞, since the Lagrangian is not bounded.
func TestBoundOffCentre(t *testing.T) {
	finite, infinite := 0, 0
	eachGenerative(t, func(t *testing.T, p *models.Generative) {
		rng := rand.New(rand.NewPCG(28, 11))
		r := newRun(p, 2)
		r.look(r.best)
		for range 12 {
			if !r.centre() {
				break
			}
			r.look(r.m.theta)
		}
		if gap := r.upper - r.lower; gap < -1e-9*math.Abs(r.upper) || gap > 0.2*math.Abs(r.upper) {
			t.Fatalf("bounds %v and %v after 12 rounds", r.lower, r.upper)
		}
		theta, xi, tau := append([]float64{}, r.m.theta...), append([]float64{}, r.m.xi...), r.m.tau
		for trial := range 60 {
			r.m.tau = tau * []float64{1, 0.1, 0.01}[trial%3]
			size := math.Pow(10, float64(trial%7)-6)
			for j := range theta {
				r.m.theta[j] = theta[j] - size*rng.Float64()
			}
			for b := range xi {
				r.m.xi[b] = xi[b] + size*rng.Float64()*4
			}
			r.m.slacks()
			inside := true
			for i := range r.m.planes {
				inside = inside && r.m.planes[i].slack > 0
			}
			if !inside {
				continue
			}
			low := r.m.bound()
			if low > r.upper+1e-9*math.Abs(r.upper) {
				t.Errorf("trial %d: bound = %v, above the objective %v", trial, low, r.upper)
			}
			if math.IsInf(low, -1) {
				infinite++
				continue
			}
			finite++
			total := make([]float64, len(xi))
			for _, x := range r.m.planes {
				total[x.b] += 1 / (r.m.tau * x.slack)
			}
			for k := range 20 {
				other := append([]float64{}, r.m.theta...)
				other[rng.IntN(len(other))] += 2 * size * rng.NormFloat64()
				other[rng.IntN(len(other))] -= []float64{1, 1000}[k%2] * rng.Float64()
				for i := range p.Vectors() {
					lo, hi := p.First[i], p.First[i+1]
					floats.AddConst(-floats.LogSumExp(other[lo:hi]), other[lo:hi])
				}
				value := p.Term(other)
				for _, x := range r.m.planes {
					value += (floats.Dot(x.slope, other) + x.at0) / (r.m.tau * x.slack * max(1, total[x.b]))
				}
				if value < low-1e-9*math.Abs(low) {
					t.Fatalf("trial %d: bound = %v, above the value %v of the Lagrangian", trial, low, value)
				}
			}
		}
	})
	if finite < 100 || infinite == 0 {
		t.Errorf("%d bounds are finite and %d infinite, want at least 100 and 1", finite, infinite)
	}
}
