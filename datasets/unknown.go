package datasets

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// unknownNames is how many names a doubt about unknown labels lists.
const unknownNames = 20

// Unknown counts labels in held-out data that the training data do not have: no prediction of them can be right.
type Unknown struct {
	n     int
	names map[string]bool // some of them, one more than are listed
}

// Add counts a label.
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

// Doubts is a warning, if there are any: how many, and which. The labels are those of units such as "row" or "token" of
// a part of the data, "" or "validation ".
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
