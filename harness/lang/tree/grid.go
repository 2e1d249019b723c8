package tree

import (
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"
)

// GridKey is the only key of a grid: {grid: [a, b]} is replaced by each value of the list in turn.
const GridKey = "grid"

// IsGrid reports whether a node is a map with the key grid.
func IsGrid(n *yaml.Node) bool {
	k, _ := Entry(n, GridKey)
	return k != nil
}

// GridItems returns the list of values of a grid. The result is false if n is not a grid with a list.
func GridItems(n *yaml.Node) (*yaml.Node, bool) {
	if n == nil || n.Kind != yaml.MappingNode || len(n.Content) != 2 || n.Content[0].Value != GridKey {
		return nil, false
	}
	return n.Content[1], n.Content[1].Kind == yaml.SequenceNode
}

// Axis is one grid of a spec and the value taken from it in a combination.
type Axis struct {
	Path  []string // path of the grid in the spec
	Value *yaml.Node
}

// Combination is a copy of a node in which each grid is replaced by one of its values.
type Combination struct {
	Node *yaml.Node
	Axes []Axis
}

// Count returns the number of combinations of the grids in n. It ignores the keys of n listed in except, and returns
// limit+1 if there are more than limit combinations.
func Count(n *yaml.Node, limit int, except ...string) int {
	if items, ok := GridItems(n); ok {
		return min(len(items.Content), limit+1)
	}
	total := 1
	for i, item := range n.Content {
		if n.Kind == yaml.MappingNode && (i%2 == 0 || slices.Contains(except, n.Content[i-1].Value)) {
			continue
		}
		if total *= Count(item, limit); total > limit {
			return limit + 1
		}
	}
	return total
}

// Expand returns the Cartesian product of the grids in n; the last grid varies fastest. It does not expand the keys of
// n listed in except. The paths of the axes begin with path.
func Expand(n *yaml.Node, path []string, except ...string) []Combination {
	if !hasGrid(n) { // saves copying a long list item by item
		return []Combination{{Node: n}}
	}
	if items, ok := GridItems(n); ok {
		out := make([]Combination, len(items.Content))
		for i, v := range items.Content {
			out[i] = Combination{v, []Axis{{append([]string(nil), path...), v}}}
		}
		return out
	}
	bare := *n
	bare.Content = nil
	out := []Combination{{Node: &bare}}
	for i, v := range n.Content {
		options := []Combination{{Node: v}}
		switch {
		case n.Kind == yaml.MappingNode && i%2 == 1 && !slices.Contains(except, n.Content[i-1].Value):
			options = Expand(v, append(path, n.Content[i-1].Value))
		case n.Kind == yaml.SequenceNode:
			options = Expand(v, append(path, strconv.Itoa(i)))
		}
		out = product(out, options)
	}
	return out
}

// hasGrid reports whether n is or contains a grid.
func hasGrid(n *yaml.Node) bool { return IsGrid(n) || slices.ContainsFunc(n.Content, hasGrid) }

// product combines each node of partial with each of the options. A combination is a copy of the node in which the
// option is appended to the content.
func product(partial, options []Combination) []Combination {
	out := make([]Combination, 0, len(partial)*len(options))
	for _, p := range partial {
		for _, o := range options {
			node := *p.Node
			node.Content = append(p.Node.Content[:len(p.Node.Content):len(p.Node.Content)], o.Node)
			axes := append(p.Axes[:len(p.Axes):len(p.Axes)], o.Axes...)
			out = append(out, Combination{&node, axes})
		}
	}
	return out
}
