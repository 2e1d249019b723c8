package deptree_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/deptree"
)

// sumsToOne checks that the probabilities of the heads of each word sum to 1. With a single root it also checks that
// the probabilities of the root's arcs sum to 1.
func sumsToOne(t *testing.T, what string, mu []float64, l int, multiRoot bool, tol float64) {
	t.Helper()
	var roots float64
	for m := range l {
		var sum float64
		for _, p := range mu[m*l : m*l+l] {
			if !(p >= 0) {
				t.Errorf("%s: marginal of word %d = %v, want at least 0", what, m+1, p)
			}
			sum += p
		}
		if !(math.Abs(sum-1) < tol) {
			t.Errorf("%s: total probability of the heads of word %d = %v, want 1", what, m+1, sum)
		}
		roots += mu[m*l]
	}
	if !multiRoot && !(math.Abs(roots-1) < tol) {
		t.Errorf("%s: total probability of the root's arcs = %v, want 1", what, roots)
	}
	if multiRoot && !(roots > 1-tol) {
		t.Errorf("%s: expected number of roots = %v, want at least 1", what, roots)
	}
}

// scaledAgainstLogs compares LogSum with scaled numbers to LogSum with logarithms. It returns false if the range of
// scaled numbers does not suffice.
func scaledAgainstLogs(t *testing.T, what string, oracle *deptree.Eisner, theta []float64) bool {
	t.Helper()
	scaled, logs := make([]float64, len(theta)), make([]float64, len(theta))
	got, ok := oracle.LogSumScaled(scaled, theta)
	if !ok {
		return false
	}
	if want := oracle.LogSumOfLogs(logs, theta); !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
		t.Errorf("%s: log Z = %v, want %v as with logarithms", what, got, want)
	}
	for r := range scaled {
		if !(math.Abs(scaled[r]-logs[r]) < 1e-10) {
			t.Fatalf("%s: marginal %d = %v, want %v as with logarithms", what, r, scaled[r], logs[r])
		}
	}
	return true
}

// TestEisnerScaledAgainstLogs checks that LogSum with scaled numbers is right, or reports that the range of scaled
// numbers does not suffice. At the end it increases the scores of one sentence from size 1 to 2000, until the range no
// longer suffices.
func TestEisnerScaledAgainstLogs(t *testing.T) {
	bothRoots(t, func(t *testing.T, multiRoot bool) {
		rng := rand.New(rand.NewPCG(2, 2))
		oracle := deptree.NewEisner(multiRoot)
		for _, c := range []struct {
			l     int
			scale float64
			holds bool // whether the range of scaled numbers suffices
		}{{1, 1e6, true}, {2, 3, true}, {13, 0, true}, {60, 1, true}, {60, 5, true}, {120, 1, true}, {60, 1e4, false}} {
			what := fmt.Sprintf("%d words, scores of size %v", c.l, c.scale)
			theta, mu := treeScores(rng, c.l, c.scale), make([]float64, c.l*c.l)
			if ok := scaledAgainstLogs(t, what, oracle, theta); ok != c.holds {
				t.Errorf("%s: range of scaled numbers suffices = %v, want %v", what, ok, c.holds)
			}
			oracle.LogSumOfLogs(mu, theta)
			sumsToOne(t, what, mu, c.l, multiRoot, 1e-11)
		}
		const l, steps = 16, 120
		base, theta, held := treeScores(rng, l, 1), make([]float64, l*l), 0
		for step := range steps {
			for r, v := range base {
				theta[r] = v * math.Pow(2000, float64(step)/steps)
			}
			if scaledAgainstLogs(t, fmt.Sprintf("step %d", step), oracle, theta) {
				held++
			}
		}
		if held == 0 || held == steps {
			t.Errorf("range of scaled numbers suffices for %d of %d sizes, want some but not all", held, steps)
		}
	})
}

// TestEisnerCountsTrees checks that the partition function Z is the number of trees if all scores are 0. There is a
// closed form for this number.
func TestEisnerCountsTrees(t *testing.T) {
	logChoose := func(n, k int) float64 {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(k + 1))
		c, _ := math.Lgamma(float64(n - k + 1))
		return a - b - c
	}
	for _, l := range []int{1, 2, 10, 50, 200, 380} {
		if testing.Short() && l > 200 {
			continue
		}
		for _, multiRoot := range []bool{false, true} {
			want := logChoose(3*l-2, l-1) - math.Log(float64(l))
			if multiRoot {
				want = logChoose(3*l, l) - math.Log(float64(2*l+1))
			}
			if bound := 1.91 * float64(l); want > bound {
				t.Errorf("%d words: log of the number of trees = %v, want at most %v", l, want, bound)
			}
			if got := deptree.NewEisner(multiRoot).LogSum(nil, make([]float64, l*l)); !(math.Abs(got-want) < 1e-9*max(1, want)) {
				t.Errorf("%d words, multi-root %v: log Z of scores 0 = %v, want the log of the number of trees %v", l, multiRoot,
					got, want)
			}
		}
	}
}

// TestEisnerLargeScores checks LogSum for large scores and long sentences: log Z is close to the score of the best
// tree, and if the second-best tree scores far less, the best tree has probability 1.
func TestEisnerLargeScores(t *testing.T) {
	bothRoots(t, func(t *testing.T, multiRoot bool) {
		rng := rand.New(rand.NewPCG(3, 3))
		oracle := deptree.NewEisner(multiRoot)
		for _, l := range []int{1, 2, 40, 200} {
			for _, scale := range []float64{1e4, 1e6} {
				what := fmt.Sprintf("%d words, scores of size %v", l, scale)
				theta := treeScores(rng, l, scale)
				y, v := oracle.Max(nil, theta)
				mu := make([]float64, l*l)
				logZ := oracle.LogSum(mu, theta)
				if !(logZ >= v-1e-10*math.Abs(v) && logZ <= v+1.91*float64(l)) {
					t.Errorf("%s: log Z = %v, want about the score of the best tree %v", what, logZ, v)
				}
				sumsToOne(t, what, mu, l, multiRoot, 1e-11)
				if second := secondBound(oracle, theta, y, l); v-second > 50 {
					for _, r := range y {
						if !(mu[r] > 1-1e-9) {
							t.Errorf("%s: probability of arc %d of the best tree = %v, want 1", what, r, mu[r])
						}
					}
				}
				for r := range theta { // all scores are scale or −scale, so many trees have the same score
					theta[r] = math.Copysign(scale, theta[r])
				}
				logZ = oracle.LogSum(mu, theta)
				sumsToOne(t, what+", signs only", mu, l, multiRoot, 1e-11)
				if _, v := oracle.Max(nil, theta); !(logZ >= v*(1-1e-10) && logZ <= v+1.91*float64(l)) {
					t.Errorf("%s, signs only: log Z = %v, want about the score of the best tree %v", what, logZ, v)
				}
			}
		}
	})
}

// secondBound returns the score of the second-best tree of a short sentence. It returns +Inf for a long sentence, for
// which Second is slow.
func secondBound(oracle models.SecondOracle, theta []float64, y models.Vertex, l int) float64 {
	if l > 40 {
		return math.Inf(1)
	}
	_, v := oracle.Second(nil, theta, y)
	return v
}
