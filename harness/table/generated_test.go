package table_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/table"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestDifferenceFromPrinted checks that a cell contains the number printed in the paper for runs on any data, but the
// difference from it only for runs on the paper's data.
func TestDifferenceFromPrinted(t *testing.T) {
	spec := &lang.TableSpec{Rows: "as", Printed: "printed.csv",
		Columns: []lang.Column{{Name: "final.passes", Title: "passes"}}}
	printed := func(string) ([]byte, error) { return []byte("as,passes\na,3\n"), nil }
	for _, synthetic := range []bool{false, true} {
		f := &trace.File{Manifest: trace.Manifest{Labels: map[string]any{"as": "a"},
			Data: trace.DataManifest{Synthetic: synthetic}}, End: &trace.End{Status: trace.Done},
			Rows: []trace.Row{{Values: map[string]float64{trace.Passes: 1}}}}
		got, err := table.Resolve(spec, trace.NewSet([]*trace.File{f}), printed)
		if err != nil {
			t.Fatal(err)
		}
		cell := got.Rows[0].Cells[0]
		if cell.Printed == nil || *cell.Printed != 3 || (cell.Difference == nil) != synthetic {
			t.Errorf("synthetic %v: printed %v, difference %v; want 3, and a difference only if not synthetic",
				synthetic, cell.Printed, cell.Difference)
		}
	}
}

// TestPrintedWithoutOurs checks cells of which only the paper, or only gaplab, has a number: they have no difference.
func TestPrintedWithoutOurs(t *testing.T) {
	spec := &lang.TableSpec{Rows: "as", Printed: "printed.csv",
		Columns: []lang.Column{{Name: "final.loss", Title: "loss"}}}
	printed := func(string) ([]byte, error) { return []byte("as,loss\na,3\nb,4\nc,n/a\n"), nil }
	var files []*trace.File
	for as, loss := range map[string]float64{"a": 5, "b": math.Inf(1), "c": 6} {
		files = append(files, &trace.File{Manifest: trace.Manifest{Labels: map[string]any{"as": as}},
			End:  &trace.End{Status: trace.Done},
			Rows: []trace.Row{{Values: map[string]float64{trace.Passes: 1, "loss": loss}}}})
	}
	got, err := table.Resolve(spec, trace.NewSet(files), printed)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range got.Rows {
		cell := r.Cells[0]
		text := text(cell.Ours) + " " + text(cell.Printed) + " " + text(cell.Difference)
		if want := map[any]string{"a": "5 3 2", "b": "missing 4 missing", "c": "6 missing missing"}[r.Key]; text != want {
			t.Errorf("row %v: ours, printed and difference are %s, want %s", r.Key, text, want)
		}
	}
}

// TestCellsOfIncompleteRuns checks the cells and warnings of a table whose runs lack something: rows, CPU time, a
// finite value, another run that a column reads, or a row of the printed file. Its other cells must be complete.
func TestCellsOfIncompleteRuns(t *testing.T) {
	made := func(as string, passes, loss float64) *trace.File {
		return &trace.File{Manifest: trace.Manifest{Labels: map[string]any{"as": as}}, End: &trace.End{Status: trace.Done},
			Rows: []trace.Row{{Values: map[string]float64{trace.Passes: passes, trace.Seconds: 2, "loss": loss}}}}
	}
	empty := made("empty", 1, 1)
	empty.Rows, empty.End = nil, &trace.End{Status: trace.Failed, Why: "no memory"}
	set := trace.NewSet([]*trace.File{made("a", 1, 5), made("b", 2, math.Inf(1)), made("c", 3, 7), empty})
	set.Err = errors.New("a primal is below a dual")
	file := func(string) ([]byte, error) { return []byte("as,passes\na,3\nd,4\nb,5\n"), nil }
	got, err := table.Resolve(&lang.TableSpec{Rows: "as", Printed: "x.csv", Columns: []lang.Column{
		{Name: "final.passes", Title: "passes"},
		{Name: "final.loss", Title: "loss"},
		{Name: `final.passes / final(curve({as: "a"}), "passes")`, Title: "of a"},
		{Name: `final.passes / final(curve({as: "empty"}), "passes")`, Title: "of none"},
		{Name: "final.cpu_seconds", Title: "time"},
		{Name: "final.passes", Title: "only b", Where: `as == "b"`},
		{Name: "as == \"a\" ? 1 : 0", Title: "as"},
	}}, set, file)
	if err != nil {
		t.Fatal(err)
	}
	lines := cellsOf(got)
	want := []string{"a 1,3,-2 5,, 1,, ,, 2,, ,, 1,,", "b 2,5,-3 ,, 2,, ,, 2,, 2,, 0,,", "c 3,, 7,, 3,, ,, 2,, ,, 0,,"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("cells differ (-want +got):\n%s", diff)
	}
	warnings := []string{"a primal is below a dual", "time is wall-clock time: some of the runs have no CPU time",
		"the run as=empty is left out: failed no memory", "the printed row as=d has no run"}
	if diff := cmp.Diff(warnings, got.Warnings); diff != "" {
		t.Errorf("warnings differ (-want +got):\n%s", diff)
	}
	var compared []string
	for _, c := range got.Columns {
		if c.Compared {
			compared = append(compared, c.Title)
		}
	}
	if diff := cmp.Diff([]string{"passes"}, compared); diff != "" {
		t.Errorf("columns with printed numbers differ (-want +got):\n%s", diff)
	}
}

// TestWrongColumns checks that a column that cannot be filled is an error with its line and key, and that a table with
// printed numbers needs a folder.
func TestWrongColumns(t *testing.T) {
	f := &trace.File{Manifest: trace.Manifest{Labels: map[string]any{"as": "a"}}, End: &trace.End{Status: trace.Done},
		Rows: []trace.Row{{Values: map[string]float64{trace.Passes: 1}}}}
	for want, c := range map[string]lang.Column{
		`no field "loss"`:      {Name: "final.loss"},
		`unknown name "D"`:     {Name: "final.passes", Where: "D == 1"},
		"passes is a column, ": {Name: "passes"},
	} {
		c.Line = 12
		spec := &lang.TableSpec{Rows: "as", Columns: []lang.Column{{Name: "final.passes"}, c}}
		_, err := table.Resolve(spec, trace.NewSet([]*trace.File{f}), nil)
		var fault *lang.Fault
		if !errors.As(err, &fault) || fault.Line != 12 || fault.Key != "table.columns.1" ||
			!strings.Contains(fault.Reason, want) {
			t.Errorf("column %+v: error %v, want %q, of line 12 and table.columns.1", c, err, want)
		}
	}
	_, err := table.Resolve(&lang.TableSpec{Rows: "as", Printed: "x.csv"}, trace.NewSet([]*trace.File{f}), nil)
	if err == nil || err.Error() != "printed: x.csv cannot be read: the spec has no folder" {
		t.Errorf("printed numbers without a folder: error %v", err)
	}
}

// TestWholeTable checks what a table with a filter, several columns and several runs per cell takes from which place: a
// column may read a run that the filter leaves out; a heading of the printed file that equals the title of a column
// comes before one that equals its name; one run on generated data is enough that a cell has no difference.
func TestWholeTable(t *testing.T) {
	made := func(as string, seed, passes float64, synthetic bool) *trace.File {
		return &trace.File{Manifest: trace.Manifest{Labels: map[string]any{"as": as, "seed": seed},
			Data: trace.DataManifest{Synthetic: synthetic}}, End: &trace.End{Status: trace.Done},
			Rows: []trace.Row{{Values: map[string]float64{trace.Passes: passes}}}}
	}
	set := trace.NewSet([]*trace.File{made("base", 1, 2, false), made("b", 1, 4, false), made("b", 2, 8, false),
		made("c", 1, 6, false), made("c", 2, 10, true), made("d", 1, 1, true), made("d", 2, 5, false)})
	file := func(name string) ([]byte, error) {
		return []byte("as,final.passes,both,of base\nb,1,7,2\nc,2,8,3\nd,3,9,4\n"), nil
	}
	got, err := table.Resolve(&lang.TableSpec{Rows: "as", Where: `as != "base"`, Printed: "x.csv",
		Columns: []lang.Column{{Name: "final.passes", Title: "both"}, {Name: "final.passes", Title: "another"},
			{Name: `final.passes / final(curve({as: "base"}), "passes")`, Title: "of base"},
			{Name: "final.passes", Title: "seed 2", Where: "seed == 2"}}}, set, file)
	if err != nil {
		t.Fatal(err)
	}
	lines := cellsOf(got)
	want := []string{"b 6,7,-1 6,1,5 3,2,1 8,1,7", "c 8,8, 8,2, 4,3, 10,2,", "d 3,9, 3,3, 1.5,4, 5,3,2"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("cells differ (-want +got):\n%s", diff)
	}
	// The rows may be named by a number of each run that is read from a run outside of the filter.
	got, err = table.Resolve(&lang.TableSpec{Rows: `final.passes - final(curve({as: "base"}), "passes")`,
		Where: `as == "b"`, Columns: []lang.Column{{Name: "final.passes"}}}, set, nil)
	if err != nil || len(got.Rows) != 2 || got.Rows[0].Key != 2. || got.Rows[1].Key != 6. {
		t.Errorf("rows named by a difference = %+v, %v; want 2 and 6", got.Rows, err)
	}
}

// TestBoundsOfSeveralRuns checks the mark of a mean over runs of which budgets stopped some: a bound if all of these
// runs give a bound in the same direction, and "so far" if one gives none, or another direction.
func TestBoundsOfSeveralRuns(t *testing.T) {
	const done, budget = trace.Done, trace.Budget
	for _, c := range []struct {
		column string
		status [3]trace.Status
		bound  string
		soFar  bool
	}{
		{"final.passes", [3]trace.Status{done, done, done}, "", false},
		{"final.passes", [3]trace.Status{budget, done, done}, "≥", false},
		{"final.passes", [3]trace.Status{done, done, budget}, "≥", false},
		{"final.passes", [3]trace.Status{budget, budget, budget}, "≥", false},
		{"-final.passes", [3]trace.Status{done, budget, budget}, "≤", false},
		{"final.loss", [3]trace.Status{done, done, done}, "", false},
		{"final.loss", [3]trace.Status{budget, done, done}, "", true},
		{"final.loss", [3]trace.Status{done, done, budget}, "", true},
		{"seed == 1 ? final.loss : final.passes", [3]trace.Status{budget, budget, done}, "", true},
		{"seed == 2 ? final.loss : final.passes", [3]trace.Status{budget, budget, done}, "", true},
		{"seed == 2 ? -final.passes : final.passes", [3]trace.Status{budget, budget, done}, "", true},
		{"seed == 1 ? 4 : final.passes", [3]trace.Status{budget, done, budget}, "≥", false},
		{"seed == 1 ? 4 : final.passes", [3]trace.Status{budget, done, done}, "", false},
		{"passes[0]", [3]trace.Status{budget, budget, budget}, "", false},
	} {
		var files []*trace.File
		for i, status := range c.status {
			files = append(files, &trace.File{Manifest: trace.Manifest{Labels: map[string]any{"as": "a",
				"seed": float64(i + 1)}}, End: &trace.End{Status: status}, Rows: []trace.Row{
				{Values: map[string]float64{trace.Passes: 1, "loss": 3}},
				{Values: map[string]float64{trace.Passes: 2, "loss": 2}}}})
		}
		got, err := table.Resolve(&lang.TableSpec{Rows: "as", Columns: []lang.Column{{Name: c.column}}},
			trace.NewSet(files), nil)
		if err != nil {
			t.Errorf("%s: %v", c.column, err)
			continue
		}
		if cell := got.Rows[0].Cells[0]; cell.Bound != c.bound || cell.SoFar != c.soFar || cell.Ours == nil {
			t.Errorf("%s, runs %v: %+v; want the bound %q, so far %v", c.column, c.status, cell, c.bound, c.soFar)
		}
	}
}
