package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
)

// Plan is an experiment that is ready to run: its runs are listed, and they can fill its figure, table and claims.
// Until Run is called, Options.Event may be changed.
type Plan struct {
	*schedule.Plan
	reader *Reader
}

// NewPlan lists the runs of an experiment. It refuses an experiment whose runs cannot fill its figure, table or claims,
// whatever the runs find; each such error is a *lang.Fault.
func NewPlan(s *lang.Spec, o Options) (*Plan, error) {
	r := NewReader(o)
	p, err := schedule.NewPlan(s, r.schedule)
	if err != nil {
		return nil, err
	}
	return &Plan{p, r}, foresee(s, p.Own, r.schedule.Catalogue)
}

// Run plans an experiment, makes the runs that are not finished yet, and returns all its results. A run that fails,
// diverges or is unsupported is a result like any other; an error means that the experiment itself could not continue
// (no data, a full disk, a faulty spec). When ctx ends, the runs in progress end as interrupted, with their rows. The
// next Run resumes those that have a checkpoint (Options.SaveEvery) and repeats the others. Several processes may run
// one experiment in one folder: they divide its runs among them.
func Run(ctx context.Context, s *lang.Spec, o Options) (*Result, error) {
	p, err := NewPlan(s, o)
	if err != nil {
		return nil, err
	}
	return p.Run(ctx)
}

// Run makes the runs of the plan that are not finished yet, and returns all results: see the function Run.
func (p *Plan) Run(ctx context.Context) (*Result, error) {
	if err := p.reader.options.CheckClean(); err != nil {
		return nil, err
	}
	if err := p.Plan.Run(ctx); err != nil {
		return nil, err
	}
	return p.reader.made(p.Spec, p.Runs)
}

// ErrNotClean is wrapped by the error of Run where Options.RequireClean forbids the program.
var ErrNotClean = errors.New("the program's sources are not those of a commit")

// CheckClean returns an ErrNotClean if RequireClean forbids this program.
func (o Options) CheckClean() error {
	commit, dirty := origin.Revision()
	switch {
	case !o.RequireClean || commit != "" && !dirty:
		return nil
	case commit == "":
		return fmt.Errorf("%w: it does not know its commit; accepted: a program that was built in a checkout", ErrNotClean)
	}
	return fmt.Errorf("%w: they have changed since %s; commit the change and rebuild", ErrNotClean, commit)
}

// Forecast predicts what running the plan would take, by what its runs took earlier, here or where the committed
// results were made. It runs nothing, and neither downloads nor reads data: its notes name the data files that are
// missing.
func (p *Plan) Forecast() (*schedule.Forecast, error) {
	known, err := store.Keep(p.reader.root).Read(p.Spec.ID, p.Spec.Scale)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := p.Plan.Forecast(known)
	if err != nil {
		return nil, err
	}
	src := p.Options.Source
	src.Dir = filepath.Dir(p.Spec.File)
	for _, r := range p.Runs {
		err := missingData(r, p.Options.Catalogue, src)
		if err != nil && !slices.Contains(f.Notes, err.Error()) {
			f.Notes = append(f.Notes, err.Error())
		}
	}
	return f, nil
}

// missingData returns an error that wraps datasets.ErrMissing if a file of a run's data is not there.
func missingData(r lang.Run, list lang.Catalogue, src datasets.Source) error {
	noun, ok := list.Dataset(r.Dataset)
	if !ok {
		return nil
	}
	settings, err := noun.Decode(r.Dataset.Params)
	if err != nil {
		return err
	}
	if own, ok := settings.(datasets.Owned); ok {
		return src.Own(own.Paths()...)
	}
	for _, e := range catalogue.DataSets() {
		if e.Name != noun.Name || e.Format != noun.Format {
			continue
		}
		for _, f := range datasets.Locate(e, src) {
			if f.Status == datasets.Missing { // one of them says enough
				return datasets.StatusError(e.Name, src, []datasets.FileStatus{f})
			}
		}
	}
	return nil
}
