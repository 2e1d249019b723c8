package schedule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/record"
	"github.com/gaplab/gaplab/internal/machine"
	"github.com/gaplab/gaplab/models"
)

// Tasks loads each data set and builds each task once, however many runs and folds share them, and keeps them until the
// last run that holds them lets go.
type Tasks struct {
	cat    lang.Catalogue
	source datasets.Source
	spec   string // file of the spec
	folds  int

	mu      sync.Mutex
	sets    map[string]*once[*datasets.Set]
	tasks   map[string]*once[*models.Task]
	holders map[string]int   // of an entry of sets or tasks: runs that are not done with it
	weights map[string]found // by plan: final weights of a run, which others begin with
}

// found are the final weights of a run, or the reason why it has none.
type found struct {
	w   []float64
	err error
}

// begin gives the weights of a run to those that begin with them.
func (t *Tasks) begin(plan string, w []float64, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.weights[plan] = found{w, err}
}

// begun are the weights that a run begins with.
func (t *Tasks) begun(r lang.Run) ([]float64, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f, ok := t.weights[PlanKey(r, t.folds)]
	if !ok {
		return nil, fmt.Errorf("%w: the run of %v has not ended", errNoWeights, r.Labels["problem"])
	}
	return f.w, f.err
}

// once is a value that the first caller makes while the others wait.
type once[T any] struct {
	sync.Once
	value T
	cpu   time.Duration // of the process while it was made
	err   error
}

func (o *once[T]) get(make func() (T, error)) (T, error) {
	o.Do(func() {
		before, _ := machine.Process()
		o.value, o.err = make()
		after, _ := machine.Process()
		o.cpu = after - before
	})
	return o.value, o.err
}

// at returns the entry of a map, made if it is not there.
func at[T any](m map[string]*once[T], key string) *once[T] {
	if m[key] == nil {
		m[key] = &once[T]{}
	}
	return m[key]
}

// NewTasks returns Tasks with nothing loaded yet.
func NewTasks(s *lang.Spec, o Options) *Tasks {
	source := o.Source
	source.Dir = filepath.Dir(s.File)
	return &Tasks{cat: o.Catalogue, source: source, spec: s.File, folds: s.Repeat.Folds,
		sets: map[string]*once[*datasets.Set]{}, tasks: map[string]*once[*models.Task]{},
		holders: map[string]int{}, weights: map[string]found{}}
}

// names are those of the entries of a run: its data set, its task, and what its fold leaves of that.
func (t *Tasks) names(r lang.Run) (data, model, fold string) {
	data = fmt.Sprintf("%s %s %s", r.Dataset.Name, r.Dataset.Format, nodeText(r, "dataset"))
	model = fmt.Sprintf("%s: %s %s", data, r.Model.Name, nodeText(r, "model"))
	if r.Base != nil {
		model = fmt.Sprintf("%s on %s", model, r.Base.Canonical())
	}
	return data, model, fmt.Sprintf("%s fold %d", model, r.Fold)
}

// hold keeps what a run and its bases need until release.
func (t *Tasks) hold(r lang.Run) { t.held(r, 1) }

// release lets go of what no other run holds. Where it is needed all the same it is made again.
func (t *Tasks) release(r lang.Run) { t.held(r, -1) }

func (t *Tasks) held(r lang.Run, by int) {
	data, model, fold := t.names(r)
	if r.Base != nil {
		t.held(*r.Base, by)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, name := range []string{data, model, fold} {
		if t.holders[name] += by; t.holders[name] <= 0 {
			delete(t.sets, name)
			delete(t.tasks, name)
		}
	}
}

// cost is the CPU time that it took to read the data of a run and to make its task.
func (t *Tasks) cost(r lang.Run) time.Duration {
	data, model, fold := t.names(r)
	t.mu.Lock()
	defer t.mu.Unlock()
	return at(t.sets, data).cpu + at(t.tasks, model).cpu + at(t.tasks, fold).cpu
}

// Of returns the task of a run, and its data set: for the name, the checksum and the files. The checksum of a fold
// names the fold. That of a run with a base includes the base's. It is safe for concurrent use.
func (t *Tasks) Of(ctx context.Context, r lang.Run) (*models.Task, *datasets.Set, error) {
	if r.Base != nil {
		return t.extended(ctx, r)
	}
	_, model, fold := t.names(r)
	t.mu.Lock()
	whole, cut := at(t.tasks, model), at(t.tasks, fold)
	t.mu.Unlock()
	set, err := t.Data(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	task, err := whole.get(func() (*models.Task, error) { return t.build(r, set) })
	if err != nil || r.Fold == 0 {
		return task, set, err
	}
	if task, err = cut.get(func() (*models.Task, error) { return record.Fold(task, r.Fold, t.folds) }); err != nil {
		return nil, nil, fmt.Errorf("data set %s: %w", set.Name, err)
	}
	return task, set, nil
}

// Data returns the data set of a run as Of does, without its task.
func (t *Tasks) Data(ctx context.Context, r lang.Run) (*datasets.Set, error) {
	name, _, _ := t.names(r)
	t.mu.Lock()
	sets := at(t.sets, name)
	t.mu.Unlock()
	whole, err := sets.get(func() (*datasets.Set, error) { return t.load(ctx, r) })
	if err != nil {
		return nil, err
	}
	set := *whole
	if r.Fold > 0 {
		set.Checksum = fmt.Sprintf("%s fold %d of %d", set.Checksum, r.Fold, t.folds)
	}
	if r.Base != nil {
		below, err := t.Data(ctx, *r.Base)
		if err != nil {
			return nil, err
		}
		set.Checksum += " upon " + below.Checksum
	}
	return &set, nil
}

// extended is the task of a run on top of its base.
func (t *Tasks) extended(ctx context.Context, r lang.Run) (*models.Task, *datasets.Set, error) {
	base, _, err := t.Of(ctx, *r.Base)
	if err != nil {
		return nil, nil, err
	}
	_, _, fold := t.names(r)
	t.mu.Lock()
	whole := at(t.tasks, fold)
	t.mu.Unlock()
	set, err := t.Data(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	task, err := whole.get(func() (*models.Task, error) {
		model, err := t.model(r)
		if err != nil {
			return nil, err
		}
		top, ok := model.(models.Extender)
		if !ok {
			return nil, fmt.Errorf("model %s is not built on another model; leave out the key from of problem %v", r.Model.Name,
				r.Labels["problem"])
		}
		w, err := t.begun(*r.Base)
		if err != nil {
			return nil, err
		}
		task, err := top.Extend(base, w, set.Train, set.Validation)
		if task, err = t.checked(r, task, set, err); err != nil || r.Fold == 0 {
			return task, err
		}
		return record.Fold(task, r.Fold, t.folds)
	})
	return task, set, err
}

// nodeText is a part of the run's resolved spec, by which data sets and models are told apart.
func nodeText(r lang.Run, part string) string {
	text, err := json.Marshal(r.Resolved()[part])
	if err != nil {
		panic("schedule: " + err.Error()) // Resolved holds plain values only
	}
	return string(text)
}

func (t *Tasks) load(ctx context.Context, r lang.Run) (*datasets.Set, error) {
	noun, ok := t.cat.Dataset(r.Dataset)
	if !ok {
		return nil, fmt.Errorf("no data set %q", r.Dataset.Label())
	}
	settings, err := noun.Decode(r.Dataset.Params)
	if err != nil {
		return nil, err
	}
	code := Sources(t.cat, r)["data set "+noun.Name]
	if code == "" {
		return settings.(datasets.Loader).Load(ctx, t.source) // other code may have kept other data
	}
	identity := []string{noun.Name, strconv.Itoa(noun.Revision), code}
	if noun.Format {
		dir, err := filepath.Abs(t.source.Dir) // where paths in the settings start: two folders do not share one place
		if err != nil {
			return nil, err
		}
		identity = append(identity, dir)
	}
	set, err := t.source.Load(ctx, settings.(datasets.Loader), identity...)
	if err != nil && noun.Format && r.Dataset.Line > 0 {
		return nil, fmt.Errorf("%s:%d: %w", t.spec, r.Dataset.Line, err)
	}
	return set, err
}

func (t *Tasks) build(r lang.Run, set *datasets.Set) (*models.Task, error) {
	model, err := t.model(r)
	if err != nil {
		return nil, err
	}
	task, err := model.Build(set.Train, set.Validation)
	return t.checked(r, task, set, err)
}

// model is the builder of a run, with its settings.
func (t *Tasks) model(r lang.Run) (models.Builder, error) {
	noun, ok := t.cat.Model(r.Model)
	if !ok {
		return nil, fmt.Errorf("no model %q", r.Model.Name)
	}
	settings, err := noun.Decode(r.Model.Params)
	if err != nil {
		return nil, err
	}
	return settings.(models.Builder), nil
}

// checked refuses a task that no run can begin with: model and data do not fit, which is for the spec to mend.
func (t *Tasks) checked(r lang.Run, task *models.Task, set *datasets.Set, err error) (*models.Task, error) {
	if err == nil && len(task.Train) == 0 {
		err = errors.New("no training examples")
	}
	if err != nil {
		return nil, &lang.Fault{File: t.spec, Line: max(0, r.Model.Line), Key: "model",
			Reason: fmt.Sprintf("on data set %s: %v", set.Name, err)}
	}
	task.Warnings = append(task.Warnings, set.Warnings...)
	return task, nil
}
