// Package gate compares fresh runs with the references that git keeps: within tolerances, or bit by bit. It knows no
// file and no solver.
//
//	for _, c := range gate.Exact("eg/fig06", reference, fresh) { fmt.Println(c.Curve, c.OK, c.Message) }
package gate

import (
	"fmt"

	"github.com/gaplab/gaplab/harness/trace"
)

// Comparison is how one curve of the gate came out.
type Comparison struct {
	Experiment string `json:"experiment"`
	Curve      string `json:"curve"`
	OK         bool   `json:"ok"`
	Message    string `json:"message"` // which column moved, where, and by how much; "" if OK
	// Work is the factor in passes to reach the gap that the reference has at the first point that moved; 0: not known, or
	// that gap is not reached any more
	Work float64 `json:"work,omitempty"`
	// Column is the one that moved, in the row of the reference after so many Passes; "" if it is the curve as a whole
	Column string  `json:"column,omitempty"`
	Passes float64 `json:"passes,omitempty"`
	// of a curve that moved: the parts of its run whose code has changed at the same revision
	Changed []string `json:"changed,omitempty"`
	// which revisions the reference has and which the code has, such as "solver eg 1, now 2"; "" if they are the same
	Stale string `json:"stale,omitempty"`

	Reference *trace.File `json:"-"` // nil: no reference has this curve
	Fresh     *trace.File `json:"-"` // nil: the experiment has it no more
}

// verdict is what is said of a curve: a message, "" if it is fine; where it moved, and the factor in work.
type verdict struct {
	message string
	column  string
	passes  float64
	work    float64
}

// compare matches curves by their plan's key, so that a changed spec shows as a missing curve. Runs that another
// program made are left out: it may not be installed here, or be another version.
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
		return verdict{message: "the reference has this curve, the experiment does not: if the spec has changed on " +
			"purpose, update the baseline"}
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

// cut says which rows a reference lacks that it should keep; "" if none. A thinned one has its first and last rows.
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

// status is how a run ended, with its reason.
func status(f *trace.File) string {
	if f.End == nil {
		return string(f.Status())
	}
	return fmt.Sprintf("%s (%s)", f.End.Status, f.End.Why)
}
