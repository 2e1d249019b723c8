package trace

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Differing lists the keys that both maps have and whose values differ.
func Differing[V comparable](a, b map[string]V) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if other, ok := b[name]; ok && a[name] != other {
			out = append(out, name)
		}
	}
	return out
}

// OlderThan describes the revisions in a manifest that differ from the revisions today, such as "solver eg 1, now 2".
// It returns "" if none differs.
func (m Manifest) OlderThan(today map[string]int) string {
	var out []string
	for _, name := range Differing(m.Revisions, today) {
		out = append(out, fmt.Sprintf("%s %d, now %d", name, m.Revisions[name], today[name]))
	}
	return strings.Join(out, "; ")
}
