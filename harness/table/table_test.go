package table_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/table"
	"github.com/gaplab/gaplab/harness/trace"
)

// path returns a run through three values of C, each warm-started from the value before. Table 2 of a paper prints such
// runs.
func path(seed float64) *trace.File {
	f := &trace.File{End: &trace.End{Status: trace.Done}}
	f.Manifest = trace.Manifest{Labels: map[string]any{"as": "path", "seed": seed}}
	total := 0.0
	for stage, c := range []float64{1000, 700, 1000 * 0.7 * 0.7} {
		passes := float64(11-3*stage) + seed - 1
		total += passes
		f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{
			"passes": total, "stage": float64(stage), "stage_passes": passes, "C": c, "lambda": c / 100,
			"validation_error": 0.1 - 0.005*float64(stage),
		}})
	}
	return f
}

func tab2(string) ([]byte, error) {
	return []byte("# printed in section " +
			"7.1.2\nC,iterations,total,error\n1000,11,11,0.1011\n700,3,14,0.0968\n489.9,4.01,18.01,n/a\n343,4.09,22.1,0.0895\n"),
		nil
}

func columns() []lang.Column {
	return []lang.Column{
		{Name: "final.stage_passes", Title: "iterations", Format: "%.2f"},
		{Name: "final.passes", Title: "passes in all", Printed: "total", Format: "%.2f"},
		{Name: "final.validation_error", Printed: "error", Format: "%.4f"},
		{Name: "final.lambda"},
	}
}

// TestTable checks a table with printed numbers in each format, and the warning for a printed row without a run.
func TestTable(t *testing.T) {
	got, err := table.Resolve(&lang.TableSpec{Rows: "C", Columns: columns(), Printed: "tab2.csv"},
		trace.NewSet([]*trace.File{path(1)}), tab2)
	if err != nil {
		t.Fatal(err)
	}
	got.ID = "eg/tab2"
	for format, want := range map[string]string{
		"text": "   C  iterations  printed  difference  passes in all  printed  difference  validation er" +
			"ror  printed  difference  lambda" + `
1000       11.00    11.00       +0.00          11.00    11.00       +0.00            0.1000   0.1011     -0.0011      10
 700        8.00     3.00       +5.00          19.00    14.00       +5.00            0.0950   0.0968     -0.0018       7
 490        5.00     4.01       +0.99          24.00    18.01       +5.99            0.0900                          4.9
`,
		"md": "| C | iterations | printed | difference | " +
			"passes in all | printed | difference | validation error | printed | difference | lambda |" + `
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| 1000 | 11.00 | 11.00 | +0.00 | 11.00 | 11.00 | +0.00 | 0.1000 | 0.1011 | -0.0011 | 10 |
| 700 | 8.00 | 3.00 | +5.00 | 19.00 | 14.00 | +5.00 | 0.0950 | 0.0968 | -0.0018 | 7 |
| 490 | 5.00 | 4.01 | +0.99 | 24.00 | 18.01 | +5.99 | 0.0900 |  |  | 4.9 |
`,
		"csv": "C,iterations,iterations (printed),iterations (difference)," +
			"passes in all,passes in all (printed),passes in all (difference)," +
			"validation error,validation error (printed),validation error (difference),lambda,censored" + `
1000,11,11,0,11,11,0,0.1,0.1011,-0.0010999999999999899,10,false
700,8,3,5,`,
		"json": `{"table":"eg/tab2","key":{"C":1000},` +
			`"columns":{"iterations":{"ours":11,"printed":11,"difference":0},"lambda":{"ours":10},`,
	} {
		var out bytes.Buffer
		if err := got.Render(&out, format); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), want) {
			t.Errorf("%s:\n%s", format, cmp.Diff(want, out.String()))
		}
	}
	if err := got.Render(&bytes.Buffer{}, "pdf"); err == nil {
		t.Error("no error for a format that does not exist")
	}
	if diff := cmp.Diff([]string{"the printed row C=343 has no run"}, got.Warnings); diff != "" {
		t.Error(diff)
	}
}

// TestColumnsChooseRuns checks that the key "where" of a column selects one of the runs of a row, and that a cell may
// show the result of a fit.
func TestColumnsChooseRuns(t *testing.T) {
	runs := []*trace.File{}
	for _, power := range []float64{-1, -2} {
		f := &trace.File{End: &trace.End{Status: trace.Budget}}
		f.Manifest = trace.Manifest{Labels: map[string]any{"as": "egr", "lambda": -power}}
		for x := 1.0; x <= 4; x++ {
			f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{"passes": x, "epoch": x, "gap": math.Pow(x, power)}})
		}
		runs = append(runs, f)
	}
	got, err := table.Resolve(&lang.TableSpec{Rows: "as", Columns: []lang.Column{
		{Name: "powerfit(gap, epoch).slope", Title: "first", Where: "lambda == 1", Format: "%.2f", Rate: true},
		{Name: "final.gap", Title: "second", Where: "lambda == 2", Format: "%.4f"},
		{Name: "powerfit(gap, epoch, within(epoch, 5, 9)).slope", Title: "none", Where: "lambda == 1", Format: "%.2f"},
	}}, trace.NewSet(runs), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := got.Render(&out, "md"); err != nil {
		t.Fatal(err)
	}
	want := "| as | first | second | none |\n| ---: | ---: | ---: | ---: |\n| egr | -1.00 | 0.0625 so far |  |\n"
	if out.String() != want {
		t.Error(cmp.Diff(want, out.String()))
	}
}

// TestSeedsAreAveraged checks that a cell is the mean over runs that differ only in the seed.
func TestSeedsAreAveraged(t *testing.T) {
	got, err := table.Resolve(&lang.TableSpec{Rows: "C", Columns: columns()[:1]},
		trace.NewSet([]*trace.File{path(1), path(3)}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != 3 || *got.Rows[1].Cells[0].Ours != 9 || got.Rows[1].Cells[0].Printed != nil {
		t.Errorf("rows = %+v, want 3, with the mean 9 in the second", got.Rows)
	}
}

// TestAveragedLabels checks that a table averages over labels other than seed and fold if its spec lists them.
func TestAveragedLabels(t *testing.T) {
	first, second := path(1), path(3)
	first.Manifest.Labels["dataset.fold"], second.Manifest.Labels["dataset.fold"] = 0.0, 1.0
	s := &lang.TableSpec{Rows: "C", Columns: columns()[:1]}
	if _, err := table.Resolve(s, trace.NewSet([]*trace.File{first, second}), nil); err == nil {
		t.Error("runs that differ in dataset.fold were averaged although the spec does not list it, want an error")
	}
	s.Average = []string{"dataset.fold"}
	got, err := table.Resolve(s, trace.NewSet([]*trace.File{first, second}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if *got.Rows[1].Cells[0].Ours != 9 {
		t.Errorf("rows = %+v, want the mean 9 in the second", got.Rows)
	}
}

// TestCensoredRowsSaySo checks that a number which grows during a run is marked with ≥ if the budget ended the run.
func TestCensoredRowsSaySo(t *testing.T) {
	f := path(1)
	f.End.Status = trace.Budget
	got, err := table.Resolve(&lang.TableSpec{Rows: "C", Columns: columns()[:1]}, trace.NewSet([]*trace.File{f}), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range got.Rows { // the budget ended the run during its last value of C
		if r.Censored != (i == 2) {
			t.Errorf("row %d is censored: %v; want only row 2 censored", i, r.Censored)
		}
	}
	var out bytes.Buffer
	if err := got.Render(&out, "text"); err != nil {
		t.Fatal(err)
	}
	want := "   C  iterations\n1000       11.00\n 700        8.00\n 490      ≥ 5.00\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestResolveErrors(t *testing.T) {
	failed := path(1)
	failed.Rows, failed.End = nil, &trace.End{Status: trace.Failed, Why: "out of memory"}
	other := path(1)
	other.Manifest.Labels["as"] = "cold"
	missing := func(name string) ([]byte, error) { return nil, fmt.Errorf("%s: %w", name, errors.New("no such file")) }
	broken := func(string) ([]byte, error) { return []byte("C,C\n1,2\n"), nil }
	for _, test := range []struct {
		table   lang.TableSpec
		files   []*trace.File
		printed func(string) ([]byte, error)
		want    string
	}{
		{lang.TableSpec{Rows: "C", Columns: []lang.Column{{Name: "final.x"}}}, []*trace.File{path(1)}, nil,
			`column final.x: no field "x"`},
		{lang.TableSpec{Rows: "C", Columns: []lang.Column{{Name: "final.passes"}, {Name: "final.x", Title: "an x", Line: 7}}},
			[]*trace.File{path(1)}, nil, `7: table.columns.1: column an x: no field "x"`},
		{lang.TableSpec{Rows: "C", Columns: []lang.Column{{Name: "passes"}}}, []*trace.File{path(1)}, nil,
			"column passes: passes is a column, not a number; write final.COLUMN"},
		{lang.TableSpec{Rows: "passes"}, []*trace.File{path(1)}, nil,
			"rows: passes is a column, not a number; write final.passes"},
		{lang.TableSpec{Rows: "D"}, []*trace.File{path(1)}, nil, `rows: unknown name "D"`},
		{lang.TableSpec{Rows: "C", Where: "D == 1"}, []*trace.File{path(1)}, nil, `where: unknown name "D"`},
		{lang.TableSpec{Rows: "C", Where: "C == 1"}, []*trace.File{path(1)}, nil,
			"no run with rows matches the table's key \"where\""},
		{lang.TableSpec{Rows: "C"}, []*trace.File{failed}, nil,
			"no run with rows matches the table's key \"where\"\nthe run as=path is left out: failed out of memory"},
		{lang.TableSpec{Rows: "C", Columns: []lang.Column{{Name: "final.passes"}}}, []*trace.File{path(1), other}, nil,
			"row C=1000 has several runs, which differ in as; select one of them with the key \"where\""},
		{lang.TableSpec{Rows: "C", Printed: "x.csv"}, []*trace.File{path(1)}, missing, "printed: x.csv: no such file"},
		{lang.TableSpec{Rows: "C", Printed: "x.csv"}, []*trace.File{path(1)}, broken,
			`x.csv:1: the heading "C" is empty or repeated`},
		{lang.TableSpec{Rows: "C", Printed: "x.csv", Columns: []lang.Column{{Name: "final.passes", Printed: "sum"}}},
			[]*trace.File{path(1)}, tab2, `x.csv has no heading "sum"; it has C, iterations, total, error`},
		{lang.TableSpec{Rows: "C", Columns: []lang.Column{{Name: "final.passes", Printed: "sum"}}}, []*trace.File{path(1)},
			nil, "names no printed file"},
	} {
		_, err := table.Resolve(&test.table, trace.NewSet(test.files), test.printed)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error = %v, want %s", err, test.want)
		}
	}
}
