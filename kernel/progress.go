package kernel

import (
	"fmt"
	"html"
	"sync"
	"time"

	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/kernel/protocol"
)

// shownEvery is the smallest interval between two updates of the progress.
const shownEvery = 200 * time.Millisecond

// progress is a line of text below a cell, which is updated while runs are made.
type progress struct {
	out protocol.Output
	id  string

	mu          sync.Mutex
	begun, last time.Time
	display     string // "" until it is shown
}

func newProgress(out protocol.Output, id string) *progress {
	now := time.Now()
	return &progress{out: out, id: id, begun: now, last: now}
}

func (p *progress) event(e schedule.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if e.Kind == schedule.Noted {
		p.out.Print("note: " + e.Why + "\n")
		return
	}
	if now.Sub(p.last) < shownEvery {
		return
	}
	p.last = now
	p.put(e.Line(p.id, now.Sub(p.begun)))
}

func (p *progress) put(text string) {
	data := map[string]string{"text/plain": text,
		"text/html": "<pre style=\"color: #777\">" + html.EscapeString(text) + "</pre>"}
	if p.display == "" {
		p.display = fmt.Sprintf("progress-%p", p)
		p.out.Display(p.display, data)
		return
	}
	p.out.Update(p.display, data)
}

// close replaces the line by an empty text.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.display != "" {
		p.out.Update(p.display, map[string]string{"text/plain": "", "text/html": ""})
	}
}
