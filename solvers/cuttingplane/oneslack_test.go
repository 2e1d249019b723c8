package cuttingplane

import (
	"iter"
	"sync/atomic"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestCuttingPlaneCalls checks that oracles are called in whole passes, so that the number of calls is a multiple of n,
// as in table 1 of Joachims, Finley and Yu (2009).
func TestCuttingPlaneCalls(t *testing.T) {
	eachRescaling(t, 0.01, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		n := int64(len(p.Examples))
		for name, s := range planeSolvers(1e-3) {
			var calls atomic.Int64
			q := testbed.OnCall(p, func() { calls.Add(1) })
			for i := range q.Examples { // counts only calls for the best labelling, not for the second-best
				q.Examples[i].Second = p.Examples[i].Second
			}
			epoch, passes := 0, 0.0
			for it := range testbed.Iterates(t, solvers.Run(s, q, solvers.Env{Seed: 1})) {
				_, within := s.(*NSlack) // NSlack yields several times in a pass
				if now := calls.Load(); now%n != 0 && (!within || it.Epoch > epoch) {
					t.Fatalf("%s: %d calls by epoch %d, want a multiple of %d", name, now, it.Epoch, n)
				}
				epoch, passes = it.Epoch, testbed.EndAt(it).Stats["oracle_passes"]
			}
			if _, ok := s.(*NSlack); ok {
				passes = float64(epoch)
			}
			if now := calls.Load(); now != n*int64(passes) || passes < 2 {
				t.Errorf("%s: %d calls in the run, want %d for each of %v passes", name, now, n, passes)
			}
		}
	})
}

// TestCuttingPlaneCache checks that a cache reduces the number of oracle passes, and that some iterations add a
// constraint from the cache.
func TestCuttingPlaneCache(t *testing.T) {
	eachPlane(t, models.Hinge(), 0.002, func(t *testing.T, c testbed.PlaneCase, p *models.Risk) {
		const eps = 1e-3
		without := testbed.EndOf(t, &OneSlack{Epsilon: eps, CacheRule: "svmstruct", Step: "qp"}, p)
		for _, rule := range []string{"svmstruct", "paper"} {
			at := testbed.EndOf(t, &OneSlack{Epsilon: eps, Cache: 10, CacheRule: rule, Step: "qp"}, p)
			if at.Stats["oracle_passes"] >= without.Stats["oracle_passes"] && without.Stats["oracle_passes"] > 10 {
				t.Errorf("%s: oracle_passes = %v with the cache, want fewer than %v as without", rule, at.Stats["oracle_passes"],
					without.Stats["oracle_passes"])
			}
			if sum := at.Stats["cached_iterations"] + at.Stats["oracle_passes"]; sum < float64(at.Epoch) ||
				at.Stats["cached_iterations"] == 0 && at.Epoch > 10 {
				t.Errorf("%s: %d QPs, cached_iterations = %v and oracle_passes = %v, want a sum of at least the number of QPs, "+
					"and some cached iterations", rule, at.Epoch, at.Stats["cached_iterations"], at.Stats["oracle_passes"])
			}
		}
	})
}

// firstOf returns the first n iterates of a run.
func firstOf(t *testing.T, run iter.Seq2[solvers.Iterate, error], n int) (out []testbed.End) {
	t.Helper()
	for it := range testbed.Iterates(t, run) {
		if out = append(out, testbed.EndAt(it)); len(out) == n {
			break
		}
	}
	return out
}
