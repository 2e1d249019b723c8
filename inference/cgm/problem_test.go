package cgm

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// random returns a problem with random scores, different at each step, and random counts, some of which are 0.
func random(t testing.TB, cells, steps int, seed uint64) *Problem {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	theta, counts := examples.Normals(rng, parts(cells, steps), 2), make([]float64, steps*cells)
	for r := range counts {
		counts[r] = float64(rng.IntN(4) * rng.IntN(9))
	}
	p, err := problemOf(&datasets.CellCounts{Cells: cells, Steps: steps, Theta: theta, Counts: counts, Population: 30,
		Rate: 0.3 + rng.Float64()})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// feasible returns the marginals of random scores, a feasible point of the problem.
func feasible(p *Problem, rng *rand.Rand) []float64 {
	theta := examples.Normals(rng, len(p.Theta), 1)
	p.Exp.LogSum(theta, theta)
	return theta
}

// TestGradientAgainstDifferences checks Gradient against finite differences of Objective.
func TestGradientAgainstDifferences(t *testing.T) {
	for steps := 1; steps <= 4; steps++ {
		p := random(t, 3, steps, uint64(steps))
		mu := feasible(p, rand.New(rand.NewPCG(5, 5)))
		gradient := make([]float64, len(mu))
		p.Gradient(gradient, mu)
		for r, m := range mu {
			h := 1e-5 * m
			mu[r] = m + h
			up := p.Objective(mu)
			mu[r] = m - h
			down := p.Objective(mu)
			mu[r] = m
			if got := (up - down) / (2 * h); math.Abs(got-gradient[r]) > 1e-5*(1+math.Abs(got)) {
				t.Errorf("%d steps: gradient of part %d = %v, want %v by differences", steps, r, gradient[r], got)
			}
		}
	}
}

// TestObjectiveAgainstEnumeration checks Objective against its value computed from the distribution over all 3⁴
// paths.
func TestObjectiveAgainstEnumeration(t *testing.T) {
	const k, l = 3, 4
	p := random(t, k, l, 3)
	rng := rand.New(rand.NewPCG(1, 2))
	score := examples.Normals(rng, len(p.Theta), 1)
	mu := make([]float64, len(score))
	logZ := p.Exp.LogSum(mu, score)
	var want, total float64
	for path := range 81 {
		y := [l]int{path % 3, path / 3 % 3, path / 9 % 3, path / 27}
		logP, linear := -logZ, 0.0
		add := func(r int) { logP, linear = logP+score[r], linear+p.Theta[r] }
		for s := range l {
			add(s*k + y[s])
			if s > 0 {
				add(l*k + (s-1)*k*k + y[s-1]*k + y[s])
			}
		}
		want += math.Exp(logP) * (logP - linear)
		total += math.Exp(logP)
	}
	for r, y := range p.Counts {
		rate := p.Rate * p.Population * mu[r]
		want -= (y*math.Log(rate) - rate) / p.Population
	}
	if math.Abs(total-1) > 1e-12 {
		t.Fatalf("total probability of the paths = %v, want 1", total)
	}
	if got := p.Objective(mu); math.Abs(got-want) > 1e-10 {
		t.Errorf("objective = %v, want %v by enumeration", got, want)
	}
}

// TestLowerBound checks at random μ that LowerBound(μ) is at most the optimum and F(μ) is at least the optimum, and
// that F(μ) − LowerBound(μ) = KL(μ ‖ MARG(θ − λ)), where λ = φ'(n) (see LowerBound).
func TestLowerBound(t *testing.T) {
	for seed := range uint64(8) {
		p := random(t, 3, 4, seed)
		best, err := Solve(BlockInterior{Tol: 1e-12, MaxSteps: 60}, p)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(seed, 9))
		for range 5 {
			mu := feasible(p, rng)
			primal, dual := p.Objective(mu), p.LowerBound(mu)
			if dual > best.Primal+1e-10 || primal < best.Dual()-1e-10 {
				t.Errorf("bound = %v, optimum = %v, objective = %v; want bound ≤ optimum ≤ objective", dual, best.Primal,
					primal)
			}
			if kl := divergence(p, mu); math.Abs(kl-(primal-dual)) > 1e-9*(1+kl) {
				t.Errorf("gap = %v, want the divergence %v", primal-dual, kl)
			}
		}
	}
}

// divergence computes KL(μ ‖ MARG(θ − λ)) by the formula for tree-structured distributions (see LowerBound).
func divergence(p *Problem, mu []float64) float64 {
	tilted := append([]float64(nil), p.Theta...)
	for r := range p.Counts {
		tilted[r] -= p.Rate - p.Counts[r]/p.Population/mu[r]
	}
	p.Exp.LogSum(tilted, tilted)
	var kl float64
	for r, m := range mu {
		v := m * math.Log(m/tilted[r])
		switch {
		case r >= p.Steps*p.Cells:
			kl += v
		case r >= p.Cells && r < (p.Steps-1)*p.Cells:
			kl -= v
		}
	}
	return kl
}

// TestTied checks that LowerBound returns the same value whether the steps share one matrix of transition scores or
// each step has a copy of this matrix.
func TestTied(t *testing.T) {
	p := small(t, 3, 4, 2)
	if p.TiedTheta == nil || random(t, 3, 3, 1).TiedTheta != nil {
		t.Fatal("TiedTheta: want scores for the grid, whose steps share their transition scores, and nil for random scores")
	}
	mu := feasible(p, rand.New(rand.NewPCG(1, 1)))
	tied := p.LowerBound(mu)
	p.TiedTheta = nil
	if untied := p.LowerBound(mu); math.Abs(tied-untied) > 1e-11 {
		t.Errorf("bound = %v with tied scores, want %v as with untied scores", tied, untied)
	}
}

// TestTie checks that scores are tied only if the transition scores of all steps are equal, up to the last one, and
// that a chain of one step has no transitions to tie.
func TestTie(t *testing.T) {
	const k, l = 2, 4
	theta := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	for range l - 1 {
		theta = append(theta, 9, 10, 11, 12)
	}
	if got := tie(theta, k, l); !slices.Equal(got, theta[:12]) {
		t.Errorf("tied scores %v, want %v", got, theta[:12])
	}
	for r := l * k; r < len(theta); r++ {
		other := slices.Clone(theta)
		if other[r]++; tie(other, k, l) != nil {
			t.Errorf("scores with another transition score at %d are tied", r)
		}
	}
	if tie(theta[:2], k, 1) != nil || !slices.Equal(tie(theta[4:12], k, 2), theta[4:12]) {
		t.Error("one step: want nil; two steps: want the scores themselves")
	}
}

// TestSearch compares the length of a step and the point after it with their definition: the longest step that goes at
// most 0.99 of the way to the boundary, at most 1, halved until F satisfies Armijo's rule.
func TestSearch(t *testing.T) {
	halved, cut := 0, 0
	for seed := range uint64(12) {
		p := random(t, 3, 4, seed)
		mu := feasible(p, rand.New(rand.NewPCG(seed, 4)))
		n := len(mu)
		d, gradient, next := make([]float64, n), make([]float64, n), make([]float64, n)
		if err := newBlocks(p).direction(d, mu); err != nil {
			t.Fatal(err)
		}
		p.Gradient(gradient, mu)
		other := feasible(p, rand.New(rand.NewPCG(seed, 5)))
		for i, times := range []float64{0.25, 1, 2.5, 6, 40, 1, 3} {
			long := slices.Clone(d)
			for r := range long {
				if i > 4 { // toward another point, or away from it
					long[r] = other[r] - mu[r]
				}
				long[r] *= times
			}
			slope, value := dot(gradient, long), p.Objective(mu)
			if slope > 0 {
				for r := range long {
					long[r] = -long[r]
				}
				slope = -slope
			}
			want := 1.
			for r, m := range mu {
				if long[r] < 0 {
					want = min(want, 0.99*m/-long[r])
				}
			}
			if want < 1 {
				cut++
			}
			after := make([]float64, n)
			for {
				for r, m := range mu {
					after[r] = m + want*long[r]
				}
				p.restore(after)
				if p.Objective(after) <= value+1e-4*want*slope {
					break
				}
				want /= 2
				halved++
			}
			f, a := search(p, next, mu, long, value, slope)
			if math.Abs(a-want) > 1e-12*want || math.Abs(f-p.Objective(after)) > 1e-9 || p.Objective(next) != f {
				t.Errorf("seed %d, direction %d: length %v with F = %v, want %v with %v", seed, i, a, f, want,
					p.Objective(after))
			}
			for r := range long {
				long[r] = -long[r]
			}
			if _, a := search(p, next, mu, long, value, -slope); a != 0 {
				t.Errorf("seed %d: a step up has the length %v, want 0", seed, a)
			}
		}
		value := p.Objective(mu)
		if f, a := search(p, next, mu, make([]float64, n), value, 0); a != 1 || math.Abs(f-value) > 1e-10 {
			t.Errorf("seed %d: a direction of zeros: length %v, F = %v, want 1 and %v", seed, a, f, value)
		}
	}
	if halved == 0 || cut == 0 {
		t.Errorf("%d steps are halved, %d end near the boundary; want some of each", halved, cut)
	}
}

// TestRestore checks that restore makes any positive numbers feasible, and keeps the distribution of the first step and
// the conditional probabilities of the edges.
func TestRestore(t *testing.T) {
	const k, l = 3, 4
	p := random(t, k, l, 1)
	rng := rand.New(rand.NewPCG(8, 8))
	mu := make([]float64, len(p.Theta))
	for r := range mu {
		mu[r] = 0.1 + rng.Float64()
	}
	want := slices.Clone(mu)
	p.restore(mu)
	from := make([]float64, k)
	copy(from, want)
	total := from[0] + from[1] + from[2]
	for i := range from {
		from[i] /= total
	}
	for step := range l {
		to := make([]float64, k)
		for i, n := range from {
			if math.Abs(mu[step*k+i]-n) > 1e-12 {
				t.Fatalf("step %d: node %d = %v, want %v", step, i, mu[step*k+i], n)
			}
			if step == l-1 {
				continue
			}
			row := want[l*k+(step*k+i)*k:][:k]
			for j, e := range row {
				e *= n / (row[0] + row[1] + row[2])
				if got := mu[l*k+(step*k+i)*k+j]; math.Abs(got-e) > 1e-12 {
					t.Fatalf("step %d: edge %d, %d = %v, want %v", step, i, j, got, e)
				}
				to[j] += e
			}
		}
		from = to
	}
}

// TestProblemsThatAreNone checks that invalid counts are errors.
func TestProblemsThatAreNone(t *testing.T) {
	theta, counts := make([]float64, parts(2, 2)), make([]float64, 4)
	bad := func(v []float64, x float64) []float64 { return append(append([]float64(nil), v[1:]...), x) }
	for _, c := range []struct {
		k, l          int
		theta, counts []float64
		m, rate       float64
		want          string
	}{
		{1, 2, theta, counts, 1, 1, "at least 2"},
		{2, 0, theta, counts, 1, 1, "at least 1"},
		{2, 3, theta, counts, 1, 1, "want 14"},
		{2, 2, theta, counts[1:], 1, 1, "want 4"},
		{2, 2, theta, counts, 0, 1, "population"},
		{2, 2, theta, counts, 1, math.NaN(), "rate"},
		{2, 2, bad(theta, math.Inf(-1)), counts, 1, 1, "score 7"},
		{2, 2, theta, bad(counts, -1), 1, 1, "cell 1 at step 1"},
		{2, 2, theta, bad(counts, math.NaN()), 1, 1, "cell 1 at step 1 is NaN"},
		{2, 2, theta, bad(counts, math.Inf(1)), 1, 1, "cell 1 at step 1 is +Inf"},
		{2, 2, theta, append([]float64{-1}, counts[1:]...), 1, 1, "cell 0 at step 0"},
		{2, 2, theta, append([]float64{0, 0, -2}, 0), 1, 1, "cell 0 at step 1"},
		{2, 2, bad(theta, math.NaN()), counts, 1, 1, "score 7 is NaN"},
		{2, 2, theta, counts, math.Inf(1), 1, "population of +Inf"},
		{2, 2, theta, counts, -1, 1, "population of -1"},
		{2, 2, theta, counts, math.NaN(), 1, "population of NaN"},
		{2, 2, theta, counts, 1, 0, "rate of counts is 0"},
		{2, 2, theta, counts, 1, math.Inf(1), "rate of counts is +Inf"},
		{2, 1, theta[:4], counts[:2], 1, 1, "4 scores for 1 steps and 2 cells: want 2"},
	} {
		if _, err := problemOf(&datasets.CellCounts{Cells: c.k, Steps: c.l, Theta: c.theta, Counts: c.counts,
			Population: c.m, Rate: c.rate}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error = %v, want one that contains %q", err, c.want)
		}
	}
}

// TestMarginalsThatDoNotFit checks that a wrong number of marginals panics.
func TestMarginalsThatDoNotFit(t *testing.T) {
	p := random(t, 2, 2, 1)
	examples.Panics(t, "Objective", "cgm: 7 marginals", "want 8", func() { p.Objective(make([]float64, 7)) })
}
