package tree

import (
	"strconv"

	"gopkg.in/yaml.v3"
)

// Entry returns the key node and the value node of a key; nil if n is not a map or lacks the key.
func Entry(n *yaml.Node, key string) (k, v *yaml.Node) {
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

// Child returns the value at a key of a map or at an index of a list; nil if there is none.
func Child(n *yaml.Node, step string) *yaml.Node {
	if n != nil && n.Kind == yaml.SequenceNode {
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i]
		}
		return nil
	}
	_, v := Entry(n, step)
	return v
}

// At returns the node at a path; nil if there is none.
func At(n *yaml.Node, path ...string) *yaml.Node {
	for _, step := range path {
		n = Child(n, step)
	}
	return n
}

// LineOf returns the line of the key (or list item) at a path. If the path does not exist, it returns the line of the
// deepest key on the path that exists.
func LineOf(n *yaml.Node, path ...string) int {
	line := n.Line
	for _, step := range path {
		k, v := Entry(n, step)
		if v == nil {
			k, v = Child(n, step), Child(n, step)
		}
		if v == nil {
			break
		}
		line, n = k.Line, v
	}
	return line
}

// Put sets a key of a map to a value; it replaces the old value or appends the key.
func Put(n *yaml.Node, k, v *yaml.Node) {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == k.Value {
			n.Content[i], n.Content[i+1] = k, v
			return
		}
	}
	n.Content = append(n.Content, k, v)
}

// Without returns a copy of a map that lacks the given keys. The copy shares the other nodes with n.
func Without(n *yaml.Node, keys ...string) *yaml.Node {
	out := *n
	out.Content = nil
	dropped := make(map[string]bool, len(keys))
	for _, key := range keys {
		dropped[key] = true
	}
	for i := 0; i < len(n.Content); i += 2 {
		if !dropped[n.Content[i].Value] {
			out.Content = append(out.Content, n.Content[i], n.Content[i+1])
		}
	}
	return &out
}

// Drop removes keys from a map.
func Drop(n *yaml.Node, keys ...string) { n.Content = Without(n, keys...).Content }

// Clone copies a node and all nodes below it.
func Clone(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, item := range n.Content {
		c.Content[i] = Clone(item)
	}
	return &c
}

// SetLine gives a node and all nodes below it the same line.
func SetLine(n *yaml.Node, line int) {
	n.Line, n.Column = line, 0
	for _, item := range n.Content {
		SetLine(item, line)
	}
}

// IsNull reports whether a node is a YAML null.
func IsNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}

// Same reports whether two nodes have the same value. Comments and notation do not matter: 1e1 is 10.
func Same(a, b *yaml.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind || len(a.Content) != len(b.Content) {
		return false
	}
	if a.Kind == yaml.ScalarNode && Value(a) != Value(b) {
		return false
	}
	for i := range a.Content {
		if !Same(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

// Value converts a node to plain values: map[string]any, []any, string, bool, nil, and numbers as int, uint64 or
// float64.
func Value(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		m := make(map[string]any, len(n.Content)/2)
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = Value(n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			list[i] = Value(item)
		}
		return list
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool", "!!int", "!!float":
		var v any
		if n.Decode(&v) == nil {
			return v
		}
	}
	return n.Value
}

// Join appends a step to a dotted path.
func Join(path, step string) string {
	if path == "" {
		return step
	}
	return path + "." + step
}
