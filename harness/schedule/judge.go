package schedule

import (
	"math"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/record"
	"github.com/gaplab/gaplab/harness/trace"
)

// verdict is the state of a comparison of runs that differ in one hyperparameter (lang.Choose).
type verdict int

const (
	undecided verdict = iota // a run to compare is missing or was interrupted
	nobody                   // no compared run has a value in the column by which they are compared
	decided
)

// grouped divides runs into groups. The runs of a group are compared with each other (lang.Choose). The groups are in
// the order of the plan.
func grouped(candidates []*job) (groups [][]*job) {
	at := map[string]int{}
	for _, j := range candidates {
		i, ok := at[j.Choose.Group]
		if !ok {
			i = len(groups)
			at[j.Choose.Group], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], j)
	}
	return groups
}

// winner compares a group of candidates at the point that the spec sets for the comparison. It returns the
// hyperparameter value with the best mean metric; the mean is over seeds and folds. A value cannot win if any of its
// runs has no such metric there.
func winner(group []*job) (string, verdict) {
	rule := group[0].Choose.Rule
	type score struct{ by, ties float64 }
	sums, counts := map[string]score{}, map[string]float64{}
	var values []string
	for _, j := range group {
		if j.trial == nil || j.trial.status() == trace.Interrupted {
			return "", undecided
		}
		v := trace.FormatLabel(j.Choose.Value)
		if counts[v] == 0 {
			values = append(values, v)
		}
		s := sums[v]
		s.by += j.trial.atPoint(rule.At, rule.By)
		s.ties += j.trial.atPoint(rule.At, rule.Ties)
		sums[v] = s
		counts[v]++
	}
	best, found := "", nobody
	var top score
	for _, v := range values {
		s := score{sums[v].by / counts[v], sums[v].ties / counts[v]}
		if rule.Best == "max" {
			s.by = -s.by
		}
		if math.IsNaN(s.by) {
			continue
		}
		if found == nobody || s.by < top.by || s.by == top.by && s.ties < top.ties {
			best, top, found = v, s, decided
		}
	}
	return best, found
}

// atPoint returns a column's value where the runs are compared: in the first row at or after the point at, or in the
// last row if the run ended normally before this point. It returns NaN if there is no such row, or if the row has no
// value in the column.
func (t *trial) atPoint(at lang.At, column string) float64 {
	for i, r := range t.file.Rows {
		last := i == len(t.file.Rows)-1 && (t.status() == trace.Done || t.status() == trace.Stalled)
		if last || record.Reached(at, r.Values[trace.Passes], int(r.Values[trace.Epoch])) {
			if v, ok := r.Values[column]; ok {
				return v
			}
			break
		}
	}
	return math.NaN()
}
