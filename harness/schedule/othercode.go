package schedule

import (
	"slices"
	"strings"
	"sync"
)

// otherCode counts results that were reused although the code of a component, such as a solver, has changed since under
// the same revision.
type otherCode struct {
	mu    sync.Mutex
	runs  int      // number of such results
	parts []string // the components whose code differs
}

// add counts a result. parts are the components whose code differs; if there are none, add ignores the result.
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
