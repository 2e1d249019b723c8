package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"gopkg.in/yaml.v3"

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
	case !w.Complete():
		return nil, fmt.Errorf("%s: format %s lacks the settings of the model and of the data: remove the file, and run "+
			"again with --save-weights", path, w.Format)
	case len(w.Classes) == 0 || w.Features <= 0:
		return nil, fmt.Errorf("%s: the weights of model %s name no classes: predictions are made with those of "+
			"classifiers of rows; for other models, the metrics of the run "+
			"say (record.metrics)", path, w.Model)
	}
	if _, err := classifier(w, blank(w)); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return w, nil
}

// blank is one row without features, for the shape of a model.
func blank(w *Weights) *datasets.Labelled {
	return &datasets.Labelled{X: datasets.Rows{N: 1, Dim: w.Features, Start: []int{0, 0}, Index: []int32{}},
		Y: []int{0}, Classes: w.Classes}
}

// classifier is the task of rows under the settings of the weights, which must fit it.
func classifier(w *Weights, rows *datasets.Labelled) (*models.Task, error) {
	for _, e := range catalogue.Models() {
		if e.Name != w.Model {
			continue
		}
		if now, was := e.Revision, w.Revisions["model "+w.Model]; was > now {
			return nil, fmt.Errorf("the weights are of revision %d of model %s; this program has %d, it is older", was,
				w.Model, now)
		}
		builder := e.New()
		text, err := json.Marshal(w.Settings.Params)
		if err != nil {
			return nil, err
		}
		decoder := yaml.NewDecoder(bytes.NewReader(text)) // JSON is YAML
		decoder.KnownFields(true)
		if err := decoder.Decode(builder); err != nil {
			return nil, fmt.Errorf("damaged weights file, or of a newer program: settings of model %s: %w", w.Model, err)
		}
		task, err := builder.Build(rows, nil)
		if err != nil {
			return nil, err
		}
		if task.Dim != len(w.W) {
			return nil, fmt.Errorf("%d weights do not fit rows of %d features in %d classes, for which model %s has %d: "+
				"the file is damaged, or the weights belong to training rows, which it does not hold", len(w.W), w.Features,
				len(w.Classes), w.Model, task.Dim)
		}
		return task, nil
	}
	return nil, fmt.Errorf("the weights are of model %q, which this program does not have", w.Model)
}

// Prediction is what Predict finds: the class of each row, and how many rows carry another label.
type Prediction struct {
	Labels   []string
	Wrong    int // rows whose label in the file is another class
	Warnings []string
}

// Predict classifies the rows of a file in LIBSVM format, whose indices count from where those of the training data
// did. Features that the weights do not know are left out. Labels that are equal numbers are the same.
func Predict(ctx context.Context, w *Weights, dataFile string) (*Prediction, error) {
	zeroBased, _ := w.Data.Params["zero_based"].(bool)
	set, err := (formats.LIBSVM{Path: dataFile, ZeroBased: zeroBased}).Load(ctx, datasets.Source{})
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
		last := w.Features
		if zeroBased {
			last--
		}
		out.Warnings = append(out.Warnings,
			fmt.Sprintf("%s: features above %d are unknown to the weights and left out", dataFile, last))
	}
	task, err := classifier(w, &known)
	if err != nil {
		return nil, err
	}
	class := formats.ClassFinder(w.Classes)
	theta := make([]float64, len(w.Classes))
	var y models.Vertex
	for i := range task.Train {
		x := &task.Train[i]
		x.Features.Score(theta, w.W)
		y, _ = x.Max.Max(y, theta)
		out.Labels = append(out.Labels, w.Classes[y[0]])
		if truth, ok := class(rows.Classes[rows.Y[i]]); !ok || truth != y[0] {
			out.Wrong++
		}
	}
	return out, nil
}
