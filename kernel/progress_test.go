package kernel

import (
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/kernel/protocol"
)

// displays is an output that stores what it shows in place of its last display. Each update must replace both the text
// and the HTML.
type displays struct {
	protocol.Output
	t    *testing.T
	html []string
}

func (d *displays) Display(_ string, data map[string]string) {
	for _, media := range []string{"text/plain", "text/html"} {
		if _, ok := data[media]; !ok {
			d.t.Errorf("update %d does not replace the old data of type %s: %q", len(d.html), media, data)
		}
	}
	d.html = append(d.html, data["text/html"])
}

func (d *displays) Update(id string, data map[string]string) { d.Display(id, data) }

// TestProgressDraws checks that the progress of long runs shows their curves, that the progress of short runs is only a
// line of text, and that nothing stays when the runs have ended.
func TestProgressDraws(t *testing.T) {
	out := &displays{t: t}
	p := newProgress(out, "my/spec")
	event := schedule.Event{Kind: schedule.Recorded, Run: lang.Run{Labels: map[string]any{"as": "eg"}}, Gap: .5, Total: 1}
	for i := range 3 {
		p.last = p.last.Add(-time.Minute) // as if the last update were long ago
		event.Seconds, event.Gap = float64(i), event.Gap/2
		p.event(event)
	}
	if n := len(out.html); n != 3 || strings.Contains(strings.Join(out.html, ""), "<svg") {
		t.Fatalf("the first seconds show %d updates, want 3 without a drawing: %.200s", n, out.html)
	}
	p.last, p.drawn = p.last.Add(-time.Minute), p.drawn.Add(-time.Minute)
	p.event(event)
	if got := out.html[3]; !strings.Contains(got, "<svg") || !strings.Contains(got, "Relative duality gap") ||
		!strings.Contains(got, "<pre") {
		t.Errorf("update after some seconds = %.300s, want the line of text and the curves", got)
	}
	p.close()
	if got := out.html[len(out.html)-1]; got != "" {
		t.Errorf("the last update = %.100s, want nothing", got)
	}
}
