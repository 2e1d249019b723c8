package deptree_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/deptree"
	"github.com/gaplab/gaplab/models/modeltest"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// arcWeights is a feature map with one weight for each part.
type arcWeights int

func (f arcWeights) Parts() int               { return int(f) }
func (f arcWeights) Score(theta, w []float64) { f.check(theta, w); copy(theta, w) }
func (f arcWeights) NormSq(v []float64) float64 {
	f.check(v, v)
	return sumSq(v)
}
func (f arcWeights) AddAdjoint(w []float64, c float64, mu []float64) {
	f.check(mu, w)
	for r, m := range mu {
		w[r] += c * m
	}
}

func (f arcWeights) Adjoint(dst *models.Sparse, mu []float64) {
	f.check(mu, mu)
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	for r, m := range mu {
		if m != 0 {
			dst.Index, dst.Value = append(dst.Index, int32(r)), append(dst.Value, m)
		}
	}
}

func (f arcWeights) Dot(w []float64, y models.Vertex) float64 { f.check(w, w); return y.Dot(w) }
func (f arcWeights) Add(w []float64, c float64, y models.Vertex) {
	f.check(w, w)
	for _, r := range y {
		w[r] += c
	}
}

func (f arcWeights) check(theta, w []float64) {
	if len(theta) != int(f) || len(w) != int(f) {
		panic("arcweights: wrong length")
	}
}

func sumSq(v []float64) float64 {
	var s float64
	for _, x := range v {
		s += x * x
	}
	return s
}

// bothRoots runs a test for single-root and for multi-root trees.
func bothRoots(t *testing.T, test func(t *testing.T, multiRoot bool)) {
	t.Run("single root", func(t *testing.T) { test(t, false) })
	t.Run("multi-root", func(t *testing.T) { test(t, true) })
}

func TestEisnerConformance(t *testing.T) {
	bothRoots(t, func(t *testing.T, multiRoot bool) {
		for l := 1; l <= 5; l++ {
			t.Run(fmt.Sprintf("%d words", l), func(t *testing.T) {
				all, oracle := examples.ProjectiveTrees(l, multiRoot), deptree.NewEisner(multiRoot)
				task := &models.Task{Model: "trees", Unknowns: models.Weights{Dim: l * l}}
				for i := range 2 {
					truth := all[i*len(all)/2]
					cost := slices.Repeat([]float64{1}, l*l)
					for _, r := range truth {
						cost[r] = 0
					}
					task.Train = append(task.Train, models.Example{
						Features: arcWeights(l * l), Max: oracle, Exp: oracle, Second: oracle, Truth: truth, Cost: cost,
					})
				}
				modeltest.Check(t, task, func(*models.Example) []models.Vertex { return all }, modeltest.AnyTies())
			})
		}
	})
}

// TestEisnerAgainstEnumeration checks both kinds of arithmetic, and Max, against enumeration on many random sentences
// with small and large scores, with repeated scores and with forbidden arcs.
func TestEisnerAgainstEnumeration(t *testing.T) {
	bothRoots(t, func(t *testing.T, multiRoot bool) {
		rng := rand.New(rand.NewPCG(1, 1))
		oracle := deptree.NewEisner(multiRoot)
		for l := 1; l <= 5; l++ {
			all := examples.ProjectiveTrees(l, multiRoot)
			for trial := range 400 {
				theta := treeScores(rng, l, []float64{0.1, 1, 5, 100}[trial%4])
				if trial%3 == 0 {
					for _, r := range rng.Perm(l * l)[:l*l/4] {
						theta[r] = math.Inf(-1)
					}
				}
				best, z, want := 0, 0.0, make([]float64, l*l)
				for i, y := range all {
					if y.Dot(theta) > all[best].Dot(theta) {
						best = i
					}
				}
				top := all[best].Dot(theta)
				if math.IsInf(top, -1) {
					continue
				}
				for _, y := range all {
					p := math.Exp(y.Dot(theta) - top)
					z += p
					for _, r := range y {
						want[r] += p
					}
				}
				y, v := oracle.Max(nil, theta)
				if v != top || y.Dot(theta) != top {
					t.Fatalf("%d words, scores %v: Max is %v of value %v, want %v", l, theta, y, v, top)
				}
				for name, sum := range map[string]func(mu, theta []float64) float64{"LogSum": oracle.LogSum,
					"LogSumOfLogs": oracle.LogSumOfLogs} {
					mu := make([]float64, l*l)
					if got := sum(mu, theta); !(math.Abs(got-top-math.Log(z)) < 1e-11*max(1, math.Abs(got))) {
						t.Fatalf("%d words, scores %v: %s is %v, want %v", l, theta, name, got, top+math.Log(z))
					}
					for r := range mu {
						if !(math.Abs(mu[r]-want[r]/z) < 1e-11) {
							t.Fatalf("%d words, scores %v: marginal %d of %s is %v, want %v", l, theta, r, name, mu[r], want[r]/z)
						}
					}
				}
			}
		}
	})
}

// TestEisnerConcurrent checks that one oracle serves sentences of all lengths at once, in both kinds of arithmetic, and
// gives the same bits as alone.
func TestEisnerConcurrent(t *testing.T) {
	bothRoots(t, func(t *testing.T, multiRoot bool) {
		rng := rand.New(rand.NewPCG(5, 5))
		var sentences [][]float64
		for i := range 24 {
			sentences = append(sentences, treeScores(rng, 1+rng.IntN(30), []float64{1, 300}[i%2]))
		}
		run := func(oracle interface {
			models.MaxOracle
			models.ExpOracle
		}, first int) [][]float64 {
			out := make([][]float64, len(sentences))
			for i := range sentences {
				at := (i + first) % len(sentences)
				theta := slices.Clone(sentences[at])
				y, v := oracle.Max(nil, theta)
				logZ := oracle.LogSum(theta, theta)
				out[at] = append(theta, v, logZ)
				for _, r := range y {
					out[at] = append(out[at], float64(r))
				}
			}
			return out
		}
		want := run(deptree.NewEisner(multiRoot), 0)
		shared := deptree.NewEisner(multiRoot)
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Go(func() {
				for i, got := range run(shared, 7*g) {
					if !slices.Equal(got, want[i]) {
						t.Errorf("sentence %d gives other numbers from goroutine %d", i, g)
					}
				}
			})
		}
		wg.Wait()
	})
}

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
		"half a cost": func() {
			oracle.MaxSlack(nil, make([]float64, 4), []float64{0, 0.5, 1, 0}, models.Vertex{0, 3})
		},
	} {
		examples.Panics(t, name, "deptree: ", "", call)
	}
	nan := slices.Repeat([]float64{math.NaN()}, 16)
	if y, _ := oracle.Max(nil, nan); len(y) != 4 {
		t.Errorf("Max of NaN gives %d arcs: want any tree of 4 words", len(y))
	}
	if v := oracle.LogSum(nil, nan); !math.IsNaN(v) {
		t.Errorf("LogSum of NaN is %v: want NaN", v)
	}
}
