package schedule

import (
	"fmt"
	"math"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestWinner checks which value of a hyperparameter is chosen when constructed runs are compared: with ties, missing
// values, means over seeds, and a missing run.
func TestWinner(t *testing.T) {
	nan := math.NaN()
	type candidate struct {
		value    float64
		by, ties float64
	}
	for _, c := range []struct {
		name, best string
		list       []candidate
		want       string
		verdict    verdict
	}{
		{"smallest", "min", []candidate{{1, 5, 0}, {2, 3, 0}, {3, 4, 0}}, "2", decided},
		{"largest", "max", []candidate{{1, 5, 0}, {2, 3, 0}, {3, 4, 0}}, "1", decided},
		{"tie", "min", []candidate{{1, 3, 9}, {2, 3, 7}, {3, 3, 8}}, "2", decided},
		{"tie of the largest", "max", []candidate{{1, 3, 9}, {2, 3, 7}}, "2", decided},
		{"tie in both columns: the first wins", "min", []candidate{{1, 3, 7}, {2, 3, 7}}, "1", decided},
		{"NaN first", "min", []candidate{{1, nan, 0}, {2, 3, 0}}, "2", decided},
		{"NaN last", "max", []candidate{{1, 3, 0}, {2, nan, 0}}, "1", decided},
		{"mean of seeds", "min", []candidate{{1, 1, 0}, {1, 9, 0}, {2, 4, 0}, {2, 4, 0}}, "2", decided},
		{"one seed diverged", "min", []candidate{{1, 1, 0}, {1, nan, 0}, {2, 4, 0}, {2, 4, 0}}, "2", decided},
		{"none", "min", []candidate{{1, nan, 0}, {2, nan, 0}}, "", nobody},
	} {
		rule := lang.Choose{Over: "eta0", By: "score", Best: c.best, Ties: "second", At: lang.At{Passes: 1}}
		var group []*job
		for _, v := range c.list {
			values := map[string]float64{trace.Passes: 1}
			for name, x := range map[string]float64{"score": v.by, "second": v.ties} {
				if !math.IsNaN(x) {
					values[name] = x
				}
			}
			group = append(group, &job{Run: lang.Run{Choose: &lang.Candidate{Rule: rule, Value: v.value}},
				trial: tried(trace.Done, trace.Row{Values: values})})
		}
		if got, v := winner(group); got != c.want || v != c.verdict {
			t.Errorf("%s: %q (%d), want %q (%d)", c.name, got, v, c.want, c.verdict)
		}
		group[0].trial = nil
		if _, v := winner(group); v != undecided {
			t.Errorf("%s: verdict with a missing trial = %d, want undecided", c.name, v)
		}
	}
}

// TestAtPoint checks which row of a run is used in the comparison with other runs. Which row this is depends on the
// point of the comparison and on how the run ended.
func TestAtPoint(t *testing.T) {
	rows := func(at ...float64) (out []trace.Row) {
		for i, x := range at {
			out = append(out, trace.Row{Values: map[string]float64{trace.Passes: x, trace.Epoch: math.Floor(x),
				"v": float64(i)}})
		}
		return out
	}
	for _, c := range []struct {
		at     lang.At
		status trace.Status
		rows   []trace.Row
		want   float64
	}{
		{lang.At{Passes: 1}, trace.Done, rows(0, 1, 2), 1},
		{lang.At{Passes: 1}, trace.Done, rows(0, 0.9, 1.03, 2), 2},
		{lang.At{Passes: 1}, trace.Done, rows(0, 1-1e-12, 2), 1},
		{lang.At{Epochs: 1}, trace.Done, rows(0, 1.03, 1.5, 2), 1},
		{lang.At{Passes: 5}, trace.Done, rows(0, 1, 2), 2}, // the run converged before the point
		{lang.At{Passes: 5}, trace.Diverged, rows(0, 1, 2), math.NaN()},
		{lang.At{Passes: 5}, trace.Budget, rows(0, 1, 2), math.NaN()},
		{lang.At{Passes: 1}, trace.Diverged, rows(0, 1, 2), 1},
		{lang.At{Passes: 1}, trace.Failed, nil, math.NaN()},
	} {
		got := tried(c.status, c.rows...).atPoint(c.at, "v")
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%+v of %s %v: %v, want %v", c.at, c.status, c.rows, got, c.want)
		}
	}
	if got := tried(trace.Done, rows(0, 1, 2)...).atPoint(lang.At{Passes: 1}, "w"); !math.IsNaN(got) {
		t.Errorf("value of a missing column = %v, want NaN", got)
	}
}

// tried returns a run up to the comparison with others, with a status and rows.
func tried(status trace.Status, rows ...trace.Row) *trial {
	return &trial{file: &trace.File{Rows: rows, End: &trace.End{Status: status}}}
}
