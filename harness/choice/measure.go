package choice

import (
	"math"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/record"
	"github.com/gaplab/gaplab/harness/trace"
)

// measurement contains what a run contributes to the comparison for one value of the labels that compete.
type measurement struct {
	value    string
	by, ties float64
	strength float64 // see candidate
}

// measured returns the measurement of a run or, if the stages of its path are compared, one for each stage.
func (e Entrant) measured() []measurement {
	rule := e.Choose.Rule
	if !e.Choose.Stages(e.Run) {
		row := e.row()
		return []measurement{{Value(e.Run), value(row, rule.By), value(row, rule.Ties), strength(e.Run, e.C)}}
	}
	var out []measurement
	key := "C"
	if e.Convention == lang.ConventionLambda {
		key = "lambda"
	}
	for k, c := range e.Solver.Path.Values() {
		row := e.endOfStage(k)
		out = append(out, measurement{valueOf(e.Run, key, c), value(row, rule.By), value(row, rule.Ties),
			strength(e.Run, c)})
	}
	return out
}

// strength returns a number that increases with λ. value is C or λ, by the convention of the run.
func strength(r lang.Run, value float64) float64 {
	if r.Convention == "" {
		return 0
	}
	return r.Convention.Lambda(value, 1)
}

// value returns a column's value in a row; NaN if there is no row, or if the row has no value in the column.
func value(row *trace.Row, column string) float64 {
	if row != nil {
		if v, ok := row.Values[column]; ok {
			return v
		}
	}
	return math.NaN()
}

// row returns the row of a run that is compared: the first row at or after the point of the rule, or the last row if
// the run ended normally before this point. If the runs are compared at their ends, it is the row whose weights are the
// result of the run. row returns nil if there is none.
func (e Entrant) row() *trace.Row {
	at := e.Choose.Rule.At
	if at == (lang.At{}) {
		return e.result()
	}
	rows, status := e.File.Rows, e.File.Status()
	for i, r := range rows {
		last := i == len(rows)-1 && (status == trace.Done || status == trace.Stalled)
		if last || record.Reached(at, r.Values[trace.Passes], int(r.Values[trace.Epoch])) {
			return &rows[i]
		}
	}
	return nil
}

// result returns the row whose weights are the result of an ended run: the best row by the rule Keep or, without this
// rule, the last row. It returns nil if the run failed, diverged or is unsupported.
func (e Entrant) result() *trace.Row {
	rows := e.File.Rows
	if len(rows) == 0 || !ended(e.File) {
		return nil
	}
	if e.Keep == nil {
		return &rows[len(rows)-1]
	}
	row, top := &rows[len(rows)-1], math.NaN()
	for i, r := range rows {
		v, ok := r.Values[e.Keep.By]
		if e.Keep.Best == "max" {
			v = -v
		}
		if ok && !(v >= top) { // true for the first value, since top is then NaN
			row, top = &rows[i], v
		}
	}
	return row
}

// endOfStage returns the last row of stage k of a path; nil if the run has no such row.
func (e Entrant) endOfStage(k int) *trace.Row {
	if !ended(e.File) {
		return nil
	}
	for i := len(e.File.Rows) - 1; i >= 0; i-- {
		if r := &e.File.Rows[i]; r.Values[trace.Stage] == float64(k) {
			return r
		}
	}
	return nil
}

// ended reports whether a run has weights as its result.
func ended(f *trace.File) bool {
	switch f.Status() {
	case trace.Done, trace.Stalled, trace.Budget:
		return true
	}
	return false
}
