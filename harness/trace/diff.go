package trace

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Diff compares the rows and the status of two runs bit by bit, except for times (see Clock). It describes the first
// difference, or returns "" if there is none.
func Diff(a, b *File) string {
	for i := range min(len(a.Rows), len(b.Rows)) {
		if d := DiffRow(a.Rows[i], b.Rows[i]); d != "" {
			return fmt.Sprintf("row %d (%.6g passes): %s", i+1, a.Rows[i].Values[Passes], d)
		}
	}
	if len(a.Rows) != len(b.Rows) {
		return fmt.Sprintf("%d rows against %d", len(a.Rows), len(b.Rows))
	}
	if a.Status() != b.Status() {
		return fmt.Sprintf("status %s against %s", a.Status(), b.Status())
	}
	return ""
}

// DiffRow describes the first difference between two rows: a column with different values, or different warnings. It
// ignores columns of times. It returns "" if there is no difference.
func DiffRow(a, b Row) string {
	names := map[string]bool{}
	for name := range a.Values {
		names[name] = true
	}
	for name := range b.Values {
		names[name] = true
	}
	for _, name := range ordered(maps.Keys(names), standardColumns()) {
		if Clock(name) {
			continue
		}
		x, inA := a.Values[name]
		y, inB := b.Values[name]
		switch {
		case inA != inB:
			return fmt.Sprintf("column %s is in one row only", name)
		case math.Float64bits(x) != math.Float64bits(y):
			return fmt.Sprintf("%s is %v against %v", name, x, y)
		}
	}
	if !slices.Equal(a.Warnings, b.Warnings) {
		return fmt.Sprintf("warnings %q against %q", a.Warnings, b.Warnings)
	}
	return ""
}
