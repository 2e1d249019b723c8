// Package inputs provides the data sets and tasks for the runs of an experiment. It loads each data set and builds each
// task only once, even if many runs and folds share it.
//
//	in := inputs.New(spec, catalogue, source)
//	task, set, err := in.Task(ctx, run)
package inputs

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/models"
)

// Inputs contains the data sets and tasks of an experiment. Each stays in memory as long as a run needs it (see Hold).
// Inputs is safe for concurrent use.
type Inputs struct {
	maker   maker
	weights weights

	mu    sync.Mutex
	sets  map[string]*shared[*datasets.Set]
	tasks map[string]*shared[*models.Task]
	users map[string]int // for each key of sets and tasks, the number of runs that need it
}

// New returns the inputs of an experiment. Nothing is loaded yet.
func New(s *lang.Spec, cat lang.Catalogue, source datasets.Source) *Inputs {
	source.Dir = filepath.Dir(s.File)
	return &Inputs{
		maker:   maker{cat, source, s.File, &sync.Mutex{}, map[string]*shared[content]{}},
		weights: weights{of: map[string]final{}},
		sets:    map[string]*shared[*datasets.Set]{}, tasks: map[string]*shared[*models.Task]{}, users: map[string]int{},
	}
}

// Hold keeps the data sets and tasks of a run, and of the runs whose weights it starts from, in memory until Release.
func (in *Inputs) Hold(r lang.Run) { in.count(r, 1) }

// Release ends Hold for a run. Data sets and tasks that no run needs any more are removed from memory; a later call
// loads and builds them again.
func (in *Inputs) Release(r lang.Run) { in.count(r, -1) }

// count adds the argument "by" to the number of users of each data set and task of run r, and of the runs from which r
// starts.
func (in *Inputs) count(r lang.Run, by int) {
	if r.Base != nil {
		in.count(*r.Base, by)
	}
	data, model, fold := names(r)
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, name := range []string{data, model, fold} {
		if in.users[name] += by; in.users[name] <= 0 {
			delete(in.sets, name)
			delete(in.tasks, name)
		}
	}
}

// Cost returns the CPU time that was needed to read the data of a run and to build its task.
func (in *Inputs) Cost(r lang.Run) time.Duration {
	data, model, fold := names(r)
	in.mu.Lock()
	defer in.mu.Unlock()
	return entry(in.sets, data).cpu + entry(in.tasks, model).cpu + entry(in.tasks, fold).cpu
}

// SetWeights stores the final weights of the run whose plan key is plan, or the reason why it has none. Later runs
// start from these weights.
func (in *Inputs) SetWeights(plan string, w []float64, err error) { in.weights.set(plan, w, err) }

// Task returns the task of a run, and its data set as Data returns it.
func (in *Inputs) Task(ctx context.Context, r lang.Run) (*models.Task, *datasets.Set, error) {
	_, model, cut := names(r)
	whole, part := in.task(model), in.task(cut)
	if r.Base != nil {
		return in.extended(ctx, r, part)
	}
	set, err := in.Data(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	task, err := whole.get(func() (*models.Task, error) { return in.maker.build(ctx, r, set) })
	if err != nil || r.Fold == 0 {
		return task, set, err
	}
	if task, err = part.get(func() (*models.Task, error) { return fold(task, r.Fold, r.Folds) }); err != nil {
		return nil, nil, fmt.Errorf("data set %s: %w", set.Name, err)
	}
	return task, set, nil
}

// task returns the cache entry of the task with a name.
func (in *Inputs) task(name string) *shared[*models.Task] {
	in.mu.Lock()
	defer in.mu.Unlock()
	return entry(in.tasks, name)
}

// extended returns the task of a run that extends the task of an earlier run (r.Base). It stores the new task in part.
func (in *Inputs) extended(ctx context.Context, r lang.Run, part *shared[*models.Task]) (*models.Task, *datasets.Set,
	error) {
	base, _, err := in.Task(ctx, *r.Base)
	if err != nil {
		return nil, nil, err
	}
	set, err := in.Data(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	task, err := part.get(func() (*models.Task, error) {
		task, err := in.maker.extend(r, base, set, func() ([]float64, error) { return in.weights.get(*r.Base) })
		if err != nil || r.Fold == 0 {
			return task, err
		}
		return fold(task, r.Fold, r.Folds)
	})
	return task, set, err
}

// Data returns the data set of a run without building its task. Use it if only the name, the checksum or the files are
// needed. For a fold, the checksum also contains the number of the fold. For a run with r.Base, it also contains the
// checksum of r.Base.
func (in *Inputs) Data(ctx context.Context, r lang.Run) (*datasets.Set, error) {
	name, _, _ := names(r)
	in.mu.Lock()
	sets := entry(in.sets, name)
	in.mu.Unlock()
	whole, err := sets.get(func() (*datasets.Set, error) { return in.maker.load(ctx, r) })
	if err != nil {
		return nil, err
	}
	set := *whole
	sum, err := in.maker.checksum(ctx, r)
	if err != nil {
		return nil, err
	}
	if sum != "" {
		set.Checksum = fmt.Sprintf("%s with the files of the model %s", set.Checksum, sum)
	}
	if r.Fold > 0 {
		set.Checksum = fmt.Sprintf("%s fold %d of %d", set.Checksum, r.Fold, r.Folds)
	}
	if r.Base != nil {
		below, err := in.Data(ctx, *r.Base)
		if err != nil {
			return nil, err
		}
		set.Checksum += " upon " + below.Checksum
	}
	return &set, nil
}
