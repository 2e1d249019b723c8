package datasets

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// unknownNames is the largest number of names that a warning lists.
const unknownNames = 20

// Unknown counts labels in held-out data that the training data do not have, so that every prediction of them is wrong.
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

// Doubts returns a warning with the number and names of the labels, or none if there are no such labels. The unit is
// what carries a label, such as "row" or "token"; the part of the data is "" or "validation ".
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
