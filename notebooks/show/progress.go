package show

import (
	"html"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/gaplab/gaplab/harness/schedule"
)

// shownEvery is the smallest interval between two updates of the progress.
const shownEvery = 250 * time.Millisecond

// progress is a line of text below a cell. It is updated while runs are made, and disappears at the end. For very short
// runs, no line is shown.
type progress struct {
	id, display string
	put         func(display, page string)

	mu    sync.Mutex
	begun time.Time
	last  time.Time
}

func newProgress(id string) *progress {
	now := time.Now()
	return &progress{id: id, display: "progress-" + gonbui.UniqueId(), put: gonbui.UpdateHTML, begun: now, last: now}
}

// event shows an event of the harness. It is safe for concurrent use.
func (p *progress) event(e schedule.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if now.Sub(p.last) < shownEvery {
		return
	}
	p.last = now
	p.put(p.display, "<pre style=\"color: #777; margin: 0\">"+html.EscapeString(e.Line(p.id, now.Sub(p.begun)))+"</pre>")
}

// close removes the line.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last.After(p.begun) {
		p.put(p.display, "")
	}
}
