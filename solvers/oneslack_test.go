package solvers

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
)

// countedCalls is the problem with its oracles counted: as many calls as look for violated constraints.
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

// TestCuttingPlaneCalls: oracles are called for whole passes, as the counts in the paper's table 1 are multiples of n.
func TestCuttingPlaneCalls(t *testing.T) {
	for name, loss := range map[string]models.Loss{"margin": models.Hinge(), "slack": models.Slack()} {
		t.Run(name, func(t *testing.T) {
			eachPlane(t, loss, 0.01, func(t *testing.T, c planeCase, p *models.Risk) {
				n := int64(len(p.Examples))
				for name, s := range planeSolvers(1e-3) {
					q, calls := countedCalls(p)
					epoch, passes := 0, 0.0
					for it, err := range Run(s, q, Env{Seed: 1}) {
						if err != nil {
							t.Fatal(err)
						}
						_, within := s.(*NSlack) // a pass yields several times
						if now := calls.Load(); now%n != 0 && (!within || it.Epoch > epoch) {
							t.Fatalf("%s: %d calls by epoch %d: want a multiple of %d", name, now, it.Epoch, n)
						}
						epoch, passes = it.Epoch, endAt(it).stats["oracle_passes"]
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

// TestCuttingPlaneCache: with a cache, most QPs cost no call, and the constraints they add are violated as they
// should be.
func TestCuttingPlaneCache(t *testing.T) {
	eachPlane(t, models.Hinge(), 0.002, func(t *testing.T, c planeCase, p *models.Risk) {
		const eps = 1e-3
		without := endOf(t, &OneSlack{Epsilon: eps, CacheRule: "svmstruct", Step: "qp", Workers: 1}, p)
		for _, rule := range []string{"svmstruct", "paper"} {
			at := endOf(t, &OneSlack{Epsilon: eps, Cache: 10, CacheRule: rule, Step: "qp", Workers: 1}, p)
			if at.stats["oracle_passes"] >= without.stats["oracle_passes"] && without.stats["oracle_passes"] > 10 {
				t.Errorf("%s: %v passes with the cache, %v without", rule, at.stats["oracle_passes"],
					without.stats["oracle_passes"])
			}
			if sum := at.stats["cached_iterations"] + at.stats["oracle_passes"]; sum < float64(at.epoch) ||
				at.stats["cached_iterations"] == 0 && at.epoch > 10 {
				t.Errorf("%s: %d QPs after %v cached constraints and %v passes", rule, at.epoch, at.stats["cached_iterations"],
					at.stats["oracle_passes"])
			}
		}
	})
}

// TestCuttingPlaneWorkers: the bits of each iterate do not depend on the number of goroutines, of which there may be
// any number.
func TestCuttingPlaneWorkers(t *testing.T) {
	lengths := make([]int, 70) // more examples than there are blocks
	for i := range lengths {
		lengths[i] = 1 + i%5
	}
	for _, s := range []structured{
		{name: "chain", task: taskOf(t, chain.Model{Edges: "tied"}, shortSequences(5, 4, lengths...))},
		{name: "cfg", task: build(t, cfg.Model{LossScale: 1, Forests: 64},
			generated.GrammarTrees{Train: 70, MaxWords: 12, Seed: 1})},
	} {
		for name, loss := range map[string]models.Loss{"margin": models.Hinge(), "slack": models.Slack()} {
			p := s.task.Risk(loss, 0.01)
			t.Run(s.name+"/"+name, func(t *testing.T) {
				for _, cache := range []int{0, 10} {
					var want []end
					for _, workers := range []int{1, 2, 3, 8} {
						o := &OneSlack{Epsilon: 1e-4, Cache: cache, CacheRule: "svmstruct", Step: "qp", Drop: 5, Workers: workers}
						got := firstOf(t, Run(o, p, Env{Seed: 1}), 15)
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

// firstOf are the first iterates of a run.
func firstOf(t *testing.T, run iter.Seq2[Iterate, error], n int) (out []end) {
	t.Helper()
	for it, err := range run {
		if err != nil {
			t.Fatal(err)
		}
		if out = append(out, endAt(it)); len(out) == n {
			break
		}
	}
	return out
}

// sameEnd compares bits.
func sameEnd(a, b end) bool {
	bits := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }
	return a.epoch == b.epoch && bits(a.dual, b.dual) && slices.EqualFunc(a.w, b.w, bits) &&
		bits(a.stats["radius_sq_seen"], b.stats["radius_sq_seen"])
}

// TestCuttingPlaneWarm: a session goes on to another λ from its working set, and needs fewer passes than a fresh start.
func TestCuttingPlaneWarm(t *testing.T) {
	const eps = 1e-3
	for name, s := range map[string]Warm{
		"one-slack":        &OneSlack{Epsilon: eps, CacheRule: "svmstruct", Step: "qp", Drop: 50, Workers: 1},
		"one-slack, cache": &OneSlack{Epsilon: eps, Cache: 10, CacheRule: "svmstruct", Step: "qp", Drop: 50, Workers: 1},
		"n-slack":          &NSlack{Epsilon: eps, Precision: "halving", QP: "coordinate", Batch: 100, Drop: 50},
		"n-slack, fixed":   &NSlack{Epsilon: eps, Precision: "fixed", QP: "decomposition", Batch: 100, Drop: 50},
	} {
		t.Run(name, func(t *testing.T) {
			eachPlane(t, models.Hinge(), 0.02, func(t *testing.T, c planeCase, p *models.Risk) {
				session, err := s.Start(p, Env{Seed: 1})
				if err != nil {
					t.Fatal(err)
				}
				calls := func(e end) float64 {
					if passes, ok := e.stats["oracle_passes"]; ok {
						return passes
					}
					return float64(e.epoch)
				}
				before := endOfRun(t, session.Run(p.Lambda), p)
				for _, lambda := range []float64{0.01, 0.005, 0.02} {
					q := *p
					q.Lambda = lambda
					warm, cold, best := endOfRun(t, session.Run(lambda), &q), endOf(t, s, &q), bestOf(t, &q)
					if warm.primal > best.primal+1.501*eps || warm.dual < best.dual-1.501*eps {
						t.Errorf("λ = %v: primal %v and dual %v: the optimum is %v", lambda, warm.primal, warm.dual, best.primal)
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

// Settings out of range are errors that say what is accepted, and no problem of the kind unsupported.
func TestOneSlackSettings(t *testing.T) {
	p := planeCases(t)[0].task.Risk(models.Hinge(), 0.1)
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
		if err := Missing(exactOneSlack(0.1), planeCases(t)[0].task.Risk(loss, 0.1)); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: Missing says %v", name, err)
		}
	}
}
