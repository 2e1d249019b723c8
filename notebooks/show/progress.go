package show

import (
	"fmt"
	"html"
	"math"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/gaplab/gaplab/harness"
)

// shownEvery is how often progress moves.
const shownEvery = 250 * time.Millisecond

// progress is one line below a cell, which moves while runs go on and is gone in the end. Runs that are done at once
// show none.
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

// event takes an event of the harness, from any goroutine.
func (p *progress) event(e harness.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if now.Sub(p.last) < shownEvery {
		return
	}
	p.last = now
	p.put(p.display, "<pre style=\"color: #777; margin: 0\">"+html.EscapeString(p.line(e, now.Sub(p.begun)))+"</pre>")
}

// line says where the runs are.
func (p *progress) line(e harness.Event, since time.Duration) string {
	text := fmt.Sprintf("%s: %d of %d runs, %.0f s", p.id, e.Done, e.Total, since.Seconds())
	if e.Kind != harness.Recorded {
		return text
	}
	text += fmt.Sprintf("; %v at %.4g passes", e.Run.Labels["as"], e.Passes)
	if !math.IsNaN(e.Gap) {
		text += fmt.Sprintf(", gap %.2g", e.Gap)
	}
	return text
}

// close takes the line away.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last.After(p.begun) {
		p.put(p.display, "")
	}
}
