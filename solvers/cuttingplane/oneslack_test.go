package cuttingplane

import (
	"errors"
	"iter"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// countedCalls returns the problem with its oracles counted: as many calls as look for violated constraints.
func countedCalls(p *models.Risk) (*models.Risk, *atomic.Int64) {
	q, calls := *p, &atomic.Int64{}
	q.Examples = slices.Clone(p.Examples)
	for i := range q.Examples {
		e := &q.Examples[i]
		e.Max = countedMax{e.Max, calls}
		if e.Slack != nil {
			e.Slack = countedSlack{e.Slack, calls}
		}
	}
	return &q, calls
}

type countedMax struct {
	models.MaxOracle
	calls *atomic.Int64
}

func (o countedMax) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	o.calls.Add(1)
	return o.MaxOracle.Max(dst, theta)
}

type countedSlack struct {
	models.SlackOracle
	calls *atomic.Int64
}

func (o countedSlack) MaxSlack(dst models.Vertex, theta, cost []float64, truth models.Vertex) (models.Vertex, float64) {
	o.calls.Add(1)
	return o.SlackOracle.MaxSlack(dst, theta, cost, truth)
}

// TestCuttingPlaneCalls checks that oracles are called for whole passes, as the counts in the paper's table 1 are
// multiples of n.
func TestCuttingPlaneCalls(t *testing.T) {
	for name, loss := range map[string]models.Loss{"margin": models.Hinge(), "slack": models.Slack()} {
		t.Run(name, func(t *testing.T) {
			eachPlane(t, loss, 0.01, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
				n := int64(len(p.Examples))
				for name, s := range planeSolvers(1e-3) {
					q, calls := countedCalls(p)
					epoch, passes := 0, 0.0
					for it, err := range solvers.Run(s, q, solvers.Env{Seed: 1}) {
						if err != nil {
							t.Fatal(err)
						}
						_, within := s.(*NSlack) // a pass yields several times
						if now := calls.Load(); now%n != 0 && (!within || it.Epoch > epoch) {
							t.Fatalf("%s: %d calls by epoch %d: want a multiple of %d", name, now, it.Epoch, n)
						}
						epoch, passes = it.Epoch, testbed.EndAt(it).Stats["oracle_passes"]
					}
					if _, ok := s.(*NSlack); ok {
						passes = float64(epoch)
					}
					if now := calls.Load(); now != n*int64(passes) || passes < 2 {
						t.Errorf("%s: %d calls in all: want %d for each of %v passes", name, now, n, passes)
					}
				}
			})
		})
	}
}

// TestCuttingPlaneCache checks that with a cache, most QPs cost no call, and the constraints they add are violated as
// they should be.
func TestCuttingPlaneCache(t *testing.T) {
	eachPlane(t, models.Hinge(), 0.002, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		const eps = 1e-3
		without := testbed.EndOf(t, &OneSlack{Epsilon: eps, CacheRule: "svmstruct", Step: "qp"}, p)
		for _, rule := range []string{"svmstruct", "paper"} {
			at := testbed.EndOf(t, &OneSlack{Epsilon: eps, Cache: 10, CacheRule: rule, Step: "qp"}, p)
			if at.Stats["oracle_passes"] >= without.Stats["oracle_passes"] && without.Stats["oracle_passes"] > 10 {
				t.Errorf("%s: %v passes with the cache, %v without", rule, at.Stats["oracle_passes"],
					without.Stats["oracle_passes"])
			}
			if sum := at.Stats["cached_iterations"] + at.Stats["oracle_passes"]; sum < float64(at.Epoch) ||
				at.Stats["cached_iterations"] == 0 && at.Epoch > 10 {
				t.Errorf("%s: %d QPs after %v cached constraints and %v passes", rule, at.Epoch, at.Stats["cached_iterations"],
					at.Stats["oracle_passes"])
			}
		}
	})
}

// TestCuttingPlaneWorkers checks that the bits of each iterate do not depend on the number of goroutines, of which
// there may be any number.
func TestCuttingPlaneWorkers(t *testing.T) {
	lengths := make([]int, 70) // more examples than there are blocks
	for i := range lengths {
		lengths[i] = 1 + i%5
	}
	for _, s := range []testbed.Structured{
		{Name: "chain", Task: testbed.TaskOf(t, chain.Model{Edges: "tied"}, testbed.ShortSequences(5, 4, lengths...))},
		{Name: "cfg", Task: testbed.Build(t, cfg.Model{LossScale: 1, Forests: 64},
			generated.GrammarTrees{Train: 70, MaxWords: 12, Seed: 1})},
	} {
		for name, loss := range map[string]models.Loss{"margin": models.Hinge(), "slack": models.Slack()} {
			p := s.Task.Objective(loss, 0.01).(*models.Risk)
			t.Run(s.Name+"/"+name, func(t *testing.T) {
				for _, cache := range []int{0, 10} {
					var want []testbed.End
					for _, workers := range []int{1, 2, 3, 8} {
						o := &OneSlack{Epsilon: 1e-4, Cache: cache, CacheRule: "svmstruct", Step: "qp", Drop: 5}
						got := firstOf(t, solvers.Run(o, p, solvers.Env{Seed: 1, Workers: workers}), 15)
						if workers == 1 {
							want = got
						}
						if !slices.EqualFunc(got, want, sameEnd) {
							t.Errorf("cache %d: the run with %d workers differs from that with 1", cache, workers)
						}
					}
				}
			})
		}
	}
}

// firstOf returns the first iterates of a run.
func firstOf(t *testing.T, run iter.Seq2[solvers.Iterate, error], n int) (out []testbed.End) {
	t.Helper()
	for it, err := range run {
		if err != nil {
			t.Fatal(err)
		}
		if out = append(out, testbed.EndAt(it)); len(out) == n {
			break
		}
	}
	return out
}

// sameEnd compares bits.
func sameEnd(a, b testbed.End) bool {
	bits := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }
	return a.Epoch == b.Epoch && bits(a.Dual, b.Dual) && slices.EqualFunc(a.W, b.W, bits) &&
		bits(a.Stats["radius_sq_seen"], b.Stats["radius_sq_seen"])
}

// TestCuttingPlaneWarm checks that a session resumes at another λ from its working set, and needs fewer passes than a
// cold start.
func TestCuttingPlaneWarm(t *testing.T) {
	const eps = 1e-3
	for name, s := range map[string]solvers.Warm{
		"one-slack":        &OneSlack{Epsilon: eps, CacheRule: "svmstruct", Step: "qp", Drop: 50},
		"one-slack, cache": &OneSlack{Epsilon: eps, Cache: 10, CacheRule: "svmstruct", Step: "qp", Drop: 50},
		"n-slack":          &NSlack{Epsilon: eps, Precision: "halving", QP: "coordinate", Batch: 100, Drop: 50},
		"n-slack, fixed":   &NSlack{Epsilon: eps, Precision: "fixed", QP: "decomposition", Batch: 100, Drop: 50},
	} {
		t.Run(name, func(t *testing.T) {
			eachPlane(t, models.Hinge(), 0.02, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
				session, err := s.Start(p, solvers.Env{Seed: 1})
				if err != nil {
					t.Fatal(err)
				}
				calls := func(e testbed.End) float64 {
					if passes, ok := e.Stats["oracle_passes"]; ok {
						return passes
					}
					return float64(e.Epoch)
				}
				before := testbed.EndOfRun(t, session.Run(p.Lambda), p)
				for _, lambda := range []float64{0.01, 0.005, 0.02} {
					q := *p
					q.Lambda = lambda
					warm, cold, best := testbed.EndOfRun(t, session.Run(lambda), &q), testbed.EndOf(t, s, &q), bestOf(t, &q)
					if warm.Primal > best.Primal+1.501*eps || warm.Dual < best.Dual-1.501*eps {
						t.Errorf("λ = %v: primal %v and dual %v: the optimum is %v", lambda, warm.Primal, warm.Dual, best.Primal)
					}
					if took := calls(warm) - calls(before); took >= calls(cold) {
						t.Errorf("λ = %v: %v passes after λ = 0.02: a fresh start takes %v", lambda, took, calls(cold))
					}
					before = warm
				}
			})
		})
	}
}

// TestOneSlackSettings checks that settings out of range are errors that list what is accepted, and are not
// ErrUnsupported.
func TestOneSlackSettings(t *testing.T) {
	p := planeCases(t)[0].Task.Objective(models.Hinge(), 0.1).(*models.Risk)
	for name, change := range map[string]func(*OneSlack){
		"cache_rule": func(o *OneSlack) { o.CacheRule = "all" },
		"step":       func(o *OneSlack) { o.Step = "" },
		"eps":        func(o *OneSlack) { o.Epsilon = math.NaN() },
		"tolerance":  func(o *OneSlack) { o.Tolerance = -1 },
		"cache":      func(o *OneSlack) { o.Cache = -1 },
		"drop":       func(o *OneSlack) { o.Drop = -1 },
	} {
		o := exactOneSlack(0.1)
		change(o)
		checkRefused(t, name, o, p)
	}
	for name, loss := range map[string]models.Loss{"log": models.LogLoss(), "softmax margin": {Temp: 1, Margin: 1}} {
		if err := solvers.Missing(exactOneSlack(0.1), planeCases(t)[0].Task.Objective(loss,
			0.1).(*models.Risk)); !errors.Is(err,
			solvers.ErrUnsupported) {
			t.Errorf("%s: Missing says %v", name, err)
		}
	}
}
