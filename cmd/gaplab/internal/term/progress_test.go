package term

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/amount"
)

func planOf(c ...float64) []lang.Run {
	var plan []lang.Run
	for _, v := range c {
		plan = append(plan, lang.Run{Labels: map[string]any{"as": "eg", "C": v}})
	}
	return plan
}

// TestPlainProgress shows the progress of two runs at a time, after one that an earlier call has finished. It checks
// that each run has lines at growing intervals and one at its end, and that the remaining time follows from passes and
// gaps.
func TestPlainProgress(t *testing.T) {
	var out bytes.Buffer
	plan := planOf(1000, 100, 10, 1)
	p := newProgress(&out, "eg/fig06", len(plan), []string{"C"})
	begin := time.Now()
	clock := begin
	p.now = func() time.Time { return clock }
	at := func(seconds float64, e schedule.Event) {
		for end := begin.Add(time.Duration(seconds * float64(time.Second))); clock.Before(end); {
			clock = clock.Add(time.Second)
			p.tick()
		}
		e.Total = 4
		p.Event(e)
	}
	row := func(run int, passes, gap float64) schedule.Event {
		return schedule.Event{Kind: schedule.Recorded, Run: plan[run], Passes: passes, Target: 100, Gap: gap, Stop: 0.01,
			Done: 1}
	}
	at(0, schedule.Event{Kind: schedule.Reused, Run: plan[0], Status: trace.Done, Done: 1})
	at(0, schedule.Event{Kind: schedule.Started, Run: plan[1], Target: 100, Done: 1})
	at(0, schedule.Event{Kind: schedule.Started, Run: plan[2], Target: 100, Done: 1})
	at(1, row(1, 10, 0.4))
	at(1, row(2, 1, math.NaN()))
	at(10, row(1, 20, 0.1))
	at(20, row(1, 40, 0.025)) // a power of 2: the gap is 0.01 after 40 √2.5 = 63 passes
	at(30, row(2, 25, math.NaN()))
	at(31, schedule.Event{Kind: schedule.Noted, Run: plan[1], Why: "a note"})
	at(31, schedule.Event{Kind: schedule.Noted, Run: plan[2], Why: "a note"})
	at(32, schedule.Event{Kind: schedule.Ended, Run: plan[1], Status: trace.Done, Passes: 63, Done: 2})
	at(32, schedule.Event{Kind: schedule.Started, Run: plan[3], Target: 100, Done: 2})
	at(110, schedule.Event{Kind: schedule.Ended, Run: plan[2], Status: trace.Diverged, Why: "the primal became NaN\nstack",
		Passes: 80, Done: 3})
	at(111, schedule.Event{Kind: schedule.Ended, Run: plan[3], Status: trace.Done, Passes: 100, Done: 4})
	p.Close()
	want := `eg/fig06: 1 of 4 runs; C=100: 10 passes, gap 0.4
eg/fig06: 1 of 4 runs; C=10: 1 pass
eg/fig06: 1 of 4 runs; C=100: 10 passes, gap 0.4
eg/fig06: 1 of 4 runs; C=10: 1 pass
eg/fig06: 1 of 4 runs; C=100: 20 passes, gap 0.1
eg/fig06: 1 of 4 runs; C=10: 1 pass
eg/fig06: 1 of 4 runs, about 1m10s left; C=100: 40 passes, gap 0.025
eg/fig06: 1 of 4 runs, about 1m10s left; C=10: 1 pass
eg/fig06: a note
eg/fig06: 2 of 4 runs, about 1m30s left; C=100: done, 63 passes, gap 0.025
eg/fig06: 2 of 4 runs, about 1m30s left; C=1: started
eg/fig06: 2 of 4 runs, about 1m20s left; C=1: started
eg/fig06: 2 of 4 runs, about 1m10s left; C=1: started
eg/fig06: 2 of 4 runs, about 58s left; C=10: 25 passes
eg/fig06: 2 of 4 runs, about 58s left; C=1: started
eg/fig06: 2 of 4 runs, about 26s left; C=1: started
eg/fig06: 3 of 4 runs, about 1s left; C=10: diverged, 80 passes (the primal became NaN)
eg/fig06: 4 of 4 runs; C=1: done, 100 passes, gap 0
eg/fig06: a note (in 2 runs)
eg/fig06: 1 run had finished before (--force repeats finished runs)
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// TestForecastDoesNotRise checks that the estimate does not rise while a run goes on as before, with a gap that falls
// geometrically, as the inverse of the passes, or not at every row; and that it rises if the run becomes much slower.
func TestForecastDoesNotRise(t *testing.T) {
	for name, gap := range map[string]func(k float64) float64{
		"geometric": func(k float64) float64 { return math.Pow(0.9, k) },
		"inverse":   func(k float64) float64 { return 1 / k },
		"uneven":    func(k float64) float64 { return math.Pow(0.9, k) * (1 + 0.3*math.Mod(k, 2)) },
	} {
		begin := time.Now()
		f, p := &forecast{}, &pace{began: begin}
		before, k, seconds := time.Duration(math.MaxInt64), 1., 1.
		for gap(k) > 1e-3 {
			now := begin.Add(time.Duration(k * seconds * float64(time.Second)))
			p.record(now, schedule.Event{Passes: k, Gap: gap(k), Stop: 1e-3})
			if left, ok := f.left(now, []*pace{p}, 0); ok {
				if left > before && (name != "uneven" || before > time.Minute) {
					t.Errorf("%s: about %v left after %v passes, but %v before", name, left, k, before)
				}
				before = left
			}
			k = math.Ceil(k * 1.3)
		}
		if before > time.Hour {
			t.Errorf("%s: no estimate", name)
		}
		now := begin.Add(time.Duration(k * 1000 * float64(time.Second)))
		p.record(now, schedule.Event{Passes: k, Gap: 0.5, Stop: 1e-3, Target: 1000 * k})
		if left, ok := f.left(now, []*pace{p}, 0); !ok || left < time.Hour {
			t.Errorf("%s: about %v left (%v) for a run that has become slow", name, left, ok)
		}
	}
}

// TestLiveProgress checks that only one line is used, which is redrawn, and cleared at the end.
func TestLiveProgress(t *testing.T) {
	var out bytes.Buffer
	plan := planOf(10, 1)
	p := newProgress(&bytes.Buffer{}, "eg/fig06", len(plan), []string{"C"})
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

// TestDownloads checks the lines about downloads outside a terminal: one when a file begins, and further ones at most
// every few seconds, with the total if it is known.
func TestDownloads(t *testing.T) { synctest.Test(t, testDownloads) }

func testDownloads(t *testing.T) {
	var out bytes.Buffer
	d := NewDownloads(&out)
	for _, step := range []struct {
		after time.Duration
		file  string
		done  int64
		total int64
		want  string
	}{
		{0, "a.gz", 0, 4_000_000, "downloading a.gz from https://host/a.gz\n"},
		{4 * time.Second, "a.gz", 1_000_000, 4_000_000, ""},
		{time.Second, "a.gz", 2_000_000, 4_000_000,
			"a.gz: " + amount.Bytes(2_000_000) + " of " + amount.Bytes(4_000_000) + "\n"},
		{time.Second, "a.gz", 3_000_000, 4_000_000, ""},
		{time.Hour, "b.gz", 1, -1, "downloading b.gz from https://host/b.gz\n"},
		{4 * time.Second, "b.gz", 2, -1, ""},
		{time.Second, "b.gz", 3_000_000, -1, "b.gz: " + amount.Bytes(3_000_000) + "\n"},
	} {
		time.Sleep(step.after)
		out.Reset()
		d.Progress(datasets.Progress{File: step.file, URL: "https://host/" + step.file, Done: step.done, Total: step.total})
		if out.String() != step.want {
			t.Errorf("%s, %d bytes: %q, want %q", step.file, step.done, out.String(), step.want)
		}
	}
}

// TestPaceKeepsOneRowPerPass checks that a second row at the same number of passes replaces the first, and that only
// the last three rows are kept.
func TestPaceKeepsOneRowPerPass(t *testing.T) {
	p := &pace{}
	for i, passes := range []float64{0, 1, 2, 2, 3, 2.5, 4} {
		p.record(time.Unix(int64(i), 0), schedule.Event{Passes: passes, Gap: float64(i)})
	}
	var gaps []float64
	for _, r := range p.rows {
		gaps = append(gaps, r.gap)
	}
	if want := []float64{3, 5, 6}; !slices.Equal(gaps, want) {
		t.Errorf("rows with the gaps %v are kept, want %v", gaps, want)
	}
}

// TestLinesOfALongRun checks the times of the lines of a run without events: 2 s after its start, then after pauses
// that double until a minute. A run that starts again has lines as a new one, in its old place, and forgets its rows.
func TestLinesOfALongRun(t *testing.T) {
	var out bytes.Buffer
	plan := planOf(10, 1)
	p := newProgress(&out, "my/x", 2, []string{"C"})
	begin := time.Unix(0, 0)
	clock := begin
	p.now = func() time.Time { return clock }
	lines := func(seconds int) (at []int) { // ticks, and returns the seconds at which lines were printed
		for range seconds {
			clock = clock.Add(time.Second)
			out.Reset()
			if p.tick(); out.Len() > 0 {
				at = append(at, int(clock.Sub(begin).Seconds()))
			}
		}
		return at
	}
	started := func(run int) {
		p.Event(schedule.Event{Kind: schedule.Started, Run: plan[run], Total: 2, Gap: math.NaN(), Target: 100})
	}
	started(0)
	if got, want := lines(300), []int{2, 6, 14, 30, 62, 122, 182, 242}; !slices.Equal(got, want) {
		t.Errorf("lines at the seconds %v, want %v", got, want)
	}
	p.Event(schedule.Event{Kind: schedule.Recorded, Run: plan[0], Total: 2, Passes: 90, Gap: math.NaN(), Target: 100})
	if share := p.share(); math.Abs(share-0.45) > 1e-9 {
		t.Errorf("share of the work = %v, want 0.45", share)
	}
	started(1)
	begin = clock
	started(0)
	if got, want := lines(20), []int{2, 6, 14}; !slices.Equal(got, want) {
		t.Errorf("lines of the run that starts again at the seconds %v, want %v", got, want)
	}
	if share := p.share(); share != 0 {
		t.Errorf("share of the work after the run starts again = %v, want 0", share)
	}
	if len(p.order) != 2 || p.order[0] != p.describe(plan[0].Labels) {
		t.Errorf("order of the runs %q, want the first one first, and each once", p.order)
	}
}

// TestEndOfTheProgress checks what Close prints: the notes that were reported more than once, in their order, and how
// many runs had finished before, unless the command shares runs.
func TestEndOfTheProgress(t *testing.T) {
	for _, shares := range []bool{false, true} {
		for reused, want := range map[int]string{0: "", 1: "x: 1 run had finished before (--force repeats finished runs)\n",
			3: "x: 3 runs had finished before (--force repeats finished runs)\n"} {
			var out bytes.Buffer
			plan := planOf(1, 2, 3, 4)
			p := NewProgress(&out, "x", 4, []string{"C"}, trace.Short{})
			if shares {
				p.Shares()
				want = ""
			}
			for _, note := range []string{"one", "b", "a", "b", "a", "b"} {
				p.Event(schedule.Event{Kind: schedule.Noted, Run: plan[0], Why: note})
			}
			for i := range reused {
				p.Event(schedule.Event{Kind: schedule.Reused, Run: plan[i], Done: i + 1, Total: 4})
			}
			out.Reset()
			p.Close()
			if want = "x: b (in 3 runs)\nx: a (in 2 runs)\n" + want; out.String() != want {
				t.Errorf("%d finished before, shares %v: %q, want %q", reused, shares, out.String(), want)
			}
		}
	}
}
