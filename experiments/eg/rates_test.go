package eg_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/eg"
)

// optimal returns the point α* after some passes of the online method, and minus its primal. This is at most Q(α*), so
// no difference Q(α) − Q(α*) is understated.
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

// TestConstantsOfTheTheory checks claim eg/sec51/c1: D[α*‖uniform] is at most the sum over examples of the log of the
// number of labellings, and |A|∞ over all pairs is max|ψ|²/C. The rate theory computes both without listing pairs.
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

// errors returns Q(αᵗ) − Q* at t = 0, 1, ... of one run at the largest rate.
func (l *listed) errors(t *testing.T, s *eg.Solver, seed uint64, best float64, updates int) []float64 {
	t.Helper()
	var out []float64
	follow(t, l, s, seed, func(k int, it solvers.Iterate) bool {
		out = append(out, -float64(len(l.Examples))*it.Dual()-best)
		return k < updates
	})
	return out
}

// meanErrors returns the mean of Q(αᵗ) − Q* over runs of the online method with different seeds, and its standard
// error.
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

// guarantee returns the right-hand side of theorem 1 or 2 at T = k > 0, minus Q*.
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

// TestTheoremsBoundEveryIterate checks claims c1 and c2 of eg/thm1 and eg/thm2: at every T the dual is as close to its
// optimum as the theorems promise. For the online method this holds for the mean of 60 runs plus three standard errors.
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

// TestVisitsStayBelowTable1 checks claims c1 and c3 of eg/tab1 on problems whose constants are known exactly: the
// visits to an accuracy ε stay below the four entries. They grow no faster than 1/ε; for the log loss, than log(1/ε).
func TestVisitsStayBelowTable1(t *testing.T) {
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
			each, a := 1.0, l.a // visits of an update
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
			// A tenth of the error costs at most ten times the visits; for the log loss, halving it always costs about as much.
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

// TestBestOfRepeatedRuns checks claim eg/sec51/c2: with probability 1 − δ, the best of log2(1/δ) runs is within twice
// the expected error, because each run is with probability 1/2. The test estimates the expectation from other runs.
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
		const k = 4 // δ = 1/16
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
