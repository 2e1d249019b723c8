package report_test

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/report"
)

// recorded returns the event of a row of the run of a solver.
func recorded(as string, seed int, seconds, gap float64) schedule.Event {
	return schedule.Event{Kind: schedule.Recorded, Run: lang.Run{Labels: map[string]any{"as": as, "seed": seed}},
		Passes: 10 * seconds, Gap: gap, Primal: 1 + gap, Seconds: seconds, Total: 2}
}

// TestLive opens the page of runs in progress. It checks that the curves grow without a reload, that the page shows a
// run that begins later, and that it tells the end.
func TestLive(t *testing.T) {
	live := report.NewLive("my/spec", "A spec")
	server := httptest.NewServer(live)
	t.Cleanup(server.Close)
	b := open(t, []byte("<!doctype html><title>empty</title>"))
	b.resize(1000, 700)
	b.do(chromedp.Navigate(server.URL + "/"))
	for i := range 20 {
		live.Event(recorded("eg", 1, float64(i+1)/10, math.Pow(.5, float64(i))))
	}
	b.until("explorer !== null && explorer.drawn.some(d => d.s.label.startsWith('eg') && d.s.x.length === 20)")
	live.Event(recorded("eg", 1, 2.5, 1e-7))
	live.Event(recorded("dcd", 1, .1, .5))
	live.Event(recorded("dcd", 1, .2, .1))
	b.until("explorer.drawn.filter(d => !d.s.optimum).length === 2 && explorer.drawn[0].s.x.length === 21")
	if !eval[bool](b, "explorer.u.axes[1].label === 'Relative duality gap' && explorer.view.logy") {
		t.Error("the y axis does not show the gap on a log axis")
	}
	b.picture("live")
	live.End("both runs have ended", false)
	b.until("state.textContent === 'both runs have ended' && source.readyState === 2")
}

// TestLiveRequests checks the answers to requests: events in the form of an event stream, a page that needs no other
// address, and refusals of other hosts, methods and paths.
func TestLiveRequests(t *testing.T) {
	live := report.NewLive("my/spec", "")
	for i := range 5000 { // more rows than a curve has
		live.Event(recorded("eg", 1, float64(i), 1/float64(i+1)))
	}
	live.Event(recorded("sgd", 1, 1, math.NaN()))
	live.End("ended", false)
	server := httptest.NewServer(live)
	t.Cleanup(server.Close)
	ask := func(method, path, host string) (int, string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			request.Host = host
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(text)
	}
	status, events := ask(http.MethodGet, "/events", "")
	if status != http.StatusOK || !strings.HasPrefix(events, "data: {") || !strings.Contains(events, `"ended":true`) {
		t.Errorf("events = status %d, %.60s, want one event that tells the end", status, events)
	}
	if n := strings.Count(events, ","); n > 8*700 {
		t.Errorf("the events have %d numbers, want at most 700 for each of 4 columns and 2 runs", n)
	}
	_, page := ask(http.MethodGet, "/", "")
	if !strings.Contains(page, "EventSource") || strings.Contains(page, `src="http`) {
		t.Error("the page does not ask for events, or needs another address")
	}
	for _, c := range []struct {
		method, path, host string
		want               int
	}{
		{http.MethodGet, "/", "evil.example:80", http.StatusForbidden},
		{http.MethodGet, "/events", "evil.example", http.StatusForbidden},
		{http.MethodPost, "/", "", http.StatusMethodNotAllowed},
		{http.MethodGet, "/other", "", http.StatusNotFound},
	} {
		if got, _ := ask(c.method, c.path, c.host); got != c.want {
			t.Errorf("%s %s with the host %q = status %d, want %d", c.method, c.path, c.host, got, c.want)
		}
	}
}

// TestLiveFigure checks that the figure of runs in progress shows the gap or, if no run has one, the primal objective.
func TestLiveFigure(t *testing.T) {
	live := report.NewLive("my/spec", "A spec")
	if _, ok := live.Figure(); ok {
		t.Error("there is a figure before the first row")
	}
	for seed := range 2 {
		e := recorded("sgd", seed, 1, math.NaN())
		e.Primal = 3
		live.Event(e)
	}
	f, ok := live.Figure()
	if want := "Primal objective"; !ok || f.Panels[0].Y.Label != want || len(f.Panels[0].Lines) != 2 ||
		f.Panels[0].Lines[0].Hue != f.Panels[0].Lines[1].Hue || f.Panels[0].Lines[0].Dash == f.Panels[0].Lines[1].Dash {
		t.Errorf("figure = %v, want two lines of one colour over %s", fmt.Sprintf("%+v", f.Panels), want)
	}
	live.Event(recorded("eg", 1, 1, .5))
	if f, _ = live.Figure(); !f.Panels[0].Y.Log || len(f.Panels[0].Lines) != 1 {
		t.Errorf("figure = %+v, want the one run with a gap", f.Panels)
	}
	done := make(chan bool)
	go func() { live.End("", false); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Error("End waits for a page that nobody opened")
	}
}
