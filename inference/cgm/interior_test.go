package cgm

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gaplab/gaplab/datasets/generated"
)

// infeasibility returns the largest amount by which the marginals mu violate an equality of the polytope (see
// equalities).
func infeasibility(p *Problem, mu []float64) float64 {
	var worst float64
	equalities(p, func(index []int, sign []float64, want float64) {
		for q, r := range index {
			want -= sign[q] * mu[r]
		}
		worst = max(worst, math.Abs(want))
	})
	return worst
}

// equalities calls f for each equality that defines the polytope of the marginals μ. The equality is Σ_q
// sign[q]·μ[index[q]] = want.
func equalities(p *Problem, f func(index []int, sign []float64, want float64)) {
	k, l := p.Cells, p.Steps
	var index []int
	var sign []float64
	for i := range k {
		index, sign = append(index, i), append(sign, 1)
	}
	f(index, sign, 1)
	for t := range l - 1 {
		for i := range k {
			out, in, sign := []int{t*k + i}, []int{(t+1)*k + i}, []float64{-1}
			for j := range k {
				out, in, sign = append(out, l*k+(t*k+i)*k+j), append(in, l*k+(t*k+j)*k+i), append(sign, 1)
			}
			f(out, sign, 0)
			f(in, sign, 0)
		}
	}
}

// dense computes Newton's direction at mu from a dense system. It replaces the second derivatives of F by finite
// differences of the gradient.
func dense(t *testing.T, p *Problem, mu []float64) []float64 {
	var rows [][]float64
	equalities(p, func(index []int, sign []float64, _ float64) {
		row := make([]float64, len(mu))
		for q, r := range index {
			row[r] = sign[q]
		}
		rows = append(rows, row)
	})
	n := len(mu)
	system, rhs := mat.NewDense(n+len(rows), n+len(rows), nil), mat.NewVecDense(n+len(rows), nil)
	up, down := make([]float64, n), make([]float64, n)
	for r, m := range mu {
		h := 1e-5 * m
		mu[r] = m + h
		p.Gradient(up, mu)
		mu[r] = m - h
		p.Gradient(down, mu)
		mu[r] = m
		for q := range mu {
			system.Set(q, r, (up[q]-down[q])/(2*h))
		}
	}
	for c, row := range rows {
		for r, v := range row {
			system.Set(r, n+c, v)
			system.Set(n+c, r, v)
		}
	}
	p.Gradient(up, mu)
	for r, g := range up {
		rhs.SetVec(r, -g)
	}
	var x mat.VecDense
	if err := x.SolveVec(system, rhs); err != nil {
		t.Fatal(err)
	}
	return x.RawVector().Data[:n]
}

// TestDirectionsAgainstADenseSystem checks that both solvers, BlockInterior and SparseInterior, compute the Newton
// direction that a dense system gives.
func TestDirectionsAgainstADenseSystem(t *testing.T) {
	for steps := 1; steps <= 4; steps++ {
		p := random(t, 3, steps, uint64(steps))
		mu := feasible(p, rand.New(rand.NewPCG(1, 1)))
		want := dense(t, p, mu)
		for name, s := range map[string]newtonSystem{"blocks": newBlocks(p), "sparse": newKKT(p)} {
			d := make([]float64, len(mu))
			if err := s.direction(d, mu); err != nil {
				t.Fatal(err)
			}
			for r, v := range d {
				if math.Abs(v-want[r]) > 1e-7 {
					t.Errorf("%s, %d steps: direction of part %d = %v, want %v", name, steps, r, v, want[r])
				}
			}
		}
	}
}

// solvers returns BlockInterior and SparseInterior, each with a relative gap of 1e-12 at which it stops and at most 80
// steps.
func solvers() map[string]Solver {
	return map[string]Solver{"blocks": BlockInterior{Tol: 1e-12, MaxSteps: 80},
		"sparse": SparseInterior{Tol: 1e-12, MaxSteps: 80}}
}

// bethe runs damped Bethe-RDA, θ_t = (1−ρ) θ_{t−1} + ρ (θ − ∇L(μ_{t−1})), where ρ is halved until the objective falls.
// It returns the marginals at the scores of the last θ_t.
func bethe(p *Problem) []float64 {
	theta, mu := append([]float64(nil), p.Theta...), make([]float64, len(p.Theta))
	p.Exp.LogSum(mu, theta)
	value, rho := p.Objective(mu), 1.0
	next, nextMu := make([]float64, len(mu)), make([]float64, len(mu))
	for range 100_000 {
		for r := range theta {
			target := p.Theta[r]
			if r < len(p.Counts) {
				target -= p.tilt(r, mu[r])
			}
			next[r] = (1-rho)*theta[r] + rho*target
		}
		p.Exp.LogSum(nextMu, next)
		if v := p.Objective(nextMu); v <= value {
			theta, next, mu, nextMu, value = next, theta, nextMu, mu, v
			if rho = min(1, 1.5*rho); value-p.LowerBound(mu) <= 1e-13*(1+math.Abs(value)) {
				break
			}
		} else if rho /= 2; rho < 1e-12 {
			break
		}
	}
	return mu
}

// TestSolversAgree checks that both solvers certify the optimum and find the same marginals as Bethe projections (see
// the function bethe).
func TestSolversAgree(t *testing.T) {
	var problems []*Problem
	for seed := range uint64(4) {
		steps := 3 + int(seed)
		problems = append(problems, small(t, 2, steps, seed), small(t, 3, steps, seed),
			random(t, 2+int(seed), steps, seed), random(t, 4, 1, seed), random(t, 3, 2, seed))
	}
	for _, p := range problems {
		want := bethe(p)
		var last []float64
		for name, s := range solvers() {
			got, err := Solve(s, p)
			if err != nil {
				t.Errorf("%s, %d cells, %d steps: error = %v, want none", name, p.Cells, p.Steps, err)
				continue
			}
			if gap := got.Primal - got.Dual(); math.Abs(gap) > 1e-11*(1+math.Abs(got.Primal)) {
				t.Errorf("%s: gap = %v, want at most 1e-11 relative to the objective", name, gap)
			}
			if f := p.Objective(got.Mu); f != got.Primal {
				t.Errorf("%s: Primal = %v, want the objective %v", name, got.Primal, f)
			}
			if worst := apart(got.Mu, want); worst > 1e-6 {
				t.Errorf("%s, %d cells, %d steps: difference from the marginals of Bethe projections = %v, want at most 1e-6",
					name, p.Cells, p.Steps, worst)
			}
			if last != nil && apart(got.Mu, last) > 1e-8 {
				t.Errorf("%d cells, %d steps: difference between the solvers = %v, want at most 1e-8", p.Cells, p.Steps,
					apart(got.Mu, last))
			}
			last = got.Mu
		}
	}
}

// apart returns the largest difference between elements of a and b.
func apart(a, b []float64) float64 {
	var worst float64
	for r, v := range a {
		worst = max(worst, math.Abs(v-b[r]))
	}
	return worst
}

// TestIterates checks that every iterate is feasible, that no step raises the objective, and that the optimum is
// between Dual and Primal of every iterate. It also checks that a loop over the iterates may end before the solver
// does.
func TestIterates(t *testing.T) {
	for seed := range uint64(3) {
		p := random(t, 4, 6, seed)
		for name, s := range solvers() {
			best, err := Solve(s, p)
			if err != nil {
				t.Fatal(err)
			}
			before, steps := math.Inf(1), 0
			for it, err := range s.Run(p) {
				if err != nil {
					t.Fatal(err)
				}
				if worst := infeasibility(p, it.Mu); worst > 1e-13 || slices.Min(it.Mu) <= 0 {
					t.Errorf("%s, step %d: largest violation of an equality = %v, smallest marginal = %v; want ≤ 1e-13, > 0", name,
						it.Step, worst, slices.Min(it.Mu))
				}
				if it.Step != steps || it.Primal > before+1e-10 || it.Primal < best.Primal-1e-10 || it.Dual() > best.Primal+1e-10 {
					t.Errorf("%s: Step = %d, want %d; objective = %v, before = %v; bound = %v, optimum = %v; want a "+
						"decrease of the objective, and bound ≤ optimum", name, it.Step, steps, it.Primal, before, it.Dual(), best.Primal)
				}
				before, steps = it.Primal, steps+1
			}
			for range s.Run(p) {
				break // leaving the loop here must not panic
			}
		}
	}
}

// TestCountsWhereTheChainHasNobody checks that both solvers find the same optimum from a starting point that
// contradicts the counts. At this point, almost nobody is in a cell with a large count.
func TestCountsWhereTheChainHasNobody(t *testing.T) {
	d := counted(t, generated.Migration{Side: 3, Steps: 5, Walkers: 100, Distance: 6, Noise: 0.5, Rate: 1, Seed: 1})
	// Cell 8 is the far corner. At the first step, the chain without counts has a fraction e^−17 of the population there.
	// The optimum has at least 1/100.
	d.Counts[8] += 20
	p, err := problemOf(d)
	if err != nil {
		t.Fatal(err)
	}
	var optima []float64
	for name, s := range solvers() {
		got, err := Solve(s, p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		optima = append(optima, got.Mu[8])
	}
	if math.Abs(optima[0]-optima[1]) > 1e-8 || optima[0] < 0.01 {
		t.Errorf("marginal of the far corner = %v and %v, want the same, at least 0.01", optima[0], optima[1])
	}
}

// TestNoCounts checks that the solvers make no step and return the marginals of the chain if all counts are 0. The
// energy, the last sum of F, is then the constant ψ l (see Problem).
func TestNoCounts(t *testing.T) {
	p := small(t, 2, 4, 1)
	clear(p.Counts)
	for name, s := range solvers() {
		got, err := Solve(s, p)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]float64, len(got.Mu))
		p.Exp.LogSum(want, p.Theta)
		if got.Step != 0 || !slices.Equal(got.Mu, want) {
			t.Errorf("%s: %d steps, want 0 and the marginals of the chain", name, got.Step)
		}
	}
}

// TestStart checks the starting point of the solvers, and that start accepts marginals down to 1e-100. The first label
// at the first step has the score -x, all other scores are 0. Its marginal is then close to exp(-x), and the smallest
// marginals are those of its two transitions, half of it.
func TestStart(t *testing.T) {
	for x, ok := range map[float64]bool{0: true, 1: true, 100: true, 229: true, 230: false, 400: false, 1000: false} {
		p := random(t, 2, 2, 1)
		clear(p.Theta)
		p.Theta[0] = -x
		mu := make([]float64, len(p.Theta))
		err := p.start(mu)
		if (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "scores range too widely: marginal ") {
			t.Errorf("score -%g: error %v, want an error about the range of scores: %v", x, err, !ok)
		}
		if want := 1 / (1 + math.Exp(x)); math.Abs(mu[0]-want) > 1e-12*want {
			t.Errorf("score -%g: marginal %g, want %g", x, mu[0], want)
		}
	}
}

// TestRunsThatFail checks the errors of wrong settings, of too few steps and of scores that range too widely.
func TestRunsThatFail(t *testing.T) {
	p := small(t, 3, 5, 1)
	wide := small(t, 3, 5, 1)
	wide.Theta[0] = -1000
	for _, c := range []struct {
		p    *Problem
		s    Solver
		want string
	}{
		{p, BlockInterior{Tol: 1e-14, MaxSteps: 5}, "tolerance is 1e-14"},
		{p, BlockInterior{Tol: math.Inf(1), MaxSteps: 5}, "tolerance is +Inf"},
		{p, BlockInterior{Tol: math.NaN(), MaxSteps: 5}, "tolerance is NaN"},
		{p, BlockInterior{MaxSteps: 2}, "after 2 steps"},
		{p, SparseInterior{Tol: 1e-6, MaxSteps: 0}, "limit is 0 steps"},
		{p, SparseInterior{Tol: 1e-12, MaxSteps: 1}, "more steps"},
		{wide, BlockInterior{Tol: 1e-6, MaxSteps: 9}, "too widely"},
	} {
		if _, err := Solve(c.s, c.p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error = %v, want one that contains %q", err, c.want)
		}
	}
}
