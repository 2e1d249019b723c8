package eg

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestRates: an update that takes m trials multiplies the rate by 1.05/2^(m−1), and retried is the share of updates
// that take more than one; a constant rate stays.
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
				if calls == egTrials { // no rate will do
					want = before
				}
				if math.Abs(o.eta[i]-want) > 1e-14*want {
					t.Fatalf("update %d: after %d trials the rate goes from %v to %v: want %v", k, calls, before, o.eta[i], want)
				}
				if calls > 1 {
					own++
				}
			}
			o.iterate().Stats(func(name string, got float64) {
				if want := float64(own) / float64(o.updates.Done); name == "retried" && got != want {
					t.Errorf("retried is %v: want %v", got, want)
				}
			})
			again, updates = again+own, updates+o.updates.Done
		})
		if adaptive := rate == "adaptive"; adaptive != (again > 0) || again == updates {
			t.Errorf("%s: %d of %d updates took more than a trial", rate, again, updates)
		}
	}
}

// TestBatchRates: a step of all examples that takes m trials multiplies the rate by 1.05/2^(m−1).
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
				t.Fatal("no rate improves the dual")
			}
			trials := calls / len(p.Examples)
			retried = retried || trials > 1
			want := before * 1.05 / math.Pow(2, float64(trials-1))
			if math.Abs(b.rate-want) > 1e-14*want || b.dual() < dual-1e-9 {
				t.Fatalf("after %d trials the rate goes from %v to %v, and the dual from %v to %v: want the rate %v", trials,
					before, b.rate, dual, b.dual(), want)
			}
		}
	})
	if !retried {
		t.Error("no step took more than one trial")
	}
}

// TestRefresh: after each tenth epoch, and not in between, w is that of the marginals to the last bit.
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
					t.Errorf("%s: after epoch %d w has the rounding of many updates", order, last)
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
		t.Error("w never differs from that of the marginals")
	}
}
