// Package gate compares fresh runs with the references that git keeps: within tolerances, or bit by bit. It knows no
// file and no solver.
//
//	for _, c := range gate.Exact("eg/fig06", reference, fresh) { fmt.Println(c.Curve, c.OK, c.Message) }
package gate

import (
	"fmt"
	"math"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// Tolerances. Traces agree bit for bit on one kind of machine; others fuse multiply and add.
const (
	tolCalls = 0.02 // relative, of oracle calls at the same record
	tolValue = 1e-3 // relative, of primal and dual at the same passes
)

// Comparison is how one curve of the gate came out.
type Comparison struct {
	Experiment string `json:"experiment"`
	Curve      string `json:"curve"`
	OK         bool   `json:"ok"`
	Message    string `json:"message"` // which column moved, where, and by how much; "" if OK
	// of a curve that moved: the parts of its run whose code has changed at the same revision
	Changed []string `json:"changed,omitempty"`
}

// Compare compares fresh runs with references on axes that do not depend on the machine: passes, oracle calls, primal
// and dual, within tolerances. Runs that another program made are left out.
func Compare(experiment string, reference, fresh []*trace.File) []Comparison {
	return compare(experiment, reference, fresh, moved)
}

// compare matches curves by their plan's key, so that a changed spec shows as a missing curve.
func compare(experiment string, reference, fresh []*trace.File, differ func(ref, now *trace.File) string) []Comparison {
	var out []Comparison
	add := func(f *trace.File, message string) {
		out = append(out, Comparison{Experiment: experiment, Curve: f.Describe(), OK: message == "", Message: message})
	}
	byPlan := map[string]*trace.File{}
	for _, f := range fresh {
		byPlan[f.Manifest.Plan] = f
	}
	for _, ref := range reference {
		now := byPlan[ref.Manifest.Plan]
		delete(byPlan, ref.Manifest.Plan)
		switch {
		case ref.Manifest.Outside, now != nil && now.Manifest.Outside: // it may not be installed here, or be another version
		case now == nil:
			add(ref, "the reference has this curve, the experiment does not: if the spec has changed on purpose, update the "+
				"baseline")
		case ref.Manifest.Data.Checksum != now.Manifest.Data.Checksum:
			add(now, "the data set has changed: its checksum is not the reference's")
		case ref.Status() != now.Status():
			add(now, fmt.Sprintf("it ended as %s; the reference as %s", status(now), status(ref)))
		default:
			message := differ(ref, now)
			if other := now.Manifest.OlderThan(ref.Manifest.Revisions); message != "" && other != "" {
				message += "; the reference was made at other revisions (" + other + " there)"
			}
			add(now, message)
			if c := &out[len(out)-1]; !c.OK {
				c.Changed = trace.Differing(ref.Manifest.Sources, now.Manifest.Sources)
			}
		}
	}
	for _, f := range fresh {
		if byPlan[f.Manifest.Plan] != nil && !f.Manifest.Outside {
			add(f, "no reference has this curve: if it is new, update the baseline")
		}
	}
	return out
}

// status is how a run ended, with its reason.
func status(f *trace.File) string {
	if f.End == nil {
		return string(f.Status())
	}
	return fmt.Sprintf("%s (%s)", f.End.Status, f.End.Why)
}

// moved compares two curves at each record of the reference, which may be thinned: the calls and the values at the same
// epoch and stage.
func moved(ref, now *trace.File) string {
	type point struct{ stage, epoch float64 }
	of := func(r trace.Row) point { return point{r.Values[trace.Stage], r.Values[trace.Epoch]} }
	at := map[point][]trace.Row{} // several, if records are closer than epochs
	for _, r := range now.Rows {
		at[of(r)] = append(at[of(r)], r)
	}
	whole := ref.Manifest.Thinned == 0 && len(ref.Rows) == len(now.Rows)
	for i, r := range ref.Rows {
		where := fmt.Sprintf("at epoch %g (%.4g passes)", r.Values[trace.Epoch], r.Values[trace.Passes])
		if _, isPath := r.Values[trace.Stage]; isPath {
			where += fmt.Sprintf(" of stage %g, C=%.4g", r.Values[trace.Stage], r.Values[trace.C])
		}
		n, ok := nearest(at[of(r)], r.Values[trace.Passes])
		if whole && of(now.Rows[i]) == of(r) { // a solver without oracle calls has several records at 0 passes
			n = now.Rows[i]
		}
		if !ok {
			return fmt.Sprintf("%s: it has no such record any more; %s", where, ends(now))
		}
		for _, column := range []string{trace.Passes, trace.MaxCalls, trace.ExpCalls, trace.SumCalls, trace.SlackCalls,
			trace.SecondCalls} {
			if m := differs(column, r.Values, n.Values, tolCalls); m != "" {
				return where + ": " + m
			}
		}
		for _, column := range []string{trace.Primal, trace.Dual} {
			if m := differs(column, r.Values, n.Values, tolValue); m != "" {
				return where + ": " + m
			}
		}
	}
	if a, b := len(now.Rows), len(ref.Rows); ref.Manifest.Thinned == 0 && a != b {
		return fmt.Sprintf("it has %d records, the reference %d: %s, the reference %s", a, b, ends(now),
			strings.TrimPrefix(ends(ref), "it "))
	}
	return ""
}

// nearest is the row whose passes are closest.
func nearest(rows []trace.Row, passes float64) (best trace.Row, ok bool) {
	away := func(r trace.Row) float64 { return math.Abs(r.Values[trace.Passes] - passes) }
	for i, r := range rows {
		if i == 0 || away(r) < away(best) {
			best = r
		}
	}
	return best, len(rows) > 0
}

// ends says where a curve ends.
func ends(f *trace.File) string {
	if len(f.Rows) == 0 {
		return "it has no record at all"
	}
	last := f.Rows[len(f.Rows)-1].Values
	return fmt.Sprintf("it ends at epoch %g after %.4g passes", last[trace.Epoch], last[trace.Passes])
}

// differs says how a column moved by more than a relative tolerance.
func differs(column string, ref, now map[string]float64, tol float64) string {
	a, inRef := ref[column]
	b, inNow := now[column]
	switch {
	case inRef != inNow:
		return fmt.Sprintf("column %s is in one of the two only", column)
	case !inRef || math.Abs(a-b) <= tol*math.Max(math.Abs(a), 1e-12):
		return ""
	}
	return fmt.Sprintf("%s %.6g, was %.6g (%+.2g %%; tolerance %g %%)", column, b, a, 100*(b-a)/math.Abs(a), 100*tol)
}
