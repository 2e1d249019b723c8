package schema_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/schema"
	"github.com/gaplab/gaplab/harness/lang/tree"
)

// settings returns a random schema of a map: its keys are numbers, texts, words of a list, lists and maps.
func settings(rng *rand.Rand, depth int) schema.Object {
	properties, required := schema.Object{}, []any{}
	for _, key := range []string{"alpha", "beta", "gamma", "delta", "epsilon"}[:2+rng.IntN(4)] {
		properties[key] = setting(rng, depth)
		if rng.IntN(3) == 0 {
			required = append(required, key)
		}
	}
	s := schema.Object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	if rng.IntN(3) == 0 {
		s["dependentRequired"] = schema.Object{"alpha": []any{"beta"}}
	}
	return s
}

// setting returns a random schema of a key.
func setting(rng *rand.Rand, depth int) schema.Object {
	kind := rng.IntN(9)
	if depth == 0 {
		kind = rng.IntN(6)
	}
	switch kind {
	case 0:
		return schema.Object{"type": "integer", "minimum": 2, "maximum": 5}
	case 1:
		return schema.Object{"type": "number", "exclusiveMinimum": 0}
	case 2:
		return schema.Object{"type": "number", "exclusiveMaximum": 3, "minimum": 1}
	case 3:
		return schema.Object{"type": "string", "enum": []any{"red", "green", "blue"}}
	case 4:
		return schema.Object{"type": "string", "minLength": 1, "maxLength": 4}
	case 5:
		return schema.Object{"type": "boolean"}
	case 6:
		return schema.Object{"type": "array", "items": setting(rng, depth-1), "minItems": 1, "maxItems": 3,
			"uniqueItems": rng.IntN(2) == 0}
	case 7:
		return schema.Gridable(setting(rng, depth-1))
	}
	return settings(rng, depth-1)
}

// writer writes a document, of which some values do not match their schema.
type writer struct {
	rng  *rand.Rand
	text strings.Builder
}

// value writes a value after "key:" or "-", at an indentation. One value in eight ignores the schema.
func (w *writer) value(s schema.Object, indent string) {
	for s["then"] != nil {
		if then := s["then"].(schema.Object); w.rng.IntN(3) == 0 {
			s = then
		} else {
			s = s["else"].(schema.Object)
		}
	}
	if w.rng.IntN(8) == 0 {
		s = setting(w.rng, 1)
		w.value(s, indent)
		return
	}
	one := func(list ...string) { w.text.WriteString(" " + list[w.rng.IntN(len(list))] + "\n") }
	switch s["type"] {
	case "integer", "number":
		one("0", "1", "2", "3", "4.5", "5", "6", "2", "2.5")
	case "boolean":
		one("true", "false")
	case "array":
		n := w.rng.IntN(5)
		if n == 0 {
			one("[]")
			return
		}
		w.text.WriteString("\n")
		for range n {
			w.text.WriteString(indent + "-")
			w.value(s["items"].(schema.Object), indent+"  ")
		}
	case "object":
		properties := s["properties"].(schema.Object)
		var keys []string
		for _, key := range slices.Sorted(maps.Keys(properties)) {
			if w.rng.IntN(5) > 0 {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		if w.rng.IntN(6) == 0 {
			keys = append(keys, "zeta")
		}
		if len(keys) == 0 {
			one("{}")
			return
		}
		w.rng.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		w.text.WriteString("\n")
		for _, key := range keys {
			w.text.WriteString(indent + key + ":")
			sub, ok := properties[key].(schema.Object)
			if !ok {
				sub = schema.Object{"type": "boolean"}
			}
			w.value(sub, indent+"  ")
		}
	default:
		one("red", "green", "blue", "purple", "''", "a", "abcde")
	}
}

// judge is a second implementation of the check: it returns a line "line key: what is wrong" for each fault of a value.
func judge(s schema.Object, n *yaml.Node, line int, path []string) (out []string) {
	key := strings.Join(path, ".")
	add := func(line int, key, format string, args ...any) {
		out = append(out, fmt.Sprintf("%d %s: ", line, key)+fmt.Sprintf(format, args...))
	}
	for s["then"] != nil { // a value, or a grid of values
		if k, _ := tree.Entry(n, "grid"); n.Kind == yaml.MappingNode && k != nil {
			s = s["then"].(schema.Object)
		} else {
			s = s["else"].(schema.Object)
		}
	}
	x, err := strconv.ParseFloat(n.Value, 64)
	isNumber := n.Kind == yaml.ScalarNode && err == nil && n.Style == 0
	is := map[any]bool{"number": isNumber, "integer": isNumber && x == float64(int(x)),
		"boolean": n.Kind == yaml.ScalarNode && (n.Value == "true" || n.Value == "false"),
		"array":   n.Kind == yaml.SequenceNode, "object": n.Kind == yaml.MappingNode}
	is["string"] = n.Kind == yaml.ScalarNode && !isNumber && !is["boolean"]
	if !is[s["type"]] {
		add(line, key, "got %s", tree.Quote(n))
		return out
	}
	limit := func(name string, broken func(limit float64) bool) {
		if l, ok := s[name].(int); ok && broken(float64(l)) {
			add(line, key, "%s is out of range", n.Value)
		}
	}
	switch s["type"] {
	case "integer", "number":
		limit("minimum", func(l float64) bool { return x < l })
		limit("maximum", func(l float64) bool { return x > l })
		limit("exclusiveMinimum", func(l float64) bool { return x <= l })
		limit("exclusiveMaximum", func(l float64) bool { return x >= l })
	case "string":
		words, ok := s["enum"].([]any)
		if most, bounded := s["maxLength"].(int); bounded && len(n.Value) > most {
			add(line, key, "%s has %d characters", tree.Quote(n), len(n.Value))
		}
		if ok && !slices.Contains(words, any(n.Value)) {
			add(line, key, "unknown value %s", tree.Quote(n))
		} else if !ok && n.Value == "" {
			add(line, key, "got %s", tree.Quote(n))
		}
	case "array":
		if most, ok := s["maxItems"].(int); len(n.Content) < 1 || ok && len(n.Content) > most {
			add(line, key, "got %d items", len(n.Content))
		}
		second := -1
		for i, item := range n.Content {
			out = append(out, judge(s["items"].(schema.Object), item, item.Line, append(slices.Clone(path), fmt.Sprint(i)))...)
			for _, other := range n.Content[:i] {
				if second < 0 && s["uniqueItems"] == true && fmt.Sprint(tree.Value(item)) == fmt.Sprint(tree.Value(other)) {
					second = i
				}
			}
		}
		if second >= 0 {
			add(n.Content[second].Line, key, "item %s is repeated", tree.Quote(n.Content[second]))
		}
	case "object":
		has := map[string]bool{}
		for i := 0; i < len(n.Content); i += 2 {
			name, at := n.Content[i].Value, append(slices.Clone(path), n.Content[i].Value)
			has[name] = true
			sub, ok := s["properties"].(schema.Object)[name].(schema.Object)
			switch {
			case ok:
				out = append(out, judge(sub, n.Content[i+1], n.Content[i].Line, at)...)
			case name == "grid":
				add(n.Content[i].Line, strings.Join(at, "."), "a grid is not allowed here")
			default:
				add(n.Content[i].Line, strings.Join(at, "."), "unknown key")
			}
		}
		missing, _ := s["required"].([]any)
		for _, name := range missing {
			if !has[name.(string)] {
				add(line, tree.Join(key, name.(string)), "missing; accepted: ")
			}
		}
		if s["dependentRequired"] != nil && has["alpha"] && !has["beta"] {
			add(line, tree.Join(key, "beta"), "missing, because %q is given", "alpha")
		}
	}
	return out
}

// TestReport checks on random schemas and documents that Check reports the same faults as judge, each with the line and
// the dotted key of its value, for a document that is part of a larger one.
func TestReport(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test checks 1200 random schemas")
	}
	rng := rand.New(rand.NewPCG(35, 27))
	kinds := map[string]int{}
	for try := range 1200 {
		s := settings(rng, 3)
		form, err := schema.NewForms(nil).Get(fmt.Sprint("try ", try), func(schema.Describe) schema.Object { return s })
		if err != nil {
			t.Fatal(err)
		}
		w := writer{rng: rng}
		w.text.WriteString("title: a\nsolvers:\n  -")
		w.value(s, "    ")
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(w.text.String()), &doc); err != nil {
			t.Fatalf("%v:\n%s", err, w.text.String())
		}
		root := doc.Content[0]
		n := tree.At(root, "solvers", "0")
		var faults tree.Faults
		form.Check(&faults, root, n, "solvers", "0")
		want := judge(s, n, tree.LineOf(root, "solvers", "0"), []string{"solvers", "0"})
		for _, f := range faults.List {
			got := fmt.Sprintf("%d %s: %s", f.Line, f.Key, f.Reason)
			i := slices.IndexFunc(want, func(w string) bool { return strings.HasPrefix(got, w) })
			if i < 0 {
				t.Fatalf("fault %q; want one of %q in\n%s", got, want, w.text.String())
			}
			if !strings.Contains(got, "; accepted: ") && !strings.Contains(got, "list each item once") {
				t.Errorf("fault %q does not say what is accepted", got)
			}
			kinds[strings.Fields(f.Reason)[0]]++
			want = slices.Delete(want, i, i+1)
		}
		if len(want) > 0 {
			t.Fatalf("Check does not report %q in\n%s", want, w.text.String())
		}
	}
	for _, kind := range []string{"missing;", "missing,", "unknown", "got", "item", "a"} {
		if kinds[kind] < 3 {
			t.Errorf("faults whose message begins with %q = %d, want at least 3", kind, kinds[kind])
		}
	}
}
