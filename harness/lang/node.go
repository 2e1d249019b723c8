package lang

import (
	"strconv"

	"gopkg.in/yaml.v3"
)

// entry returns the key node and the value node of a key; nil if n is no map or lacks the key.
func entry(n *yaml.Node, key string) (k, v *yaml.Node) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// child returns the value below n at a key of a map or an index of a list, nil if there is none.
func child(n *yaml.Node, step string) *yaml.Node {
	if n != nil && n.Kind == yaml.SequenceNode {
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i]
		}
		return nil
	}
	_, v := entry(n, step)
	return v
}

// at returns the node at a path, nil if there is none.
func at(n *yaml.Node, path ...string) *yaml.Node {
	for _, step := range path {
		n = child(n, step)
	}
	return n
}

// lineOf returns the line of the key (or list item) at a path, or of the deepest one above that exists.
func lineOf(n *yaml.Node, path ...string) int {
	line := n.Line
	for _, step := range path {
		k, v := entry(n, step)
		if v == nil {
			k, v = child(n, step), child(n, step)
		}
		if v == nil {
			break
		}
		line, n = k.Line, v
	}
	return line
}

// put sets a key of a map.
func put(n *yaml.Node, k, v *yaml.Node) {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == k.Value {
			n.Content[i], n.Content[i+1] = k, v
			return
		}
	}
	n.Content = append(n.Content, k, v)
}

// drop removes keys of a map.
func drop(n *yaml.Node, keys ...string) {
	gone := make(map[string]bool, len(keys))
	for _, key := range keys {
		gone[key] = true
	}
	kept := n.Content[:0:0]
	for i := 0; i < len(n.Content); i += 2 {
		if !gone[n.Content[i].Value] {
			kept = append(kept, n.Content[i], n.Content[i+1])
		}
	}
	n.Content = kept
}

// clone copies a node and all below it.
func clone(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, item := range n.Content {
		c.Content[i] = clone(item)
	}
	return &c
}

// mark gives a node and all below it one line.
func mark(n *yaml.Node, line int) {
	n.Line, n.Column = line, 0
	for _, item := range n.Content {
		mark(item, line)
	}
}

func isNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}

// same reports whether two nodes hold the same value, comments and spelling apart.
func same(a, b *yaml.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind || len(a.Content) != len(b.Content) {
		return false
	}
	if a.Kind == yaml.ScalarNode && value(a) != value(b) {
		return false
	}
	for i := range a.Content {
		if !same(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}
