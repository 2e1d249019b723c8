package main

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/edition"
)

// TestCountsOfVerdicts reads the table of verdicts by paper back. A cell has one number if the numbers before and after
// are equal, and otherwise first the one before and then the one after.
func TestCountsOfVerdicts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var papers []edition.Count
		counts := rapid.MapOfN(rapid.SampledFrom(claims.Outcomes()), rapid.IntRange(0, 3), 0, 5)
		for i := range rapid.IntRange(0, 3).Draw(t, "papers") {
			papers = append(papers, edition.Count{Paper: fmt.Sprint("paper", i), Claims: rapid.IntRange(1, 99).Draw(t, "claims"),
				Before: counts.Draw(t, "before"), After: counts.Draw(t, "after")})
		}
		table := countsOf(papers)
		head := []string{"paper", "claims", "reproduced", "not reproduced", "tie", "not testable", "not measured"}
		if !slices.Equal(table.Head, head) || len(table.Rows) != len(papers) {
			t.Fatalf("headings %q and %d rows, want %q and %d", table.Head, len(table.Rows), head, len(papers))
		}
		for i, p := range papers {
			row := table.Rows[i]
			if row[0] != p.Paper || row[1] != fmt.Sprint(p.Claims) {
				t.Errorf("row %q, want paper %s with %d claims", row, p.Paper, p.Claims)
			}
			for j, o := range claims.Outcomes() {
				var before, after int
				if n, _ := fmt.Sscanf(row[2+j], "%d -> %d", &before, &after); n == 1 {
					after = before
				} else if n == 0 || before == after {
					t.Errorf("%s: %q is not one number, nor two different numbers", o, row[2+j])
				}
				if before != p.Before[o] || after != p.After[o] {
					t.Errorf("%s: %q; want %d before and %d after", o, row[2+j], p.Before[o], p.After[o])
				}
			}
		}
	})
}
