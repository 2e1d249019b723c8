package harness

import (
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/harness/trace"
)

// farFromOptimum is the relative width of what is known of an optimum from which on another solver is proposed.
const farFromOptimum = 0.1

// advice names the solver that is best by measurement for problems whose runs are far from their optimum, if it was not
// among them.
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

// resumed says which runs have seconds that were not spent in one go.
func resumed(files []*trace.File) []string {
	var out []string
	for _, f := range files {
		if e := f.End; e != nil && e.Resumed > 0 {
			out = append(out, fmt.Sprintf("%s: it went on after %d interruptions: its seconds are those of several processes, "+
				"without what was lost, and say little beside others", f.Describe(), e.Resumed))
		}
	}
	return out
}

// manyRows is how many seconds the rows of a run may take, and how many times those of its solver.
const manyRows = 10

// adviceOnRows says where evaluations and rows took much longer than the work that they are of.
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
