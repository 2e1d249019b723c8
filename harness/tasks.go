package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/spec"
	"github.com/gaplab/gaplab/models"
)

// tasks loads each data set and builds each task once, however many runs share them.
type tasks struct {
	cat    spec.Catalogue
	source datasets.Source
	folds  int

	mu    sync.Mutex
	known map[string]*loaded
}

// loaded is a task with what the manifest says of its data.
type loaded struct {
	once sync.Once
	task *models.Task
	set  *datasets.Set // without its rows' owners: name, checksum, files
	err  error
}

func newTasks(s *spec.Spec, o *options) *tasks {
	source := o.source
	source.Dir = filepath.Dir(s.File)
	return &tasks{cat: Catalogue(), source: source, folds: s.Repeat.Folds, known: map[string]*loaded{}}
}

// of returns the task of a run. It is safe for concurrent use.
func (t *tasks) of(ctx context.Context, r spec.Run) (*models.Task, *datasets.Set, error) {
	id := fmt.Sprintf("%s %s %s %s %s %d", r.Dataset.Name, r.Dataset.Format, nodeText(r, "dataset"), r.Model.Name, nodeText(r, "model"), r.Fold)
	t.mu.Lock()
	l, ok := t.known[id]
	if !ok {
		l = &loaded{}
		t.known[id] = l
	}
	t.mu.Unlock()
	l.once.Do(func() { l.task, l.set, l.err = t.load(ctx, r) })
	return l.task, l.set, l.err
}

// nodeText is a part of the run's resolved spec, to tell data sets and models apart by.
func nodeText(r spec.Run, part string) string {
	text, err := json.Marshal(r.Resolved()[part])
	if err != nil {
		panic("harness: " + err.Error()) // Resolved holds plain values only
	}
	return string(text)
}

func (t *tasks) load(ctx context.Context, r spec.Run) (*models.Task, *datasets.Set, error) {
	noun, ok := t.cat.Dataset(r.Dataset)
	if !ok {
		return nil, nil, fmt.Errorf("no data set %q", r.Dataset.Label())
	}
	settings, err := noun.Decode(r.Dataset.Params)
	if err != nil {
		return nil, nil, err
	}
	set, err := settings.(datasets.Loader).Load(ctx, t.source)
	if err != nil {
		return nil, nil, err
	}
	modelNoun, ok := t.cat.Model(r.Model)
	if !ok {
		return nil, nil, fmt.Errorf("no model %q", r.Model.Name)
	}
	model, err := modelNoun.Decode(r.Model.Params)
	if err != nil {
		return nil, nil, err
	}
	task, err := model.(models.Builder).Build(set.Train, set.Validation)
	if err != nil {
		return nil, nil, fmt.Errorf("data set %s: %w", set.Name, err)
	}
	if len(task.Train) == 0 {
		return nil, nil, fmt.Errorf("data set %s: no training examples", set.Name)
	}
	task.Warnings = append(task.Warnings, set.Warnings...)
	if r.Fold > 0 {
		if task, err = fold(task, r.Fold, t.folds); err != nil {
			return nil, nil, fmt.Errorf("data set %s: %w", set.Name, err)
		}
	}
	return task, set, nil
}

// fold is cross-validation: of the training examples, those with index ≡ k−1 (mod folds) validate, the others train.
func fold(t *models.Task, k, folds int) (*models.Task, error) {
	if len(t.Train) < folds {
		return nil, fmt.Errorf("%d folds of %d examples", folds, len(t.Train))
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
