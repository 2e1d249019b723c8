package deptree_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/deptree"
	"github.com/gaplab/gaplab/models/modeltest"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// bothRoots runs a test for single-root and for multi-root trees.
func bothRoots(t *testing.T, test func(t *testing.T, multiRoot bool)) {
	t.Run("single root", func(t *testing.T) { test(t, false) })
	t.Run("multi-root", func(t *testing.T) { test(t, true) })
}

// inLogs is an exp-oracle that always computes with logarithms.
type inLogs struct{ *deptree.Eisner }

func (o inLogs) LogSum(mu, theta []float64) float64 {
	if mu != nil && len(mu) != len(theta) {
		panic("deptree: len(mu) != len(theta)")
	}
	return o.LogSumOfLogs(mu, theta)
}

// TestEisnerConformance runs the conformance suite on short sentences, with scaled numbers and with logarithms.
func TestEisnerConformance(t *testing.T) {
	bothRoots(t, func(t *testing.T, multiRoot bool) {
		oracle := deptree.NewEisner(multiRoot)
		for l := 1; l <= 5; l++ {
			all := examples.ProjectiveTrees(l, multiRoot)
			for name, exp := range map[string]models.ExpOracle{"scaled": oracle, "logs": inLogs{oracle}} {
				t.Run(fmt.Sprintf("%d words/%s", l, name), func(t *testing.T) {
					task := examples.OfParts(models.Example{Max: oracle, Exp: exp, Second: oracle}, l*l, l*l, all)
					modeltest.Check(t, task, func(*models.Example) []models.Vertex { return all }, modeltest.AnyTies())
				})
			}
		}
	})
}

// TestEisnerForbiddenArcs checks that arcs with the score −∞ are in no tree, with scaled numbers and with logarithms.
func TestEisnerForbiddenArcs(t *testing.T) {
	bothRoots(t, func(t *testing.T, multiRoot bool) {
		rng := rand.New(rand.NewPCG(1, 1))
		oracle := deptree.NewEisner(multiRoot)
		for trial := range 300 {
			l := 1 + trial%5
			theta, forbidden := treeScores(rng, l, 5), rng.Perm(l * l)[:l*l/4]
			for _, r := range forbidden {
				theta[r] = math.Inf(-1)
			}
			best, z := math.Inf(-1), 0.0
			for _, y := range examples.ProjectiveTrees(l, multiRoot) {
				best, z = max(best, y.Dot(theta)), z+math.Exp(y.Dot(theta))
			}
			if z == 0 {
				continue
			}
			if y, v := oracle.Max(nil, theta); math.Abs(v-best) > 1e-12 || math.Abs(y.Dot(theta)-best) > 1e-12 {
				t.Errorf("%d words: Max = %v with value %v, want the value %v", l, y, v, best)
			}
			for name, exp := range map[string]models.ExpOracle{"scaled": oracle, "logs": inLogs{oracle}} {
				mu := make([]float64, l*l)
				if got := exp.LogSum(mu, theta); math.Abs(got-math.Log(z)) > 1e-11*max(1, math.Abs(got)) {
					t.Errorf("%d words, %s: LogSum = %v, want %v", l, name, got, math.Log(z))
				}
				for _, r := range forbidden {
					if mu[r] != 0 {
						t.Errorf("%d words, %s: marginal of the forbidden arc %d = %v, want 0", l, name, r, mu[r])
					}
				}
			}
		}
	})
}

// TestEisnerMisuse checks that wrong lengths and costs panic, and that NaN scores do not.
func TestEisnerMisuse(t *testing.T) {
	oracle := deptree.NewEisner(false)
	for name, call := range map[string]func(){
		"no scores":                  func() { oracle.LogSum(nil, nil) },
		"not a square":               func() { oracle.Max(nil, make([]float64, 8)) },
		"fewer marginals than parts": func() { oracle.LogSum(make([]float64, 4), make([]float64, 9)) },
		"an empty tree":              func() { oracle.Second(nil, make([]float64, 9), nil) },
		"fewer costs than parts": func() {
			oracle.MaxSlack(nil, make([]float64, 9), make([]float64, 3), models.Vertex{0, 3, 7})
		},
		"a cost of 0.5": func() {
			oracle.MaxSlack(nil, make([]float64, 4), []float64{0, 0.5, 1, 0}, models.Vertex{0, 3})
		},
	} {
		examples.Panics(t, name, "deptree: ", "", call)
	}
	nan := slices.Repeat([]float64{math.NaN()}, 16)
	if y, _ := oracle.Max(nil, nan); len(y) != 4 {
		t.Errorf("Max of NaN has %d arcs, want any tree of 4 words", len(y))
	}
	if v := oracle.LogSum(nil, nan); !math.IsNaN(v) {
		t.Errorf("LogSum of NaN = %v, want NaN", v)
	}
}

// TestProjectiveTrees checks the number of projective trees that the enumeration lists: C(3l, l)/(2l+1) with any number
// of roots, and C(3l−2, l−1)/l with one root.
func TestProjectiveTrees(t *testing.T) {
	for _, c := range []struct {
		multiRoot bool
		want      []int
	}{{true, []int{1, 3, 12, 55, 273, 1428}}, {false, []int{1, 2, 7, 30, 143, 728}}} {
		for i, want := range c.want {
			if got := len(examples.ProjectiveTrees(i+1, c.multiRoot)); got != want {
				t.Errorf("%d words, multi-root %v: number of trees = %d, want %d", i+1, c.multiRoot, got, want)
			}
		}
	}
}

// treeScores draws random part scores of a sentence of l words.
func treeScores(rng *rand.Rand, l int, scale float64) []float64 {
	theta := make([]float64, l*l)
	for r := range theta {
		theta[r] = scale * rng.NormFloat64()
	}
	return theta
}
