// Package gate compares fresh runs with committed references, within tolerances or bit by bit. It reads no files and
// knows no solver.
//
//	for _, c := range gate.Exact("eg/fig06", reference, fresh) { fmt.Println(c.Curve, c.OK, c.Message) }
package gate

import (
	"fmt"

	"github.com/gaplab/gaplab/harness/trace"
)

// Comparison is the result of the gate for one curve.
type Comparison struct {
	Experiment string `json:"experiment"`
	Curve      string `json:"curve"`
	OK         bool   `json:"ok"`
	Message    string `json:"message"` // which column differs, where, and by how much; empty if OK
	// Work is the factor in passes to reach the last gap of the reference. It is 0 if it is unknown, if the passes are the
	// same, or if the fresh run does not reach that gap
	Work float64 `json:"work,omitempty"`
	// Column is the first column that differs, in the row of the reference at Passes; empty if the whole curve differs
	Column string  `json:"column,omitempty"`
	Passes float64 `json:"passes,omitempty"`
	// Changed lists, for a curve that differs, the parts of its run whose code has changed at the same revision
	Changed []string `json:"changed,omitempty"`
	// Stale names the revisions of the reference and of the code, such as "solver eg 1, now 2"; empty if they are the same
	Stale string `json:"stale,omitempty"`

	Reference *trace.File `json:"-"` // nil if no reference has this curve
	Fresh     *trace.File `json:"-"` // nil if the experiment no longer has this curve
}

// verdict is the result for a curve: a message, which is empty if it agrees; where it differs; and the factor in work.
type verdict struct {
	message string
	column  string
	passes  float64
	work    float64
}

// compare compares curves with the same key of their plan, so that a changed spec shows as a missing curve. It skips
// runs of external programs, which may be missing here or have another version.
func compare(experiment string, reference, fresh []*trace.File,
	differ func(ref, now *trace.File) verdict) []Comparison {
	var out []Comparison
	byPlan := map[string]*trace.File{}
	for _, f := range fresh {
		byPlan[f.Manifest.Plan] = f
	}
	for _, ref := range reference {
		now := byPlan[ref.Manifest.Plan]
		delete(byPlan, ref.Manifest.Plan)
		if ref.Manifest.Outside || now != nil && now.Manifest.Outside {
			continue
		}
		v := one(ref, now, differ)
		c := Comparison{Experiment: experiment, Curve: ref.Describe(), OK: v.message == "", Message: v.message, Work: v.work,
			Column: v.column, Passes: v.passes, Reference: ref, Fresh: now}
		if now != nil {
			c.Curve, c.Stale = now.Describe(), ref.Manifest.OlderThan(now.Manifest.Revisions)
			if !c.OK {
				c.Changed = trace.Differing(ref.Manifest.Sources, now.Manifest.Sources)
			}
			if !c.OK && c.Stale != "" {
				c.Message += "; the reference is of other revisions: " + c.Stale
			}
		}
		out = append(out, c)
	}
	for _, f := range fresh {
		if byPlan[f.Manifest.Plan] != nil && !f.Manifest.Outside {
			out = append(out, Comparison{Experiment: experiment, Curve: f.Describe(), Fresh: f,
				Message: "no reference has this curve: if it is new, update the baseline"})
		}
	}
	return out
}

// one compares a curve with its reference. now is nil if the experiment has no such curve.
func one(ref, now *trace.File, differ func(ref, now *trace.File) verdict) verdict {
	switch {
	case now == nil:
		return verdict{message: "the reference has this curve, the experiment does not: if the spec, or a setting, has " +
			"changed on purpose, update the baseline"}
	case ref.Manifest.Data.Checksum != now.Manifest.Data.Checksum:
		return verdict{message: "the data set has changed: its checksum is not the reference's"}
	case ref.Status() != now.Status():
		return verdict{message: fmt.Sprintf("it ended as %s; the reference as %s", status(now), status(ref))}
	case ref.Status() == trace.Interrupted:
		return verdict{message: "its reference has no end: update the baseline"}
	}
	if m := cut(ref); m != "" {
		return verdict{message: m}
	}
	v := differ(ref, now)
	if v.message == "" && ref.End.Rule != now.End.Rule {
		v.message = fmt.Sprintf("it ended by the rule %q, the reference by %q", now.End.Rule, ref.End.Rule)
	}
	return v
}

// cut describes the rows that a reference should keep but lacks. It returns "" if there are none. A thinned reference
// keeps its first and last rows.
func cut(ref *trace.File) string {
	m := ref.Manifest
	whole := max(m.Thinned, len(ref.Rows))
	numbered := len(m.Kept) > 0
	switch {
	case len(ref.Rows) == 0 && ref.Status() == trace.Done:
		return "its reference has no row: update the baseline"
	case numbered && len(m.Kept) != len(ref.Rows):
		return fmt.Sprintf("its reference has %d rows, and says that it keeps %d: update the baseline", len(ref.Rows),
			len(m.Kept))
	case numbered && (m.Kept[0] != 0 || m.Kept[len(m.Kept)-1] != whole-1),
		m.Thinned > 1 && len(ref.Rows) < 2, ref.End.Rows != len(ref.Rows):
		return fmt.Sprintf("its reference has %d of %d rows, without the first or the last: update the baseline",
			len(ref.Rows), max(whole, ref.End.Rows))
	}
	return ""
}

// status returns how a run ended, with the reason.
func status(f *trace.File) string {
	if f.End == nil {
		return string(f.Status())
	}
	return fmt.Sprintf("%s (%s)", f.End.Status, f.End.Why)
}
