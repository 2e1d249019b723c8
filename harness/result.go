package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/table"
	"github.com/gaplab/gaplab/harness/trace"
)

// ErrNoResults is wrapped by the error of Read, which says where it looked and which command makes results.
var ErrNoResults = errors.New("no results")

// Result is the runs of an experiment at one scale, finished or not, in the order of the plan.
type Result struct {
	Spec    *lang.Spec
	Files   []*trace.File
	Set     *trace.Set
	Folder  string // where the traces are: a folder, or a pack
	Planned int    // runs of the plan; fewer files are there after an interruption
	Left    string // files among them that were left out, and why; "" if there are none
	Older   string // of which older revisions results are, and whether they were left out; "" if all are of today's
	options *options
}

// results reads back what is on disk: what a later reader sees is what this one sees.
func results(s *lang.Spec, o *options) (*Result, error) {
	runs, err := schedule.Plan(s, o.Options)
	if err != nil {
		return nil, err
	}
	own := store.Open(o.Out).Folder(s.ID, s.Scale)
	r, err := made(s, o, own, runs)
	if errors.Is(err, fs.ErrNotExist) { // interrupted before the first run began
		return newResult(s, o, own.Dir(), runs, nil), nil
	}
	return r, err
}

// FindRuns returns the runs whose keys begin with a prefix: those made here, of all experiments, then those that git
// keeps, at every scale. None is an error that wraps ErrNoResults.
func FindRuns(key string, opts ...Option) ([]*trace.File, error) {
	o := newOptions(opts)
	made, err := store.Open(o.Out).Find(key)
	if err != nil {
		return nil, err
	}
	kept, err := store.Keep(o.root).Find(key, lang.ScaleSmoke, lang.ScaleQuick, lang.ScalePaper)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(made, kept)
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: no run under %s or %s has a key that begins with %s", ErrNoResults, o.Out, o.root, key)
	}
	return all, nil
}

// Since says what has become of the code that made a run: for the name of each part, "same code now", or what differs.
// Parts that are not known any more are left out.
func Since(m trace.Manifest) map[string]string {
	cat, out := Catalogue(), map[string]string{}
	for _, p := range cat.AllComponents() {
		made, ok := m.Revisions[p.Name]
		switch {
		case !ok:
		case made != p.Revision:
			out[p.Name] = fmt.Sprintf("revision %d now", p.Revision)
		case m.Sources[p.Name] == cat.Sources(p.Package):
			out[p.Name] = "same code now"
		case m.Sources[p.Name] != "":
			out[p.Name] = "other code now"
		}
	}
	return out
}

// Read returns the results of earlier runs, without running or loading anything: those in Out, else those that the
// results folder keeps in git.
func Read(s *lang.Spec, opts ...Option) (*Result, error) { return read(s, newOptions(opts)) }

func read(s *lang.Spec, o *options) (*Result, error) {
	runs, err := schedule.Plan(s, o.Options)
	if err != nil {
		return nil, err
	}
	own := store.Open(o.Out).Folder(s.ID, s.Scale)
	places := []func(*lang.Spec, *options, *store.Folder, []lang.Run) (*Result, error){madeBefore, packedRuns}
	if o.keptFirst {
		slices.Reverse(places)
	}
	var left string
	for _, in := range places {
		r, err := in(s, o, own, runs)
		if err == nil && len(r.Files) > 0 {
			return r, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if r != nil && r.Left != "" {
			left = "; " + r.Left
		}
	}
	return nil, fmt.Errorf("%w of %s at scale %s in %s or %s: `%s` makes them%s", ErrNoResults, s.ID, s.Scale,
		own.Dir(), store.Keep(o.root).Path(s.ID, s.Scale), runCommand(s), left)
}

// madeBefore are the runs that were made here earlier. A warning says which were made by other code.
func madeBefore(s *lang.Spec, o *options, folder *store.Folder, runs []lang.Run) (*Result, error) {
	r, err := made(s, o, folder, runs)
	if err != nil {
		return nil, err
	}
	if other := otherCode(o, runs, r); other != "" {
		r.Set.Warnings = append(r.Set.Warnings, other)
	}
	return r, nil
}

// made are the runs of the plan that were made here. One warning names the files that cannot be read.
func made(s *lang.Spec, o *options, folder *store.Folder, runs []lang.Run) (*Result, error) {
	there, err := folder.Runs()
	if err != nil {
		return nil, err
	}
	r := newResult(s, o, folder.Dir(), runs, there.Files)
	if len(there.Left) > 0 {
		r.Left = fmt.Sprintf("%s: left out: %s", folder.Dir(), strings.Join(there.Left, ", "))
		r.Set.Warnings = append(r.Set.Warnings, r.Left)
	}
	return r, nil
}

// packedRuns are the runs of the plan that git keeps.
func packedRuns(s *lang.Spec, o *options, _ *store.Folder, runs []lang.Run) (*Result, error) {
	kept := store.Keep(o.root)
	files, err := kept.Read(s.ID, s.Scale)
	if err != nil {
		return nil, err
	}
	byPlan := map[string]*trace.File{}
	for _, f := range files {
		byPlan[f.Manifest.Plan] = f
	}
	return newResult(s, o, kept.Path(s.ID, s.Scale), runs, byPlan), nil
}

// withKept adds to runs that were made here those of the plan that are missing, as far as git keeps them.
func withKept(r *Result, runs []lang.Run) (*Result, error) {
	kept, err := store.Keep(r.options.root).Read(r.Spec.ID, r.Spec.Scale)
	if len(r.Files) == r.Planned || errors.Is(err, fs.ErrNotExist) {
		return r, nil
	} else if err != nil {
		return nil, err
	}
	byPlan := map[string]*trace.File{}
	for _, f := range slices.Concat(kept, r.Files) {
		byPlan[f.Manifest.Plan] = f
	}
	return newResult(r.Spec, r.options, r.Folder, runs, byPlan), nil
}

func newResult(s *lang.Spec, o *options, folder string, runs []lang.Run, byPlan map[string]*trace.File) *Result {
	r := &Result{Spec: s, Folder: folder, Planned: len(runs), options: o}
	for i, run := range runs {
		if f := byPlan[schedule.PlanKey(run, s.Repeat.Folds)]; f != nil {
			own := *f // problems and experiments may share a run, and a value may have become one of a grid since
			own.Manifest.Experiment, own.Manifest.Order, own.Manifest.Labels = s.ID, i, labelsOf(run, f)
			own.Older = own.Manifest.OlderThan(lang.Revisions(o.Catalogue.Components(run)))
			if now := run.Resolved(); schedule.Agree(f.Manifest.Spec, now) {
				own.Spec = schedule.Complete(f.Manifest.Spec, now)
			} else if own.Older == "" {
				own.Older = "settings whose defaults have changed since"
			}
			r.Files = append(r.Files, &own)
		}
	}
	r.Files, r.Older = current(r.Files)
	r.Set = trace.NewSet(r.Files)
	if r.Older != "" {
		r.Set.Warnings = append(r.Set.Warnings, r.Older)
	}
	if schedule.Timed(s) {
		r.Set.Warnings = append(r.Set.Warnings, resumed(r.Files)...)
	}
	if s.Paper == nil { // a paper's methods are given
		r.Set.Warnings = append(r.Set.Warnings, slices.Concat(advice(r.Set), adviceOnRows(r.Files))...)
	}
	return r
}

// otherCode says which results were made by different code of the same revisions; "" if none was.
func otherCode(o *options, runs []lang.Run, r *Result) string {
	results := 0
	var parts []string
	for _, f := range r.Files {
		differing := trace.Differing(f.Manifest.Sources, schedule.Sources(o.Catalogue, runs[f.Manifest.Order]))
		if len(differing) > 0 {
			results++
			parts = append(parts, differing...)
		}
	}
	if results == 0 {
		return ""
	}
	slices.Sort(parts)
	return fmt.Sprintf("%d of %d results were made by different code of %s, of the same revisions; `gaplab run "+
		"--same-code` repeats them", results, len(r.Files), strings.Join(slices.Compact(parts), ", "))
}

// current are the results without those of older revisions, unless all are older; older says what was left out.
func current(files []*trace.File) (out []*trace.File, older string) {
	var reasons []string
	for _, f := range files {
		if f.Older == "" {
			out = append(out, f)
		} else if !slices.Contains(reasons, f.Older) {
			reasons = append(reasons, f.Older)
		}
	}
	switch n := len(files) - len(out); {
	case n == 0:
		return files, ""
	case len(out) == 0:
		return files, fmt.Sprintf("made by older revisions: %s; `gaplab run` makes new ones", strings.Join(reasons, "; "))
	default:
		return out, fmt.Sprintf("%d of %d results are of older revisions and left out in favour of newer ones: %s", n,
			len(files), strings.Join(reasons, "; "))
	}
}

// labelsOf are the labels of a run of the plan, with those that its data gave to the trace.
func labelsOf(run lang.Run, f *trace.File) map[string]any {
	labels := maps.Clone(run.Labels)
	for _, k := range []string{"n", trace.Lambda} {
		if v, ok := f.Manifest.Labels[k]; ok {
			labels[k] = v
		}
	}
	return labels
}

// Interrupted says whether runs of the plan are missing or have no end.
func (r *Result) Interrupted() bool {
	for _, f := range r.Files {
		if f.Status() == trace.Interrupted {
			return true
		}
	}
	return len(r.Files) < r.Planned
}

// Failed describes the runs that failed or diverged, and all that are unsupported if no other run ended.
func (r *Result) Failed() []string { return trace.Failures(r.Files) }

// Figure resolves the experiment's figure on these results.
func (r *Result) Figure() (figure.Figure, error) {
	if r.Spec.Figure == nil {
		return figure.Figure{}, fmt.Errorf("%s has no figure", r.Spec.ID)
	}
	meta, err := r.meta()
	if err != nil {
		return figure.Figure{}, err
	}
	return figure.Resolve(r.Spec.Figure, r.Set, meta)
}

// meta is what the figure says besides its curves.
func (r *Result) meta() (figure.Meta, error) {
	meta := figure.NewMeta(r.Spec, r.Set)
	for _, e := range r.options.Extra {
		meta.Extra = append(meta.Extra, e.Name)
	}
	var err error
	if meta.Bounds, err = experiments.Bounds(); err != nil {
		return meta, err
	}
	meta.Hues, err = hues(r.Spec)
	return meta, err
}

// Table resolves the experiment's table on these results.
func (r *Result) Table() (table.Table, error) {
	if r.Spec.Table == nil {
		return table.Table{}, fmt.Errorf("%s has no table", r.Spec.ID)
	}
	t, err := table.Resolve(r.Spec.Table, r.Set, r.beside)
	t.ID, t.Title = r.Spec.ID, r.Spec.Title
	return t, err
}

func (r *Result) beside(name string) ([]byte, error) { return besideSpec(r.Spec.File, name) }

// Claims checks the experiment's claims on these results. Claims that read other experiments find theirs at the same
// scale in the same folders.
func (r *Result) Claims() ([]claims.Verdict, error) {
	on := r.evidence()
	return claims.Evaluate(claims.Context{Experiment: r.Spec.ID, Scale: r.Spec.Scale, Run: runCommand(r.Spec),
		Set: on.Set, Printed: on.Printed, Other: on.Other}, r.Spec.Claims)
}

// evidence is what expressions over these results may read.
func (r *Result) evidence() expr.Evidence {
	return expr.Evidence{Set: r.Set, Printed: r.beside, Other: func(id string) (*trace.Set, error) {
		other, err := r.options.reader()(id, r.Spec.Scale)
		if err != nil {
			return nil, err
		}
		return other.Set, nil
	}}
}
