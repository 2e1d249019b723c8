package show

import (
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
)

// TestProgress checks that progress always updates the same display, not too often, and that the line disappears at the
// end.
func TestProgress(t *testing.T) {
	var shown []string
	p := newProgress("my/<x>")
	p.put = func(display, page string) {
		if display != p.display {
			t.Errorf("display %q, want %q", display, p.display)
		}
		shown = append(shown, page)
	}
	run := lang.Run{Labels: map[string]any{"as": "eg"}}
	e := schedule.Event{Kind: schedule.Recorded, Run: run, Done: 1, Total: 4, Passes: 2.5, Gap: 0.01}
	p.event(e)
	if len(shown) > 0 {
		t.Errorf("shown before the first interval: %q, want nothing", shown)
	}
	p.last = p.last.Add(-time.Second)
	p.event(e)
	p.event(e)
	p.close()
	want := "my/&lt;x&gt;: 1 of 4 runs, 0 s; eg at 2.5 passes, gap 0.01"
	if len(shown) != 2 || shown[1] != "" || !strings.Contains(shown[0], want) {
		t.Errorf("shown %q, want one line with %q, then an empty one", shown, want)
	}
}
