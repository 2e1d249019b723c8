package harness

import (
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"github.com/gaplab/gaplab/harness/trace"
)

// takeOver copies the finished run of another experiment of the same paper that did exactly what j is to do: figures
// over the same runs share them. Where seconds matter, only a run that had the machine for itself will do. It returns
// nil if there is none.
func (x *experiment) takeOver(j *job, path string) (*trace.File, error) {
	if j.chosen != nil || j.Choose != nil { // what the others of its group did is part of it
		return nil, nil
	}
	paper := filepath.Dir(filepath.FromSlash(x.spec.ID))
	found, err := filepath.Glob(filepath.Join(x.options.out, paper, "*", x.spec.Scale, j.key+".jsonl"))
	if err != nil {
		return nil, err
	}
	for _, from := range found {
		f, err := trace.Read(from)
		if err != nil || !counts(f) || f.Manifest.Experiment == x.spec.ID || x.alone && !f.Manifest.Alone || x.leaves(j) &&
			!x.saved(f) {
			continue
		}
		if x.leaves(j) {
			name := filepath.Base(f.End.Weights)
			if err := copyWhole(filepath.Join(filepath.Dir(path), name), filepath.Join(filepath.Dir(from), name)); err != nil {
				return nil, err
			}
		}
		return f, x.adopt(j, f, path)
	}
	return nil, nil
}

// copyWhole copies a file whole, making the folder.
func copyWhole(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return renameio.WriteFile(to, data, 0o666)
}

// adopt writes a run under the labels that it has in this experiment. All else says where its rows came from.
func (x *experiment) adopt(j *job, f *trace.File, path string) error {
	m := f.Manifest
	m.Experiment, m.Plan, m.Order = x.spec.ID, planKey(j.Run, x.spec.Repeat.Folds), j.order
	m.Labels = labelsOf(j.Run, f)
	w, err := trace.Create(path, m)
	if err != nil {
		return err
	}
	for _, r := range f.Rows {
		if err := w.Append(r); err != nil {
			return err
		}
	}
	return w.Close(*f.End)
}
