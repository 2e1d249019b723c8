package record

import (
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestLimits tests all combinations of small limits of stop rules and budgets. A limit of 0 is off. If several limits
// are reached, the stop rule is named before the budget, and passes before epochs before seconds. The limit on seconds
// that a solver can query is the smaller of stop rule and budget; if they are equal, it belongs to the stop rule.
func TestLimits(t *testing.T) {
	const at = 2 // passes, epochs and seconds so far
	limits := []float64{0, 1, 2, 3}
	met := func(limit float64) bool { return limit > 0 && at >= limit }
	check := func(stop lang.Stop, budget *lang.Budget) {
		x := &execution{stop: stop, run: lang.Run{Budget: budget}, interrupted: func() error { return nil }}
		x.at = position{passes: at, epoch: at}
		x.timer.spent = spent{wall: at * time.Second}
		var b lang.Budget
		if budget != nil {
			b = *budget
		}
		status, rule := trace.Status(""), ""
		switch {
		case met(stop.Passes):
			status, rule = trace.Done, "passes"
		case met(float64(stop.Epochs)):
			status, rule = trace.Done, "epochs"
		case met(stop.Seconds):
			status, rule = trace.Done, "seconds"
		case met(b.Passes), met(b.Seconds):
			status = trace.Budget
		}
		var got outcome
		if end := x.limit(stop); end != nil {
			got = *end
		}
		if got.status != status || got.rule != rule {
			t.Errorf("stop %+v, budget %+v: the run ends as %q by %q, want %q by %q", stop, budget, got.status, got.rule,
				status, rule)
		}
		want, wantStop := b.Seconds, false
		if stop.Seconds > 0 && (b.Seconds == 0 || stop.Seconds <= b.Seconds) {
			want, wantStop = stop.Seconds, true
		}
		if limit, isStop := x.limitSeconds(); limit != want || isStop != wantStop {
			t.Errorf("stop %+v, budget %+v: limit on seconds = %v, from the stop rule: %v; want %v, %v", stop, budget, limit,
				isStop, want, wantStop)
		}
	}
	for _, passes := range limits {
		for _, epochs := range limits {
			for _, seconds := range limits {
				stop := lang.Stop{Passes: passes, Epochs: int(epochs), Seconds: seconds}
				check(stop, nil)
				for _, most := range limits {
					for _, longest := range limits {
						check(stop, &lang.Budget{Passes: most, Seconds: longest})
					}
				}
			}
		}
	}
}
