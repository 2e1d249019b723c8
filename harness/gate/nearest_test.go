package gate_test

import (
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestSeveralRowsOfAnEpoch compares a run that has several rows in each epoch with itself. The gate must accept the
// run, whichever rows the reference keeps, because it compares each of them with the row that has the same passes.
func TestSeveralRowsOfAnEpoch(t *testing.T) {
	const rows = 24
	for _, perEpoch := range []int{1, 2, 3, 8, rows} {
		now := full(rows)
		for i := range now.Rows {
			now.Rows[i].Values[trace.Epoch] = float64(i / perEpoch)
		}
		for _, keep := range []func(i int) bool{
			func(int) bool { return true },
			func(i int) bool { return i%2 == 0 },
			func(i int) bool { return i%5 == 3 },
			func(i int) bool { return i < 3 || i > 20 },
		} {
			ref := copied(now)
			ref.Rows = slices.DeleteFunc(ref.Rows, func(r trace.Row) bool {
				return r.Values[trace.Passes] < rows-1 && !keep(int(r.Values[trace.Passes]))
			})
			if ref.End.Rows = len(ref.Rows); len(ref.Rows) < rows {
				ref.Manifest.Thinned = rows
			}
			if m := within(t, ref, copied(now)); m != "" {
				t.Errorf("%d rows in an epoch, %d of %d rows in the reference: message %q, want none", perEpoch, len(ref.Rows),
					rows, m)
			}
		}
	}
}
