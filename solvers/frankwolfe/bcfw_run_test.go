package frankwolfe

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/cuttingplane"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// The optimum is that of 1-slack cutting planes, on each model.
func TestBCFWAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic on one goroutine, which takes minutes with the race detector")
	}
	const accuracy = 4e-2
	eachHinge(t, 8, 30, func(t *testing.T, p *models.Risk) {
		best := testbed.EndOf(t, &cuttingplane.OneSlack{Epsilon: 1e-3, CacheRule: "svmstruct", Step: "qp"}, p)
		for _, average := range []bool{true, false} {
			at := gapTo(t, p, &BCFW{Order: "permutation", Average: average}, accuracy, 500)
			if at.gap() > accuracy || at.dual > best.Primal*(1+1e-9) || at.primal < best.Dual*(1-1e-9) {
				t.Errorf("average %v: the primal is %v and the dual %v: the optimum is in %v to %v", average, at.primal, at.dual,
					best.Dual, best.Primal)
			}
		}
	})
}

// Where λ is so large that each distribution is all on the one labelling that is all wrong, a few passes find the
// optimum exactly; the run ends, and its last iterate is that optimum, also with averaging, with the gap 0.
func TestBCFWEnds(t *testing.T) {
	for _, task := range []*models.Task{
		testbed.TaskOf(t, multiclass.Model{LossScale: 1}, testbed.OverlappingClasses(12, 3, 2)),
		testbed.TaskOf(t, chain.Model{Edges: "tied"}, testbed.ShortSequences(3, 2, 3, 1, 5, 2, 4, 2, 3, 6)),
	} {
		p := task.Objective(models.Hinge(), 1e4).(*models.Risk)
		for _, order := range []string{"random", "permutation", "cyclic"} {
			for _, average := range []bool{true, false} {
				b := &BCFW{Order: order, Average: average}
				solvertest.Resumes(t, fmt.Sprint(task.Model, ", ", order), func(env solvers.Env) iter.Seq2[solvers.Iterate, error] {
					return solvers.Run(b, p, env)
				})
				end := testbed.EndOf(t, b, p)
				if end.Epoch > 50 || !(end.Dual > 0) || math.Abs(end.Primal-end.Dual) > 1e-11*end.Primal {
					t.Errorf("%s, %s, average %v: it ended in epoch %d with the primal %v and the dual %v", task.Model, order, average,
						end.Epoch, end.Primal, end.Dual)
				}
			}
		}
	}
}

// |Aᵀv|² is taken from NormSq, or else from Adjoint, whose result then moves w and the average: the same run either
// way.
func TestBCFWEitherNorm(t *testing.T) {
	eachHinge(t, 8, 1, func(t *testing.T, p *models.Risk) {
		b := &BCFW{Order: "permutation", Average: true}
		want, other := testbed.Trace(t, solvers.Run(b, testbed.WithFeatures(p, testbed.NewNormOnly), solvers.Env{Seed: 1})),
			testbed.Trace(t, solvers.Run(b, testbed.WithFeatures(p, testbed.NewSparseOnly), solvers.Env{Seed: 1}))
		for k := range min(20, len(want)) { // ties may go either way in the end
			if d := testbed.Distance(want[k].W, other[k].W); d > 1e-8*(1+math.Sqrt(dualspace.Dot(want[k].W, want[k].W))) {
				t.Errorf("at yield %d of both runs w differs by %v", k, d)
				break
			}
		}
	})
}

// A visit allocates nothing once each example has been visited, nor does a yield but for its functions.
func TestBCFWVisitAllocatesNothing(t *testing.T) {
	eachHinge(t, 20, 1, func(t *testing.T, p *models.Risk) {
		for name, p := range map[string]*models.Risk{"": p, " with norms": testbed.WithFeatures(p, testbed.NewNormOnly),
			" without norms": testbed.WithFeatures(p, testbed.NewSparseOnly)} {
			st := newBCFWState(&BCFW{Order: "permutation", Average: true}, p, 1)
			visit := func() {
				st.visit(st.visits.Next())
				if st.visits.Done%len(p.Examples) == 0 {
					st.endEpoch()
				}
			}
			for range 3 * len(p.Examples) {
				visit()
			}
			if n := testing.AllocsPerRun(2*len(p.Examples), visit); n != 0 {
				t.Errorf("a visit%s allocates %v times", name, n)
			}
		}
	})
}

// TestBCFWBesideOthers tells what gap two methods certify after so many oracle calls. All primals and duals are
// bounds of one optimum.
func TestBCFWBesideOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic on one goroutine, which takes minutes with the race detector")
	}
	eachHinge(t, 20, 30, func(t *testing.T, p *models.Risk) {
		primal, dual := math.Inf(1), math.Inf(-1)
		for _, c := range []struct {
			name   string
			solver solvers.Solver
		}{
			{"bcfw, average", &BCFW{Order: "random", Average: true}},
			{"bcfw", &BCFW{Order: "random"}},
			{"bcfw, permutation", &BCFW{Order: "permutation"}},
			{"one-slack", &cuttingplane.OneSlack{CacheRule: "svmstruct", Step: "qp", Drop: 50}},
		} {
			if solvers.Missing(c.solver, p) != nil {
				continue
			}
			line := fmt.Sprintf("%-18s", c.name)
			for _, accuracy := range []float64{1, 1e-1, 1e-2, 1e-3} {
				at := gapTo(t, p, c.solver, accuracy, 15)
				primal, dual = min(primal, at.primal), max(dual, at.dual)
				if at.gap() > accuracy {
					line += fmt.Sprintf("  %.2g in the end", at.gap())
					break
				}
				line += fmt.Sprintf("  %g: %.1f n calls", accuracy, float64(at.calls)/float64(len(p.Examples)))
			}
			t.Log(line)
		}
		if dual > primal*(1+1e-9) {
			t.Errorf("of all methods the best primal is %v and the best dual %v", primal, dual)
		}
	})
}

// bounds are the best primal and dual of a run, and the oracle calls that they took.
type bounds struct {
	primal, dual float64
	calls        int
}

func (b bounds) gap() float64 { return (b.primal - b.dual) / b.primal }

// gapTo follows a run until the gap is at most the accuracy, or for so many epochs.
func gapTo(t *testing.T, p *models.Risk, s solvers.Solver, accuracy float64, epochs int) bounds {
	t.Helper()
	q, counter := *p, &callCounter{}
	env := solvers.Env{Seed: 1, Phase: func(name string) { counter.idle = name == "setup" }}
	q.Examples = slices.Clone(p.Examples)
	for i := range q.Examples {
		e := &q.Examples[i]
		c := &callCounter{of: &p.Examples[i], sum: counter}
		e.Max, e.Second = c, c
		if e.Exp != nil {
			e.Exp = c
		}
	}
	at := bounds{primal: math.Inf(1), dual: math.Inf(-1)}
	last := 0
	for it, err := range solvers.Run(s, &q, env) {
		if err != nil {
			t.Fatal(err)
		}
		if it.Epoch > 5 && it.Epoch == last {
			continue
		}
		last = it.Epoch
		at = bounds{min(at.primal, p.Primal(it.W)), max(at.dual, it.Dual()), counter.calls}
		if at.gap() <= accuracy || it.Epoch >= epochs {
			break
		}
	}
	return at
}

// callCounter passes on the oracles of an example and counts their calls in sum, unless that is idle.
type callCounter struct {
	of    *models.Example
	sum   *callCounter
	calls int
	idle  bool
}

func (c *callCounter) tick() {
	if !c.sum.idle {
		c.sum.calls++
	}
}

func (c *callCounter) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	c.tick()
	return c.of.Max.Max(dst, theta)
}

func (c *callCounter) Second(dst models.Vertex, theta []float64, not models.Vertex) (models.Vertex, float64) {
	c.tick()
	return c.of.Second.Second(dst, theta, not)
}

func (c *callCounter) LogSum(mu, theta []float64) float64 {
	c.tick()
	return c.of.Exp.LogSum(mu, theta)
}

// BenchmarkBCFW is one visit, on examples of the shape of MNIST and on structures.
func BenchmarkBCFW(b *testing.B) {
	run := func(name string, p *models.Risk) {
		for _, average := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/average=%v", name, average), func(b *testing.B) {
				st := newBCFWState(&BCFW{Order: "random", Average: average}, p, 1)
				for range 2 * len(p.Examples) {
					st.visit(st.visits.Next())
				}
				b.ReportAllocs()
				for b.Loop() {
					st.visit(st.visits.Next())
				}
			})
		}
	}
	list := append(testbed.Structures(b, 300),
		testbed.Structured{Name: "multiclass",
			Task: testbed.Build(b, multiclass.Model{}, generated.Digits{Train: 2000, Seed: 1})})
	for _, s := range list {
		run(s.Name, s.Task.Objective(models.Hinge(), 1/float64(len(s.Task.Train))).(*models.Risk))
	}
}
