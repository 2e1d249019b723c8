package schedule

import (
	"slices"
	"strings"
	"sync"
)

// otherCode counts results that were reused although the code of a data set, model or solver has changed under the same
// revision since the results were made.
type otherCode struct {
	mu    sync.Mutex
	runs  int      // number of reused results with other code
	parts []string // names of the components (such as a solver) whose code differs
}

// add counts a reused result. parts are the components whose code differs; if there are none, add does not count the
// result.
func (o *otherCode) add(parts []string) {
	if len(parts) == 0 {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.runs++
	for _, p := range parts {
		if !slices.Contains(o.parts, p) {
			o.parts = append(o.parts, p)
		}
	}
}

// list returns the names of the components whose code differs, sorted and separated by commas.
func (o *otherCode) list() string {
	slices.Sort(o.parts)
	return strings.Join(o.parts, ", ")
}
