package harness

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/spec"
	"github.com/gaplab/gaplab/harness/table"
	"github.com/gaplab/gaplab/harness/trace"
)

// ErrNoResults is wrapped by Read with where it looked and the command that makes them.
var ErrNoResults = errors.New("no results")

// Result is the runs of an experiment at one scale, finished or not, in the order of the plan.
type Result struct {
	Spec    *spec.Spec
	Files   []*trace.File
	Set     *trace.Set
	Folder  string // where the traces are
	Planned int    // runs of the plan; fewer files are there after an interruption
	options *options
}

// result reads back what is on disk: what a later reader sees is what this one sees.
func (x *experiment) result() (*Result, error) {
	return read(x.spec, x.options, x.options.folder(x.spec.ID, x.spec.Scale), x.runs())
}

func (x *experiment) runs() []spec.Run {
	out := make([]spec.Run, len(x.jobs))
	for i, j := range x.jobs {
		out[i] = j.Run
	}
	return out
}

// Read returns the results of earlier runs, without running or loading anything: those in Out, else those that the
// results folder keeps in git.
func Read(s *spec.Spec, opts ...Option) (*Result, error) {
	o := newOptions(opts)
	plan, err := s.Plan()
	if err != nil {
		return nil, err
	}
	runs := withExtras(plan, o.extra)
	for _, folder := range []string{o.folder(s.ID, s.Scale), o.committedFolder(s.ID, s.Scale)} {
		r, err := read(s, o, folder, runs)
		if errors.Is(err, fs.ErrNotExist) || err == nil && len(r.Files) == 0 {
			continue
		}
		return r, err
	}
	return nil, fmt.Errorf("%w of %s at scale %s in %s or %s: `gaplab run %s --scale %s` makes them", ErrNoResults, s.ID, s.Scale,
		o.folder(s.ID, s.Scale), o.committedFolder(s.ID, s.Scale), s.ID, s.Scale)
}

// read keeps, of the traces in a folder, those of the plan: the newest per run, as the data may have changed.
func read(s *spec.Spec, o *options, folder string, runs []spec.Run) (*Result, error) {
	files, err := trace.ReadDir(folder)
	if err != nil && (errors.Is(err, fs.ErrNotExist) || len(files) == 0) {
		return nil, err
	}
	newest := map[string]*trace.File{}
	for _, f := range files {
		if old := newest[f.Manifest.Plan]; old == nil || old.Manifest.Start < f.Manifest.Start {
			newest[f.Manifest.Plan] = f
		}
	}
	r := &Result{Spec: s, Folder: folder, Planned: len(runs), options: o}
	for i, run := range runs {
		if f := newest[planKey(run)]; f != nil {
			f.Manifest.Order = i
			r.Files = append(r.Files, f)
		}
	}
	r.Set = trace.NewSet(r.Files)
	return r, err
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
func (r *Result) Failed() []string {
	var failed, unsupported []string
	ended := false
	for _, f := range r.Files {
		text := ""
		if f.End != nil {
			text = fmt.Sprintf("%s: %s: %s", describe(f), f.End.Status, f.End.Why)
		}
		switch f.Status() {
		case trace.Failed, trace.Diverged:
			if chosen, ok := f.End.Labels["chosen"]; ok && chosen == false {
				continue // a candidate that was not chosen may diverge
			}
			failed = append(failed, text)
		case trace.Unsupported:
			unsupported = append(unsupported, text)
		default:
			ended = true
		}
	}
	if !ended {
		return append(failed, unsupported...)
	}
	return failed
}

// describe names a run for a reader.
func describe(f *trace.File) string {
	l := f.Manifest.Labels
	text := fmt.Sprint(l["as"])
	for _, k := range []string{"C", "lambda"} {
		if v, ok := l[k]; ok {
			return fmt.Sprintf("%s %s=%s", text, k, trace.FormatLabel(v))
		}
	}
	return text
}

// Figure resolves the experiment's figure on these results.
func (r *Result) Figure() (figure.Figure, error) {
	if r.Spec.Figure == nil {
		return figure.Figure{}, fmt.Errorf("%s has no figure", r.Spec.ID)
	}
	return figure.Resolve(r.Spec.Figure, r.Set, figure.NewMeta(r.Spec.ID, r.Spec.Title, r.Set))
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
	return claims.Evaluate(claims.Context{
		Experiment: r.Spec.ID,
		Scale:      r.Spec.Scale,
		Synthetic:  r.synthetic(),
		Set:        r.Set,
		Printed:    r.beside,
		Other: func(id string) (*trace.Set, error) {
			e, err := Find(id)
			if err != nil {
				return nil, err
			}
			s, err := e.At(r.Spec.Scale, nil)
			if err != nil {
				return nil, err
			}
			other, err := Read(s, Root(r.options.root), Out(r.options.out))
			if err != nil {
				return nil, err
			}
			return other.Set, nil
		},
	}, r.Spec.Claims)
}

func (r *Result) synthetic() bool {
	for _, f := range r.Files {
		if f.Manifest.Data.Synthetic {
			return true
		}
	}
	return false
}

// Summary is the end of one run, as `gaplab run --format json` prints it. Nil: not known.
type Summary struct {
	Experiment string             `json:"experiment"`
	Key        string             `json:"key"`
	Dataset    string             `json:"dataset"`
	Model      string             `json:"model"`
	Solver     map[string]any     `json:"solver"` // name, as, and parameters
	C          *float64           `json:"C"`
	Lambda     *float64           `json:"lambda"`
	Seed       uint64             `json:"seed"`
	Scale      string             `json:"scale"`
	Status     trace.Status       `json:"status"`
	Why        string             `json:"why"`
	Passes     *float64           `json:"passes"`
	MaxCalls   float64            `json:"max_calls"`
	ExpCalls   float64            `json:"exp_calls"` // marginals, or the value alone
	Seconds    *float64           `json:"seconds"`
	Primal     *float64           `json:"primal"`
	Dual       *float64           `json:"dual"`
	Gap        *float64           `json:"gap"` // relative: (primal − dual)/|primal|
	Metrics    map[string]float64 `json:"metrics"`
	Trace      string             `json:"trace"`
	Weights    string             `json:"weights,omitempty"`
	Chosen     *bool              `json:"chosen,omitempty"` // of a candidate of a choice
	Warnings   []string           `json:"warnings,omitempty"`
}

// Summaries returns one summary per run.
func (r *Result) Summaries() []Summary {
	out := make([]Summary, 0, len(r.Files))
	for _, f := range r.Files {
		out = append(out, summary(f))
	}
	return out
}

func summary(f *trace.File) Summary {
	m := f.Manifest
	s := Summary{Experiment: m.Experiment, Key: m.Key, Scale: m.Scale, Status: f.Status(), Trace: f.Path,
		Metrics: map[string]float64{}, Solver: map[string]any{}, Warnings: append(append([]string{}, m.Warnings...), f.Warnings...)}
	s.Dataset, _ = m.Labels["dataset"].(string)
	s.Model, _ = m.Labels["model"].(string)
	if solver, ok := m.Spec["solver"].(map[string]any); ok {
		if params, ok := solver["params"].(map[string]any); ok {
			for k, v := range params {
				s.Solver[k] = v
			}
		}
		s.Solver["name"], s.Solver["as"] = solver["name"], solver["as"]
	}
	if seed, ok := m.Labels["seed"].(float64); ok {
		s.Seed = uint64(seed)
	}
	if f.End != nil {
		s.Why, s.Weights = f.End.Why, f.End.Weights
		if chosen, ok := f.End.Labels["chosen"].(bool); ok {
			s.Chosen = &chosen
		}
	}
	if len(f.Rows) == 0 {
		return s
	}
	last := f.Rows[len(f.Rows)-1].Values
	for name, field := range map[string]**float64{trace.C: &s.C, trace.Lambda: &s.Lambda, trace.Passes: &s.Passes,
		trace.Seconds: &s.Seconds, trace.Primal: &s.Primal, trace.Dual: &s.Dual, trace.Gap: &s.Gap} {
		if v, ok := last[name]; ok {
			*field = &v
		}
	}
	s.MaxCalls, s.ExpCalls = last[trace.MaxCalls], last[trace.ExpCalls]+last[trace.SumCalls]
	for _, e := range Catalogue().Models {
		for _, name := range e.Metrics {
			if v, ok := last[name]; ok && e.Name == s.Model {
				s.Metrics[name] = v
			}
		}
	}
	for _, row := range f.Rows {
		s.Warnings = append(s.Warnings, row.Warnings...)
	}
	return s
}
