package harness

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
)

// Forecast is what an experiment would do and cost, for --dry-run.
type Forecast = schedule.Forecast

// PlannedRun is one run of a forecast.
type PlannedRun = schedule.PlannedRun

// Estimate plans an experiment and says what running it would take, by what its runs took earlier, here or where the
// results were made that git keeps. Nothing runs, is downloaded or read of the data: its notes say which is missing.
func Estimate(s *lang.Spec, opts ...Option) (*Forecast, error) {
	o := newOptions(opts)
	if err := Foresee(s); err != nil {
		return nil, err
	}
	known, err := store.Keep(o.root).Read(s.ID, s.Scale)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := schedule.Estimate(s, o.Options, known)
	if err != nil {
		return nil, err
	}
	f.Notes, err = missing(s, o)
	return f, err
}

// missing says which files of an experiment's data are not there, and how to get them.
func missing(s *lang.Spec, o *options) (notes []string, err error) {
	runs, err := schedule.Plan(s, o.Options)
	if err != nil {
		return nil, err
	}
	src := o.Source
	src.Dir = filepath.Dir(s.File)
	for _, r := range runs {
		err := there(r, o, src)
		if err != nil && !slices.Contains(notes, err.Error()) {
			notes = append(notes, err.Error())
		}
	}
	return notes, nil
}

// there is an error that wraps datasets.ErrMissing if a file of a run's data is not there.
func there(r lang.Run, o *options, src datasets.Source) error {
	noun, ok := o.Catalogue.Dataset(r.Dataset)
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
			if f.State == datasets.Missing { // one of them says enough
				return datasets.StatusError(e.Name, src, []datasets.FileStatus{f})
			}
		}
	}
	return nil
}
