// Package reference writes the reference of the language of specs from its JSON Schema: all keys with their types,
// defaults, descriptions and an example of each; and all data sets, models and solvers with their settings.
//
//	r, err := reference.New(schemaText)
//	r.Spec(os.Stdout, 80)
package reference

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Key is a key of the language, or a setting of a component.
type Key struct {
	Path    string // such as figure.panels[].title; [] stands for each element of a list
	Type    string // such as number > 0, or text
	Default string // "" if the schema states none
	Says    string // description
}

// Component is a data set, a model or a solver.
type Component struct {
	Kind, Name string // Kind is dataset, format, model or solver
	Says       string
	Settings   []Key
}

// Setting returns the key of a setting in Examples, such as "solver sgd.eta0".
func (c Component) Setting(k Key) string { return c.Kind + " " + c.Name + "." + k.Path }

// with returns a spec with a setting of the component, on one line.
func (c Component) with(key, value string) string {
	switch {
	case c.Kind == "solver":
		return fmt.Sprintf("solvers: [{name: %s, %s: %s}]", c.Name, key, value)
	case c.Kind == "format":
		return fmt.Sprintf("dataset: {format: %s, %s: %s}", c.Name, key, value)
	}
	return fmt.Sprintf("%s: {name: %s, %s: %s}", c.Kind, c.Name, key, value)
}

// accepted returns a value that the key accepts, in YAML: another one than the default if the values are listed. It
// returns "" if the type does not tell.
func (k Key) accepted() string {
	words := strings.Split(k.Type, " | ")
	least, whole := strings.CutPrefix(k.Type, "integer ≥ ")
	switch {
	case len(words) > 1 && words[0] == strings.Trim(k.Default, `"`):
		return words[1]
	case len(words) > 1:
		return words[0]
	case k.Default == "" && whole:
		return strings.Fields(least)[0]
	case k.Default == "" && strings.HasPrefix(k.Type, "number ≥ 0"):
		return "0.1"
	}
	return strings.Trim(k.Default, `"`)
}

// Reference has the contents of a schema.
type Reference struct {
	Keys       []Key
	Components []Component
}

type node = map[string]any

// New reads a schema that lang.Schema has written.
func New(schema []byte) (*Reference, error) {
	var root node
	if err := json.Unmarshal(schema, &root); err != nil {
		return nil, err
	}
	w := walker{defs: root["$defs"].(node)}
	r := &Reference{Keys: w.keys("", root, map[string]bool{})}
	for _, name := range slices.Sorted(maps.Keys(w.defs)) {
		kind, component, _ := strings.Cut(name, "-")
		if kind == "shared" {
			continue
		}
		def := w.defs[name].(node)
		c := Component{Kind: kind, Name: component, Says: text(def["description"])}
		properties, _ := def["properties"].(node)
		for _, key := range slices.Sorted(maps.Keys(properties)) {
			if n, ok := properties[key].(node); ok { // the value true marks a key of all components of this kind
				c.Settings = append(c.Settings, w.key(key, n))
			}
		}
		r.Components = append(r.Components, c)
	}
	return r, nil
}

// walker follows the references of a schema to its definitions.
type walker struct{ defs node }

// resolve returns n with the definition that it refers to. Keys of n have priority.
func (w walker) resolve(n node) node {
	for {
		name, ok := n["$ref"].(string)
		if !ok {
			return n
		}
		merged := maps.Clone(w.defs[strings.TrimPrefix(name, "#/$defs/")].(node))
		for k, v := range n {
			if k != "$ref" {
				merged[k] = v
			}
		}
		n = merged
	}
}

// forms returns the forms that a value may have. A schema with if, then and else has the forms of then and of else. A
// form that only removes a key (null), or that lists values to run ({grid: list}), is left out.
func (w walker) forms(n node) []node {
	n = w.resolve(n)
	condition, conditional := n["if"].(node)
	if !conditional || n["properties"] != nil {
		return []node{n}
	}
	var out []node
	if then, ok := n["then"].(node); ok && condition["required"] == nil {
		out = w.forms(then)
	}
	if otherwise, ok := n["else"].(node); ok {
		out = append(out, w.forms(otherwise)...)
	}
	return out
}

// keys returns the keys below n, whose path is given, and their children, except keys that it has returned before
// (seen). The keys of problems and scales are those of the whole spec, and the keys of a panel are those of the figure,
// so they are not repeated. The settings of components are left out, and so is grid, which lists values to run.
func (w walker) keys(path string, n node, seen map[string]bool) []Key {
	var out []Key
	for _, form := range w.forms(n) {
		properties, _ := form["properties"].(node)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			child, ok := properties[name].(node)
			below := strings.TrimPrefix(path+"."+name, ".")
			listed := seen[path+"[]."+name] // a list of one element may be written as this element, with the same keys
			if !ok || name == "grid" || listed || seen[below] || seen[strings.Replace(below, "figure.panels[].", "figure.", 1)] {
				continue
			}
			seen[below] = true
			out = append(out, w.key(below, child))
			if below != "problems" && below != "scales" {
				out = append(out, w.keys(below, child, seen)...)
			}
		}
		if items, ok := form["items"].(node); ok {
			out = append(out, w.keys(path+"[]", items, seen)...)
		}
	}
	return out
}

func (w walker) key(path string, n node) Key {
	k := Key{Path: path, Type: w.typeOf(n), Says: text(w.resolve(n)["description"])}
	if v, ok := w.resolve(n)["default"]; ok {
		out, _ := json.Marshal(v) // v was read from JSON
		k.Default = string(out)
	}
	return k
}

// typeOf describes the values that n accepts, such as integer ≥ 1, log | hinge, or list of text.
func (w walker) typeOf(n node) string {
	var types []string
	for _, form := range w.forms(n) {
		t := w.typeOfForm(form)
		if !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return strings.Join(types, ", or ")
}

func (w walker) typeOfForm(n node) string {
	if values, ok := n["enum"].([]any); ok {
		var list []string
		for _, v := range values {
			list = append(list, fmt.Sprint(v))
		}
		return strings.Join(list, " | ")
	}
	bound := func(op, key string) string {
		if v, ok := n[key].(float64); ok && v < 1<<53-1 { // 2^53 − 1 is the largest integer of JSON
			return fmt.Sprintf(" %s %v", op, v)
		}
		return ""
	}
	switch t := text(n["type"]); t {
	case "object", "":
		return "mapping"
	case "array":
		if items, ok := n["items"].(node); ok && w.resolve(items)["properties"] == nil && w.resolve(items)["allOf"] == nil {
			return "list of " + w.typeOf(items)
		}
		return "list of mappings"
	case "string":
		return "text"
	case "boolean":
		return "true | false"
	default:
		low := cmp.Or(bound(">", "exclusiveMinimum"), bound("≥", "minimum"))
		high := cmp.Or(bound("<", "exclusiveMaximum"), bound("≤", "maximum"))
		if low != "" && high != "" {
			return t + low + " and" + high
		}
		return t + low + high
	}
}

// text returns v if it is a string, and "" otherwise.
func text(v any) string {
	s, _ := v.(string)
	return s
}
