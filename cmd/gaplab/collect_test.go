package main

import (
	"fmt"
	"testing"

	"github.com/gaplab/gaplab/harness/cluster"
)

// TestMissingResultsAreListed checks that the error about missing results lists at most ten, with their tasks and
// failures, and counts the others.
func TestMissingResultsAreListed(t *testing.T) {
	for _, n := range []int{1, 10, 11, 13} {
		var list []cluster.Missing
		want := fmt.Sprintf("g: %d results missing", n)
		if n == 1 {
			want = "g: 1 result missing"
		}
		for i := range n {
			m := cluster.Missing{Task: i + 3, ID: "eg/a", Name: fmt.Sprint("C=", i)}
			why := ""
			if i%2 == 0 {
				m.Why, why = "no memory\nstack", ": no memory"
			}
			if list = append(list, m); i < 10 {
				want += fmt.Sprintf("\neg/a: C=%d (task %d%s)", i, i+3, why)
			}
		}
		if n > 10 {
			want += fmt.Sprintf("\nand %d more", n-10)
		}
		if got := missingResults(&cluster.Campaign{ID: "g"}, list); got.Error() != want {
			t.Errorf("%d missing results: %s\nwant %s", n, got, want)
		}
	}
}
