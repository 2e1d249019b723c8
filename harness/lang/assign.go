package lang

import (
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// Assign applies one --set item, path=value, to the tree below root, which it changes in place. line is the line number
// of new nodes. Faults are added to p.
func Assign(p *tree.Faults, root *yaml.Node, item string, line int) {
	path, text, ok := strings.Cut(item, "=")
	if !ok || path == "" || strings.TrimSpace(text) == "" {
		p.Add(line, "", "not an assignment; accepted: key=value, such as stop.passes=5 (the value null removes the key)")
		return
	}
	inner := tree.Faults{File: p.File}
	v := tree.Read(&inner, []byte(text))
	for _, e := range inner.List {
		p.Add(line, path, "%s", e.Reason)
	}
	if len(inner.List) > 0 {
		return
	}
	tree.SetLine(v, line)
	steps := strings.Split(path, ".")
	dropSettings(root, steps, v)
	descend(p, root, steps, nil, v, line)
}

// dropSettings removes all keys of a data set, of the experiment or of a problem, if the value v at a path gives it
// another name or format. A problem that gives no name has that of the experiment.
func dropSettings(root *yaml.Node, path []string, v *yaml.Node) {
	above, key := path[:len(path)-1], path[len(path)-1]
	if key != "name" && key != "format" || !isDataset(above) || tree.IsNull(v) {
		return
	}
	old := tree.At(root, path...)
	if old == nil {
		old = tree.At(root, "dataset", key)
	}
	if n := tree.At(root, above...); n != nil && n.Kind == yaml.MappingNode && !tree.Same(old, v) {
		n.Content = nil
	}
}

// descend sets the value at the path below n to v and creates missing maps on the way. done is the path from the root
// to n; line is the line number of new nodes.
func descend(p *tree.Faults, n *yaml.Node, path, done []string, v *yaml.Node, line int) {
	key := strings.Join(append(slices.Clone(done), path[0]), ".")
	if n.Kind == yaml.SequenceNode {
		i, used := item(n, path)
		if used == 0 {
			p.Add(line, key, "no such item; accepted: %s", strings.Join(itemNames(n), ", "))
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
		p.Add(line, key, "%s is %s, which has no keys; accepted: the path of a value", strings.Join(done, "."), tree.Quote(n))
		return
	}
	k := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: path[0], Line: line}
	old := tree.At(n, path[0])
	switch {
	case len(path) == 1 && tree.IsNull(v):
		tree.Drop(n, path[0])
	case len(path) == 1:
		tree.Put(n, k, v)
	case old == nil:
		old = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: line}
		tree.Put(n, k, old)
		fallthrough
	default:
		descend(p, old, path[1:], append(done, path[0]), v, line)
	}
}

// isDataset reports whether a path leads to the data set of the experiment or of a problem.
func isDataset(path []string) bool {
	if len(path) == 3 && path[0] == problemsKey {
		path = path[2:]
	}
	return len(path) == 1 && path[0] == "dataset"
}

// item finds the list item that the first steps of a path name. It returns the index of the item and the number of
// steps that name it; 0 steps mean that there is no such item. A path names an item by its index, or by the value of
// the item's key "as", "name" or "id". Names may contain dots, so item tries the longest name first.
func item(list *yaml.Node, path []string) (index, used int) {
	if i, err := strconv.Atoi(path[0]); err == nil && i >= 0 && i < len(list.Content) {
		return i, 1
	}
	for used := len(path); used > 0; used-- {
		for i, n := range list.Content {
			if name := itemName(n); name != "" && name == strings.Join(path[:used], ".") {
				return i, used
			}
		}
	}
	return 0, 0
}

// itemName returns the name of a list's item: the value of its key "as", "name" or "id"; "" if it has none of them.
func itemName(n *yaml.Node) string {
	for _, key := range []string{"as", "name", "id"} {
		if v := tree.At(n, key); v != nil && v.Kind == yaml.ScalarNode {
			return v.Value
		}
	}
	return ""
}

// itemNames lists the items of a list: each by its name, or by its index if it has no name.
func itemNames(list *yaml.Node) []string {
	var names []string
	for i, n := range list.Content {
		if name := itemName(n); name != "" {
			names = append(names, name)
		} else {
			names = append(names, strconv.Itoa(i))
		}
	}
	return names
}
