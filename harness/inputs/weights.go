package inputs

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
)

// ErrNoWeights is wrapped by the error of Task if the run whose weights the task starts from (lang.Run.Base) has none.
var ErrNoWeights = errors.New("no weights to start from")

// weights contains the final weights of runs from which other runs start. The keys are plan keys.
type weights struct {
	mu sync.Mutex
	of map[string]final
}

// final contains the final weights of a run, or the reason why it has none.
type final struct {
	w   []float64
	err error
}

// set stores the final weights of a run.
func (f *weights) set(plan string, w []float64, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.of[plan] = final{w, err}
}

// get returns the final weights of a run.
func (f *weights) get(r lang.Run) ([]float64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	found, ok := f.of[origin.PlanKey(r)]
	if !ok {
		return nil, fmt.Errorf("%w: the run of problem %v has not ended", ErrNoWeights, r.Labels["problem"])
	}
	return found.w, found.err
}
