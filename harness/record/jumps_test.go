package record_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// jumping returns a clock that is wrong by hours(i) at its reading i. As after a step of the system's clock, its times
// keep their monotonic readings.
func jumping(hours func(i int64) int64) func() time.Time {
	var readings atomic.Int64
	return func() time.Time {
		now := time.Now()
		const hour = 3600 << 30 // in the first word of a Time with a monotonic reading
		*(*uint64)(unsafe.Pointer(&now)) += uint64(hours(readings.Add(1))) * hour
		return now
	}
}

// alternating is an argument of jumping: an hour too late, then an hour too early, and so on.
func alternating(i int64) int64 { return 2*(i%2) - 1 }

// TestClockJumps makes runs while the system's clock jumps back and forth by an hour, on a system without CPU clock.
// The seconds are about those that passed, no budget ends a run early, a rule in seconds ends a run in time, and
// checkpoints are written.
func TestClockJumps(t *testing.T) {
	now := jumping(alternating)
	if a, b := now(), now(); b.Sub(a).Abs() > time.Minute || b.Round(0).Sub(a.Round(0)).Abs() < 119*time.Minute {
		t.Fatalf("two readings of the clock differ by %v, and by %v in the calendar; want about 0 and 2 hours", b.Sub(a),
			b.Round(0).Sub(a.Round(0)))
	}
	const step, yields = 5 * time.Millisecond, 20
	for stop, rule := range map[string]string{
		"{epochs: 100}\nbudget: {seconds: 600}": "converged",
		"{seconds: 0.05}":                       "seconds",
	} {
		walker := toy.Scripted{Is: "walker", Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
			w := make([]float64, p.Dim)
			for k := range yields {
				time.Sleep(step)
				p.Visit(k)
				if !yield(solvers.Iterate{W: w, Epoch: k, Dual: func() float64 { return 0 }}, nil) {
					return
				}
			}
		}}
		r := toy.Text(t, toy.Quickly(stop)+"record: {every: {epochs: 1}}\n", toy.With(walker),
			toy.CPU(func() (time.Duration, bool) { return 0, false }),
			func(o *schedule.Options) { o.Now = jumping(alternating) })
		f := toy.Labelled(t, r, "as", "walker")
		toy.WantStatus(t, f, trace.Done, rule)
		last := 0.0
		for k, seconds := range append(toy.Column(t, f, trace.Seconds), f.End.Seconds) {
			if least := last + step.Seconds(); k < len(f.Rows) && seconds < least || seconds < last || seconds > 600 {
				t.Errorf("stop %s: seconds of row %d = %v after %v, want at least %v more, and at most 600", stop, k, seconds,
					last, step)
			}
			last = seconds
		}
		if f.End.RecordSeconds < 0 || f.End.RecordSeconds > 600 {
			t.Errorf("stop %s: %v s of recording, want 0 to 600 s", stop, f.End.RecordSeconds)
		}
	}
	dir, states := t.TempDir(), 0
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	back := func(i int64) int64 { return -i } // each reading is an hour before the reading before it
	toy.RunIn(t, ctx, dir, toy.Spec(t, toy.AtC+"solvers: [{name: ascent, rate: 0.5}]\nstop: {passes: 1.0e+9}\n"),
		toy.SaveEvery(time.Nanosecond), func(o *schedule.Options) { o.Now = jumping(back) },
		toy.OnEvent(func(e schedule.Event) {
			if e.Kind != schedule.Recorded {
				return
			}
			_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, _ error) error {
				if filepath.Ext(path) == ".state" && os.Remove(path) == nil {
					states++
				}
				return nil
			})
			if states == 2 {
				cancel()
			}
		}))
	if states < 2 {
		t.Errorf("%d checkpoints, want 2", states)
	}
}
