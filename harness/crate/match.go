package crate

import (
	"fmt"
	"strings"

	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/trace"
)

// match compares a run that was made again with the kept run, bit for bit in all columns except times. It describes the
// first difference, or returns "". A kept run with a digest of all rows (trace.Exact) is compared in all rows. Of other
// thinned runs only the rows that were kept are compared, and of runs that a limit on the seconds ended only those that
// both runs have, because such runs end at different rows.
func match(kept, now *trace.File) string {
	switch {
	case kept.Status() != now.Status():
		return fmt.Sprintf("it ended as %s, but in the crate as %s", now.Status(), kept.Status())
	case endedByClock(kept) || endedByClock(now):
		return matchRows(kept, now, true)
	case kept.Manifest.Exact != "":
		for _, c := range gate.Exact(kept.Manifest.Experiment, []*trace.File{kept}, []*trace.File{now}) {
			return c.Message
		}
		return ""
	case kept.Manifest.Thinned == 0:
		return trace.Diff(now, kept)
	case kept.Manifest.Thinned != len(now.Rows):
		return fmt.Sprintf("it has %d rows, but in the crate %d", len(now.Rows), kept.Manifest.Thinned)
	}
	return matchRows(kept, now, false)
}

// endedByClock reports whether a limit on the seconds ended a run. The text of a budget in seconds ends with the unit.
func endedByClock(f *trace.File) bool {
	return f.End != nil && (f.End.Rule == "seconds" || f.End.Status == trace.Budget && strings.HasSuffix(f.End.Why, " s"))
}

// matchRows looks up each row of a kept run among the rows of the new run, in order. If short is true, the new run may
// end earlier or later, and the last row of either run is not compared.
func matchRows(kept, now *trace.File, short bool) string {
	rows := kept.Rows
	if short && len(rows) > 0 {
		rows = rows[:len(rows)-1]
	}
	next := 0
	for i, r := range rows {
		if numbers := kept.Manifest.Kept; len(numbers) == len(kept.Rows) {
			next = numbers[i]
		}
		first := ""
		for ; next < len(now.Rows); next++ {
			d := trace.DiffRow(now.Rows[next], r)
			if d == "" {
				break
			}
			if first == "" && now.Rows[next].Values[trace.Passes] == r.Values[trace.Passes] {
				first = d
			}
			if now.Rows[next].Values[trace.Passes] > r.Values[trace.Passes] {
				next = len(now.Rows)
				break
			}
		}
		if next < len(now.Rows) {
			next++
			continue
		}
		if short && first == "" {
			return "" // the new run ended before this row
		}
		if first == "" {
			first = "no row of the new run has as many passes"
		}
		return fmt.Sprintf("row %d of the crate (epoch %g, %.6g passes): %s", i+1, r.Values[trace.Epoch],
			r.Values[trace.Passes], first)
	}
	return ""
}
