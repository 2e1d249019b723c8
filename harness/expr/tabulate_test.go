package expr_test

import (
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/expr"
)

// TestTabulate checks that Tabulate returns tables for curves, fits and lists of lists, and only a text for other
// values.
func TestTabulate(t *testing.T) {
	for source, want := range map[string]struct {
		head []string
		rows int
	}{
		"1 + 1":     {},
		"[1, 2, 3]": {},
		`curve({as: "eg", C: 10})`: {[]string{"as", "C", "eta0", "passes", "cpu_seconds", "primal", "dual", "gap", "status"},
			1},
		`curves({as: "eg"})`:             {nil, 3},
		`[[1, "a"], [2, "b"]]`:           {[]string{"", ""}, 2},
		`map([1, 2], [#, # * 2, # * 3])`: {[]string{"", "", ""}, 2},
		`[[1], [2, 3, 4], [5, 6]]`:       {[]string{"", "", ""}, 3}, // a heading for each cell of the longest row
		`[[1, 2], []]`:                   {[]string{"", ""}, 2},
		`fit([1, 2, 3], [2, 4, 6.5])`:    {nil, 1},
	} {
		text, table, err := expr.NewEvaluation(evidence()).Tabulate(source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if want.rows == 0 {
			if table != nil || text == "" {
				t.Errorf("Tabulate(%s) = %q, %+v, want a text and no table", source, text, table)
			}
			continue
		}
		if table == nil || len(table.Rows) != want.rows || want.head != nil && !slices.Equal(table.Head, want.head) {
			t.Errorf("Tabulate(%s) = table %+v, want %d rows and the headings %q", source, table, want.rows, want.head)
			continue
		}
		widest := 0
		for _, row := range table.Rows {
			widest = max(widest, len(row))
		}
		if widest != len(table.Head) {
			t.Errorf("%s: the longest row has %d cells, want %d as the headings", source, widest, len(table.Head))
		}
	}
	if _, _, err := expr.NewEvaluation(evidence()).Tabulate("1 +"); err == nil {
		t.Error("Tabulate accepts an incomplete expression")
	}
}
