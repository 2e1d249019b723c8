package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// Tolerances of the gate. Traces are the same bit for bit on one kind of machine; others fuse multiply and add.
const (
	gateCalls = 0.02 // relative, of oracle calls at the same record
	gateValue = 1e-3 // relative, of primal and dual at the same passes
	thinRows  = 200  // rows of a curve that results/paper keeps
)

// Comparison is how one curve of the gate came out.
type Comparison struct {
	Experiment string `json:"experiment"`
	Curve      string `json:"curve"`
	OK         bool   `json:"ok"`
	Message    string `json:"message"` // which column moved, where, and by how much; "" if OK
}

// Check runs the smoke scale of experiments into a folder of its own and compares every curve with the reference in
// the results folder, on axes that do not depend on the machine: passes, oracle calls, primal and dual. An experiment
// without a reference is an ErrNoResults.
func Check(ctx context.Context, exps []*Experiment, opts ...Option) ([]Comparison, error) {
	o := newOptions(opts)
	scratch, err := os.MkdirTemp("", "gaplab-check-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	var out []Comparison
	for _, e := range exps {
		s, err := e.At("smoke", nil)
		if err != nil {
			return nil, err
		}
		folder := o.committedFolder(e.ID, "smoke")
		reference, err := trace.ReadDir(folder)
		if errors.Is(err, fs.ErrNotExist) || err == nil && len(reference) == 0 {
			return nil, fmt.Errorf("%w: no reference for %s in %s: `gaplab baseline update %s` makes it", ErrNoResults, e.ID,
				folder, e.ID)
		} else if err != nil {
			return nil, err
		}
		r, err := Run(ctx, s, slices.Concat(opts, []Option{Root(o.root), Out(scratch)})...)
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		out = append(out, compare(e.ID, reference, r.Files)...)
	}
	return out, nil
}

// compare matches curves by their plan's key, so that a changed spec shows as a missing curve.
func compare(experiment string, reference, fresh []*trace.File) []Comparison {
	var out []Comparison
	add := func(f *trace.File, message string) {
		out = append(out, Comparison{experiment, describe(f), message == "", message})
	}
	byPlan := map[string]*trace.File{}
	for _, f := range fresh {
		byPlan[f.Manifest.Plan] = f
	}
	for _, ref := range reference {
		if foreign(ref) {
			delete(byPlan, ref.Manifest.Plan)
			continue
		}
		now := byPlan[ref.Manifest.Plan]
		delete(byPlan, ref.Manifest.Plan)
		switch {
		case now == nil:
			add(ref, "the reference has this curve, the experiment does not: if the spec has changed on purpose, update the "+
				"baseline")
		case ref.Manifest.Data.Checksum != now.Manifest.Data.Checksum:
			add(now, "the data set has changed: its checksum is not the reference's")
		case ref.Status() != now.Status():
			add(now, fmt.Sprintf("it ended as %s; the reference as %s", status(now), status(ref)))
		default:
			add(now, moved(ref, now))
		}
	}
	for _, f := range fresh {
		if byPlan[f.Manifest.Plan] != nil && !foreign(f) {
			add(f, "no reference has this curve: if it is new, update the baseline")
		}
	}
	return out
}

// foreign says that another program made the run, which may not be installed here or be of another version: the gate
// does not guard it.
func foreign(f *trace.File) bool { return f.Manifest.Labels["solver"] == "external" }

// status is how a run ended, with its reason.
func status(f *trace.File) string {
	if f.End == nil {
		return string(f.Status())
	}
	return fmt.Sprintf("%s (%s)", f.End.Status, f.End.Why)
}

// moved compares two curves record by record of the reference, which may be thinned: at the same epoch and stage the
// calls, and the values.
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
			if m := differs(column, r.Values, n.Values, gateCalls); m != "" {
				return where + ": " + m
			}
		}
		for _, column := range []string{trace.Primal, trace.Dual} {
			if m := differs(column, r.Values, n.Values, gateValue); m != "" {
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

// UpdateBaseline writes the results that git keeps and returns their files. At scale smoke it runs the experiments
// and writes the references of the gate; at the others it thins the finished runs in Out to a few hundred rows a
// curve, and it is an ErrNoResults if there are none.
func UpdateBaseline(ctx context.Context, exps []*Experiment, scale string, opts ...Option) ([]string, error) {
	o := newOptions(opts)
	var written []string
	for _, e := range exps {
		s, err := e.At(scale, nil)
		if err != nil {
			return written, err
		}
		var r *Result
		if scale == "smoke" {
			scratch, err := os.MkdirTemp("", "gaplab-baseline-")
			if err != nil {
				return written, err
			}
			defer os.RemoveAll(scratch)
			if r, err = Run(ctx, s, slices.Concat(opts, []Option{Root(o.root), Out(scratch)})...); err != nil {
				return written, err
			}
		} else {
			runs, err := s.Plan()
			if err != nil {
				return written, err
			}
			r, err = read(s, o, o.folder(e.ID, scale), runs, nil)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return written, err
			}
			if r == nil || len(r.Files) == 0 {
				return written, fmt.Errorf("%w of %s in %s: `gaplab run %s --scale %s` makes them", ErrNoResults, e.ID,
					o.folder(e.ID, scale), e.ID, scale)
			}
		}
		if r.Interrupted() {
			return written, fmt.Errorf("%s: some of its runs have not ended; run it to its end first", e.ID)
		}
		if i := slices.IndexFunc(r.Files, func(f *trace.File) bool { return f.Status() == trace.Failed }); i >= 0 {
			return written, fmt.Errorf("%s: %s has failed, which is no reference: %s", e.ID, describe(r.Files[i]),
				r.Files[i].End.Why)
		}
		folder := o.committedFolder(e.ID, scale)
		if err := os.RemoveAll(folder); err != nil {
			return written, err
		}
		for _, f := range r.Files {
			path := filepath.Join(folder, f.Manifest.Key+".jsonl")
			if err := f.Thin(thinRows).Save(path); err != nil {
				return written, err
			}
			written = append(written, path)
		}
	}
	return written, nil
}
