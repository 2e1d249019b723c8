package reference

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/experiments"
)

//go:embed examples
var more embed.FS // specs that show the keys which no built-in experiment uses

// longest is the length above which an example from an experiment is replaced by one of this package.
const longest = 120

// shown is what a second value of a list is worth, as a length of an example: a list of one value or null shows less,
// and its length counts that much more.
const shown = 40

// Example is a part of a spec that shows one key.
type Example struct {
	YAML string // on one line, such as record: {every: {growth: 1.3}}
	From string // the id of the experiment; "" if it is a spec of this package
}

// Examples returns an example of each key, by the Path of the key, and of each setting of a component, by the Path of
// Component.Setting. The example is the shortest use of the key in the built-in experiments or, if they do not use it,
// in the specs of this package; it is a list of several values rather than of one if that is little longer. Of the
// scales of an experiment, only smoke counts, which the gate runs. A key whose value is a mapping or a list of mappings
// has no example, since the keys below it have examples. The example of a setting that no spec uses has its default, or
// another accepted value.
func (r *Reference) Examples() (map[string]Example, error) {
	out, err := r.examples(experiments.FS, true)
	if err != nil {
		return nil, err
	}
	others, err := r.examples(more, false)
	for k, x := range others {
		if old, ok := out[k]; !ok || len(old.YAML) > longest {
			out[k] = x
		}
	}
	for _, c := range r.Components {
		for _, k := range c.Settings {
			if _, ok := out[c.Setting(k)]; !ok && k.accepted() != "" {
				out[c.Setting(k)] = Example{YAML: c.with(k.Path, k.accepted())}
			}
		}
	}
	return out, err
}

// examples finds the shortest use of each key in specs. If named is true, it sets From of each example to the spec's
// id.
func (r *Reference) examples(specs fs.FS, named bool) (map[string]Example, error) {
	names, err := fs.Glob(specs, "*/*.yaml")
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, k := range r.Keys {
		known[k.Path] = !strings.HasSuffix(k.Type, "mapping") && !strings.HasSuffix(k.Type, "mappings")
	}
	for _, c := range r.Components {
		for _, k := range c.Settings {
			known[c.Setting(k)] = true
		}
	}
	out := map[string]Example{}
	costs := map[string]int{} // length of each example, and shown if it is a list of one value or null
	for _, name := range names {
		data, err := fs.ReadFile(specs, name)
		if err != nil {
			return nil, err
		}
		var doc yaml.Node
		if err := yaml.Unmarshal(data, &doc); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		add := func(p string, value, within *yaml.Node) error {
			if p = strings.Replace(p, "figure.panels[].", "figure.", 1); !known[p] {
				if p = setting(p, within); !known[p] {
					return nil
				}
			}
			cost := 0
			if value.Kind == yaml.SequenceNode && len(value.Content) == 1 || value.Tag == "!!null" {
				cost = shown
			}
			old, ok := costs[p]
			if ok && cost+least(within) >= old {
				return nil // it is not shorter, and encoding takes long
			}
			line, err := flow(within)
			if cost += len(line); err == nil && (!ok || cost < old) {
				x := Example{YAML: line}
				if named {
					x.From = strings.TrimSuffix(name, path.Ext(name))
				}
				out[p], costs[p] = x, cost
			}
			return err
		}
		if err := uses(doc.Content[0], "", func(inner *yaml.Node) *yaml.Node { return inner }, add); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return out, nil
}

// setting returns the key in Examples of a setting of a component (see Component.Setting). The document within has only
// the setting and the name of the component. For other paths the result is "".
func setting(p string, within *yaml.Node) string {
	kind, key, _ := strings.Cut(p, ".")
	n := within.Content[1]
	if kind == "solvers[]" && n.Kind == yaml.SequenceNode {
		kind, n = "solver", n.Content[0]
	}
	if n.Kind != yaml.MappingNode || kind != "dataset" && kind != "model" && kind != "solver" {
		return ""
	}
	for i := 0; i < len(n.Content); i += 2 {
		if isName(n.Content[i].Value) {
			if n.Content[i].Value == "format" {
				kind = "format"
			}
			return kind + " " + n.Content[i+1].Value + "." + key
		}
	}
	return ""
}

// isName reports whether a key of a data set, a model or a solver has the name of the component.
func isName(key string) bool { return key == "name" || key == "format" }

// uses calls add for each key below n, whose path is at. It passes the path of the key, its value, and a document that
// has only this key, within the mappings and lists that enclose it. The function around encloses a node in what
// encloses n.
func uses(n *yaml.Node, at string, around func(*yaml.Node) *yaml.Node,
	add func(path string, value, within *yaml.Node) error) error {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			if at == "problems" || at == "scales" { // the keys below are those of the whole spec
				if at == "problems" || key.Value == "smoke" {
					if err := uses(value, "", func(inner *yaml.Node) *yaml.Node { return inner }, add); err != nil {
						return err
					}
				}
				continue
			}
			below := strings.TrimPrefix(at+"."+key.Value, ".")
			within := func(inner *yaml.Node) *yaml.Node {
				content := []*yaml.Node{key, inner}
				j := slices.IndexFunc(n.Content, func(c *yaml.Node) bool { return isName(c.Value) })
				component := strings.HasSuffix(at, "[]") || at == "dataset" || at == "model"
				if component && j >= 0 && j%2 == 0 && j != i {
					// The name shows which data set, model or solver the key belongs to.
					content = append([]*yaml.Node{n.Content[j], n.Content[j+1]}, content...)
				}
				return around(&yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle, Content: content})
			}
			if err := add(below, value, within(value)); err != nil {
				return err
			}
			if err := uses(value, below, within, add); err != nil {
				return err
			}
		}
	case yaml.SequenceNode:
		for _, element := range n.Content {
			within := func(inner *yaml.Node) *yaml.Node {
				return around(&yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle, Content: []*yaml.Node{inner}})
			}
			if err := uses(element, at+"[]", within, add); err != nil {
				return err
			}
		}
	}
	return nil
}

// least returns a lower bound of the length of flow: the number of bytes of all keys and values that are not blank.
func least(n *yaml.Node) int {
	bytes := 0
	for word := range strings.FieldsSeq(n.Value) {
		bytes += len(word)
	}
	for _, child := range n.Content {
		bytes += least(child)
	}
	return bytes
}

// flow returns a node as YAML on one line, without comments. The outermost mapping has no braces.
func flow(n *yaml.Node) (string, error) {
	var clean func(n *yaml.Node) *yaml.Node
	clean = func(n *yaml.Node) *yaml.Node {
		c := yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: n.Style &^ (yaml.LiteralStyle | yaml.FoldedStyle)}
		if n.Kind != yaml.ScalarNode {
			c.Style = yaml.FlowStyle
		}
		for _, child := range n.Content {
			c.Content = append(c.Content, clean(child))
		}
		return &c
	}
	n = clean(n)
	n.Style = 0
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	err := enc.Encode(n)
	return strings.Join(strings.Fields(b.String()), " "), err
}
