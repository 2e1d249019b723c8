package inputs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/models"
)

// maker loads data sets and builds tasks. It does not cache them.
type maker struct {
	cat    lang.Catalogue
	source datasets.Source
	spec   string // path of the spec file

	mu   *sync.Mutex // locks read
	read map[string]*shared[content]
}

// load reads the data set of a run.
func (m maker) load(ctx context.Context, r lang.Run) (*datasets.Set, error) {
	noun, ok := m.cat.Dataset(r.Dataset)
	if !ok {
		return nil, fmt.Errorf("unknown data set %q", r.Dataset.Label())
	}
	settings, err := noun.Decode(r.Dataset.Params)
	if err != nil {
		return nil, err
	}
	code := origin.Sources(m.cat, r)["data set "+noun.Name]
	if code == "" {
		// without a hash of the loader's code, the cache might return data that other code has parsed
		return settings.(datasets.Loader).Load(ctx, m.source)
	}
	identity := []string{noun.Name, strconv.Itoa(noun.Revision), code}
	if noun.Format {
		dir, err := filepath.Abs(m.source.Dir) // paths in the settings are relative to this folder
		if err != nil {
			return nil, err
		}
		identity = append(identity, dir)
	}
	set, err := m.source.Load(ctx, settings.(datasets.Loader), identity...)
	if err == nil && newFeatures(set) {
		err = &datasets.SyntaxError{Path: set.Name, Line: 1, Column: 1, Msg: "no training example has a feature, but " +
			"validation examples have"}
	}
	if err != nil && noun.Format && r.Dataset.Line > 0 {
		return nil, fmt.Errorf("%s:%d: %w", m.spec, r.Dataset.Line, err)
	}
	return set, err
}

// newFeatures reports whether no row of the training data has a feature, but a row of the validation data has one. In
// all other cases, readers leave out features that the training data do not have.
func newFeatures(set *datasets.Set) bool {
	train, ok := set.Train.(*datasets.Labelled)
	validation, both := set.Validation.(*datasets.Labelled)
	return ok && both && train.X.Dim == 0 && len(validation.X.Value) > 0
}

// build builds the task of a run on a data set.
func (m maker) build(ctx context.Context, r lang.Run, set *datasets.Set) (*models.Task, error) {
	model, err := m.model(r)
	if err != nil {
		return nil, err
	}
	files, err := m.files(ctx, r, model)
	if err != nil {
		return nil, err
	}
	for _, c := range files {
		if err := model.(models.Reader).Read(c.path, bytes.NewReader(c.text)); err != nil {
			return nil, fmt.Errorf("%s:%d: model: %w", m.spec, max(0, r.Model.Line), err)
		}
	}
	task, err := model.Build(set.Train, set.Validation)
	return m.checked(r, task, set, err)
}

// extend builds the task of run r, which extends base, the task of an earlier run. w returns the final weights of the
// earlier run.
func (m maker) extend(r lang.Run, base *models.Task, set *datasets.Set, w func() ([]float64, error)) (*models.Task,
	error) {
	model, err := m.model(r)
	if err != nil {
		return nil, err
	}
	top, ok := model.(models.Extender)
	if !ok {
		return nil, fmt.Errorf(`model %s cannot extend another model; remove the key "from" of problem %v`, r.Model.Name,
			r.Labels["problem"])
	}
	final, err := w()
	if err != nil {
		return nil, err
	}
	task, err := top.Extend(base, final, set.Train, set.Validation)
	if err == nil && base.Posterior && !task.Posterior {
		err = fmt.Errorf("model %s predicts by its own inference: remove the key \"decode\" from the model of the earlier "+
			"problem", task.Model)
	}
	return m.checked(r, task, set, err)
}

// model returns the model builder of a run, with its settings.
func (m maker) model(r lang.Run) (models.Builder, error) {
	noun, ok := m.cat.Model(r.Model)
	if !ok {
		return nil, fmt.Errorf("unknown model %q", r.Model.Name)
	}
	settings, err := noun.Decode(r.Model.Params)
	if err != nil {
		return nil, err
	}
	return settings.(models.Builder), nil
}

// content is the content of a user's file that the settings of a model name.
type content struct {
	path, sum string
	text      []byte
}

// files returns the files that the settings of a run's model name. Each file is read once, so all runs use the same
// content.
func (m maker) files(ctx context.Context, r lang.Run, model models.Builder) ([]content, error) {
	reader, ok := model.(models.Reader)
	if !ok {
		return nil, nil
	}
	var out []content
	for _, path := range reader.Files() {
		m.mu.Lock()
		file := entry(m.read, path)
		m.mu.Unlock()
		c, err := file.get(func() (content, error) {
			c := content{path: path}
			var err error
			c.sum, err = m.source.ReadOwn(ctx, path, func(at string, in io.Reader) (err error) {
				c.path = at
				c.text, err = io.ReadAll(in)
				return err
			})
			return c, err
		})
		if err != nil {
			return nil, fmt.Errorf("%s:%d: model: %w", m.spec, max(0, r.Model.Line), err)
		}
		out = append(out, c)
	}
	return out, nil
}

// checksum returns the checksum of the files that the settings of a run's model name, or "" if there are none.
func (m maker) checksum(ctx context.Context, r lang.Run) (string, error) {
	model, err := m.model(r)
	if err != nil {
		return "", err
	}
	files, err := m.files(ctx, r, model)
	if err != nil || len(files) == 0 {
		return "", err
	}
	var sums []string
	for _, c := range files {
		sums = append(sums, c.sum)
	}
	return datasets.Checksum(sums...), nil
}

// checked returns the task. If err is not nil or the task has no training examples, the model does not fit the data,
// and checked returns a fault of the spec.
func (m maker) checked(r lang.Run, task *models.Task, set *datasets.Set, err error) (*models.Task, error) {
	if err == nil && len(task.Train) == 0 {
		err = errors.New("no training examples")
	}
	if err == nil && task.Posterior {
		err = probabilities(r, task)
	}
	if err != nil {
		return nil, &lang.Fault{File: m.spec, Line: max(0, r.Model.Line), Key: "model",
			Reason: fmt.Sprintf("on data set %s: %v", set.Name, err)}
	}
	task.Warnings = append(task.Warnings, set.Warnings...)
	return task, nil
}

// probabilities returns an error if predictions of a run use probabilities of labellings, but its loss does not train
// them.
func probabilities(r lang.Run, task *models.Task) error {
	if _, trained := task.Unknowns.(models.Weights); !trained {
		return nil
	}
	if loss, _ := models.LossNamed(r.Model.Loss); loss.Temp > 0 {
		return nil
	}
	return fmt.Errorf(`"decode" uses probabilities of labels, which only the loss log trains: set "loss" to log, not %s, `+
		`or "decode" to viterbi`, r.Model.Loss)
}

// fold returns the task of fold k, which counts from 1. Training examples with index ≡ k−1 (mod folds) become
// validation examples; the others remain training examples.
func fold(t *models.Task, k, folds int) (*models.Task, error) {
	if len(t.Train) < folds {
		return nil, fmt.Errorf("%d folds need at least as many training examples; there are %d", folds, len(t.Train))
	}
	out := *t
	out.Train, out.Validation = nil, nil
	for i, e := range t.Train {
		if i%folds == k-1 {
			out.Validation = append(out.Validation, e)
		} else {
			out.Train = append(out.Train, e)
		}
	}
	return &out, nil
}

// names returns three keys: for the data set of a run, for the task on it, and for the fold of the task. Runs with
// equal keys share the data set, the task or the fold.
func names(r lang.Run) (data, model, fold string) {
	data = fmt.Sprintf("%s %s %s", r.Dataset.Name, r.Dataset.Format, settings(r, "dataset"))
	model = fmt.Sprintf("%s: %s %s", data, r.Model.Name, settings(r, "model"))
	if r.Base != nil {
		model = fmt.Sprintf("%s on %s", model, r.Base.Canonical())
	}
	return data, model, fmt.Sprintf("%s fold %d of %d", model, r.Fold, r.Folds)
}

// settings returns the settings in a section (dataset, model) of a run's resolved spec, as JSON.
func settings(r lang.Run, section string) string {
	text, err := json.Marshal(r.Resolved()[section])
	if err != nil {
		panic("inputs: " + err.Error()) // cannot happen: Resolved contains only plain values
	}
	return string(text)
}
