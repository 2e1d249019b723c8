package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// ErrNoResults is wrapped by the error of Read, which names the places it looked in and the command that makes results.
var ErrNoResults = errors.New("no results")

// Reader reads the results of earlier runs. It runs nothing and loads no data. It is safe for concurrent use.
type Reader struct {
	options  Options
	schedule schedule.Options
	root     string

	mu    sync.Mutex
	found map[string]*Result // by id and scale
}

// NewReader returns a reader of the results in the folders of the options.
func NewReader(o Options) *Reader {
	return &Reader{options: o, schedule: o.Schedule(), root: o.root(), found: map[string]*Result{}}
}

// Read returns the results of earlier runs of an experiment: see Reader.Read.
func Read(s *lang.Spec, o Options) (*Result, error) { return NewReader(o).Read(s) }

// Read returns the results of an experiment: those in Options.Out or, if there are none, those that the results folder
// keeps in git. Without any, it returns a Result that has no files and an ErrNoResults.
func (r *Reader) Read(s *lang.Spec) (*Result, error) {
	p, err := schedule.NewPlan(s, r.schedule)
	if err != nil {
		return nil, err
	}
	places := []func(*lang.Spec, []lang.Run) (*Result, error){r.madeBefore, r.kept}
	if r.options.Kept {
		slices.Reverse(places)
	}
	var left string
	for _, in := range places {
		result, err := in(s, p.Runs)
		if err == nil && len(result.Files) > 0 {
			return result, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if result != nil && result.Left != "" {
			left = "; " + result.Left
		}
	}
	none := r.result(s, "", nil, nil)
	return none, fmt.Errorf("%w of %s at scale %s in %s or %s: `%s` makes them%s", ErrNoResults, s.ID, s.Scale,
		r.folder(s).Dir(), store.Keep(r.root).Path(s.ID, s.Scale), none.Command(), left)
}

// Find returns the results of the experiment with an id, or in a file, at a scale; "" means its smallest. It reads them
// once, and without the caller's solvers.
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

// Made returns the results of an experiment in Options.Out. If there are none, it returns a Result that has no files.
func (r *Reader) Made(s *lang.Spec) (*Result, error) {
	p, err := schedule.NewPlan(s, r.schedule)
	if err != nil {
		return nil, err
	}
	return r.made(s, p.Runs)
}

// Merged returns the results of an experiment in Options.Out, and those that git keeps of the runs that are not there.
// It returns an ErrNoResults if Options.Out has none.
func (r *Reader) Merged(s *lang.Spec) (*Result, error) {
	p, err := schedule.NewPlan(s, r.schedule)
	if err != nil {
		return nil, err
	}
	own, err := r.made(s, p.Runs)
	if err != nil {
		return nil, err
	}
	if len(own.Files) == 0 {
		return nil, fmt.Errorf("%w of %s in %s: `%s` makes them", ErrNoResults, s.ID, own.Folder, own.Command())
	}
	kept, err := store.Keep(r.root).Read(s.ID, s.Scale)
	if len(own.Files) == own.Planned || errors.Is(err, fs.ErrNotExist) {
		return own, nil
	} else if err != nil {
		return nil, err
	}
	return r.result(s, own.Folder, p.Runs, byPlan(slices.Concat(kept, own.Files))), nil
}

// Runs returns the runs whose keys begin with a prefix: those in Options.Out, of all experiments, then those that git
// keeps, at every scale. If there are none, it returns an ErrNoResults.
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
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: no run under %s or %s has a key that begins with %s", ErrNoResults, r.schedule.Out,
			r.root, key)
	}
	return all, nil
}

// folder returns the folder of an experiment's traces.
func (r *Reader) folder(s *lang.Spec) *store.Folder {
	return store.Open(r.schedule.Out).Folder(s.ID, s.Scale)
}

// madeBefore returns the runs that were made here earlier, with a warning that names those made by different code.
func (r *Reader) madeBefore(s *lang.Spec, runs []lang.Run) (*Result, error) {
	result, err := r.made(s, runs)
	if err != nil {
		return nil, err
	}
	if other := otherCode(r.schedule.Catalogue, runs, result); other != "" {
		result.Set.Warnings = append(result.Set.Warnings, other)
	}
	return result, nil
}

// made returns the runs of a plan that were made here, with a warning that names the unreadable files.
func (r *Reader) made(s *lang.Spec, runs []lang.Run) (*Result, error) {
	folder := r.folder(s)
	there, err := folder.Runs()
	if errors.Is(err, fs.ErrNotExist) { // interrupted before the first run began
		return r.result(s, folder.Dir(), runs, nil), nil
	} else if err != nil {
		return nil, err
	}
	result := r.result(s, folder.Dir(), runs, there.Files)
	if len(there.Left) > 0 {
		result.Left = fmt.Sprintf("%s: left out: %s", folder.Dir(), strings.Join(there.Left, ", "))
		result.Set.Warnings = append(result.Set.Warnings, result.Left)
	}
	return result, nil
}

// kept returns the runs of a plan that git keeps.
func (r *Reader) kept(s *lang.Spec, runs []lang.Run) (*Result, error) {
	kept := store.Keep(r.root)
	files, err := kept.Read(s.ID, s.Scale)
	if err != nil {
		return nil, err
	}
	return r.result(s, kept.Path(s.ID, s.Scale), runs, byPlan(files)), nil
}

// byPlan returns files by the plan keys of their runs; the last file of a key wins.
func byPlan(files []*trace.File) map[string]*trace.File {
	out := map[string]*trace.File{}
	for _, f := range files {
		out[f.Manifest.Plan] = f
	}
	return out
}

// result returns the result of the runs of a plan for which there is a file.
func (r *Reader) result(s *lang.Spec, folder string, runs []lang.Run, files map[string]*trace.File) *Result {
	out := &Result{Spec: s, Folder: folder, Planned: len(runs), reader: r}
	for i, run := range runs {
		if f := files[origin.PlanKey(run, s.Repeat.Folds)]; f != nil {
			own := *f // problems and experiments may share a run, and a value may have become one of a grid since
			own.Manifest.Experiment, own.Manifest.Order, own.Manifest.Labels = s.ID, i, labelsOf(run, f)
			own.Older = own.Manifest.OlderThan(lang.Revisions(r.schedule.Catalogue.Components(run)))
			if now := run.Resolved(); origin.Agree(f.Manifest.Spec, now) {
				own.Spec = origin.Complete(f.Manifest.Spec, now)
			} else if own.Older == "" {
				own.Older = "settings whose defaults have changed since"
			}
			out.Files = append(out.Files, &own)
		}
	}
	out.Files, out.Older = current(out.Files)
	out.Set = trace.NewSet(out.Files)
	if out.Older != "" {
		out.Set.Warnings = append(out.Set.Warnings, out.Older)
	}
	if schedule.Timed(s) {
		out.Set.Warnings = append(out.Set.Warnings, resumed(out.Files)...)
	}
	if s.Paper == nil { // a paper's methods are given
		out.Set.Warnings = append(out.Set.Warnings, slices.Concat(advice(out.Set), adviceOnRows(out.Files))...)
	}
	return out
}

// otherCode returns a warning that names the results made by different code of the same revisions; "" if there are
// none.
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
	return fmt.Sprintf("%d of %d results were made by different code of %s, of the same revisions; `gaplab run "+
		"--same-code` repeats them", results, len(r.Files), strings.Join(slices.Compact(parts), ", "))
}

// current returns the results without those of older revisions, unless all are older; older describes what was left
// out.
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

// labelsOf returns the labels of a planned run, with those that its data gave to the trace.
func labelsOf(run lang.Run, f *trace.File) map[string]any {
	labels := maps.Clone(run.Labels)
	for _, k := range []string{"n", trace.Lambda} {
		if v, ok := f.Manifest.Labels[k]; ok {
			labels[k] = v
		}
	}
	return labels
}
