package term

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestEndOfARun checks the number of passes at which a run is expected to end: where its gap, which falls geometrically
// or as a power of the passes, reaches the gap of the stop rule, but at most the largest number of passes.
func TestEndOfARun(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 11))
	for range 300 {
		factor, power, stop := 0.5+0.45*rng.Float64(), 0.5+2*rng.Float64(), math.Pow(10, -1-4*rng.Float64())
		first := 1 + 5*rng.Float64()
		steps := [2]float64{1 + 9*rng.Float64(), 1 + 9*rng.Float64()}
		geometric := rng.IntN(2) == 0
		gap := func(k float64) float64 { return 2 * math.Pow(k, -power) }
		end := math.Pow(2/stop, 1/power)
		if geometric {
			gap = func(k float64) float64 { return 2 * math.Pow(factor, k) }
			end = math.Log(stop/2) / math.Log(factor)
		}
		last := first + steps[0] + steps[1]
		if gap(last) <= stop {
			end = last
		}
		limit := 0.
		if rng.IntN(2) == 0 {
			limit = last + 100*rng.Float64()
			end = min(end, limit)
		}
		p := &pace{}
		for i, k := range []float64{first, first + steps[0], last} {
			p.record(time.Unix(int64(i), 0), schedule.Event{Passes: k, Gap: gap(k), Stop: stop, Target: limit})
		}
		if got := p.end(); math.Abs(got-end) > 1e-6*end {
			t.Fatalf("geometric %v, rows at %v, %v and %v, gap %v to reach, at most %v passes: ends after %v, want %v",
				geometric, first, first+steps[0], last, stop, limit, got, end)
		}
	}
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		passes, gaps []float64
		target, stop float64
		end          float64
	}{
		{nil, nil, 0, 0, inf}, {[]float64{2}, []float64{nan}, 10, 0, 10}, {[]float64{2}, []float64{0.5}, 10, 0, 10},
		{[]float64{2}, []float64{0.5}, 0, 0, inf}, {[]float64{2, 3}, []float64{0.5, 0.4}, 10, 0.1, inf},
		{[]float64{0, 1, 2}, []float64{4, 2, 1}, 10, 0.1, inf}, {[]float64{1, 2, 3}, []float64{1, 2, 4}, 10, 0.1, 10},
		{[]float64{1, 2, 3}, []float64{1, 2, nan}, 10, 0.1, 10}, {[]float64{1, 2, 3}, []float64{nan, 2, 1}, 10, 0.1, 10},
	} {
		p := &pace{}
		for i, k := range c.passes {
			p.record(time.Unix(int64(i), 0), schedule.Event{Passes: k, Gap: c.gaps[i], Stop: c.stop, Target: c.target})
		}
		if got := p.end(); got != c.end {
			t.Errorf("passes %v, gaps %v, target %v, stop %v: ends after %v, want %v", c.passes, c.gaps, c.target, c.stop, got,
				c.end)
		}
	}
}

// TestRemainingTime checks the estimate of the remaining time: runs in progress need what their passes say, others take
// as long as the average, and as many run at a time as so far.
func TestRemainingTime(t *testing.T) {
	start := time.Unix(0, 0)
	at := func(seconds float64) time.Time { return start.Add(time.Duration(seconds * float64(time.Second))) }
	// A run that began at second 0 and had done this share of 100 passes at the given second.
	run := func(second, passes float64) *pace {
		p := &pace{began: start}
		if passes > 0 {
			p.record(at(second), schedule.Event{Passes: passes, Target: 100, Gap: math.NaN()})
		}
		return p
	}
	for name, c := range map[string]struct {
		ended   []float64 // seconds of the runs that have ended
		running []*pace
		waiting int
		now     float64
		want    float64 // 0: no estimate
	}{
		"nothing known":                   {nil, []*pace{run(0, 0)}, 1, 10, 0},
		"one unknown, none has ended":     {nil, []*pace{run(10, 50), run(0, 0)}, 0, 10, 0},
		"half of a run":                   {nil, []*pace{run(10, 50)}, 0, 10, 10},
		"some time after its row":         {nil, []*pace{run(10, 50)}, 0, 13, 7},
		"long after its row":              {nil, []*pace{run(10, 50)}, 0, 25, 1},
		"all have ended":                  {[]float64{10}, nil, 0, 10, 0},
		"waiting runs take the average":   {[]float64{10, 20}, nil, 2, 30, 30},
		"average of ended and running":    {[]float64{10}, []*pace{run(20, 50)}, 1, 20, 20 + 25},
		"unknown ones take the average":   {[]float64{10, 30}, []*pace{run(0, 0)}, 0, 12, 8},
		"unknown ones that take longer":   {[]float64{10, 30}, []*pace{run(0, 0)}, 1, 50, 30},
		"two at a time":                   {nil, []*pace{run(10, 50), run(10, 50)}, 2, 10, 30},
		"the longest of two":              {nil, []*pace{run(10, 50), run(10, 20)}, 0, 10, 40},
		"more than a minute in tens":      {nil, []*pace{run(10, 12)}, 0, 10, 70},
		"less than a second is too short": {nil, []*pace{run(0.2, 50)}, 0, 0.2, 0},
		"at least a second":               {nil, []*pace{run(10, 99.9)}, 0, 10, 1},
	} {
		f := &forecast{}
		for _, seconds := range c.ended {
			f.ended(time.Duration(seconds * float64(time.Second)))
		}
		left, ok := f.left(at(c.now), c.running, c.waiting)
		if ok != (c.want > 0) || ok && left != time.Duration(c.want*float64(time.Second)) {
			t.Errorf("%s: %v left, %v; want %v s", name, left, ok, c.want)
		}
	}
	// The number of runs at a time is the largest so far, also if fewer are in progress now.
	f := &forecast{}
	f.left(at(10), []*pace{run(10, 50), run(10, 50), run(10, 50)}, 6)
	f.ended(20 * time.Second)
	f.ended(20 * time.Second)
	if left, ok := f.left(at(10), []*pace{run(10, 50)}, 4); !ok || left != 30*time.Second {
		t.Errorf("after three runs at a time: %v left, %v; want 30s", left, ok)
	}
}

// TestRunThatWaits checks that a run which has made all its passes, and waits for a comparison, has no further lines.
func TestRunThatWaits(t *testing.T) {
	var out bytes.Buffer
	plan := planOf(10, 1)
	p := newProgress(&out, "my/x", 2, []string{"C"})
	clock := time.Unix(0, 0)
	p.now = func() time.Time { return clock }
	later := func(e schedule.Event) {
		e.Gap, e.Total = math.NaN(), 2
		p.Event(e)
		clock = clock.Add(time.Hour)
		p.tick()
		p.tick()
	}
	later(schedule.Event{Kind: schedule.Recorded, Run: plan[0], Passes: 5, Target: 5})
	later(schedule.Event{Kind: schedule.Recorded, Run: plan[1], Passes: 4, Target: 5})
	later(schedule.Event{Kind: schedule.Ended, Run: plan[1], Status: trace.Unsupported, Why: "no", Done: 1})
	later(schedule.Event{Kind: schedule.Recorded, Run: plan[0], Passes: 6, Target: 50, Done: 1})
	got := ""
	for line := range strings.Lines(out.String()) {
		_, of, _ := strings.Cut(line, "; ")
		got += of
	}
	if want := "C=1: 4 passes\nC=1: unsupported\nC=10: 6 passes\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
