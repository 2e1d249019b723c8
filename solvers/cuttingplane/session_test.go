package cuttingplane

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestNextLambda checks the begin of the second run of a session: the first iterate has λw and the epoch of the end of
// the first run, and its dual belongs to its w. Before the next iterate, the QP of the old constraints is solved at the
// new λ. The precisions and the best primal value of the first run are no longer used.
func TestNextLambda(t *testing.T) {
	const old, lambda = 0.02, 0.05
	eachPlane(t, models.Hinge(), old, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		one := newOneSlackState(&OneSlack{Epsilon: 1e-3, Cache: 3, CacheRule: "svmstruct", Step: "qp"}, p, solvers.Env{})
		n := newNSlackState(&NSlack{Epsilon: 1e-3, Precision: "fixed", QP: "coordinate", Batch: 100}, p, solvers.Env{})
		bundle := newBMRMState(&BMRM{Epsilon: 1e-3}, p, solvers.Env{})
		for name, session := range map[string]solvers.Session{"one-slack": one, "n-slack": n, "bmrm": bundle} {
			if name == "bmrm" && solvers.Missing(bundle.b, p) != nil {
				continue
			}
			end := testbed.EndOfRun(t, session.Run(old), p)
			k, before, qpGap := 0, 0.0, 0.0
			for it := range testbed.Iterates(t, session.Run(lambda)) {
				at := testbed.EndAt(it)
				if k++; k == 2 {
					if qps := at.Stats["qps"] - before; name == "n-slack" && qps != 1 {
						t.Errorf("%s: %v QPs before the first visit at the new λ, want 1", name, qps)
					}
					break
				}
				before = at.Stats["qps"]
				scaled := slices.Clone(end.W)
				floats.Scale(old/lambda, scaled)
				if !floats.EqualApprox(at.W, scaled, 1e-9) || at.Epoch != end.Epoch {
					t.Errorf("%s: w = %v in epoch %d, want %v in epoch %d, as at the end at another λ", name, at.W, at.Epoch, scaled,
						end.Epoch)
				}
				if primal := p.At(lambda).Primal(at.W); at.Dual > primal || at.Dual == end.Dual {
					t.Errorf("%s: dual = %v after %v, want another one, at most the primal %v", name, at.Dual, end.Dual, primal)
				}
				switch name {
				case "one-slack":
					if one.full != 0 || one.work != oneSlackStart || one.workCached != oneSlackStart || !one.found {
						t.Errorf("precisions %v, %v and %v: want 0 and twice %v as at the begin of a first run", one.full, one.work,
							one.workCached, oneSlackStart)
					}
				case "bmrm":
					if _, ok := at.Stats["primal_best"]; ok || !math.IsInf(bundle.gap(), 1) || bundle.least != bundle.gap() ||
						bundle.idle != 0 || bundle.over {
						t.Errorf("bmrm: the statistics %v contain a primal value of another λ", at.Stats)
					}
					qpGap = bundle.dual.Gap()
					bundle.solve()
					if gap := bundle.dual.Gap(); gap > bmrmShare*qpGap || qpGap == 0 {
						t.Errorf("bmrm: the gap of the QP is %v after %v, want at most a quarter", gap, qpGap)
					}
				}
			}
		}
	})
}

// TestOneSlackPrecision checks the tolerance of each QP. It is half of the smallest violation beyond ξ of a
// constraint, over all constraints from the oracle and the constraints from the cache since the last of these. If the
// oracle finds no constraint, the precision is a fifth of the gap of the QP, or ε. It also checks the statistics
// slack, loss_seen and qp_steps, and the weights, which are Σ α_k g_k.
func TestOneSlackPrecision(t *testing.T) {
	fromCache, refined := 0, 0
	const eps = 1e-4
	eachRescaling(t, 0.01, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		for _, rule := range []string{"svmstruct", "paper"} {
			s := newOneSlackState(&OneSlack{Epsilon: eps, Cache: 3, CacheRule: rule, Step: "qp", Drop: 4}, p, solvers.Env{})
			work, cached := float64(oneSlackStart), float64(oneSlackStart)
			var before oneSlackState
			gap, loss, xi := 0.0, 0.0, 0.0
			w := make([]float64, p.Dim)
			for it := range testbed.Iterates(t, s.Run(p.Lambda)) {
				if it.Epoch > before.iterations {
					switch {
					case s.cached > before.cached:
						cached = min(cached, s.added)
						fromCache++
					case s.full > eps:
						if want := p.Primal(w) - p.Lambda/2*floats.Dot(w, w) - xi; math.Abs(s.full-want) > 1e-9*(1+want) {
							t.Fatalf("%s, epoch %d: violation = %v, want %v, of the w before", rule, it.Epoch, s.full, want)
						}
						work = min(work, s.full)
						cached = work
					default:
						work = max(eps, gap/5)
						cached = work
						refined++
					}
					if s.work != work || s.workCached != cached || s.dual.Gap() > cached/2 || s.steps < before.steps {
						t.Fatalf("%s, epoch %d: precisions %v and %v, want %v and %v; the gap of the QP is %v after %d steps", rule,
							it.Epoch, s.work, s.workCached, work, cached, s.dual.Gap(), s.steps)
					}
				}
				gap, xi, before = s.dual.Gap(), s.dual.Slack(), *s
				copy(w, it.W)
				sum := make([]float64, p.Dim)
				for k, a := range s.dual.Alpha() {
					s.g[k].AddTo(sum, a)
				}
				for i, l := range s.sep.chosen {
					if l.y != nil {
						loss = max(loss, p.Examples[i].LabelLoss(l.y))
					}
				}
				stats := testbed.EndAt(it).Stats
				if !floats.EqualApprox(sum, w, 1e-9) || stats["slack"] != xi || stats["loss_seen"] != loss ||
					stats["qp_steps"] != float64(s.steps) {
					t.Fatalf("%s, epoch %d: w = %v and statistics %v, want w = %v, slack = %v and loss_seen = %v", rule, it.Epoch,
						w, stats, sum, xi, loss)
				}
			}
		}
	})
	if fromCache == 0 || refined == 0 {
		t.Errorf("%d constraints from the cache and %d refined QPs, want some of each", fromCache, refined)
	}
}
