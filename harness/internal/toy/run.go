package toy

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/choice"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// N is the number of training examples of Tiny.
const N = 60

// Tiny is the beginning of a spec on 60 generated points. Tests append solvers and other keys to it.
const Tiny = `apiVersion: gaplab/v1
id: test/tiny
dataset: {name: points, train: 60, validation: 40}
model: {name: classifier, loss: log}
`

// AtC is Tiny with the single value C = 10.
const AtC = Tiny + "regularisation: {convention: " + string(lang.ConventionEG) + ", C: 10}\n"

// Choosing is a spec that selects among three step sizes for each C and seed. One of the three makes the run diverge.
const Choosing = Tiny + "regularisation: {convention: " + string(lang.ConventionEG) + `, C: [10000, 1]}
solvers:
  - {name: descent, step: {grid: [1e200, 0.1, 0.0001]}}
  - {name: ascent, rate: 0.5}
choose: [{solver: descent, over: step, by: primal, at: {passes: 2}, per: [C]}]
seeds: [1, 2]
stop: {passes: 5}
`

// Three is the end of a spec, with three runs.
const Three = `
solvers:
  - {as: a, name: ascent, rate: 0.5}
  - {as: b, name: ascent, rate: 0.25}
  - {as: c, name: whole}
stop: {passes: 4}
`

var parser = sync.OnceValues(func() (*lang.Parser, error) { return lang.NewParser(Catalogue()) })

// Spec parses the text of a spec as if it were a user's file, and returns it at its default scale with the settings in
// set.
func Spec(t *testing.T, text string, set ...string) *lang.Spec {
	t.Helper()
	p, err := parser()
	if err != nil {
		t.Fatal(err)
	}
	f, err := p.Parse(filepath.Join(t.TempDir(), "spec.yaml"), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.At("", set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Option changes how a spec is run.
type Option func(*schedule.Options)

// With adds the solver s to the solvers of the spec.
func With(s Scripted) Option { return WithNamed(s.Is, s) }

// WithNamed adds any solver, with a name, to the solvers of the spec.
func WithNamed(name string, s solvers.Solver) Option {
	return func(o *schedule.Options) { o.Extra = append(o.Extra, schedule.Named{Name: name, Solver: s}) }
}

// Workers sets the number of runs at the same time.
func Workers(n int) Option { return func(o *schedule.Options) { o.Workers = n } }

// Force makes Run repeat runs that have a result.
func Force() Option { return func(o *schedule.Options) { o.Force = true } }

// SaveEvery sets the wall-clock time between two checkpoints.
func SaveEvery(d time.Duration) Option { return func(o *schedule.Options) { o.SaveEvery = d } }

// CPU replaces the clock that measures the CPU time of a run's thread.
func CPU(clock func() (time.Duration, bool)) Option {
	return func(o *schedule.Options) { o.CPU = clock }
}

// Weights saves the weights of each run.
func Weights() Option { return func(o *schedule.Options) { o.Weights = true } }

// OnEvent calls a function for each event.
func OnEvent(f func(schedule.Event)) Option { return func(o *schedule.Options) { o.Event = f } }

// Options returns the options for runs whose results are in dir.
func Options(dir string, opts ...Option) schedule.Options {
	o := schedule.Options{Catalogue: Catalogue(), Workers: 1, Out: dir}
	for _, f := range opts {
		f(&o)
	}
	return o
}

// Result contains the runs of an experiment, in the order of its plan.
type Result struct {
	Files   []*trace.File
	Set     *trace.Set
	Planned int
}

// Run runs a spec with its results in dir.
func Run(t *testing.T, dir string, s *lang.Spec, opts ...Option) *Result {
	t.Helper()
	return RunIn(t, context.Background(), dir, s, opts...)
}

// RunIn does the same as Run, with a context.
func RunIn(t *testing.T, ctx context.Context, dir string, s *lang.Spec, opts ...Option) *Result {
	t.Helper()
	o := Options(dir, opts...)
	w := &watch{t: t, passes: map[string]float64{}, next: o.Event}
	o.Event = w.event
	if err := Do(ctx, s, o); err != nil {
		t.Fatal(err)
	}
	r := read(t, s, o)
	if ctx.Err() == nil && r.Ended() && w.done != w.total {
		t.Errorf("the events count %d of %d runs as done, want all, because all have ended", w.done, w.total)
	}
	return r
}

// watch checks the events of an experiment. Only an event at the end of a run adds 1 to the number of runs that are
// done. Rows follow the start of their run, and their passes do not decrease. Each event names its run, except for the
// notes on the whole experiment.
type watch struct {
	t           *testing.T
	begun       bool // an event was sent
	done, total int  // numbers of the last event
	passes      map[string]float64
	next        func(schedule.Event) // receives the events too; nil: nobody
}

// event checks an event. Package schedule never calls it twice at the same time.
func (w *watch) event(e schedule.Event) {
	name := fmt.Sprint(e.Run.Labels)
	last, started := w.passes[name]
	end := e.Kind == schedule.Ended || e.Kind == schedule.Reused
	switch {
	case e.Kind == schedule.Started:
		w.passes[name] = 0
	case e.Kind == schedule.Recorded && (!started || e.Passes < last):
		w.t.Errorf("%s: a row at %v passes, after %v passes; the run was started before: %v", name, e.Passes, last, started)
	case e.Kind == schedule.Recorded:
		w.passes[name] = e.Passes
	case e.Kind == schedule.Noted && e.Why == "", end && e.Status == "":
		w.t.Errorf("%s: the event %s has the status %q and the reason %q", name, e.Kind, e.Status, e.Why)
	}
	whole := strings.HasPrefix(e.Why, "reused: ") || strings.Contains(e.Why, "timed runs")
	if e.Run.Labels == nil && !whole {
		w.t.Errorf("the event %+v names no run", e)
	}
	if more := e.Done - w.done; w.begun && (end != (more == 1) || !end && more != 0) || e.Done > e.Total {
		w.t.Errorf("%s: %s counts %d of %d runs as done, after %d", name, e.Kind, e.Done, e.Total, w.done)
	}
	w.begun, w.done, w.total = true, e.Done, e.Total
	if w.next != nil {
		w.next(e)
	}
}

// Do plans and runs a spec.
func Do(ctx context.Context, s *lang.Spec, o schedule.Options) error {
	p, err := schedule.NewPlan(s, o)
	if err != nil {
		return err
	}
	return p.Run(ctx)
}

// Read returns the runs of a spec that Run has written to dir.
func Read(t *testing.T, dir string, s *lang.Spec, opts ...Option) *Result {
	t.Helper()
	return read(t, s, Options(dir, opts...))
}

func read(t *testing.T, s *lang.Spec, o schedule.Options) *Result {
	t.Helper()
	p, err := schedule.NewPlan(s, o)
	if err != nil {
		t.Fatal(err)
	}
	there, err := store.Open(o.Out).Folder(s.ID, s.Scale).Runs()
	if errors.Is(err, fs.ErrNotExist) {
		return &Result{Set: trace.NewSet(nil), Planned: len(p.Runs)}
	}
	if err != nil {
		t.Fatal(err)
	}
	r := &Result{Planned: len(p.Runs)}
	superfluous := choice.Superfluous(p.Runs, func(i int) *trace.File { return there.Files[origin.PlanKey(p.Runs[i])] })
	for i, run := range p.Runs {
		if superfluous[i] {
			r.Planned--
			continue
		}
		f := there.Files[origin.PlanKey(run)]
		if f == nil {
			continue
		}
		lawful(t, f)
		own := *f // a copy, because another experiment may have made the run, with other labels
		labels := maps.Clone(run.Labels)
		for _, k := range []string{"n", trace.Lambda} {
			if v, ok := f.Manifest.Labels[k]; ok {
				labels[k] = v
			}
		}
		own.Manifest.Experiment, own.Manifest.Order, own.Manifest.Labels = s.ID, i, labels
		r.Files = append(r.Files, &own)
	}
	r.Set = trace.NewSet(r.Files)
	return r
}

// lawful checks four properties of every run. It names the rule that ended it if and only if its status is done. The
// passes, epochs, seconds and stages of its rows never decrease. The times in the end line are at least those in the
// last row. No name of a column is empty or begins with an underscore, as that of a phase without a name would.
func lawful(t *testing.T, f *trace.File) {
	t.Helper()
	if f.End != nil && (f.End.Rule != "") != (f.End.Status == trace.Done) {
		t.Errorf("%s: status %s, but it ended by the rule %q", f.Describe(), f.End.Status, f.End.Rule)
	}
	last := map[string]float64{}
	for i, r := range f.Rows {
		for name := range r.Values {
			if name == "" || name[0] == '_' {
				t.Errorf("%s: row %d has a column %q", f.Describe(), i+1, name)
			}
		}
		for _, name := range []string{trace.Passes, trace.Epoch, trace.Seconds, trace.CPUSeconds, trace.Stage} {
			if r.Values[name] < last[name] {
				t.Errorf("%s: row %d: the %s decrease to %v, after %v in the row before", f.Describe(), i+1, name,
					r.Values[name], last[name])
			}
			last[name] = r.Values[name]
		}
	}
	if store.Counts(f) && (f.End.Seconds < last[trace.Seconds] || f.End.CPUSeconds < last[trace.CPUSeconds]) {
		t.Errorf("%s: the end line has %v s and %v s of CPU time, the last row %v and %v", f.Describe(), f.End.Seconds,
			f.End.CPUSeconds, last[trace.Seconds], last[trace.CPUSeconds])
	}
}

// Text parses a spec and runs it in a temporary folder.
func Text(t *testing.T, text string, opts ...Option) *Result {
	t.Helper()
	return Run(t, t.TempDir(), Spec(t, text), opts...)
}
