package eg_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/eg"
)

// optimal returns α*, the dual variables after many passes of the online method, and q, which is −n times the primal
// there. By weak duality q is at most the minimum Q* of Q (see listed), so no difference Q(α) − Q* comes out too
// small.
func (l *listed) optimal(t *testing.T, passes int) (alpha point, q float64) {
	t.Helper()
	n := len(l.Examples)
	follow(t, l, l.eg("random", 1), 1, func(updates int, it solvers.Iterate) bool {
		if updates < passes*n {
			return true
		}
		q = -float64(n) * l.Primal(it.W)
		return false
	})
	return l.gibbs(l.seen.scores), q
}

// TestConstantsOfTheTheory checks claim eg/sec51/c1 about two constants (see listed for A and ψ). The divergence
// D[α*‖uniform] is at most the sum over examples of the log of the number of labellings; and |A|∞, a maximum over
// all pairs of labellings, is max |ψ|²/C. With rate: theory, the solver computes both without listing pairs.
func TestConstantsOfTheTheory(t *testing.T) {
	for name, l := range listedProblems(t) {
		a, widest, most := l.a, 0.0, 0.0
		for i, psi := range l.psi {
			for _, v := range psi {
				widest = math.Max(widest, inner(v, v))
			}
			most += math.Log(float64(len(l.labels[i])))
		}
		if math.Abs(a-widest/l.c) > 1e-12*a {
			t.Errorf("%s: the largest |ψ·ψ'|/C is %.15g, the largest |ψ|²/C %.15g", name, a, widest/l.c)
		}
		alpha, _ := l.optimal(t, 200)
		d := divergence(alpha, l.uniform())
		if d < 0.001*most || d > most {
			t.Errorf("%s: D[α*‖uniform] is %v, n log|Y| %v", name, d, most)
		}
		theory := &eg.Solver{Order: "random", Rate: "theory"}
		if strings.HasPrefix(name, "chains") {
			if err := solvers.Missing(theory, l.Risk); err == nil {
				t.Errorf("%s: the rate theory accepts labellings of several parts", name)
			}
			continue
		}
		for _, order := range []string{"random", "batch"} {
			theory.Order = order
			figures := map[string]float64{}
			follow(t, l, theory, 1, func(updates int, it solvers.Iterate) bool {
				it.Stats(func(name string, v float64) { figures[name] = v })
				return updates < 50
			})
			want := map[string]float64{"A": a, "eta_mean": l.eg(order, 1).Eta,
				"divergence": divergence(l.gibbs(l.seen.scores), l.uniform())}
			for figure, v := range want {
				if math.Abs(figures[figure]-v) > 1e-11*v {
					t.Errorf("%s, %s: %s is %.15g, want %.15g", name, order, figure, figures[figure], v)
				}
			}
		}
	}
}

// errors returns Q(αᵗ) − Q* after t = 0, 1, ... updates of one run of the solver. Q* is best, the minimum of Q
// (see listed).
func (l *listed) errors(t *testing.T, s *eg.Solver, seed uint64, best float64, updates int) []float64 {
	t.Helper()
	var out []float64
	follow(t, l, s, seed, func(k int, it solvers.Iterate) bool {
		out = append(out, -float64(len(l.Examples))*it.Dual()-best)
		return k < updates
	})
	return out
}

// meanErrors returns the mean of Q(αᵗ) − Q* (see errors) over runs of the online method with different seeds, and
// the standard error of this mean.
func (l *listed) meanErrors(t *testing.T, best float64, updates int) (mean, stderr []float64) {
	t.Helper()
	const runs = 60
	mean, stderr = make([]float64, updates+1), make([]float64, updates+1)
	eg := l.eg("random", 1)
	for seed := range uint64(runs) {
		for k, e := range l.errors(t, eg, 100+seed, best, updates) {
			mean[k] += e / runs
			stderr[k] += e * e / runs
		}
	}
	for k, m := range mean {
		stderr[k] = math.Sqrt(math.Max(0, stderr[k]-m*m) / (runs - 1))
	}
	return mean, stderr
}

// guarantee returns the bound of theorem 1 or 2 of the paper on Q − Q* after k > 0 updates. d is the divergence of
// the optimum from the start, and dq is Q − Q* at the start.
func (l *listed) guarantee(order string, k int, d, dq float64) float64 {
	eta, visits := l.eg(order, 1).Eta, float64(k)
	if order == "batch" {
		dq = 0
	} else {
		visits /= float64(len(l.Examples))
	}
	bound := d/(eta*visits) + dq/visits // (14), (16)
	if l.Loss.Smooth() {
		bound = math.Min(bound, math.Exp(-eta*visits)*(d/eta+dq)) // (15), (17)
	}
	return bound
}

// TestTheoremsBoundEveryIterate checks claims c1 and c2 of eg/thm1 and eg/thm2: after every number of updates, the dual
// is as close to its optimum as the theorems promise. For the online method, the mean of 60 runs plus three standard
// errors must satisfy this.
func TestTheoremsBoundEveryIterate(t *testing.T) {
	for name, l := range listedProblems(t) {
		alpha, best := l.optimal(t, 3000)
		d, dq := divergence(alpha, l.uniform()), l.q(l.uniform())-best
		n := len(l.Examples)
		batch := l.errors(t, l.eg("batch", 1), 1, best, 1500)
		mean, stderr := l.meanErrors(t, best, 40*n)
		for order, errors := range map[string][]float64{"batch": batch, "random": mean} {
			for k, e := range errors {
				if order == "random" {
					e += 3 * stderr[k]
				}
				if k > 0 && e > l.guarantee(order, k, d, dq)+1e-9*(1+math.Abs(best)) {
					t.Fatalf("%s, %s: after %d updates Q is %.6g above its optimum, the theorem promises %.6g", name, order, k, e,
						l.guarantee(order, k, d, dq))
				}
			}
		}
	}
}

// TestVisitsStayBelowTable1 checks claims c1 and c3 of eg/tab1 on problems whose constants are known exactly. The
// visits that an accuracy ε takes must stay below the four entries of table 1. They must grow at most like 1/ε; for
// the log loss, at most like log(1/ε).
func TestVisitsStayBelowTable1(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test trains hundreds of times")
	}
	for name, l := range listedProblems(t) {
		alpha, best := l.optimal(t, 3000)
		d, dq := divergence(alpha, l.uniform()), l.q(l.uniform())-best
		n := len(l.Examples)
		mean, stderr := l.meanErrors(t, best, 250*n)
		for k := range mean {
			mean[k] += 3 * stderr[k]
		}
		for order, errors := range map[string][]float64{"batch": l.errors(t, l.eg("batch", 1), 1, best, 1500),
			"random": mean} {
			each, a := 1.0, l.a // each: number of visits in an update; a: the constant A of the table
			constant := a*d + dq
			if order == "batch" {
				each, constant, a = float64(n), a*float64(n)*d, a*float64(n)
			}
			var visits, accuracies []float64
			for _, accuracy := range []float64{0.1, 0.05, 0.02, 0.01} {
				eps := accuracy * errors[0]
				at := slices.IndexFunc(errors, func(e float64) bool { return e <= eps })
				if at < 0 {
					t.Fatalf("%s, %s: the accuracy %v is not reached in %d updates", name, order, accuracy, len(errors))
				}
				entry := float64(n) / eps * constant
				if l.Loss.Smooth() {
					entry = float64(n) * (1 + a) * math.Log((constant+d)/eps)
				}
				if got := each * float64(at); got > entry+each {
					t.Errorf("%s, %s: an accuracy of %.3g takes %v visits, table 1 allows %.6g", name, order, eps, got, entry)
				} else {
					t.Logf("%s, %s: accuracy %.3g: %v visits, table 1 %.0f, ratio %.3f", name, order, eps, got, entry, got/entry)
				}
				visits, accuracies = append(visits, each*float64(at)), append(accuracies, eps)
			}
			// A tenth of the error must cost at most ten times the visits. For the log loss, each halving of the error must cost
			// about the same number of visits.
			last, half := visits[len(visits)-1], visits[len(visits)-1]-visits[len(visits)-2]
			if grown := math.Log(last/visits[0]) / math.Log(accuracies[0]/accuracies[len(accuracies)-1]); grown > 1.05 {
				t.Errorf("%s, %s: the visits grow like ε to the -%.3f", name, order, grown)
			}
			if l.Loss.Smooth() && half > (last-visits[0])/2 {
				t.Errorf("%s, %s: visits %v for half the error each are not about linear in log(1/ε)", name, order, visits)
			}
		}
	}
}

// TestBestOfRepeatedRuns checks claim eg/sec51/c2: with probability 1 − δ, the best of log2(1/δ) runs has at most
// twice the expected error, because each single run has at most twice this error with probability 1/2. The test
// estimates the expected error from other runs.
func TestBestOfRepeatedRuns(t *testing.T) {
	for name, l := range listedProblems(t) {
		_, best := l.optimal(t, 2000)
		n := len(l.Examples)
		mean, _ := l.meanErrors(t, best, 3*n)
		var errors []float64
		eg := l.eg("random", 1)
		for seed := range uint64(200) {
			run := l.errors(t, eg, 1000+seed, best, 3*n)
			errors = append(errors, run[len(run)-1])
		}
		limit, single, group := 2*mean[3*n], 0, 0
		const k = 4 // number of runs for δ = 1/16
		for i := 0; i < len(errors); i += k {
			for _, e := range errors[i : i+k] {
				if e > limit {
					single++
				}
			}
			if slices.Min(errors[i:i+k]) > limit {
				group++
			}
		}
		if single > len(errors)/2 || group > len(errors)/k/16 {
			t.Errorf("%s: %d of %d runs and the best in %d of %d groups of %d end above twice the mean error", name, single,
				len(errors), group, len(errors)/k, k)
		}
		if slices.Max(errors) <= 1.001*slices.Min(errors) {
			t.Errorf("%s: all runs end alike: nothing is random here", name)
		}
	}
}
