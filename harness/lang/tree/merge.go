package tree

import (
	"slices"

	"gopkg.in/yaml.v3"
)

// Merge returns a copy of base with the changes in over; it changes neither base nor over. It is a JSON merge patch
// (RFC 7386) with one exception: a grid, and a value that a grid replaces, are replaced as a whole.
func Merge(base, over *yaml.Node) *yaml.Node {
	if over.Kind != yaml.MappingNode || IsGrid(over) {
		return over
	}
	out := *over
	out.Content = nil
	if base != nil && base.Kind == yaml.MappingNode && !IsGrid(base) {
		if base.Line > 0 { // 0: the base is another experiment
			out.Line, out.Column = base.Line, base.Column
		}
		out.Content = slices.Clone(base.Content)
	}
	for i := 0; i < len(over.Content); i += 2 {
		k, v := over.Content[i], over.Content[i+1]
		if IsNull(v) {
			Drop(&out, k.Value)
			continue
		}
		_, old := Entry(&out, k.Value)
		Put(&out, k, Merge(old, v))
	}
	return &out
}
