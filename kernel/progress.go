package kernel

import (
	"fmt"
	"html"
	"sync"
	"time"

	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/kernel/protocol"
	"github.com/gaplab/gaplab/plots"
	"github.com/gaplab/gaplab/report"
)

const (
	shownEvery = 200 * time.Millisecond // smallest interval between two updates of the progress
	drawnEvery = 2 * time.Second        // smallest interval between two drawings, and time until the first one
)

// progress is a line of text below a cell, which is updated while runs are made. If they take long, it also shows their
// curves: the gap against the time.
type progress struct {
	out  protocol.Output
	id   string
	live *report.Live

	mu                 sync.Mutex
	begun, last, drawn time.Time
	drawing            string // the curves as SVG; "" until they are drawn
	display            string // "" until it is shown
}

func newProgress(out protocol.Output, id string) *progress {
	now := time.Now()
	return &progress{out: out, id: id, live: report.NewLive(id, ""), begun: now, last: now, drawn: now}
}

func (p *progress) event(e schedule.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.live.Event(e)
	if e.Kind == schedule.Noted {
		p.out.Print("note: " + e.Why + "\n")
		return
	}
	if now.Sub(p.last) < shownEvery {
		return
	}
	p.last = now
	if now.Sub(p.drawn) >= drawnEvery {
		p.drawn = now
		if f, ok := p.live.Figure(); ok {
			if d, err := plots.DrawBare(f); err == nil {
				p.drawing = d.FluidSVG()
			}
		}
	}
	p.put(e.Line(p.id, now.Sub(p.begun)))
}

func (p *progress) put(text string) {
	data := map[string]string{"text/plain": text,
		"text/html": "<pre style=\"color: #777\">" + html.EscapeString(text) + "</pre>" + p.drawing}
	if p.display == "" {
		p.display = fmt.Sprintf("progress-%p", p)
		p.out.Display(p.display, data)
		return
	}
	p.out.Update(p.display, data)
}

// close removes the line and the curves.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.display != "" {
		p.out.Update(p.display, map[string]string{"text/plain": "", "text/html": ""})
	}
}
