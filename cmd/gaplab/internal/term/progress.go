package term

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/tabular"
)

const (
	lineFirst = 2 * time.Second        // time from the start of a run to its first plain line
	lineLast  = time.Minute            // longest time between two plain lines of a run; it doubles until then
	lineCheck = time.Second            // time between two checks whether a line is due
	liveEvery = 100 * time.Millisecond // time between two updates of the live line
	barParts  = 1000                   // steps of the progress bar for each run
)

// Progress shows the progress of the runs of one experiment. On a terminal it updates one line. Elsewhere it prints a
// line when a run ends and, for each run in progress, lines at growing intervals.
type Progress struct {
	id    string
	names []string // labels in which the runs differ
	short trace.Short
	w     io.Writer
	bar   *progressbar.ProgressBar // nil if w is not a terminal
	now   func() time.Time

	mutex    sync.Mutex // guards the fields below: lines are printed between events, too
	running  map[string]*underway
	order    []string // keys of running, in the order in which the runs began
	done     int      // number of runs that have ended
	total    int
	reused   int  // number of runs that were finished by an earlier call
	shares   bool // see Shares
	forecast forecast
	notes    map[string]int // how often each note was reported
	noted    []string       // the notes, in their order
	stop     chan struct{}  // closed by Close; nil on a terminal
}

// underway is a run in progress. The key in Progress.running is a text with the run's labels.
type underway struct {
	pace
	last  schedule.Event
	next  time.Time     // when the next line is due
	pause time.Duration // time between the last line and the next
}

// NewProgress returns a Progress for the runs of the experiment id, which writes to w. names are the labels in which
// the runs differ, and short has short texts for long labels. The caller must call Close.
func NewProgress(w io.Writer, id string, runs int, names []string, short trace.Short) *Progress {
	p := newProgress(w, id, runs, names)
	p.short = short
	if p.bar == nil {
		p.stop = make(chan struct{})
		go p.watch(p.stop)
	}
	return p
}

// Shares declares that the command repeats all runs and reuses only those of its other experiments. Close then does not
// mention --force. Call it before the first event.
func (p *Progress) Shares() { p.shares = true }

// newProgress is NewProgress without the lines between events.
func newProgress(w io.Writer, id string, runs int, names []string) *Progress {
	p := &Progress{id: id, names: names, w: w, now: time.Now, running: map[string]*underway{}, total: runs,
		notes: map[string]int{}}
	if IsTerminal(w) {
		p.bar = progressbar.NewOptions(max(1, runs)*barParts, progressbar.OptionSetWriter(w),
			progressbar.OptionSetWidth(20), progressbar.OptionThrottle(liveEvery), progressbar.OptionClearOnFinish(),
			progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false),
			progressbar.OptionShowDescriptionAtLineEnd())
	}
	return p
}

// watch prints the lines that are due while no event arrives, until stop is closed.
func (p *Progress) watch(stop chan struct{}) {
	ticker := time.NewTicker(lineCheck)
	defer ticker.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ticker.C:
			p.tick()
		}
	}
}

// tick prints a line for each run whose next line is due.
func (p *Progress) tick() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	now := p.now()
	for _, key := range p.order {
		r := p.running[key]
		if waits := r.last.Target > 0 && r.last.Passes >= r.last.Target; waits || now.Before(r.next) {
			continue // the run waits for a comparison, or its next line is not due
		}
		r.pause = min(2*r.pause, lineLast)
		r.next = now.Add(r.pause)
		fmt.Fprintf(p.w, "%s: %s\n", p.id, p.line(key, r.last))
	}
}

// Event handles an event of a run.
func (p *Progress) Event(e schedule.Event) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	key := p.describe(e.Run.Labels)
	if e.Kind == schedule.Noted {
		p.note(e.Why)
		return
	}
	p.done, p.total = e.Done, e.Total
	now := p.now()
	switch e.Kind {
	case schedule.Started, schedule.Recorded:
		if p.running[key] == nil {
			p.order = append(p.order, key)
		}
		if p.running[key] == nil || e.Kind == schedule.Started {
			p.running[key] = &underway{pace: pace{began: now}, next: now.Add(lineFirst), pause: lineFirst}
		}
		r := p.running[key]
		if r.last = e; e.Kind == schedule.Recorded {
			r.record(now, e)
		}
	case schedule.Reused:
		p.reused++
	case schedule.Ended:
		e.Gap = math.NaN()
		if r := p.running[key]; r != nil {
			e.Gap = r.last.Gap
			p.forecast.ended(now.Sub(r.began))
			delete(p.running, key)
			p.order = slices.DeleteFunc(p.order, func(other string) bool { return other == key })
		}
	}
	if p.bar != nil {
		p.bar.Describe(tabular.Clip(p.line(key, e), p.room()))
		_ = p.bar.Set(int(p.share() * float64(e.Total) * barParts)) // an error of drawing is ignored
		return
	}
	if e.Kind == schedule.Ended {
		fmt.Fprintf(p.w, "%s: %s\n", p.id, p.line(key, e))
	}
}

// note prints a note once. Close prints how often it was reported again.
func (p *Progress) note(text string) {
	if p.notes[text]++; p.notes[text] > 1 {
		return
	}
	p.noted = append(p.noted, text)
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	fmt.Fprintf(p.w, "%s: %s\n", p.id, text)
}

// room returns the number of columns of the terminal that are left beside the bar.
func (p *Progress) room() int {
	if width := Width(p.w); width > 0 {
		return max(width-40, 15)
	}
	return Columns - 40
}

// share returns the fraction of the work that is done. For a run in progress it counts the passes so far, if the final
// number of passes can be estimated.
func (p *Progress) share() float64 {
	done := float64(p.done)
	for _, r := range p.running {
		done += r.pace.done()
	}
	return min(1, done/float64(max(1, p.total)))
}

// line formats the progress, such as "2 of 4 runs, about 12s left; C=10: done, 34 passes, gap 9.8e-07".
func (p *Progress) line(key string, e schedule.Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d runs", p.done, p.total)
	var running []*pace
	for _, k := range p.order {
		running = append(running, &p.running[k].pace)
	}
	if left, ok := p.forecast.left(p.now(), running, p.total-p.done-len(running)); ok {
		fmt.Fprintf(&b, ", about %s left", left)
	}
	fmt.Fprintf(&b, "; %s: ", key)
	switch {
	case e.Kind == schedule.Started:
		b.WriteString("started")
	case e.Kind == schedule.Reused:
		b.WriteString("finished before")
	case e.Kind == schedule.Ended && e.Status == trace.Unsupported:
		b.WriteString(string(e.Status)) // the table of runs, printed later, has the reason
	default:
		if e.Kind == schedule.Ended {
			fmt.Fprintf(&b, "%s, ", e.Status)
		}
		unit := "passes"
		if e.Passes == 1 {
			unit = "pass"
		}
		fmt.Fprintf(&b, "%.4g %s", e.Passes, unit)
		if !math.IsNaN(e.Gap) {
			fmt.Fprintf(&b, ", gap %.2g", e.Gap)
		}
		if e.Kind == schedule.Ended && e.Status != trace.Done {
			fmt.Fprintf(&b, " (%s)", tabular.Clip(FirstLine(e.Why), 40))
		}
	}
	return b.String()
}

// describe returns a name of a run, made of the labels in which the runs differ.
func (p *Progress) describe(labels map[string]any) string {
	return (&trace.Curve{Labels: p.short.Of(labels)}).Describe(p.names)
}

// Close ends the line that shows the progress. It prints how often notes were reported again, and how many runs an
// earlier gaplab command had finished.
func (p *Progress) Close() {
	if p.stop != nil {
		close(p.stop)
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.bar != nil {
		_ = p.bar.Finish()
	}
	for _, text := range p.noted {
		if n := p.notes[text]; n > 1 {
			fmt.Fprintf(p.w, "%s: %s (in %d runs)\n", p.id, text, n)
		}
	}
	if p.reused > 0 && !p.shares {
		fmt.Fprintf(p.w, "%s: %s had finished before (--force repeats finished runs)\n", p.id, amount.Count(p.reused, "run"))
	}
}
