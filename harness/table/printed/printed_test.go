package printed_test

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/table/printed"
)

// TestFind checks that Find prefers an exact match and otherwise finds the nearest number within half a percent.
func TestFind(t *testing.T) {
	table, err := printed.Parse("tab2.csv", []byte("C, error\n57.648, 0.0803\n0.797923, 0.0747\n0.8, 1\nall, 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		key  any
		want any // second cell of the row; nil: no row must be found
	}{
		{57.6480096, 0.0803}, // the printed number is rounded
		{0.797922663, 0.0747},
		{0.8, 1.0}, // an exact match comes before the nearest number
		{57.9, 0.0803},
		{58.0, nil},
		{"all", 2.0},
		{"none", nil},
	} {
		row := table.Find(test.key)
		if (row == nil) != (test.want == nil) || row != nil && row[1] != test.want {
			t.Errorf("Find(%v) = %v, want the row with %v", test.key, row, test.want)
		}
	}
	if table.Column("error") != 1 || table.Column("x") != -1 {
		t.Errorf("Column(error), Column(x) = %d, %d; want 1, -1", table.Column("error"), table.Column("x"))
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                "x.csv:1: the file is empty",
		"a,a\n":           `x.csv:1: the heading "a"`,
		"a,\n":            `x.csv:1: the heading ""`,
		"a,b\n1\n":        "x.csv: record on line 2: wrong number of fields",
		"a,b\n\"1,2\n":    "x.csv: ",
		"a,b\n1,2,3\n":    "wrong number of fields",
		"a,b\n1,\"2\"x\n": "x.csv: ",
	} {
		if _, err := printed.Parse("x.csv", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
