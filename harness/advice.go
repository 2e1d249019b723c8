package harness

import (
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/amount"
)

// farFromOptimum is the relative width of the interval around an optimum from which on another solver is proposed.
const farFromOptimum = 0.1

// advice proposes the solver that measured best for problems whose runs end far from their optimum, if that solver has
// not run.
func advice(set *trace.Set) []string {
	var out []string
	for _, c := range set.Curves {
		opt := c.Final(trace.Opt)
		if c.Doubt == "" || trace.Relative(opt-c.Final(trace.OptLow), opt) < farFromOptimum {
			continue
		}
		model, _ := c.Labels["model"].(string)
		loss, _ := c.Labels["loss"].(string)
		choice, err := catalogue.Auto(model, loss)
		if err != nil || slices.ContainsFunc(set.Curves, func(other *trace.Curve) bool {
			return other.Labels["solver"] == choice.Solver
		}) {
			continue
		}
		text := fmt.Sprintf("to come closer to the optimum of model %s, try {name: %s}, here %s: %s", model,
			catalogue.AutoName, choice.Solver, choice.Why)
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// resumed warns of runs whose seconds were spent by several processes.
func resumed(files []*trace.File) []string {
	var out []string
	for _, f := range files {
		if e := f.End; e != nil && e.Resumed > 0 {
			out = append(out, fmt.Sprintf("%s: resumed %s: its seconds are the sum over several processes, without lost "+
				"work; do not compare them with other runs", f.Describe(), amount.Count(e.Resumed, "time")))
		}
	}
	return out
}

// manyRows is both the number of seconds and the multiple of the solver's seconds that the rows of a run may take.
const manyRows = 10

// adviceOnRows warns of runs whose evaluations and rows took much longer than their solver.
func adviceOnRows(files []*trace.File) []string {
	var out []string
	for _, f := range files {
		if e := f.End; e != nil && e.RecordSeconds > manyRows && e.RecordSeconds > manyRows*e.Seconds {
			out = append(out, fmt.Sprintf("%s: %d rows took %.0f s beside %.2g s of work; for fewer, record: {every: "+
				"{passes: 1, growth: 1.05}}", f.Describe(), e.Rows, e.RecordSeconds, e.Seconds))
		}
	}
	return out
}
