package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gaplab/gaplab/harness/choice"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/shipped"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// ErrPartial is wrapped by an error that names planned runs without a result. Such a run is missing, damaged, failed,
// interrupted, or made by an older revision than the others.
var ErrPartial = errors.New("runs without a result")

// ErrNoResults is wrapped by an error of Read, which names the folders that Read searched and the command that makes
// results.
var ErrNoResults = errors.New("no results")

// Reader reads the results of earlier runs. It starts no runs and loads no data. It is safe for concurrent use.
type Reader struct {
	options  Options
	schedule schedule.Options
	root     string

	mu    sync.Mutex
	found map[string]*Result // cache of Find: results by id and scale
}

// NewReader returns a reader for the results in the folders that the options name.
func NewReader(o Options) *Reader {
	return &Reader{options: o, schedule: o.Schedule(), root: o.root(), found: map[string]*Result{}}
}

// Read returns the results of earlier runs of an experiment, as Reader.Read does.
func Read(s *lang.Spec, o Options) (*Result, error) { return NewReader(o).Read(s) }

// Read returns the results of an experiment in Options.Out or, if there are none, those in the repository or else in
// Options.Shipped. (If Options.Kept is set, Options.Out comes last.) If there are no results at all, it returns a
// Result without files and an ErrNoResults. This error wraps a shipped.Elsewhere if results come with the program but
// are not on this machine.
func (r *Reader) Read(s *lang.Spec) (*Result, error) {
	p, err := schedule.NewPlan(s, r.schedule)
	if err != nil {
		return nil, err
	}
	plan := keysOf(p.Runs)
	places := []func(*lang.Spec, keyedRuns) (*Result, error){r.madeBefore, r.kept}
	if r.options.Kept {
		slices.Reverse(places)
	}
	var left string
	var away *shipped.Elsewhere
	for _, in := range places {
		result, err := in(s, plan)
		if err == nil && len(result.Files) > 0 {
			return result, nil
		}
		if err != nil && !errors.As(err, &away) && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if result != nil && result.Left != "" {
			left = "; " + result.Left
		}
		// stop after a damaged run: the other folder may have results of other runs
		if result != nil && slices.ContainsFunc(result.Set.Missing, damaged) {
			return result, fmt.Errorf("%w: %w", ErrNoResults, result.Lacks())
		}
	}
	none := r.result(s, "", keyedRuns{}, nil, nil)
	err = fmt.Errorf("%w of %s at scale %s in %s or %s; make them with `%s`%s", ErrNoResults, s.ID, s.Scale,
		r.folder(s).Dir(), store.Keep(r.root).Path(s.ID, s.Scale), none.Command(), left)
	switch {
	case away == nil:
		return none, err
	case away.From == "":
		return none, fmt.Errorf("%w, or %w", err, away)
	default:
		return none, fmt.Errorf("%w; %w", err, away)
	}
}

// Find returns the results of an experiment at a scale, without runs of the caller's solvers. id is the id of the
// experiment or the path of its file. An empty scale means the smallest scale of the experiment. Find reads each result
// only once.
func (r *Reader) Find(id, scale string) (*Result, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := id + " " + scale
	if known := r.found[key]; known != nil {
		return known, nil
	}
	e, err := Find(id)
	if err != nil {
		return nil, err
	}
	if scale == "" {
		scale = e.Scales()[0]
	}
	s, err := e.At(scale, nil)
	if err != nil {
		return nil, err
	}
	specOnly := &Reader{options: r.options, schedule: r.schedule, root: r.root, found: map[string]*Result{}}
	specOnly.options.With, specOnly.schedule.Extra, specOnly.schedule.OnlyExtra = nil, nil, false
	result, err := specOnly.Read(s)
	if err == nil {
		result.reader = r
		r.found[key] = result
	}
	return result, err
}

// Made returns the results of an experiment in Options.Out. If there are none, it returns a Result without files.
func (r *Reader) Made(s *lang.Spec) (*Result, error) {
	p, err := schedule.NewPlan(s, r.schedule)
	if err != nil {
		return nil, err
	}
	return r.made(s, keysOf(p.Runs))
}

// Merged returns the results of an experiment in Options.Out. For runs without a result there, it adds the results in
// the repository. If Options.Out has no results at all, it returns an ErrNoResults.
func (r *Reader) Merged(s *lang.Spec) (*Result, error) {
	p, err := schedule.NewPlan(s, r.schedule)
	if err != nil {
		return nil, err
	}
	plan := keysOf(p.Runs)
	own, err := r.made(s, plan)
	if err != nil {
		return nil, err
	}
	if len(own.Files) == 0 {
		return nil, fmt.Errorf("%w of %s in %s; make them with `%s`", ErrNoResults, s.ID, own.Folder, own.Command())
	}
	if slices.ContainsFunc(own.Set.Missing, damaged) { // no silent replacement of a damaged run
		return own, nil
	}
	kept, err := store.Keep(r.root).Read(s.ID, s.Scale)
	if len(own.Files) == own.Planned || errors.Is(err, fs.ErrNotExist) {
		return own, nil
	} else if err != nil {
		return nil, err
	}
	return r.result(s, own.Folder, plan, byPlan(slices.Concat(kept, own.Files)), nil), nil
}

// damaged reports whether a missing run has a trace that cannot be read.
func damaged(c *trace.Curve) bool { return c.Status == trace.Damaged }

// Runs returns the runs, of all experiments and scales, whose keys begin with a prefix: first the runs in Options.Out,
// then those in the repository. If there are none, it returns those in Options.Shipped, or an ErrNoResults.
func (r *Reader) Runs(key string) ([]*trace.File, error) {
	made, err := store.Open(r.schedule.Out).Find(key)
	if err != nil {
		return nil, err
	}
	kept, err := store.Keep(r.root).Find(key, lang.ScaleSmoke, lang.ScaleQuick, lang.ScalePaper)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(made, kept)
	var away *shipped.Elsewhere
	if len(all) == 0 {
		if all, err = r.options.Shipped.Find(key); err != nil && !errors.As(err, &away) {
			return nil, err
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	err = fmt.Errorf("%w: no run under %s or %s has a key that begins with %s", ErrNoResults, r.schedule.Out, r.root, key)
	if away != nil {
		err = fmt.Errorf("%w; to look at more runs, %w", err, away)
	}
	return nil, err
}

// keyedRuns contains the runs of an experiment and their plan keys.
type keyedRuns struct {
	runs []lang.Run
	keys []string
}

// keysOf computes the plan keys of runs.
func keysOf(runs []lang.Run) keyedRuns {
	p := keyedRuns{runs: runs}
	for _, run := range runs {
		p.keys = append(p.keys, origin.PlanKey(run))
	}
	return p
}

// folder returns the folder of an experiment's traces.
func (r *Reader) folder(s *lang.Spec) *store.Folder {
	return store.Open(r.schedule.Out).Folder(s.ID, s.Scale)
}

// madeBefore returns the results in Options.Out for the runs of a plan. It adds a warning with the number of results
// that other code has made.
func (r *Reader) madeBefore(s *lang.Spec, plan keyedRuns) (*Result, error) {
	result, err := r.made(s, plan)
	if err != nil {
		return nil, err
	}
	if other := otherCode(r.schedule.Catalogue, plan.runs, result); other != "" {
		result.Set.Warnings = append(result.Set.Warnings, other)
	}
	return result, nil
}

// made returns the results in Options.Out for the runs of a plan. It adds a warning that names the files that cannot be
// read.
func (r *Reader) made(s *lang.Spec, plan keyedRuns) (*Result, error) {
	folder := r.folder(s)
	there, err := folder.Runs()
	if errors.Is(err, fs.ErrNotExist) { // the experiment was interrupted before its first run began
		return r.result(s, folder.Dir(), plan, nil, nil), nil
	} else if err != nil {
		return nil, err
	}
	result := r.result(s, folder.Dir(), plan, there.Files, there.Damaged)
	if len(there.Left) > 0 {
		result.Left = fmt.Sprintf("%s: left out: %s", folder.Dir(), strings.Join(there.Left, ", "))
		result.Set.Warnings = append(result.Set.Warnings, result.Left)
	}
	return result, nil
}

// kept returns the results in the repository for the runs of a plan. If the repository has no results of the
// experiment, it returns those in Options.Shipped.
func (r *Reader) kept(s *lang.Spec, plan keyedRuns) (*Result, error) {
	kept := store.Keep(r.root)
	files, err := kept.Read(s.ID, s.Scale)
	come := errors.Is(err, fs.ErrNotExist) // whether the results come with the program
	if come {
		if kept, err = r.options.Shipped.Kept(s.ID, s.Scale); err == nil {
			files, err = kept.Read(s.ID, s.Scale)
		}
	}
	if err != nil {
		return nil, err
	}
	result := r.result(s, kept.Path(s.ID, s.Scale), plan, byPlan(files), nil)
	if come && len(result.Files) > 0 {
		r.options.Shipped.Tell(s.ID, kept)
	}
	return result, nil
}

// byPlan returns a map from plan keys to files. If several files have the same key, the map contains the last one.
func byPlan(files []*trace.File) map[string]*trace.File {
	out := map[string]*trace.File{}
	for _, f := range files {
		out[f.Manifest.Plan] = f
	}
	return out
}

// result returns the Result with the files of the planned runs. A run without a file is listed as damaged if unreadable
// has a reason for the hash of its settings, else as missing.
func (r *Reader) result(s *lang.Spec, folder string, plan keyedRuns, files map[string]*trace.File,
	unreadable map[string]string) *Result {
	out := &Result{Spec: s, Folder: folder, Planned: len(plan.runs), reader: r}
	for _, r := range plan.runs {
		out.entrants = append(out.entrants, choice.Entrant{Run: r})
	}
	var missing []*trace.Curve
	superfluous := choice.Superfluous(plan.runs, func(i int) *trace.File { return files[plan.keys[i]] })
	for i, run := range plan.runs {
		if superfluous[i] {
			out.Planned--
			continue
		}
		key := plan.keys[i]
		if f := files[key]; f != nil {
			own := *f // a copy, because experiments may share a run and give it different labels
			own.Manifest.Experiment, own.Manifest.Order, own.Manifest.Labels = s.ID, i, labelsOf(run, f)
			own.Older = own.Manifest.OlderThan(lang.Revisions(r.schedule.Catalogue.Components(run)))
			if now := run.Resolved(); origin.Agree(f.Manifest.Spec, now) {
				own.Spec = origin.Complete(f.Manifest.Spec, now)
			} else if own.Older == "" {
				own.Older = "settings whose defaults have changed since"
			}
			out.Files = append(out.Files, &own)
			out.entrants[i].File = &own
		} else if text, ok := unreadable[key]; ok {
			missing = append(missing, trace.NewMissing(plannedLabels(run), trace.Damaged, text))
		} else {
			missing = append(missing, trace.NewMissing(plannedLabels(run), trace.Missing, "not in "+folder))
		}
	}
	var older []*trace.File
	out.Files, older, out.Older = current(out.Files)
	for _, f := range older {
		out.entrants[f.Manifest.Order].File = nil
		missing = append(missing, trace.NewMissing(f.Manifest.Labels, trace.Missing, "made by older revisions: "+f.Older))
	}
	out.Set = trace.NewSet(out.Files)
	out.Set.Missing, out.Set.Partial = missing, r.options.Partial
	if out.Older != "" {
		out.Set.Warnings = append(out.Set.Warnings, out.Older)
	}
	if schedule.Timed(s) {
		out.Set.Warnings = append(out.Set.Warnings, resumed(out.Files)...)
	}
	if s.Paper == nil { // no advice on specs of a paper: the paper prescribes its methods
		out.Set.Warnings = append(out.Set.Warnings, slices.Concat(advice(out.Set), adviceOnRows(out.Files))...)
	}
	return out
}

// otherCode returns a warning with the number of results whose components have the same revisions as now but different
// code; "" if there are none.
func otherCode(list lang.Catalogue, runs []lang.Run, r *Result) string {
	results := 0
	var parts []string
	for _, f := range r.Files {
		differing := trace.Differing(f.Manifest.Sources, origin.Sources(list, runs[f.Manifest.Order]))
		if len(differing) > 0 {
			results++
			parts = append(parts, differing...)
		}
	}
	if results == 0 {
		return ""
	}
	slices.Sort(parts)
	return fmt.Sprintf("%d of %d results: the code of %s has changed since, under the same revision; "+
		"repeat them with `gaplab run --same-code`", results, len(r.Files), strings.Join(slices.Compact(parts), ", "))
}

// current separates results of older revisions from the others. If all results are of older revisions, out contains
// them. text describes the older results.
func current(files []*trace.File) (out, older []*trace.File, text string) {
	var reasons []string
	for _, f := range files {
		if f.Older == "" {
			out = append(out, f)
			continue
		}
		older = append(older, f)
		if !slices.Contains(reasons, f.Older) {
			reasons = append(reasons, f.Older)
		}
	}
	switch n := len(older); {
	case n == 0:
		return files, nil, ""
	case len(out) == 0:
		return files, nil, fmt.Sprintf("made by older revisions: %s; make new results with `gaplab run`",
			strings.Join(reasons, "; "))
	default:
		return out, older, fmt.Sprintf("%d of %d results were made by older revisions and are left out, because newer "+
			"results exist: %s", n, len(files), strings.Join(reasons, "; "))
	}
}

// plannedLabels returns the labels of a run that has no result. On a regularisation path, it leaves out C and λ, which
// differ between stages.
func plannedLabels(run lang.Run) map[string]any {
	labels := maps.Clone(run.Labels)
	if run.Solver.Path != nil {
		delete(labels, trace.C)
		delete(labels, trace.Lambda)
	}
	return labels
}

// labelsOf returns the labels of a planned run. It adds the labels n and λ from the trace f, because they depend on the
// data.
func labelsOf(run lang.Run, f *trace.File) map[string]any {
	labels := maps.Clone(run.Labels)
	for _, k := range []string{"n", trace.Lambda} {
		if v, ok := f.Manifest.Labels[k]; ok {
			labels[k] = v
		}
	}
	return labels
}
