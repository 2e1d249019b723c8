package eg

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestRates checks that an update with m trials multiplies an adaptive rate by 1.05/2^(m−1), that the statistic retried
// is the share of updates with more than one trial, and that a constant rate does not change.
func TestRates(t *testing.T) {
	for _, rate := range []string{"adaptive", "constant"} {
		again, updates := 0, 0
		testbed.EachStructure(t, 8, 1, func(t *testing.T, p *models.Risk) {
			var calls int
			st := newEGState(testbed.OnCall(p, func() { calls++ }), solvers.Env{Seed: 1}, 0, 8)
			o := newEGOnline(st, &Solver{Order: "cyclic", Rate: rate})
			o.tol = 1e-12
			own := 0
			for k := range 5 * len(p.Examples) {
				i := k % len(p.Examples)
				before := o.eta[i]
				calls = 0
				o.batches.Next(&o.updates, o.updates.Done+1, o)
				want := before
				if rate == "adaptive" {
					want = before * 1.05 / math.Pow(2, float64(calls-1))
				}
				if calls == egTrials { // no rate improves the dual, so the rate does not change
					want = before
				}
				if math.Abs(o.eta[i]-want) > 1e-14*want {
					t.Fatalf("update %d: the rate changes from %v to %v after %d trials, want %v", k, before, o.eta[i], calls, want)
				}
				if calls > 1 {
					own++
				}
			}
			o.iterate().Stats(func(name string, got float64) {
				if want := float64(own) / float64(o.updates.Done); name == "retried" && got != want {
					t.Errorf("retried = %v, want %v", got, want)
				}
			})
			again, updates = again+own, updates+o.updates.Done
		})
		if adaptive := rate == "adaptive"; adaptive != (again > 0) || again == updates {
			t.Errorf("%s: %d of %d updates had more than one trial: want some but not all if adaptive, none if constant", rate,
				again, updates)
		}
	}
}

// TestBatchRates checks that a step of the batch method with m trials multiplies the rate by 1.05/2^(m−1).
func TestBatchRates(t *testing.T) {
	retried := false
	testbed.EachStructure(t, 8, 1, func(t *testing.T, p *models.Risk) {
		var calls int
		b := newEGBatch(newEGState(testbed.OnCall(p, func() { calls++ }), solvers.Env{Seed: 1}, 0, 64), true)
		for range 4 {
			for i := range p.Examples {
				b.direction(b.egVisit, i)
				copy(b.Of(b.step, i), b.gradient)
			}
			before, dual := b.rate, b.dual()
			calls = 0
			if !b.advance() {
				t.Fatal("advance = false, want a rate that improves the dual")
			}
			trials := calls / len(p.Examples)
			retried = retried || trials > 1
			want := before * 1.05 / math.Pow(2, float64(trials-1))
			if math.Abs(b.rate-want) > 1e-14*want || b.dual() < dual-1e-9 {
				t.Fatalf("the rate changes from %v to %v after %d trials, want %v; the dual changes from %v to %v, want no "+
					"decrease", before, b.rate, trials, want, dual, b.dual())
			}
		}
	})
	if !retried {
		t.Error("no step had more than one trial: want some")
	}
}

// TestRefresh checks that after every tenth epoch w has the same bits as a w recomputed from the marginals. After other
// epochs, rounding errors must make the bits different.
func TestRefresh(t *testing.T) {
	drifted := 0
	testbed.EachStructure(t, 8, 1, func(t *testing.T, p *models.Risk) {
		for order, s := range map[string]*Solver{"cyclic": {Eta: 0.5, Order: "cyclic", Rate: "adaptive"},
			"batch": {Eta: 0.5, Order: "batch", Rate: "adaptive"}} {
			session, err := s.Start(p, solvers.Env{})
			if err != nil {
				t.Fatal(err)
			}
			st := stateOf(session)
			last := 0
			for it := range session.Run(p.Lambda) {
				if it.Epoch == last {
					continue
				}
				last = it.Epoch
				w := make([]float64, p.Dim)
				st.Weights(w, st.lambda, p, st.mu, st.diff)
				switch same := slices.Equal(w, st.w); {
				case last%10 == 0 && !same:
					t.Errorf("%s: after epoch %d, w differs from the recomputed w, want equal bits", order, last)
				case last%10 == 5 && !same:
					drifted++
				}
				if last == 20 {
					break
				}
			}
		}
	})
	if drifted == 0 {
		t.Error("w never differs from the recomputed w: want a problem with rounding errors")
	}
}
