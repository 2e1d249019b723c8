package printed_test

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/table/printed"
)

// FuzzParse checks that no text makes Parse panic, that errors name the file, and that Find finds each row of a parsed
// text.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"C, error\n57.648, 0.0803\nall, 2\n", "# c\na,\"b\n\"\n1,\"2\"\"\"\n",
		"a\n0x1p-2\ninf\n-nan\n", "\ufeffa,b\r\n1e999,\xff\r\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		table, err := printed.Parse("x.csv", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x.csv:") {
				t.Fatalf("error %q does not name the file", err)
			}
			return
		}
		for _, row := range table.Rows {
			if len(row) != len(table.Head) || table.Find(row[0]) == nil {
				t.Fatalf("row %v under %q: Find(first cell) = %v, want this row", row, table.Head, table.Find(row[0]))
			}
		}
		for i, head := range table.Head {
			if table.Column(head) != i {
				t.Fatalf("Column(%q) = %d, want %d", head, table.Column(head), i)
			}
		}
	})
}
