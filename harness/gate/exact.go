package gate

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// Exact compares fresh runs with references bit by bit: all columns but clocks, over all rows; for the rows that a
// reference does not keep it has a digest. Runs that another program made are left out.
func Exact(experiment string, reference, fresh []*trace.File) []Comparison {
	return compare(experiment, reference, fresh, func(ref, now *trace.File) verdict {
		v := keptRows(ref, now)
		if v.message == "" {
			v.message = exact(ref, now)
		}
		if v.message != "" && len(ref.Rows) > 0 {
			v.work, _ = workTo(ref.Rows, now.Rows, ref.Rows[len(ref.Rows)-1])
		}
		return v
	})
}

// exact describes how two runs differ whose kept rows agree; "" if they do not.
func exact(ref, now *trace.File) string {
	rows := len(ref.Rows)
	if ref.Manifest.Thinned > 0 {
		rows = ref.Manifest.Thinned
	}
	switch {
	case ref.Manifest.Exact == "":
		return "its reference holds no digest over all rows: update the baseline"
	case rows != len(now.Rows):
		return fmt.Sprintf("it has %d rows, the reference %d", len(now.Rows), rows)
	case ref.Manifest.Exact != trace.Exact(now.Rows):
		return "rows between those that the reference keeps differ: all rows together have another digest"
	case ref.End != nil && now.End != nil && ref.End.Rule != now.End.Rule:
		return fmt.Sprintf("it ended by the rule %q, the reference by %q", now.End.Rule, ref.End.Rule)
	case ref.End != nil && now.End != nil && !reflect.DeepEqual(ref.End.Labels, now.End.Labels):
		return fmt.Sprintf("it ended with the labels %v, the reference with %v", now.End.Labels, ref.End.Labels)
	case ref.End != nil && now.End != nil && !reflect.DeepEqual(ref.End.Examples, now.End.Examples):
		return "what its validation examples contributed differs"
	}
	return ""
}

// keptRows compares the rows that a reference keeps with the fresh ones at the same positions.
func keptRows(ref, now *trace.File) verdict {
	numbers := ref.Manifest.Kept
	if numbers == nil && ref.Manifest.Thinned > 0 || numbers != nil && len(numbers) != len(ref.Rows) {
		return verdict{} // it is not known which rows these are: the digest decides
	}
	for i, r := range ref.Rows {
		number := i
		if numbers != nil {
			number = numbers[i]
		}
		if number >= len(now.Rows) {
			return verdict{message: fmt.Sprintf("it has %d rows, and no row %d as the reference has", len(now.Rows), number+1)}
		}
		if d := trace.DiffRow(now.Rows[number], r); d != "" {
			column, _, _ := strings.Cut(strings.TrimPrefix(d, "column "), " ")
			return verdict{column: column, passes: r.Values[trace.Passes], message: fmt.Sprintf(
				"row %d (epoch %g, %.6g passes): %s", number+1, r.Values[trace.Epoch], r.Values[trace.Passes], d)}
		}
	}
	return verdict{}
}
