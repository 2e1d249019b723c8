package harness

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/formats"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
)

// weightsFormat names the layout of a weights file: gzip of one JSON object.
const weightsFormat = "gaplab-weights/1"

// Weights are the last weights of a run, with what a prediction needs.
type Weights struct {
	Format     string    `json:"format"`
	Experiment string    `json:"experiment"`
	Key        string    `json:"key"`
	Model      string    `json:"model"`
	Features   int       `json:"features"` // of a row
	Classes    []string  `json:"classes"`
	W          []float64 `json:"w"`
}

// saveWeights writes the last weights of a job beside its trace and returns the file's name.
func (x *experiment) saveWeights(j *job, run *execution) (string, error) {
	task, _, err := x.tasks.of(context.Background(), j.Run) // loaded before: the job has run
	if err != nil {
		return "", err
	}
	name := j.key + ".weights.json.gz"
	file, err := renameio.NewPendingFile(filepath.Join(x.options.folder(x.spec.ID, x.spec.Scale), name),
		renameio.WithPermissions(0o666))
	if err != nil {
		return "", err
	}
	defer file.Cleanup()
	z := gzip.NewWriter(file)
	err = json.NewEncoder(z).Encode(Weights{Format: weightsFormat, Experiment: x.spec.ID, Key: j.key, Model: task.Model,
		Features: len(run.keep.final) / max(1, len(task.Classes)), Classes: task.Classes, W: run.keep.final})
	if err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return name, file.CloseAtomicallyReplace()
}

// leaves says whether the weights of a job are to be saved.
func (x *experiment) leaves(j *job) bool { return x.options.weights || j.needed }

// saved says whether the weights that a trace names are beside it: copies of traces that are kept in git come without.
func (x *experiment) saved(f *trace.File) bool {
	if f.End == nil || f.End.Weights == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(filepath.Dir(f.Path), f.End.Weights))
	return err == nil
}

// errNoWeights says that a run cannot begin, for want of the weights that it begins with.
var errNoWeights = errors.New("no weights to begin with")

// jobOf is the job of a run of the plan.
func (x *experiment) jobOf(r lang.Run) *job {
	plan := planKey(r, 0)
	for _, j := range x.jobs {
		if !j.extra && planKey(j.Run, 0) == plan {
			return j
		}
	}
	panic("harness: the plan has a run that begins with none of its runs") // Plan found it among them
}

// kept are the weights of a run that others begin with. It has ended before them.
func (x *experiment) kept(r lang.Run) ([]float64, error) {
	j := x.jobOf(r)
	path := filepath.Join(x.options.folder(x.spec.ID, x.spec.Scale), j.key+".jsonl")
	f, err := trace.Read(path)
	if err != nil || !x.saved(f) {
		return nil, fmt.Errorf("problem %v has left %w: %s", r.Labels["problem"], errNoWeights, whyNot(f, err))
	}
	w, err := readWeights(filepath.Join(filepath.Dir(path), f.End.Weights))
	if err != nil {
		return nil, err
	}
	return w.W, nil
}

func whyNot(f *trace.File, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case f.End == nil:
		return "its run was interrupted"
	}
	return fmt.Sprintf("its run is %s: %s", f.End.Status, f.End.Why)
}

// ReadWeights reads a file that a run with SaveWeights has written, for Predict.
func ReadWeights(path string) (*Weights, error) {
	w, err := readWeights(path)
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

func readWeights(path string) (*Weights, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: not a weights file of gaplab (want gzip of JSON): %w", path, err)
	}
	var w Weights
	if err := json.NewDecoder(z).Decode(&w); err != nil {
		return nil, fmt.Errorf("%s: damaged weights file: %w", path, err)
	}
	if w.Format != weightsFormat {
		return nil, fmt.Errorf("%s: format %q; this program reads %s", path, w.Format, weightsFormat)
	}
	return &w, nil
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
