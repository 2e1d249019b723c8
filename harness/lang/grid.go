package lang

import (
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"
)

// gridKey is the key that makes a map a grid.
const gridKey = "grid"

// axis is one grid's choice: where the grid stood, and which of its values was taken.
type axis struct {
	path  []string
	value *yaml.Node
}

// choice is a node with a value taken from each of its grids.
type choice struct {
	node *yaml.Node
	axes []axis
}

// gridItems returns the list of a grid.
func gridItems(n *yaml.Node) (*yaml.Node, bool) {
	if n == nil || n.Kind != yaml.MappingNode || len(n.Content) != 2 || n.Content[0].Value != gridKey {
		return nil, false
	}
	return n.Content[1], n.Content[1].Kind == yaml.SequenceNode
}

func isGrid(n *yaml.Node) bool {
	k, _ := entry(n, gridKey)
	return k != nil
}

// count is the number of combinations of the grids in n, without the given keys of n; limit+1 if it is larger.
func count(n *yaml.Node, limit int, except ...string) int {
	if items, ok := gridItems(n); ok {
		return min(len(items.Content), limit+1)
	}
	total := 1
	for i, item := range n.Content {
		if n.Kind == yaml.MappingNode && (i%2 == 0 || slices.Contains(except, n.Content[i-1].Value)) {
			continue
		}
		if total *= count(item, limit); total > limit {
			return limit + 1
		}
	}
	return total
}

// expand multiplies out the grids in n, the first one slowest, without the given keys of n.
func expand(n *yaml.Node, path []string, except ...string) []choice {
	if items, ok := gridItems(n); ok {
		out := make([]choice, len(items.Content))
		for i, v := range items.Content {
			out[i] = choice{v, []axis{{append([]string(nil), path...), v}}}
		}
		return out
	}
	bare := *n
	bare.Content = nil
	out := []choice{{node: &bare}}
	for i, v := range n.Content {
		options := []choice{{node: v}}
		switch {
		case n.Kind == yaml.MappingNode && i%2 == 1 && !slices.Contains(except, n.Content[i-1].Value):
			options = expand(v, append(path, n.Content[i-1].Value))
		case n.Kind == yaml.SequenceNode:
			options = expand(v, append(path, strconv.Itoa(i)))
		}
		out = product(out, options)
	}
	return out
}

// product appends each option to the content of each partial node.
func product(partial, options []choice) []choice {
	out := make([]choice, 0, len(partial)*len(options))
	for _, p := range partial {
		for _, o := range options {
			node := *p.node
			node.Content = append(p.node.Content[:len(p.node.Content):len(p.node.Content)], o.node)
			axes := append(p.axes[:len(p.axes):len(p.axes)], o.axes...)
			out = append(out, choice{&node, axes})
		}
	}
	return out
}
