package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
)

// Plan is an experiment that is ready to run, with the list of its runs. NewPlan has checked that the figure, table and
// claims of the experiment can be made from these runs. The function Event in its Options (a schedule.Options) may be
// changed until Run is called.
type Plan struct {
	*schedule.Plan
	reader *Reader
}

// NewPlan lists the runs of an experiment. It returns an error if no result of these runs could satisfy the
// experiment's figure, table or claims. Each such error is a *lang.Fault.
func NewPlan(s *lang.Spec, o Options) (*Plan, error) {
	r := NewReader(o)
	p, err := schedule.NewPlan(s, r.schedule)
	if err != nil {
		return nil, err
	}
	return &Plan{p, r}, foresee(s, p.Own, r.schedule.Catalogue)
}

// Run plans an experiment, makes the runs that are not finished yet, and returns all results. A run that fails,
// diverges or is unsupported is a result like any other. An error means that the experiment itself could not continue,
// because of missing data, a full disk or a faulty spec. If ctx is cancelled, the runs in progress end as interrupted,
// and their rows remain in their files. The next Run resumes the interrupted runs that have a checkpoint
// (Options.SaveEvery) and repeats the others. Several processes may run the same experiment in the same folder. They
// divide its runs between them.
func Run(ctx context.Context, s *lang.Spec, o Options) (*Result, error) {
	p, err := NewPlan(s, o)
	if err != nil {
		return nil, err
	}
	return p.Run(ctx)
}

// Run makes the runs of the plan that are not finished yet, and returns all results, like the function Run.
func (p *Plan) Run(ctx context.Context) (*Result, error) {
	if err := p.reader.options.CheckClean(); err != nil {
		return nil, err
	}
	if err := p.Plan.Run(ctx); err != nil {
		return nil, err
	}
	return p.reader.made(p.Spec, keysOf(p.Runs))
}

// ErrNotClean is wrapped by the error of Run if Options.RequireClean is set and the program was not built from a
// commit.
var ErrNotClean = errors.New("this program was not built from a commit")

// CheckClean returns an ErrNotClean if RequireClean is set and this program was not built from a commit.
func (o Options) CheckClean() error {
	commit, dirty := origin.Revision()
	switch {
	case !o.RequireClean || commit != "" && !dirty:
		return nil
	case commit == "":
		return fmt.Errorf("%w: its commit is unknown; start it in the checkout that it was built from",
			ErrNotClean)
	}
	return fmt.Errorf("%w: its sources have changed since %s; commit the change and rebuild", ErrNotClean, commit)
}

// Forecast predicts the time and memory that the plan will need. It uses what the same runs needed earlier, on this
// machine or on the machine that made the committed results. It makes no runs, and neither downloads nor reads data.
// Its notes name the data files that are missing.
func (p *Plan) Forecast(ctx context.Context) (*schedule.Forecast, error) {
	kept := store.Keep(p.reader.root)
	if !kept.Has(p.Spec.ID, p.Spec.Scale) {
		if come, err := p.reader.options.Shipped.Here(p.Spec.ID, p.Spec.Scale); err == nil {
			kept = come
		}
	}
	known, err := kept.Read(p.Spec.ID, p.Spec.Scale)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := p.Plan.Forecast(ctx, known)
	if err != nil {
		return nil, err
	}
	f.Changed = p.changed(known)
	src := p.Options.Source
	src.Dir = filepath.Dir(p.Spec.File)
	for _, r := range p.Runs {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		err := missingData(r, p.Options.Catalogue, src)
		if err != nil && !slices.Contains(f.Notes, err.Error()) {
			f.Notes = append(f.Notes, err.Error())
		}
	}
	return f, nil
}

// changed returns the names of the components of the plan's runs whose code is not the code that made the known
// results.
func (p *Plan) changed(known []*trace.File) []string {
	now := map[string]string{}
	for _, r := range p.Runs {
		maps.Copy(now, origin.Sources(p.Options.Catalogue, r))
	}
	var out []string
	for _, f := range known {
		out = append(out, trace.Differing(f.Manifest.Sources, now)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// missingFiles returns an error that wraps datasets.ErrMissing if a file that the settings of a run's model name is
// missing.
func missingFiles(r lang.Run, list lang.Catalogue, src datasets.Source) error {
	noun, ok := list.Model(r.Model)
	if !ok {
		return nil
	}
	settings, err := noun.Decode(r.Model.Params)
	if err != nil {
		return err
	}
	reader, ok := settings.(models.Reader)
	if !ok {
		return nil
	}
	return src.Own(reader.Files()...)
}

// missingData returns an error that wraps datasets.ErrMissing if a data file of a run is missing.
func missingData(r lang.Run, list lang.Catalogue, src datasets.Source) error {
	noun, ok := list.Dataset(r.Dataset)
	if !ok {
		return nil
	}
	settings, err := noun.Decode(r.Dataset.Params)
	if err != nil {
		return err
	}
	if err := missingFiles(r, list, src); err != nil {
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
			if f.Status == datasets.Missing { // one missing file is enough for an error
				return datasets.StatusError(e.Name, src, []datasets.FileStatus{f})
			}
		}
	}
	return nil
}
