package lang

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// merge overlays over on base and returns the result; neither is changed. It is a JSON merge patch (RFC 7386), except
// that a grid and what a grid replaces count as single values.
func merge(base, over *yaml.Node) *yaml.Node {
	if over.Kind != yaml.MappingNode || isGrid(over) {
		return over
	}
	out := *over
	out.Content = nil
	if base != nil && base.Kind == yaml.MappingNode && !isGrid(base) {
		out.Line, out.Column = base.Line, base.Column
		out.Content = slices.Clone(base.Content)
	}
	for i := 0; i < len(over.Content); i += 2 {
		k, v := over.Content[i], over.Content[i+1]
		if isNull(v) {
			drop(&out, k.Value)
			continue
		}
		_, old := entry(&out, k.Value)
		put(&out, k, merge(old, v))
	}
	return &out
}

// overlay merges the overlay of a scale into an experiment. A data set with another name or format replaces the old
// one whole.
func overlay(root, over *yaml.Node) *yaml.Node {
	if isNull(over) {
		return root
	}
	if otherDataset(at(root, "dataset"), at(over, "dataset")) {
		bare := *root
		drop(&bare, "dataset")
		root = &bare
	}
	out := merge(root, over)
	if base, own := at(root, problemsKey), at(over, problemsKey); base != nil && own != nil && !isNull(own) {
		k, _ := entry(over, problemsKey)
		put(out, k, overlayProblems(base, own))
	}
	return out
}

// otherDataset reports whether over names a different data set from base.
func otherDataset(base, over *yaml.Node) bool {
	name, format := at(over, "name"), at(over, "format")
	if name == nil && format == nil {
		return false
	}
	return !same(name, at(base, "name")) || !same(format, at(base, "format"))
}

// assign carries out one --set item, path=value, on the tree, whose nodes it may change. All nodes that it makes have
// the given line.
func assign(p *faults, root *yaml.Node, item string, line int) {
	path, text, ok := strings.Cut(item, "=")
	if !ok || path == "" || strings.TrimSpace(text) == "" {
		p.add(line, "", "not an assignment; accepted: key=value, such as stop.passes=5 (value null removes the key)")
		return
	}
	inner := faults{file: p.file}
	v := read(&inner, []byte(text))
	if v != nil {
		inspect(&inner, v, nil)
	}
	for _, e := range inner.list {
		p.add(line, path, "%s", e.Reason)
	}
	if len(inner.list) > 0 {
		return
	}
	mark(v, line)
	descend(p, root, strings.Split(path, "."), nil, v, line)
}

// descend sets the value at a path below n, making maps on the way. Done is the path down to n.
func descend(p *faults, n *yaml.Node, path, done []string, v *yaml.Node, line int) {
	key := strings.Join(append(slices.Clone(done), path[0]), ".")
	if n.Kind == yaml.SequenceNode {
		i, used := item(n, path)
		if used == 0 {
			p.add(line, key, "no such item; accepted: %s", strings.Join(itemNames(n), ", "))
			return
		}
		if used == len(path) {
			n.Content[i] = v
			return
		}
		descend(p, n.Content[i], path[used:], append(done, path[:used]...), v, line)
		return
	}
	if n.Kind != yaml.MappingNode {
		p.add(line, key, "%s is %s and has no keys", strings.Join(done, "."), quoteNode(n))
		return
	}
	k := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: path[0], Line: line}
	old := at(n, path[0])
	switch {
	case len(path) == 1 && isNull(v):
		drop(n, path[0])
	case len(path) == 1:
		if slices.Equal(done, []string{"dataset"}) && (path[0] == "name" || path[0] == "format") && !same(old, v) {
			n.Content = nil
		}
		put(n, k, v)
	case old == nil:
		old = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: line}
		put(n, k, old)
		fallthrough
	default:
		descend(p, old, path[1:], append(done, path[0]), v, line)
	}
}
