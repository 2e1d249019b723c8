package record

import (
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
)

// TestRecorded checks that a run evaluates the columns that its spec records, and each column that one of its rules
// needs.
func TestRecorded(t *testing.T) {
	for _, c := range []struct {
		about string
		run   lang.Run
		want  []string
	}{
		{"no rule", lang.Run{}, nil},
		{"stop by gap", lang.Run{Stop: lang.Stop{Gap: 1}}, []string{"gap"}},
		{"a path", lang.Run{Solver: lang.Solver{Path: &lang.Path{}}}, []string{"gap"}},
		{"keep", lang.Run{Keep: &lang.Keep{By: "f1"}}, []string{"f1"}},
		{"examples", lang.Run{Record: lang.Record{Examples: []string{"f1", "error"}}}, []string{"f1", "error"}},
		{"choose before the end", lang.Run{Choose: &lang.Candidate{Rule: lang.Choose{By: "f1", Ties: "dual",
			At: lang.At{Passes: 1}}}}, []string{"f1", "dual"}},
		{"choose at the end, whose columns the parser adds to the metrics", lang.Run{Choose: &lang.Candidate{
			Rule: lang.Choose{By: "f1"}}}, nil},
	} {
		if got := Recorded(c.run); got != nil {
			t.Errorf("%s, without the key metrics: %q, want all columns", c.about, got)
		}
		c.run.Record.Metrics = lang.Strings{"primal"}
		if got, want := Recorded(c.run), append([]string{"primal"}, c.want...); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.about, got, want)
		}
	}
}
