package term

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/tabular"
)

const (
	lineEvery = 2 * time.Second        // time between two plain lines
	liveEvery = 100 * time.Millisecond // time between two updates of the live line
	barParts  = 1000                   // steps of the progress bar for each run
)

// Progress shows the progress of the runs of one experiment. On a terminal it updates one line; elsewhere it prints at
// most one line every two seconds. The harness calls Event from one goroutine at a time.
type Progress struct {
	id    string
	names []string // labels in which the runs differ
	w     io.Writer
	bar   *progressbar.ProgressBar // nil if w is not a terminal
	now   func() time.Time

	start, last time.Time
	running     map[string]schedule.Event // last event of each run in progress; the key is a text with the run's labels
	reused      int                       // number of runs that were finished by an earlier call
}

// NewProgress returns a Progress for the runs of the experiment id, which writes to w. names are the labels in which
// the runs differ.
func NewProgress(w io.Writer, id string, runs int, names []string) *Progress {
	p := &Progress{id: id, names: names, w: w, now: time.Now, running: map[string]schedule.Event{}}
	p.start = p.now()
	p.last = p.start
	if IsTerminal(w) {
		p.bar = progressbar.NewOptions(max(1, runs)*barParts, progressbar.OptionSetWriter(w),
			progressbar.OptionSetWidth(20), progressbar.OptionThrottle(liveEvery), progressbar.OptionClearOnFinish(),
			progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false),
			progressbar.OptionShowDescriptionAtLineEnd())
	}
	return p
}

// Event handles an event of a run. It prints a line if enough time has passed since the line before.
func (p *Progress) Event(e schedule.Event) {
	key := p.describe(e.Run.Labels)
	switch e.Kind {
	case schedule.Noted:
		if p.bar != nil {
			_ = p.bar.Clear()
		}
		fmt.Fprintf(p.w, "%s: %s\n", p.id, e.Why)
		return
	case schedule.Started, schedule.Recorded:
		p.running[key] = e
	case schedule.Reused:
		p.reused++
	case schedule.Ended:
		e.Gap = math.NaN()
		if last, ok := p.running[key]; ok {
			e.Gap = last.Gap
		}
		delete(p.running, key)
	}
	share := p.share(e)
	if p.bar != nil {
		p.bar.Describe(tabular.Clip(p.line(key, e, share), p.room()))
		_ = p.bar.Set(int(share * float64(e.Total) * barParts)) // an error of drawing is ignored
		return
	}
	now := p.now()
	final := e.Done == e.Total && p.reused < e.Total
	if e.Kind == schedule.Started || !final && now.Sub(p.last) < lineEvery {
		return
	}
	p.last = now
	fmt.Fprintf(p.w, "%s: %s\n", p.id, p.line(key, e, share))
}

// room returns the number of columns of the terminal that are left beside the bar.
func (p *Progress) room() int {
	if width := Width(p.w); width > 0 {
		return max(width-40, 15)
	}
	return Columns - 40
}

// share returns the fraction of the work that is done. For a run in progress it counts the passes so far, if the final
// number of passes is known.
func (p *Progress) share(e schedule.Event) float64 {
	done := float64(e.Done)
	for _, r := range p.running {
		if r.Target > 0 {
			done += min(1, r.Passes/r.Target)
		}
	}
	return min(1, done/float64(max(1, e.Total)))
}

// line formats the progress, such as "2 of 4 runs, about 12s left; C=10: done, 34 passes, gap 9.8e-07".
func (p *Progress) line(key string, e schedule.Event, share float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d runs", e.Done, e.Total)
	if left, ok := p.left(e, share); ok {
		fmt.Fprintf(&b, ", about %s left", left)
	}
	fmt.Fprintf(&b, "; %s: ", key)
	switch e.Kind {
	case schedule.Started:
		b.WriteString("started")
	case schedule.Reused:
		b.WriteString("finished before")
	default:
		if e.Kind == schedule.Ended && e.Status == trace.Unsupported {
			b.WriteString(string(e.Status)) // the table of runs, printed later, has the reason
			break
		}
		if e.Kind == schedule.Ended {
			fmt.Fprintf(&b, "%s, ", e.Status)
		}
		fmt.Fprintf(&b, "%.4g passes", e.Passes)
		if !math.IsNaN(e.Gap) {
			fmt.Fprintf(&b, ", gap %.2g", e.Gap)
		}
		if e.Kind == schedule.Ended && e.Status != trace.Done {
			fmt.Fprintf(&b, " (%s)", tabular.Clip(FirstLine(e.Why), 40))
		}
	}
	return b.String()
}

// left estimates the remaining time from the share of the work that is done and the time since the start. Runs that
// were finished by an earlier call do not count. ok is false if no estimate is possible.
func (p *Progress) left(e schedule.Event, share float64) (time.Duration, bool) {
	total := float64(e.Total)
	work := share*total - float64(p.reused)
	elapsed := p.now().Sub(p.start)
	if work <= 0.01*total || e.Done == e.Total || elapsed < time.Second {
		return 0, false
	}
	left := time.Duration(float64(elapsed) * (1 - share) * total / work)
	if left > time.Minute {
		return left.Round(10 * time.Second), true
	}
	return max(left.Round(time.Second), time.Second), true
}

// describe returns a name of a run, made of the labels in which the runs differ.
func (p *Progress) describe(labels map[string]any) string {
	return (&trace.Curve{Labels: labels}).Describe(p.names)
}

// Close ends the line that shows the progress, and prints how many runs an earlier gaplab command had finished.
func (p *Progress) Close() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
	if p.reused > 0 {
		fmt.Fprintf(p.w, "%s: %s had finished before (--force repeats finished runs)\n", p.id, amount.Count(p.reused, "run"))
	}
}
