package harness

import (
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/amount"
)

// farFromOptimum is a relative width of the interval that contains the optimum. From this width on, advice proposes
// another solver. The best primal and dual values of all runs are the ends of the interval.
const farFromOptimum = 0.1

// advice finds the problems whose runs ended far from the optimum. For each, it proposes the solver that performed best
// in our measurements, unless that solver has run already.
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
		if err != nil {
			continue
		}
		ran := slices.ContainsFunc(set.Curves, func(c *trace.Curve) bool { return c.Labels["solver"] == choice.Solver })
		text := fmt.Sprintf("to get closer to the optimum of model %s, try {name: %s}, which selects %s here: %s", model,
			catalogue.AutoName, choice.Solver, choice.Why)
		if !ran && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// resumed returns warnings about runs that were resumed from a checkpoint: their seconds are a sum over several
// processes.
func resumed(files []*trace.File) []string {
	var out []string
	for _, f := range files {
		if e := f.End; e != nil && e.Resumed > 0 {
			out = append(out, fmt.Sprintf("%s: resumed %s: its seconds are summed over several processes, without lost "+
				"work; do not compare them with the seconds of other runs", f.Describe(), amount.Count(e.Resumed, "time")))
		}
	}
	return out
}

// manyRows is used twice as a limit. A run gets a warning if recording its rows took more than manyRows seconds, and
// also more than manyRows times the seconds of the solver.
const manyRows = 10

// adviceOnRows returns warnings about runs that spent much more time on evaluating and recording rows than on the
// solver.
func adviceOnRows(files []*trace.File) []string {
	var out []string
	for _, f := range files {
		if e := f.End; e != nil && e.RecordSeconds > manyRows && e.RecordSeconds > manyRows*e.Seconds {
			out = append(out, fmt.Sprintf("%s: recording %d rows took %.0f s, but the solver only %.2g s; for fewer rows, "+
				"set record: {every: {passes: 1, growth: 1.3}}", f.Describe(), e.Rows, e.RecordSeconds, e.Seconds))
		}
	}
	return out
}
