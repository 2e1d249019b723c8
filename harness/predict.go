package harness

import (
	"context"
	"fmt"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/formats"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/models"
)

// Weights are the last weights of a run, with all that a prediction needs.
type Weights = store.Weights

// ReadWeights reads a file that a run with SaveWeights has written, for Predict.
func ReadWeights(path string) (*Weights, error) {
	w, err := store.ReadWeights(path)
	switch {
	case err != nil:
		return nil, err
	case len(w.Classes) == 0:
		return nil, fmt.Errorf("%s: the weights of model %s name no classes: predictions are made with those of "+
			"classifiers of rows; for other models, the metrics of the run "+
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
