package choice

import (
	"fmt"
	"math"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestDecide checks which value of a hyperparameter is chosen when constructed runs are compared: with ties, missing
// values, means over seeds, and a missing run.
func TestDecide(t *testing.T) {
	nan := math.NaN()
	type candidate struct {
		value    float64
		by, ties float64
	}
	for _, c := range []struct {
		name, best string
		list       []candidate
		want       string
		state      State
	}{
		{"smallest", "min", []candidate{{1, 5, 0}, {2, 3, 0}, {3, 4, 0}}, "2", Decided},
		{"largest", "max", []candidate{{1, 5, 0}, {2, 3, 0}, {3, 4, 0}}, "1", Decided},
		{"tie", "min", []candidate{{1, 3, 9}, {2, 3, 7}, {3, 3, 8}}, "2", Decided},
		{"tie of the largest", "max", []candidate{{1, 3, 9}, {2, 3, 7}}, "2", Decided},
		{"tie in both columns: the first wins", "min", []candidate{{1, 3, 7}, {2, 3, 7}}, "1", Decided},
		{"NaN first", "min", []candidate{{1, nan, 0}, {2, 3, 0}}, "2", Decided},
		{"NaN last", "max", []candidate{{1, 3, 0}, {2, nan, 0}}, "1", Decided},
		{"mean of seeds", "min", []candidate{{1, 1, 0}, {1, 9, 0}, {2, 4, 0}, {2, 4, 0}}, "2", Decided},
		{"one seed diverged", "min", []candidate{{1, 1, 0}, {1, nan, 0}, {2, 4, 0}, {2, 4, 0}}, "2", Decided},
		{"none", "min", []candidate{{1, nan, 0}, {2, nan, 0}}, "", Nobody},
	} {
		rule := lang.Choose{Over: lang.Strings{"eta0"}, By: "score", Best: c.best, Ties: "second", At: lang.At{Passes: 1}}
		var group []Entrant
		for _, v := range c.list {
			values := map[string]float64{trace.Passes: 1}
			for name, x := range map[string]float64{"score": v.by, "second": v.ties} {
				if !math.IsNaN(x) {
					values[name] = x
				}
			}
			group = append(group, Entrant{File: file(trace.Done, trace.Row{Values: values}),
				Run: lang.Run{Labels: map[string]any{"eta0": v.value}, Choose: &lang.Candidate{Rule: rule}}})
		}
		if got := Decide(group); got.Value != c.want || got.State != c.state {
			t.Errorf("%s: %q (%d), want %q (%d)", c.name, got.Value, got.State, c.want, c.state)
		}
		group[0].File = nil
		if got := Decide(group); got.State != Undecided {
			t.Errorf("%s: state with a missing run = %d, want undecided", c.name, got.State)
		}
	}
}

// TestEdge checks that a comparison tells when the best value is an end of the numbers compared, and only then.
func TestEdge(t *testing.T) {
	for _, c := range []struct {
		values []any
		by     []float64
		want   string
	}{
		{[]any{0.1, 1.0, 10.0}, []float64{1, 2, 3}, "smallest"},
		{[]any{10.0, 0.1, 1.0}, []float64{1, 3, 2}, "largest"},
		{[]any{0.1, 1.0, 10.0}, []float64{2, 1, 3}, ""},
		{[]any{0.1, 1.0, 10.0}, []float64{1, 1, 3}, ""}, // a tie: the next value is as good
		{[]any{0.1, 1.0}, []float64{1, 2}, ""},
		{[]any{"cyclic", "random", "permutation"}, []float64{1, 2, 3}, ""},
	} {
		rule := lang.Choose{Over: lang.Strings{"eta0"}, By: "score", Best: "min", At: lang.At{Passes: 1}}
		var group []Entrant
		for i, v := range c.values {
			row := trace.Row{Values: map[string]float64{trace.Passes: 1, "score": c.by[i]}}
			group = append(group, Entrant{File: file(trace.Done, row),
				Run: lang.Run{Labels: map[string]any{"eta0": v}, Choose: &lang.Candidate{Rule: rule}}})
		}
		if got := Decide(group).Edge; got != c.want {
			t.Errorf("%v with %v: edge %q, want %q", c.values, c.by, got, c.want)
		}
	}
}

// TestRow checks which row of a run is used in the comparison with other runs. Which row this is depends on the
// point of the comparison and on how the run ended.
func TestRow(t *testing.T) {
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
		{lang.At{}, trace.Done, rows(0, 1, 2), 2}, // compared at the end
		{lang.At{}, trace.Budget, rows(0, 1, 2), 2},
		{lang.At{}, trace.Stalled, rows(0, 1), 1},
		{lang.At{}, trace.Diverged, rows(0, 1, 2), math.NaN()},
		{lang.At{}, trace.Unsupported, nil, math.NaN()},
		{lang.At{}, trace.Budget, nil, math.NaN()}, // the budget ended before the first row
		{lang.At{}, trace.Done, nil, math.NaN()},
		{lang.At{}, trace.Done, rows(0), 0},
		{lang.At{Passes: 1}, trace.Done, nil, math.NaN()},
		{lang.At{Passes: 1}, trace.Done, rows(0), 0},
		{lang.At{Passes: 1}, trace.Stalled, rows(0, 0.5), 1},
		{lang.At{Passes: 1}, trace.Interrupted, rows(0, 0.5), math.NaN()},
	} {
		e := Entrant{File: file(c.status, c.rows...),
			Run: lang.Run{Choose: &lang.Candidate{Rule: lang.Choose{At: c.at}}}}
		if got := value(e.row(), "v"); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("at %+v, a run that ended as %s with rows %v has the value %v, want %v", c.at, c.status, c.rows, got,
				c.want)
		}
		if got := value(e.row(), "w"); !math.IsNaN(got) {
			t.Errorf("value of a missing column = %v, want NaN", got)
		}
	}
}

// file returns the file of a run with a status and rows.
func file(status trace.Status, rows ...trace.Row) *trace.File {
	return &trace.File{Rows: rows, End: &trace.End{Status: status}}
}

// sweep returns the runs of one group: three folds for each λ in values. For the λ with index k, the column "score" of
// the folds is means[k] − spread, means[k] and means[k] + spread.
func sweep(rule lang.Choose, values, means []float64, spread float64) (group []Entrant) {
	rule.Over, rule.By = lang.Strings{"lambda"}, "score"
	for k, v := range values {
		for fold := 1; fold <= 3; fold++ {
			row := trace.Row{Values: map[string]float64{"score": means[k] + spread*float64(fold-2)}}
			group = append(group, Entrant{File: file(trace.Done, row), Run: lang.Run{Convention: lang.ConventionLambda, C: v,
				Fold: fold, Folds: 3, Labels: map[string]any{"lambda": v}, Choose: &lang.Candidate{Rule: rule}}})
		}
	}
	return group
}

// TestOneSE checks the rule of one standard error on constructed folds. The three folds of a value differ by spread, so
// their standard deviation is spread and the standard error is spread/√3.
func TestOneSE(t *testing.T) {
	values := []float64{0.01, 1, 0.1}
	for _, c := range []struct {
		rule   lang.Choose
		means  []float64
		spread float64
		want   string
	}{
		{lang.Choose{Best: "max"}, []float64{0.9, 0.85, 0.89}, 0.03, "0.01"},
		{lang.Choose{Best: "max", OneSE: true}, []float64{0.9, 0.85, 0.89}, 0.03, "0.1"}, // the error is 0.0173
		{lang.Choose{Best: "max", OneSE: true}, []float64{0.9, 0.85, 0.89}, 0.09, "1"},
		{lang.Choose{Best: "max", OneSE: true}, []float64{0.9, 0.85, 0.89}, 0.01, "0.01"},
		{lang.Choose{Best: "min", OneSE: true}, []float64{0.1, 0.15, 0.11}, 0.03, "0.1"},
		{lang.Choose{Best: "min", OneSE: true}, []float64{0.1, 0.15, math.NaN()}, 0.09, "1"},
		{lang.Choose{Best: "min"}, []float64{0.1, 0.1, 0.1}, 0.03, "1"}, // ties: the strongest regularisation
	} {
		v := Decide(sweep(c.rule, values, c.means, c.spread))
		if v.State != Decided || v.Value != c.want {
			t.Errorf("%+v: chose %q, want %q", c, v.Value, c.want)
		}
		if want := c.spread / math.Sqrt(3); math.Abs(v.Error-want) > 1e-12 {
			t.Errorf("%+v: standard error %v, want %v", c, v.Error, want)
		}
	}
	// A large λ regularises most, and so does a large C in convention eg (λ = C/n) and a small one in svm-struct
	// (λ = 1/C).
	// Without a convention, nothing regularises, and the first value wins.
	for convention, want := range map[lang.Convention]string{lang.ConventionLambda: "1", lang.ConventionEG: "1",
		lang.ConventionSVMStruct: "0.01", "": "0.1"} {
		for _, oneSE := range []bool{true, false} {
			group := sweep(lang.Choose{Best: "max", OneSE: oneSE}, []float64{0.1, 1, 0.01}, []float64{0.9, 0.9, 0.9}, 0.03)
			for i := range group {
				group[i].Convention = convention
			}
			if v := Decide(group); v.Value != want {
				t.Errorf("convention %q, one standard error %v: chose %s, want %s", convention, oneSE, v.Value, want)
			}
		}
	}
}

// TestOneFold checks a group that has only the runs of the second fold, as if the rule names the label fold in per.
func TestOneFold(t *testing.T) {
	var group []Entrant
	for _, e := range sweep(lang.Choose{Best: "min"}, []float64{1, 10}, []float64{0.2, 0.1}, 0) {
		if e.Fold == 2 {
			group = append(group, e)
		}
	}
	if v := Decide(group); v.Value != "10" || !math.IsNaN(v.Error) {
		t.Errorf("verdict %+v, want the value 10 and no standard error", v)
	}
}

// TestKeptRow checks that a run whose result is the weights of its best row is compared by that row. Rows without a
// value in the column are not kept; if no row has a value, the run is compared by its last row.
func TestKeptRow(t *testing.T) {
	var rows []trace.Row
	for _, v := range []float64{3, 1, 1, 2} {
		rows = append(rows, trace.Row{Values: map[string]float64{"err": v, "at": float64(len(rows))}})
	}
	for best, want := range map[string]float64{"min": 1, "max": 0} {
		e := Entrant{File: file(trace.Done, rows...), Run: lang.Run{Keep: &lang.Keep{By: "err", Best: best},
			Choose: &lang.Candidate{}}}
		if got := value(e.row(), "at"); got != want {
			t.Errorf("best %s: compared by row %v, want the first of the best rows, %v", best, got, want)
		}
	}
	without := trace.Row{Values: map[string]float64{"at": 9}}
	keep := lang.Run{Keep: &lang.Keep{By: "err", Best: "min"}, Choose: &lang.Candidate{}}
	for _, c := range []struct {
		rows []trace.Row
		want float64
	}{
		{[]trace.Row{without, rows[3], rows[1], without}, 1},
		{[]trace.Row{rows[0], without}, 0},
		{[]trace.Row{{Values: map[string]float64{"at": 8}}, without}, 9},
	} {
		if got := value(Entrant{File: file(trace.Done, c.rows...), Run: keep}.row(), "at"); got != c.want {
			t.Errorf("rows %v: compared by row %v, want %v", c.rows, got, c.want)
		}
	}
}
