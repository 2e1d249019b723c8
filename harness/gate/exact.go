package gate

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// Exact compares new runs with references bit by bit, in all rows and all columns except clocks. A reference may
// contain only some rows of its run (it is thinned); it also contains a hash of all rows. Exact skips runs of external
// programs.
func Exact(experiment string, reference, fresh []*trace.File) []Comparison {
	return compare(experiment, reference, fresh, func(ref, now *trace.File) verdict {
		v := keptRows(ref, now)
		if v.message == "" {
			v.message = exact(ref, now)
		}
		if v.message != "" && len(ref.Rows) > 0 {
			v.work, _ = workInAll(ref.Rows, now.Rows)
		}
		return v
	})
}

// exact describes how two runs differ, or returns "" if they do not. Both have an end. The rows that the reference
// contains have already been compared, and are equal.
func exact(ref, now *trace.File) string {
	rows := len(ref.Rows)
	if ref.Manifest.Thinned > 0 {
		rows = ref.Manifest.Thinned
	}
	switch {
	case ref.Manifest.Exact == "":
		return "its reference has no digest over all rows; update the baseline"
	case rows != max(len(now.Rows), now.Manifest.Thinned):
		return fmt.Sprintf("it has %d rows, but the reference has %d", max(len(now.Rows), now.Manifest.Thinned), rows)
	case ref.Manifest.Exact != digest(now):
		return "rows that are not in the thinned reference differ, because the hash of all rows has changed"
	case !reflect.DeepEqual(ref.End.Labels, now.End.Labels):
		return fmt.Sprintf("it ended with the labels %v, but the reference with %v", now.End.Labels, ref.End.Labels)
	case !reflect.DeepEqual(ref.End.Examples, now.End.Examples):
		return "the metric counts of its validation examples differ"
	}
	return ""
}

// digest returns the hash of all rows of a run. It is the hash in the manifest, which each reference has, or else is
// computed from the rows.
func digest(f *trace.File) string {
	if f.Manifest.Exact != "" {
		return f.Manifest.Exact
	}
	return trace.Exact(f.Rows)
}

// keptRows compares the rows of a reference, which may be only some rows of its run, with the new rows at the same
// positions.
func keptRows(ref, now *trace.File) verdict {
	numbers := ref.Manifest.Kept
	if now.Manifest.Thinned > 0 { // now is a reference too; both may contain different rows of their runs
		if !slices.Equal(numbers, now.Manifest.Kept) {
			return verdict{}
		}
		numbers = nil
	}
	unknown := numbers == nil && ref.Manifest.Thinned > 0 && now.Manifest.Thinned == 0
	if unknown || numbers != nil && len(numbers) != len(ref.Rows) {
		return verdict{} // which rows were kept is unknown: only the hash of all rows can be compared
	}
	for i, r := range ref.Rows {
		number := i
		if numbers != nil {
			number = numbers[i]
		}
		if number >= len(now.Rows) {
			return verdict{message: fmt.Sprintf("it has %d rows, but the reference has a row %d", len(now.Rows), number+1)}
		}
		if d := trace.DiffRow(now.Rows[number], r); d != "" {
			column, _, _ := strings.Cut(strings.TrimPrefix(d, "column "), " ")
			return verdict{column: column, passes: r.Values[trace.Passes], message: fmt.Sprintf(
				"row %d (epoch %g, %.6g passes): %s", number+1, r.Values[trace.Epoch], r.Values[trace.Passes], d)}
		}
	}
	return verdict{}
}
