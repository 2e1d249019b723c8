package energy_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// convexProblems returns problems with convex energies on chains of 3 labels and 4 positions, whose labellings can be
// listed.
func convexProblems(t testing.TB, rng *rand.Rand) map[string]*energy.Problem {
	out := map[string]*energy.Problem{}
	for _, name := range []string{"smoothed hinge", "totals", "poisson", "sum"} {
		p, e := chainProblem(t, rng, 3, 4)
		parts := len(p.Theta)
		totals, err := energy.NewTotals(3, 4, measurements(rng, 12, 5, true))
		if err != nil {
			t.Fatal(err)
		}
		birds := randomPoisson(t, rng, e.Exp, 12, parts)
		p.Energy = map[string]energy.Energy{
			"smoothed hinge": measurements(rng, parts, 6, true), "totals": totals, "poisson": birds,
			"sum": energy.Sum{birds, totals},
		}[name]
		out[name] = p
	}
	return out
}

// TestProposition1 checks proposition 1 of Vilnis et al. 2015: the optimum μ* has the marginals of the base model at
// the scores θ − ∇L(μ*). The tilted scores of Damped must converge to these scores. The tilted scores of RDA must
// also do so if the gradient is bounded. The optimum must equal that computed from a list of all labellings. The lower
// bound of Certify must hold everywhere and be tight at the optimum.
func TestProposition1(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test solves tens of problems to the end")
	}
	rng := random(11)
	all := labellings(3, 4)
	for range 3 {
		for name, p := range convexProblems(t, rng) {
			it := energy.Solve(p, energy.Damped{Rho: 1, MaxCalls: 5000, Tol: 1e-13})
			if r, _ := p.Certify(it.Mu); r > 1e-6 {
				t.Errorf("%s: |MARG(θ − ∇L(μ*)) − μ*| = %v, want at most 1e-6", name, r)
			}
			want := slices.Clone(p.Theta)
			p.Energy.AddGradient(want, it.Mu, -1)
			if d := distance(it.Tilted, want); d > 1e-4 || it.SubgradientDistance() > 1e-4 {
				t.Errorf("%s: distance of the tilted scores from θ − ∇L(μ*) = %v, want at most 1e-4", name, d)
			}
			mu, value := enumeratedOptimum(t, p, all)
			if d := it.Value() - value; math.Abs(d) > 1e-8*(1+math.Abs(value)) {
				t.Errorf("%s: F = %v, want %v as over all distributions", name, it.Value(), value)
			}
			if d := distance(mu, it.Mu); d > 1e-4 {
				t.Errorf("%s: difference between the optima = %v, want at most 1e-4", name, d)
			}
			for range 20 { // the bound of Certify holds at any marginals
				if _, bound := p.Certify(marginals(rng, p.Oracle, len(mu))); bound > value+1e-9 {
					t.Errorf("%s: bound = %v, want at most the optimum %v", name, bound, value)
				}
			}
			if _, bound := p.Certify(it.Mu); math.Abs(bound-value) > 1e-6 {
				t.Errorf("%s: bound at the optimum = %v, want the optimal value %v", name, bound, value)
			}
			if name == "poisson" || name == "sum" {
				continue
			}
			rda := energy.Solve(p, energy.RDA{MaxCalls: 20000})
			if d := distance(rda.Tilted, want); d > 1e-4 || rda.SubgradientDistance() > 1e-4 {
				t.Errorf("%s: distance of the tilted scores of RDA from θ − ∇L(μ*) = %v, want at most 1e-4", name, d)
			}
		}
	}
}

// TestProposition2 checks proposition 2 of Vilnis et al. 2015: negative entropy is 1-strongly convex in the 1-norm,
// KL(p ‖ q) ≥ |p − q|₁²/2.
func TestProposition2(t *testing.T) {
	rng := random(12)
	for range 2000 {
		n := 2 + rng.IntN(20)
		p, q := simplex(rng, n), simplex(rng, n)
		var kl, norm float64
		for i := range p {
			kl += p[i] * math.Log(p[i]/q[i])
			norm += math.Abs(p[i] - q[i])
		}
		if kl < norm*norm/2-1e-12 {
			t.Errorf("KL = %v for |p − q|₁ = %v, want at least |p − q|₁²/2", kl, norm)
		}
	}
}

// simplex returns a random distribution on n elements.
func simplex(rng *rand.Rand, n int) []float64 {
	p, sum := make([]float64, n), 0.0
	for i := range p {
		p[i] = math.Exp(3 * rng.NormFloat64())
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// tree is an exp-oracle of a tree-structured model. It sums over a list of all labellings. The parent of node i > 0 is
// parent[i] < i. The parts are the labels of the nodes, then the pairs of labels of the edges.
type tree struct {
	k      int
	parent []int
}

func (m tree) parts() int { return len(m.parent)*m.k + (len(m.parent)-1)*m.k*m.k }

// LogSum implements models.ExpOracle.
func (m tree) LogSum(mu, theta []float64) float64 {
	n, k, states := len(m.parent), m.k, 1
	for range n {
		states *= k
	}
	clear(mu)
	y, parts := make([]int, n), make([]int, 0, 2*n)
	var sum float64
	for code := range states {
		parts = parts[:0]
		score := 0.0
		for i, c := 0, code; i < n; i, c = i+1, c/k {
			y[i] = c % k
			parts = append(parts, i*k+y[i])
			if i > 0 {
				parts = append(parts, n*k+(i-1)*k*k+y[m.parent[i]]*k+y[i])
			}
		}
		for _, r := range parts {
			score += theta[r]
		}
		weight := math.Exp(score)
		sum += weight
		for _, r := range parts {
			mu[r] += weight
		}
	}
	for r := range mu {
		mu[r] /= sum
	}
	return math.Log(sum)
}

// TestProposition3 checks proposition 3 of Vilnis et al. 2015: KL(P_μ ‖ P_ν) ≥ (σ/2)|μ − ν|₂² for the
// tree-structured distributions P_μ and P_ν with n nodes and the marginals μ and ν, with σ = (2n−1)⁻²/2 and
// also with σ = 1/(2n−1).
func TestProposition3(t *testing.T) {
	rng := random(13)
	smallest := math.Inf(1)
	for trial := range 300 {
		n := 1 + trial%6
		m := tree{k: 2 + rng.IntN(2), parent: make([]int, n)}
		for i := 1; i < n; i++ {
			m.parent[i] = rng.IntN(i)
			if trial%3 == 0 {
				m.parent[i] = i - 1 // so the tree is a chain
			}
		}
		scale := []float64{0.3, 1, 4}[rng.IntN(3)]
		a, b := examples.Normals(rng, m.parts(), scale), examples.Normals(rng, m.parts(), scale)
		mu, nu := make([]float64, len(a)), make([]float64, len(a))
		logA, logB := m.LogSum(mu, a), m.LogSum(nu, b)
		kl, square := logB-logA, 0.0
		for r := range mu {
			kl += mu[r] * (a[r] - b[r])
			square += (mu[r] - nu[r]) * (mu[r] - nu[r])
		}
		w := float64(2*n - 1)
		for _, sigma := range []float64{1 / (2 * w * w), energy.TreeModulus(n)} {
			if kl < sigma/2*square-1e-12 {
				t.Errorf("%d nodes: KL = %v, want at least σ/2 |μ − ν|² = %v for σ = %v", n, kl, sigma/2*square, sigma)
			}
		}
		smallest = min(smallest, kl/square*w)
	}
	t.Logf("smallest KL (2n − 1)/|μ − ν|²: %.3f, the modulus 1/(2n − 1) needs 0.5", smallest)
}

// TestTreeOfTheTests checks the oracle tree: if the tree is a chain, it has the marginals of the chain.
func TestTreeOfTheTests(t *testing.T) {
	p, _ := chainProblem(t, random(14), 3, 4)
	a, b := make([]float64, len(p.Theta)), make([]float64, len(p.Theta))
	z := p.Oracle.LogSum(a, p.Theta)
	if d := (tree{3, []int{0, 0, 1, 2}}).LogSum(b, p.Theta) - z; math.Abs(d) > 1e-12 || distance(a, b) > 1e-12 {
		t.Errorf("difference of log Z = %v, of marginals = %v, want at most 1e-12", d, distance(a, b))
	}
}

// TestProposition4 checks proposition 4 of Vilnis et al. 2015: for convex L, smooth or not, the averages of RDA have
// suboptimality O(ln(t)/t).
func TestProposition4(t *testing.T) {
	rng := random(15)
	const last = 10000
	for trial := range 6 {
		p, _ := chainProblem(t, rng, 3, 4)
		e := measurements(rng, len(p.Theta), 6, trial%2 == 0)
		p.Energy = e
		optimum := hingeOptimum(p, e)
		bound, values := math.Inf(-1), map[int]float64{}
		for it := range (energy.RDA{MaxCalls: last + 1}).Run(p) {
			bound = max(bound, it.Bound)
			if it.Step >= 100 && it.Step%100 == 0 {
				values[it.Step] = p.Objective(it.Average)
			}
		}
		if bound > optimum+1e-9 || bound < optimum-1e-2 {
			t.Errorf("smoothed %v: largest bound of RDA = %v, want at most 1e-2 below the optimum %v, and not above it",
				e.Smoothed, bound, optimum)
		}
		var x, y []float64
		at100, worst := 0.0, 0.0
		for s := 100; s <= last; s += 100 {
			value, ok := values[s]
			if !ok {
				break // the run ended before t steps, at a fixed point
			}
			excess := value - optimum
			if excess < -1e-9 {
				t.Fatalf("smoothed %v: objective of an average = %v, want at least the optimum %v", e.Smoothed, value, optimum)
			}
			scaled := excess * float64(s) / math.Log(float64(s+1))
			if s == 100 {
				at100 = scaled
			}
			worst = max(worst, scaled)
			if excess > 1e-9 {
				x, y = append(x, math.Log(float64(s))), append(y, math.Log(excess))
			}
		}
		if worst > 2*at100 {
			t.Errorf("smoothed %v: suboptimality·t/ln(t + 1) = %v at t = 100, later %v; want at most twice as much", e.Smoothed,
				at100, worst)
		}
		if len(x) < 10 {
			continue
		}
		if s := slope(x, y); s > -0.85 {
			t.Errorf("smoothed %v: exponent of t in the suboptimality = %v, want at most −0.85", e.Smoothed, s)
		} else {
			t.Logf("smoothed %v: suboptimality at t = 100 is %.2g; exponent of t up to t = %.0f is %.2f", e.Smoothed,
				values[100]-optimum,
				math.Exp(x[len(x)-1]), s)
		}
	}
}

// hingeOptimum computes min F by solving the dual problem, independently of package energy. It uses coordinate ascent,
// with bisection for each variable x_j. With a_j, b_j and c_j as in energy.Linear, the dual problem is
//
//	max_x −log Z(θ + Σ_j x_j a_j) + Σ_j (1 + b_j) x_j [− x_j²/(2 c_j) if smoothed],   0 ≤ x_j ≤ c_j,
//
// where [...] stands only for the smoothed hinge.
func hingeOptimum(p *energy.Problem, e energy.Linear) float64 {
	x, theta, mu := make([]float64, len(e.Rows)), slices.Clone(p.Theta), make([]float64, len(p.Theta))
	set := func(j int, v float64) {
		for i, r := range e.Rows[j].Index {
			theta[r] += (v - x[j]) * e.Rows[j].Value[i]
		}
		x[j] = v
	}
	for moved := 1.0; moved > 1e-8; {
		moved = 0
		for j, row := range e.Rows {
			before, low, high := x[j], 0.0, max(0, e.Weights[j])
			for high-low > 1e-11 {
				set(j, (low+high)/2)
				p.Oracle.LogSum(mu, theta)
				slope := 1 + e.Offsets[j]
				for i, r := range row.Index {
					slope -= row.Value[i] * mu[r]
				}
				if e.Smoothed {
					slope -= x[j] / e.Weights[j]
				}
				if slope > 0 {
					low = x[j]
				} else {
					high = x[j]
				}
			}
			if high >= e.Weights[j]-1e-10 {
				set(j, max(0, e.Weights[j]))
			}
			moved = max(moved, math.Abs(x[j]-before))
		}
	}
	value := -p.Oracle.LogSum(nil, theta)
	for j, v := range x {
		value += (1 + e.Offsets[j]) * v
		if e.Smoothed && v > 0 {
			value -= v * v / (2 * e.Weights[j])
		}
	}
	return value
}

// slope returns the slope of the least-squares line through the points (x, y).
func slope(x, y []float64) float64 {
	var mx, my, xy, xx float64
	for i := range x {
		mx += x[i] / float64(len(x))
		my += y[i] / float64(len(x))
	}
	for i := range x {
		xy += (x[i] - mx) * (y[i] - my)
		xx += (x[i] - mx) * (x[i] - mx)
	}
	return xy / xx
}

// TestAcceleratedBound checks that the suboptimality of Accelerated never exceeds its bound 4ℓ KL/(σ t(t + 1)), for
// two values of σ: the modulus of proposition 3 of Vilnis et al. 2015, and TreeModulus.
func TestAcceleratedBound(t *testing.T) {
	rng := random(16)
	tightest := 0.0
	for trial := range 8 {
		k, l := 2+trial%3, 3+trial%4
		p, _ := chainProblem(t, rng, k, l)
		p.Energy = measurements(rng, len(p.Theta), 5, true)
		lipschitz := p.Energy.(energy.Smooth).Lipschitz()
		optimum := energy.Solve(p, energy.Damped{Rho: 1, MaxCalls: 10000, Tol: 1e-14})
		value, star := optimum.Value(), slices.Clone(optimum.Mu)
		theta := slices.Clone(optimum.Tilted)
		divergence := p.Oracle.LogSum(nil, p.Theta) - p.Oracle.LogSum(nil, theta) + dot(star, theta) - dot(star, p.Theta)
		w := float64(2*l - 1)
		for _, sigma := range []float64{1 / (2 * w * w), energy.TreeModulus(l)} {
			a := energy.Accelerated{Sigma: sigma, MaxCalls: 1001}
			for it := range a.Run(p) {
				if it.Step == 0 {
					continue
				}
				excess, bound := p.Objective(it.Average)-value, a.Guarantee(lipschitz, divergence, it.Step)
				if excess > bound+1e-10 {
					t.Fatalf("σ = %v, t = %d: suboptimality = %v, want at most the bound %v", sigma, it.Step, excess, bound)
				}
				tightest = max(tightest, (excess-1e-10)/bound)
			}
		}
	}
	if tightest < 1e-3 {
		t.Errorf("largest suboptimality / bound = %v, want at least 1e-3, so that the test can detect a wrong bound",
			tightest)
	}
	t.Logf("suboptimality at most %.3f of the bound", tightest)
}

// TestValue checks for the iterates that Value equals Objective, which uses the Bethe entropy, and that Mu are the
// marginals at the scores Tilted.
func TestValue(t *testing.T) {
	rng := random(17)
	for name, p := range convexProblems(t, rng) {
		for _, by := range []energy.Inference{energy.RDA{MaxCalls: 30}, energy.RDA{Beta: 2, MaxCalls: 30},
			energy.Damped{Rho: 0.7, MaxCalls: 30}} {
			for it := range by.Run(p) {
				if v, w := it.Value(), p.Objective(it.Mu); math.Abs(v-w) > 1e-10*(1+math.Abs(w))+1e-14*largest(it.Tilted) {
					t.Errorf("%s, %T, step %d: F = %v, want %v by the Bethe entropy", name, by, it.Step, v, w)
				}
				mu := make([]float64, len(it.Mu))
				p.Oracle.LogSum(mu, it.Tilted)
				if d := distance(mu, it.Mu); d != 0 {
					t.Errorf("%s, %T, step %d: distance of Mu from the marginals at Tilted = %v, want 0", name, by, it.Step, d)
				}
			}
		}
	}
}

// largest returns the largest absolute value in v.
func largest(v []float64) float64 { return distance(v, make([]float64, len(v))) }
