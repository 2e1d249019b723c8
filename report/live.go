package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gaplab/gaplab/harness/explore"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// Live collects the curves of the runs of one experiment while the runs go on: the gap, or the primal objective if no
// run has a gap, against the solver time. It is an HTTP handler of a page that shows the curves and is refreshed as
// they grow. It is safe for concurrent use.
type Live struct {
	id, title string
	begun     time.Time

	mu      sync.Mutex
	text    string
	ended   bool
	next    bool // whether another experiment follows
	runs    []*liveRun
	changed chan struct{} // closed at the next change
}

// liveRun is the curve of a run.
type liveRun struct {
	label, method                  string // description of the run, and name of its solver in the spec
	hue, dash                      int    // colour, one for each method, and line pattern, one for each run of a method
	seconds, passes, gaps, primals []float64
}

const (
	liveRows  = 600                    // largest number of rows of a curve; if a run has more, every other row is dropped
	liveEvery = 500 * time.Millisecond // smallest time between two updates of a page
)

// NewLive returns a Live without curves, for the experiment with the id and the title.
func NewLive(id, title string) *Live {
	return &Live{id: id, title: cmp.Or(title, id), begun: time.Now(), changed: make(chan struct{})}
}

// Event adds what an event reports.
func (l *Live) Event(e schedule.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e.Kind {
	case schedule.Recorded:
		l.run(e).add(e)
	case schedule.Noted:
		return
	}
	l.text = e.Line(l.id, time.Since(l.begun))
	l.change()
}

// End marks the experiment as ended, after which pages do not ask for more. text tells how it ended. If another
// experiment follows at the same address, next is true, and the page is loaded again.
func (l *Live) End(text string, next bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text, l.ended, l.next = text, true, next
	l.change()
}

// change wakes up the pages.
func (l *Live) change() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// run returns the curve of the run of an event, and adds the curve at the first event.
func (l *Live) run(e schedule.Event) *liveRun {
	r := &liveRun{label: trace.DescribeLabels(e.Run.Labels), method: fmt.Sprint(e.Run.Labels["as"])}
	hues := map[string]int{}
	for _, other := range l.runs {
		if other.label == r.label {
			return other
		}
		hues[other.method] = other.hue
		if other.method == r.method {
			r.dash++
		}
	}
	var known bool
	if r.hue, known = hues[r.method]; !known {
		r.hue = len(hues)
	}
	l.runs = append(l.runs, r)
	return r
}

// add adds the row that an event reports.
func (r *liveRun) add(e schedule.Event) {
	if n := len(r.seconds); n > 0 && e.Seconds < r.seconds[n-1] { // the run has begun again
		r.seconds, r.passes, r.gaps, r.primals = nil, nil, nil, nil
	}
	if len(r.seconds) >= liveRows {
		for _, list := range []*[]float64{&r.seconds, &r.passes, &r.gaps, &r.primals} {
			kept := (*list)[:0]
			for i, v := range *list {
				if i%2 == 0 {
					kept = append(kept, v)
				}
			}
			*list = kept
		}
	}
	r.seconds, r.passes = append(r.seconds, e.Seconds), append(r.passes, e.Passes)
	r.gaps, r.primals = append(r.gaps, e.Gap), append(r.primals, e.Primal)
}

// figure returns the curves as a figure with one panel. ok is false if there is nothing to draw yet.
func (l *Live) figure() (f figure.Figure, ok bool) {
	gap := slices.ContainsFunc(l.runs, func(r *liveRun) bool { return slices.ContainsFunc(r.gaps, positive) })
	p := figure.Panel{X: figure.Axis{Label: figure.AxisLabel([]string{trace.Seconds})}, Of: trace.Seconds,
		Y: figure.Axis{Label: figure.AxisLabel([]string{trace.Primal})}}
	if gap {
		p.Y = figure.Axis{Label: figure.AxisLabel([]string{trace.Gap}), Log: true}
	}
	for i, r := range l.runs {
		line := figure.Line{Label: r.label, Name: r.label, Hue: r.hue, Dash: r.dash, Of: trace.Primal, Runs: []int{i}}
		values := r.primals
		if gap {
			line.Of, values = trace.Gap, r.gaps
		}
		for k, v := range values {
			if finite := !math.IsNaN(v) && !math.IsInf(v, 0); finite && (!gap || v > 0) {
				line.X, line.Y = append(line.X, r.seconds[k]), append(line.Y, v)
			}
		}
		if len(line.X) > 0 {
			p.Lines = append(p.Lines, line)
		}
	}
	return figure.Figure{ID: l.id, Title: l.title, Panels: []figure.Panel{p}}, len(p.Lines) > 0
}

func positive(v float64) bool { return v > 0 }

// Figure returns the present curves as a figure with one panel, without a title, for a notebook. ok is false if there
// is nothing to draw yet.
func (l *Live) Figure() (f figure.Figure, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.figure()
}

// data returns the present curves for the scripts of a page.
func (l *Live) data() explore.Data {
	d := explore.Data{Labels: []string{"as"}, Columns: []explore.Column{}, Runs: []explore.Curve{},
		Panels: []explore.Panel{}}
	names := []string{trace.Seconds, trace.Passes, trace.Gap, trace.Primal}
	for i, name := range names {
		d.Columns = append(d.Columns, explore.Column{Name: name, Label: figure.AxisLabel([]string{name}), Work: i < 2})
	}
	f, ok := l.figure()
	if !ok {
		return d
	}
	p := explore.Panel{X: f.Panels[0].X, Y: f.Panels[0].Y}
	for _, r := range l.runs {
		d.Runs = append(d.Runs, explore.Curve{Key: r.label, Labels: map[string]string{"as": r.method},
			Values: []explore.Values{slices.Clone(r.seconds), slices.Clone(r.passes), slices.Clone(r.gaps),
				slices.Clone(r.primals)}})
	}
	for _, line := range f.Panels[0].Lines {
		p.Lines = append(p.Lines, explore.Line{Label: line.Label, Name: line.Name, Hue: line.Hue, Dash: line.Dash,
			Of: slices.Index(names, line.Of), Runs: line.Runs})
	}
	d.Panels = []explore.Panel{p}
	return d
}

// ServeHTTP serves the page at / and its updates at /events. It answers only requests that name this machine as their
// host: a page of another site could otherwise read the curves through the browser.
func (l *Live) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, _, err := net.SplitHostPort(r.Host)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		http.Error(w, "accepted hosts: localhost and 127.0.0.1", http.StatusForbidden)
		return
	}
	switch {
	case r.Method != http.MethodGet:
		http.Error(w, "accepted method: GET", http.StatusMethodNotAllowed)
	case r.URL.Path == "/":
		if err := l.page(w); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	case r.URL.Path == "/events":
		l.events(w, r)
	default:
		http.NotFound(w, r)
	}
}

// page writes the page.
func (l *Live) page(w http.ResponseWriter) error {
	t, err := layout("live.html")
	if err != nil {
		return err
	}
	v := struct {
		ID, Title string
		Palette   template.JS
		Scripts   []string
	}{ID: l.id, Title: l.title, Scripts: scripts()}
	if v.Palette, err = palette(); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	return t.Execute(w, v)
}

// events sends the present curves, and again after each change, but at most once in liveEvery, until the experiment
// ends or the client has gone.
func (l *Live) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	for {
		l.mu.Lock()
		ended, changed := l.ended, l.changed
		text, err := json.Marshal(map[string]any{"text": l.text, "ended": ended, "next": l.next, "data": l.data()})
		l.mu.Unlock()
		if err == nil {
			_, err = fmt.Fprintf(w, "data: %s\n\n", text)
		}
		if err == nil {
			err = http.NewResponseController(w).Flush()
		}
		if err != nil || ended {
			return
		}
		for _, wait := range []<-chan struct{}{changed, after(liveEvery)} {
			select {
			case <-wait:
			case <-r.Context().Done():
				return
			}
		}
	}
}

// after returns a channel that is closed after a time.
func after(d time.Duration) <-chan struct{} {
	done := make(chan struct{})
	time.AfterFunc(d, func() { close(done) })
	return done
}
