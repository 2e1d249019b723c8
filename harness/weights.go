package harness

import (
	"context"
	"errors"
	"fmt"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/formats"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
)

// Weights are the last weights of a run, with what a prediction needs.
type Weights = store.Weights

// saveWeights writes the last weights of a job beside its trace and returns the file's name.
func (x *experiment) saveWeights(j *job, run *execution) (string, error) {
	task := run.eval.task
	return x.runs.SaveWeights(store.Weights{Experiment: x.spec.ID, Key: j.key, Model: task.Model,
		Features: len(run.keep.final) / max(1, len(task.Classes)), Classes: task.Classes, W: run.keep.final})
}

// errNoWeights says that a run cannot begin, for want of the weights that it begins with.
var errNoWeights = errors.New("no weights to begin with")

// handOn gives the weights of a job, which has ended, to the jobs that begin with them.
func (x *experiment) handOn(j *job) {
	if !j.needed {
		return
	}
	f, err := x.runs.Finished(j.key)
	if err != nil || f == nil || !store.HasWeights(f) {
		x.tasks.begin(j.plan, nil, fmt.Errorf("problem %v has left %w: %s", j.Labels["problem"], errNoWeights,
			x.whyNot(j, f, err)))
		return
	}
	w, err := store.WeightsOf(f)
	if err != nil {
		x.tasks.begin(j.plan, nil, err)
		return
	}
	x.tasks.begin(j.plan, w.W, nil)
}

// whyNot says what a job without weights has come to.
func (x *experiment) whyNot(j *job, f *trace.File, err error) string {
	if err == nil && f == nil {
		f, err = x.runs.Unfinished(j.key)
	}
	switch {
	case err != nil:
		return err.Error()
	case f == nil:
		return "it was not run"
	case f.End == nil:
		return "its run was interrupted"
	}
	return fmt.Sprintf("its run is %s: %s", f.End.Status, f.End.Why)
}

// ReadWeights reads a file that a run with SaveWeights has written, for Predict.
func ReadWeights(path string) (*Weights, error) {
	w, err := store.ReadWeights(path)
	switch {
	case err != nil:
		return nil, err
	case len(w.Classes) == 0:
		return nil, fmt.Errorf("%s: the weights of model %s name no classes: predictions are made with those of "+
			"classifiers of rows, such as multiclass; how well another model does on validation data, the metrics of its run "+
			"say (record.metrics)", path, w.Model)
	case len(w.W) != w.Features*len(w.Classes):
		return nil, fmt.Errorf("%s: damaged weights file: %d weights; want %d features × %d classes", path, len(w.W),
			w.Features, len(w.Classes))
	}
	return w, nil
}

// Prediction is what Predict finds: the class of each row, and how many rows carry another label.
type Prediction struct {
	Labels   []string
	Wrong    int // rows whose label in the file is another class
	Warnings []string
}

// Predict classifies the rows of a file in LIBSVM format. Features that the weights do not know are left out.
func Predict(ctx context.Context, w *Weights, dataFile string) (*Prediction, error) {
	set, err := (formats.LIBSVM{Path: dataFile}).Load(ctx, datasets.Source{})
	if err != nil {
		return nil, err
	}
	rows, ok := set.Train.(*datasets.Labelled)
	if !ok {
		return nil, fmt.Errorf("%s: %s; want labelled rows", dataFile, set.Train.Kind())
	}
	out := &Prediction{Warnings: set.Warnings}
	known := datasets.Labelled{X: rows.X.Narrow(w.Features), Y: make([]int, rows.X.N), Classes: w.Classes}
	if rows.X.Dim > w.Features {
		out.Warnings = append(out.Warnings,
			fmt.Sprintf("%s: features above %d are unknown to the weights and left out", dataFile, w.Features))
	}
	for _, e := range catalogue.Models() {
		if e.Name != w.Model {
			continue
		}
		task, err := e.New().Build(&known, nil)
		if err != nil {
			return nil, err
		}
		theta := make([]float64, len(w.Classes))
		var y models.Vertex
		for i := range task.Train {
			x := &task.Train[i]
			x.Features.Score(theta, w.W)
			y, _ = x.Max.Max(y, theta)
			label := w.Classes[y[0]]
			out.Labels = append(out.Labels, label)
			if label != rows.Classes[rows.Y[i]] {
				out.Wrong++
			}
		}
		return out, nil
	}
	return nil, fmt.Errorf("the weights are of model %q, which this program does not have", w.Model)
}
