package datasets

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// unknownNames is the largest number of names that a warning lists.
const unknownNames = 20

// Unknown counts the validation examples or tokens whose label does not occur in the training data. Every prediction
// for these is wrong.
type Unknown struct {
	n     int
	names map[string]bool // distinct labels, at most unknownNames+1
}

// Add counts one example or token with the given label.
func (u *Unknown) Add(name string) {
	u.n++
	if len(u.names) > unknownNames || u.names[name] {
		return
	}
	if u.names == nil {
		u.names = map[string]bool{}
	}
	u.names[strings.Clone(name)] = true
}

// Doubts returns a warning with the number of examples or tokens and the names of their labels. It returns no warning
// if Add was never called. The argument part is "" or "validation ". The argument unit names the objects that have
// labels, such as "row" or "token".
func (u *Unknown) Doubts(part, unit string) []string {
	if u.n == 0 {
		return nil
	}
	names, more := slices.Sorted(maps.Keys(u.names)), ""
	if len(names) > unknownNames {
		names, more = names[:unknownNames], ", ..."
	}
	return []string{fmt.Sprintf("%d %s%ss have labels that no training %s has, and count as errors: %s%s", u.n, part, unit,
		unit, strings.Join(names, ", "), more)}
}
