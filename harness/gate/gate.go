// Package gate compares new runs with committed references, within tolerances or bit by bit. It reads no files and does
// not depend on any solver.
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
	// Work is the number of passes that the new run needs to reach the last gap of the reference, divided by the number of
	// passes that the reference needs. It is 0 if it is unknown, if both numbers are equal, or if the new run does not
	// reach this gap.
	Work float64 `json:"work,omitempty"`
	// Column is the first column that differs, and Passes is the position of the row in which it differs. Column is empty
	// if the whole curve differs.
	Column string  `json:"column,omitempty"`
	Passes float64 `json:"passes,omitempty"`
	// Changed is set for a curve that differs. It lists the components of its run (data set, model, solver, ...) whose
	// code has changed although their revision is the same.
	Changed []string `json:"changed,omitempty"`
	// Stale lists the components whose revision in the reference is not the revision in the code, such as "solver eg 1,
	// now 2". It is empty if there are none.
	Stale string `json:"stale,omitempty"`

	Reference *trace.File `json:"-"` // nil if no reference has this curve
	Fresh     *trace.File `json:"-"` // nil if the experiment no longer has this curve
}

// verdict is the result of comparing one curve.
type verdict struct {
	message string  // the difference; empty if the curve agrees with the reference
	column  string  // see Comparison.Column
	passes  float64 // see Comparison.Passes
	work    float64 // see Comparison.Work
}

// compare pairs each reference with the new curve whose spec has the same hash. It compares each pair with the function
// differ. If the spec of a curve has changed, the curve of the reference is reported as missing. compare skips runs of
// external programs, which may be missing on this machine or have another version.
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
				c.Message += "; the reference has other revisions: " + c.Stale
			}
		}
		out = append(out, c)
	}
	for _, f := range fresh {
		if byPlan[f.Manifest.Plan] != nil && !f.Manifest.Outside {
			out = append(out, Comparison{Experiment: experiment, Curve: f.Describe(), Fresh: f,
				Message: "no reference has this curve; if it is new, update the baseline"})
		}
	}
	return out
}

// one compares a new curve with its reference by calling differ. now is nil if the experiment no longer has the curve.
func one(ref, now *trace.File, differ func(ref, now *trace.File) verdict) verdict {
	switch {
	case now == nil:
		return verdict{message: "the reference has this curve, but the experiment does not; if the spec or a setting was " +
			"changed on purpose, update the baseline"}
	case ref.Manifest.Data.Checksum != now.Manifest.Data.Checksum:
		return verdict{message: "the data set has changed: its checksum is not the checksum in the reference"}
	case ref.Status() != now.Status():
		return verdict{message: fmt.Sprintf("it ended as %s, but the reference as %s", status(now), status(ref))}
	case ref.Status() == trace.Interrupted:
		return verdict{message: "its reference has no end; update the baseline"}
	}
	if m := cut(ref); m != "" {
		return verdict{message: m}
	}
	v := differ(ref, now)
	if v.message == "" && ref.End.Rule != now.End.Rule {
		v.message = fmt.Sprintf("it ended by the rule %q, but the reference by %q", now.End.Rule, ref.End.Rule)
	}
	return v
}

// cut returns a message if a reference lacks rows that it should contain, else "". A reference may contain only some
// rows of its run, but always the first and the last.
func cut(ref *trace.File) string {
	m := ref.Manifest
	whole := max(m.Thinned, len(ref.Rows))
	numbered := len(m.Kept) > 0
	switch {
	case len(ref.Rows) == 0 && ref.Status() == trace.Done:
		return "its reference has no row; update the baseline"
	case numbered && len(m.Kept) != len(ref.Rows):
		return fmt.Sprintf("its reference has %d rows, but its manifest lists %d; update the baseline", len(ref.Rows),
			len(m.Kept))
	case numbered && (m.Kept[0] != 0 || m.Kept[len(m.Kept)-1] != whole-1),
		m.Thinned > 1 && len(ref.Rows) < 2, ref.End.Rows != len(ref.Rows):
		return fmt.Sprintf("its reference has %d of %d rows, without the first or the last; update the baseline",
			len(ref.Rows), max(whole, ref.End.Rows))
	}
	return ""
}

// status describes how a run ended and, if it did not end normally, why.
func status(f *trace.File) string {
	if f.End == nil {
		return string(f.Status())
	}
	return fmt.Sprintf("%s (%s)", f.End.Status, f.End.Why)
}
