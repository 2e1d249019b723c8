package eg_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/solvers"
)

// follow runs a solver as long as look returns true. look is called after each update with the number of updates so
// far. An update is one example in the online orders, and one pass in the order batch.
func follow(t *testing.T, l *listed, s solvers.Solver, seed uint64,
	look func(updates int, it solvers.Iterate) (more bool)) {
	t.Helper()
	updates := 0
	for it, err := range solvers.Run(s, l.Risk, solvers.Env{Seed: seed}) {
		if err != nil {
			t.Fatal(err)
		}
		if !look(updates, it) {
			return
		}
		updates++
	}
	t.Fatalf("%T ended by itself after %d updates", s, updates)
}

// TestPartsStepIsTheLabellingStep checks claims eg/fig03/c1 and eg/lem1/c1. Figures 1 and 2 of the paper update the
// dual variables α of all listed labellings; the solver updates only part scores. Both must give the same α, also with
// the hinge and with parts that labellings share.
func TestPartsStepIsTheLabellingStep(t *testing.T) {
	for name, l := range listedProblems(t) {
		for _, order := range []string{"random", "permutation", "cyclic", "batch"} {
			eg := l.eg(order, 1)
			alpha := l.uniform()
			follow(t, l, eg, 1, func(updates int, it solvers.Iterate) bool {
				if updates > 0 {
					w := l.w(alpha)
					next := slices.Clone(alpha)
					for i := range alpha {
						if order == "batch" || i == l.seen.calls[len(l.seen.calls)-1] {
							next[i] = step(alpha[i], l.gradient(alpha, w, i), eg.Eta)
						}
					}
					alpha = next
				}
				for i, d := range l.gibbs(l.seen.scores) {
					for k, p := range d {
						if math.Abs(p-alpha[i][k]) > 1e-10 {
							t.Fatalf("%s, %s: after update %d, α of example %d, labelling %v is %.12g from the part scores and %.12g by "+
								"definition",
								name, order, updates, i, l.labels[i][k], p, alpha[i][k])
						}
					}
				}
				if q := -float64(len(alpha)) * it.Dual(); math.Abs(q-l.q(alpha)) > 1e-9*(1+math.Abs(q)) {
					t.Fatalf("%s, %s: after update %d, Q is %.12g from the part scores and %.12g by definition", name, order, updates,
						q, l.q(alpha))
				}
				return updates < 100
			})
		}
	}
}

// TestWeightsFollowTheMarginals checks claim eg/fig03/c2. Figure 3 of the paper updates w(α) by the change of one
// example's marginals. At the end of every pass, the result must equal the w(α) that is computed from all marginals.
func TestWeightsFollowTheMarginals(t *testing.T) {
	for name, l := range listedProblems(t) {
		n := len(l.Examples)
		follow(t, l, l.eg("random", 1), 1, func(updates int, it solvers.Iterate) bool {
			if updates%n != 0 || updates == 0 {
				return true
			}
			fresh := make([]float64, l.Dim)
			for i := range l.Examples {
				v := slices.Clone(l.seen.mu[i])
				for _, r := range l.Examples[i].Truth {
					v[r]--
				}
				l.Examples[i].Features.AddAdjoint(fresh, -1/l.c, v)
			}
			var away float64
			for j, x := range fresh {
				away += (x - it.W[j]) * (x - it.W[j])
			}
			if away, length := math.Sqrt(away), math.Sqrt(inner(fresh, fresh)); away > 1e-8*length {
				t.Fatalf("%s: after %d passes w is off by %.3g of its length", name, updates/n, away/length)
			}
			return updates < 25*n
		})
	}
}

// TestBatchStepImprovesByADivergence checks claim eg/lem2/c1 with corollary 1. A batch step at the rate η ≤ 1/(1 + nA),
// or 1/(nA) for the hinge, lowers Q by at least D[αᵗ‖αᵗ⁺¹]/η (see listed for Q and A, divergence for D). At fifty times
// the rate this must be false.
func TestBatchStepImprovesByADivergence(t *testing.T) {
	for name, l := range listedProblems(t) {
		worst := func(factor float64) float64 {
			eg := l.eg("batch", factor)
			var before point
			worst := math.Inf(1)
			follow(t, l, eg, 1, func(updates int, it solvers.Iterate) bool {
				alpha := l.gibbs(l.seen.scores)
				if updates > 0 {
					worst = math.Min(worst, l.q(before)-l.q(alpha)-divergence(before, alpha)/eg.Eta)
				}
				before = alpha
				return updates < 200
			})
			return worst
		}
		for _, factor := range []float64{1, 0.3} {
			if short := worst(factor); short < -1e-9 {
				t.Errorf("%s: at %v of the largest rate a step falls short of its improvement by %.3g", name, factor, -short)
			}
		}
		if worst(50) > -1e-9 {
			t.Errorf("%s: at 50 times the largest rate every step improves by the divergence: the problem cannot show the lemma",
				name)
		}
	}
}

// TestBregmanDivergencesAreBounded checks claims eg/lem3/c1, eg/lem4/c1 and eg/lem7/c1 about the divergences B_Q
// (bregman) and D (divergence), with τ = 1 for the log loss and 0 for the hinge: B_Q ≤ (τ + nA) D between any two
// points, B_Q ≤ (τ + A) D between points that differ in one example, and B_Q ≥ τ D. It also checks that the constant A
// (see listed) is not much too large: with a hundredth of A, the bounds must fail.
func TestBregmanDivergencesAreBounded(t *testing.T) {
	for name, l := range listedProblems(t) {
		rng := rand.New(rand.NewPCG(3, 4))
		a, n, tau := l.a, float64(len(l.Examples)), l.Loss.Temp
		all, one := 0.0, 0.0 // largest (B − τD)/D over all pairs of points, and over pairs that differ in one example
		for trial := range 2000 {
			scale := []float64{0.1, 1, 5}[trial%3]
			p, q := l.random(rng, scale), l.random(rng, scale)
			if trial%2 == 0 { // make p and q nearby points
				for i := range q {
					q[i] = step(p[i], l.random(rng, 1)[i], 0.1)
				}
			}
			b, d := l.bregman(p, q), divergence(p, q)
			tol := 1e-9 * (1 + b)
			if b > (tau+n*a)*d+tol || b < tau*d-tol {
				t.Fatalf("%s: B = %.9g is not between %v D and (%[3]v + nA) D = %.9g", name, b, tau, (tau+n*a)*d)
			}
			all = math.Max(all, (b-tau*d)/d)

			i := rng.IntN(len(p))
			block := slices.Clone(q)
			block[i] = p[i]
			b, d = l.bregman(block, q), divergence(block, q)
			if tol := 1e-9 * (1 + b); b > (tau+a)*d+tol || b < tau*d-tol {
				t.Fatalf("%s: in example %d, B = %.9g is not between %v D and (%[4]v + A) D = %.9g", name, i, b, tau, (tau+a)*d)
			}
			one = math.Max(one, (b-tau*d)/d)
		}
		if all < n*a/100 || one < a/100 {
			t.Errorf("%s: the largest (B − τD)/D are %.3g and, in one example, %.3g: nA = %.3g and A = %.3g are not tried", name,
				all, one, n*a, a)
		}
	}
}
