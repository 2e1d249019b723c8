package datasets_test

import (
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// TestTableAbout checks that the line about a table names the label, at most four columns, and the number of classes.
func TestTableAbout(t *testing.T) {
	table := datasets.Table{Label: "y"}
	for i, want := range []string{"y from a: 2 classes", "y from a, b: 2 classes", "y from a, b, c: 2 classes",
		"y from a, b, c, d: 2 classes", "y from a, b, c, d, 1 more: 2 classes"} {
		table.Columns = append(table.Columns, datasets.TableColumn{Name: string(rune('a' + i))})
		if got := table.About(2); got != want {
			t.Errorf("%d columns: %q, want %q", i+1, got, want)
		}
	}
}
