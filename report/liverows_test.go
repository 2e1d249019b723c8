package report_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/explore"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/report"
)

// TestLiveRows checks which rows the figure of a run in progress shows: all rows, also several at one time of a coarse
// clock. If the time goes back, the run has begun again, and only the later rows are shown.
func TestLiveRows(t *testing.T) {
	for _, c := range []struct{ seconds, want []float64 }{
		{[]float64{0, 1, 2}, []float64{0, 1, 2}},
		{[]float64{0, 0, 0, 1, 1}, []float64{0, 0, 0, 1, 1}},
		{[]float64{0, 1, 2, 0, 3}, []float64{0, 3}},
		{[]float64{5, 4, 4, 6}, []float64{4, 4, 6}},
	} {
		live := report.NewLive("my/spec", "")
		for _, s := range c.seconds {
			live.Event(recorded("sgd", 1, s, .5))
		}
		f, ok := live.Figure()
		if !ok || len(f.Panels[0].Lines) != 1 || !slices.Equal(f.Panels[0].Lines[0].X, c.want) {
			t.Errorf("rows at the times %v: figure %+v, want one line at the times %v", c.seconds, f.Panels, c.want)
		}
	}
}

// TestLiveLook checks the colours and line patterns of runs in progress: a colour for each solver, in the order in
// which they begin, and a pattern for each run of a solver. A run without a value is not drawn, and takes the place of
// no other run.
func TestLiveLook(t *testing.T) {
	live := report.NewLive("my/spec", "A title")
	for i, as := range []string{"a", "b", "a", "c", "b", "a", "d"} {
		gap := .5
		if as == "c" {
			gap = math.NaN()
		}
		live.Event(recorded(as, i, 1, gap))
		live.Event(recorded(as, i, 2, gap))
	}
	f, ok := live.Figure()
	if !ok || f.ID != "my/spec" || f.Title != "A title" {
		t.Fatalf("figure %s, %q, %v", f.ID, f.Title, ok)
	}
	var got []string
	for _, l := range f.Panels[0].Lines {
		got = append(got, fmt.Sprint(l.Label[:1], " ", l.Hue, ".", l.Dash, " ", l.Runs, l.X, l.Y, " ", l.Of))
	}
	want := []string{"a 0.0 [0] [1 2] [0.5 0.5] gap", "b 1.0 [1] [1 2] [0.5 0.5] gap", "a 0.1 [2] [1 2] [0.5 0.5] gap",
		"b 1.1 [4] [1 2] [0.5 0.5] gap", "a 0.2 [5] [1 2] [0.5 0.5] gap", "d 3.0 [6] [1 2] [0.5 0.5] gap"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines differ (-want +got):\n%s", diff)
	}
}

// TestLongLiveRuns checks that a run with many rows keeps its first and its last row, and that the x and the y of each
// row that it keeps belong together.
func TestLongLiveRuns(t *testing.T) {
	for _, n := range []int{599, 600, 601, 5000} {
		live := report.NewLive("my/spec", "")
		for i := range n {
			live.Event(recorded("sgd", 1, float64(i), 1/float64(i+1)))
		}
		f, _ := live.Figure()
		l := f.Panels[0].Lines[0]
		if last := len(l.X) - 1; l.X[0] != 0 || l.X[last] != float64(n-1) || len(l.X) > 601 || n <= 600 && len(l.X) != n ||
			len(l.X) < min(n, 290) {
			t.Errorf("%d rows: %d points from %v to %v", n, len(l.X), l.X[0], l.X[last])
		}
		for i, x := range l.X {
			if l.Y[i] != 1/(x+1) {
				t.Fatalf("%d rows: y = %v at %v, want %v", n, l.Y[i], x, 1/(x+1))
			}
		}
	}
}

// TestLiveEvents checks the text and the data that the page of runs in progress gets: the values of each run in the
// order of the columns, and the panel of the figure.
func TestLiveEvents(t *testing.T) {
	for _, next := range []bool{false, true} {
		live := report.NewLive("my/spec", "")
		live.Event(recorded("eg", 1, 2, .25))
		live.Event(schedule.Event{Kind: schedule.Noted, Why: "a note"})
		live.End("it ended", next)
		request := httptest.NewRequest(http.MethodGet, "http://localhost:8080/events", nil)
		answer := httptest.NewRecorder()
		live.ServeHTTP(answer, request)
		var event struct {
			Text        string
			Ended, Next bool
			Data        explore.Data
		}
		text := strings.TrimSpace(strings.TrimPrefix(answer.Body.String(), "data: "))
		if err := json.Unmarshal([]byte(text), &event); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var names []string
		for _, c := range event.Data.Columns {
			names = append(names, fmt.Sprint(c.Name, " ", c.Work))
		}
		if event.Text != "it ended" || !event.Ended || event.Next != next || strings.Join(names, ", ") !=
			"seconds true, passes true, gap false, primal false" {
			t.Errorf("event %s: columns %q, want the end, next: %v", text, names, next)
		}
		d := event.Data
		if len(d.Runs) != 1 || fmt.Sprint(d.Runs[0].Values) != "[[2] [20] [0.25] [1.25]]" || d.Runs[0].Labels["as"] != "eg" ||
			len(d.Panels) != 1 || d.Panels[0].Of != 0 || d.Panels[0].Lines[0].Of != 2 || !d.Panels[0].Y.Log {
			t.Errorf("data of the page: %+v", d)
		}
	}
}
