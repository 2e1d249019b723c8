package term

import (
	"bytes"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

func planOf(c ...float64) []lang.Run {
	var plan []lang.Run
	for _, v := range c {
		plan = append(plan, lang.Run{Labels: map[string]any{"as": "eg", "C": v}})
	}
	return plan
}

// TestPlainProgress shows the progress of four runs, one of which was finished by an earlier call. It checks that there
// are at least two seconds between lines, and that the remaining time is estimated only from the work of the present
// call.
func TestPlainProgress(t *testing.T) {
	var out bytes.Buffer
	plan := planOf(1000, 100, 10, 1)
	p := NewProgress(&out, "eg/fig06", len(plan), []string{"C"})
	clock := p.start
	p.now = func() time.Time { return clock }
	at := func(seconds float64, e schedule.Event) {
		clock = p.start.Add(time.Duration(seconds * float64(time.Second)))
		e.Total = 4
		p.Event(e)
	}
	at(0, schedule.Event{Kind: schedule.Reused, Run: plan[0], Status: trace.Done, Done: 1})
	at(0, schedule.Event{Kind: schedule.Started, Run: plan[1], Target: 100, Done: 1})
	at(1, schedule.Event{Kind: schedule.Recorded, Run: plan[1], Passes: 10, Target: 100, Gap: 0.5, Done: 1})
	at(10, schedule.Event{Kind: schedule.Recorded, Run: plan[1], Passes: 50, Target: 100, Gap: 0.05, Done: 1})
	at(11, schedule.Event{Kind: schedule.Recorded, Run: plan[1], Passes: 55, Target: 100, Gap: 0.04, Done: 1})
	at(20, schedule.Event{Kind: schedule.Ended, Run: plan[1], Status: trace.Done, Passes: 100, Done: 2})
	at(20, schedule.Event{Kind: schedule.Started, Run: plan[2], Target: 100, Done: 2})
	at(30, schedule.Event{Kind: schedule.Recorded, Run: plan[2], Passes: 50, Target: 100, Gap: math.NaN(), Done: 2})
	at(31, schedule.Event{Kind: schedule.Ended, Run: plan[2], Status: trace.Diverged, Why: "the primal became NaN\nstack",
		Passes: 51, Done: 3})
	at(32, schedule.Event{Kind: schedule.Ended, Run: plan[3], Status: trace.Done, Passes: 100, Done: 4})
	p.Close()
	want := `eg/fig06: 1 of 4 runs, about 50s left; C=100: 50 passes, gap 0.05
eg/fig06: 2 of 4 runs, about 40s left; C=100: done, 100 passes, gap 0.04
eg/fig06: 2 of 4 runs, about 30s left; C=10: 50 passes
eg/fig06: 4 of 4 runs; C=1: done, 100 passes
eg/fig06: 1 run had finished before (--force repeats finished runs)
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// TestLiveProgress checks that only one line is used, which is redrawn, and cleared at the end.
func TestLiveProgress(t *testing.T) {
	var out bytes.Buffer
	plan := planOf(10, 1)
	p := NewProgress(&bytes.Buffer{}, "eg/fig06", len(plan), []string{"C"})
	p.bar = progressbar.NewOptions(2*barParts, progressbar.OptionSetWriter(&out), progressbar.OptionClearOnFinish(),
		progressbar.OptionShowDescriptionAtLineEnd(), progressbar.OptionSetPredictTime(false))
	p.Event(schedule.Event{Kind: schedule.Recorded, Run: plan[0], Passes: 50, Target: 100, Gap: 0.05, Total: 2})
	p.Event(schedule.Event{Kind: schedule.Ended, Run: plan[0], Status: trace.Done, Passes: 100, Done: 1, Total: 2})
	p.Close()
	text := out.String()
	if strings.Contains(text, "\n") {
		t.Errorf("the live line has a line break: %q", text)
	}
	for _, want := range []string{`25% .*0 of 2 runs; C=10: 50 passes, gap 0.05`,
		`50% .*1 of 2 runs; C=10: done, 100 passes, gap 0.05`, `\r$`} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("no %s in %q", want, text)
		}
	}
}
