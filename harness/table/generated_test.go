package table_test

import (
	"testing"

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
