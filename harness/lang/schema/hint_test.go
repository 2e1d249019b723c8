package schema_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/schema"
	"github.com/gaplab/gaplab/harness/lang/tree"
)

// TestHints checks whole messages: the key, what is wrong, what to write instead, and what is accepted. It checks their
// lines too, and the key that is meant by an unknown key, unless the map has this key too.
func TestHints(t *testing.T) {
	words := func(list ...any) schema.Object { return schema.Object{"type": "string", "enum": list} }
	object := func(properties schema.Object, required ...any) schema.Object {
		return schema.Object{"type": "object", "properties": properties, "required": required,
			"additionalProperties": false}
	}
	list := func(items schema.Object) schema.Object { return schema.Object{"type": "array", "items": items} }
	number, text := schema.Object{"type": "number"}, schema.Object{"type": "string"}
	solver := object(schema.Object{"name": words("eg", "sgd"), "eta": number}, "name")
	s := object(schema.Object{
		"model":   object(schema.Object{"name": words("multiclass", "chain"), "loss": words("log", "hinge")}, "name"),
		"solvers": list(solver),
		"claims":  list(object(schema.Object{"id": text, "assert": text})),
		"rule":    object(schema.Object{"assert": text}),
		"stop":    object(schema.Object{"passes": number, "gap": number}),
		"tags":    list(schema.Object{"type": "string"}),
		"options": list(object(schema.Object{"name": words(), "size": number})),
		"C":       schema.Gridable(number),
		"either":  schema.Object{"if": schema.Object{"type": "array"}, "then": list(number), "else": number},
		"n":       schema.Object{"type": "integer"},
		"on":      schema.Object{"type": "boolean"},
		"title":   schema.Object{"type": "string"},
	})
	form, err := schema.NewForms(nil).Get("hints", func(schema.Describe) schema.Object { return s })
	if err != nil {
		t.Fatal(err)
	}
	const lists = "; accepted: a list, each item a map with "
	const keys = "C, claims, either, model, n, on, options, rule, solvers, stop, tags, title"
	for _, c := range []struct {
		text  string
		want  []string
		meant string
	}{
		{"titel: a", []string{`titel: unknown key, did you mean "title"?; accepted: ` + keys}, "title"},
		{"title: a\ntitel: b", []string{`titel: unknown key, did you mean "title"?; accepted: ` + keys}, ""},
		{`model: chain`, []string{
			`model: got "chain"; write {name: chain, loss: ...}; accepted: a map with loss, name`,
		}, ""},
		{`model: log`, []string{`model: got "log"; write {name: log}; accepted: a map with loss, name`}, ""},
		{`model: zzz`, []string{`model: got "zzz"; write {name: zzz}; accepted: a map with loss, name`}, ""},
		{`model: {name: chian}`, []string{
			`model.name: unknown value "chian", did you mean "chain"?; accepted: multiclass, chain`,
		}, ""},
		{`model: {name: crf}`, []string{
			`model.name: unknown value "crf", did you mean {name: chain, loss: log}?; accepted: multiclass, chain`,
		}, ""},
		{`solvers: eg`, []string{
			`solvers: got "eg"; write [{name: eg}]` + lists + "eta, name, such as [{name: eg}]",
		}, ""},
		{`solvers: {eg: 1}`, []string{
			`solvers: got a map; write a list: [{eg: 1}]` + lists + "eta, name, such as [{name: eg}]",
		}, ""},
		{`solvers: {eg: {eta: 1}}`, []string{
			`solvers: got a map; write a list: [{eg: ...}]` + lists + "eta, name, such as [{name: eg}]",
		}, ""},
		{`solvers: {name: eg, eta: 1}`, []string{
			`solvers: got a map; write a list: [{name: ...}]` + lists + "eta, name, such as [{name: eg}]",
		}, ""},
		{`solvers: [eg]`, []string{`solvers.0: got "eg"; write {name: eg}; accepted: a map with eta, name`}, ""},
		{`solvers: [{nme: eg}]`, []string{
			`solvers.0.name: missing; write name in place of nme; accepted: eg, sgd`,
			`solvers.0.nme: unknown key, did you mean "name"?; accepted: eta, name`,
		}, "solvers.0.name"},
		{`solvers: [{eg: {eta: 2}}]`, []string{
			`solvers.0.name: missing; write {name: eg, eta: ...}; accepted: eg, sgd`,
			`solvers.0.eg: unknown key; accepted: eta, name`,
		}, ""},
		{`claims: a > 1`, []string{
			`claims: got "a > 1"; write [{id: c1, says: ..., assert: 'a > 1'}]` + lists + "assert, id",
		}, ""},
		{`claims: [a > 1]`, []string{
			`claims.0: got "a > 1"; write {id: c1, says: ..., assert: 'a > 1'}; accepted: a map with assert, id`,
		}, ""},
		{`claims: {id: c1}`, []string{
			`claims: got a map; write a list: [{id: c1}]` + lists + "assert, id",
		}, ""},
		{`rule: a > 1`, []string{
			`rule: got "a > 1"; write {id: c1, says: ..., assert: 'a > 1'}; accepted: a map with assert`,
		}, ""},
		{`rule: 5`, []string{`rule: got 5; accepted: a map with assert`}, ""},
		{`stop: 5`, []string{`stop: got 5; write {passes: 5}; accepted: a map with gap, passes`}, ""},
		{`stop: 0.5`, []string{`stop: got 0.5; write {gap: 0.5}; accepted: a map with gap, passes`}, ""},
		{`stop: [1]`, []string{`stop: got a list; accepted: a map with gap, passes`}, ""},
		{`stop:`, []string{`stop: got nothing; accepted: a map with gap, passes`}, ""},
		{`tags: a`, []string{`tags: got "a"; write [a]; accepted: a list, each item text`}, ""},
		{`tags: 5`, []string{`tags: got 5; write [5]; accepted: a list, each item text`}, ""},
		{`options: 5`, []string{
			`options: got 5; write [{name: 5}]; accepted: a list, each item a map with name, size`,
		}, ""},
		{`C: "5"`, []string{`C: got "5"; remove the quotes; accepted: a number`}, ""},
		{`C: "0.5"`, []string{`C: got "0.5"; remove the quotes; accepted: a number`}, ""},
		{`C: {grid: [1, a]}`, []string{`C.grid.1: got "a"; accepted: a number`}, ""},
		{`C: 1, 2`, []string{`C: got "1, 2"; write a list: [1, 2]; accepted: a number`}, ""},
		{`n: "5"`, []string{`n: got "5"; remove the quotes; accepted: a whole number`}, ""},
		{`n: {grid: [1]}`, []string{`n: got a grid, which is not allowed here; accepted: a whole number`}, ""},
		{`on: "true"`, []string{`on: got "true"; remove the quotes; accepted: true or false`}, ""},
		{`on: 5`, []string{`on: got 5; accepted: true or false`}, ""},
		{`title: 5`, []string{`title: got 5, which is not text unless quoted; accepted: text`}, ""},
		{`title:`, []string{`title: got nothing; accepted: text`}, ""},
		{`title: [a]`, []string{`title: got a list; accepted: text`}, ""},
		{`either: a`, []string{`either: got "a"; accepted: a number`}, ""},
		{`either: [a]`, []string{`either.0: got "a"; accepted: a number`}, ""},
		{`model: 5`, []string{`model: got 5; accepted: a map with loss, name`}, ""},
		{"zzzzzz: a", []string{"zzzzzz: unknown key; accepted: " + keys}, ""},
	} {
		text := "p:\n  " + strings.ReplaceAll(c.text, "\n", "\n  ") + "\n"
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		var faults tree.Faults
		form.Check(&faults, doc.Content[0], tree.At(doc.Content[0], "p"), "p")
		var got []string
		meant := ""
		for _, f := range faults.List {
			got = append(got, fmt.Sprintf("%s: %s", strings.TrimPrefix(f.Key, "p."), f.Reason))
			if meant += strings.TrimPrefix(f.Meant, "p."); f.Line != strings.Count(text, "\n") {
				t.Errorf("%s: line %d, want the last", text, f.Line)
			}
		}
		if !slices.Equal(got, c.want) || meant != c.meant {
			t.Errorf("%s: faults %q, meant %q; want %q, %q", text, got, meant, c.want, c.meant)
		}
	}
}

// TestGridKeys checks that each key of a map, at each depth, accepts a grid, except those that are named, and that the
// description of a key stays.
func TestGridKeys(t *testing.T) {
	number := schema.Object{"type": "number", "description": "a size"}
	s := schema.Object{"type": "object", "properties": schema.Object{"name": number, "size": number,
		"sub": schema.Object{"type": "object", "properties": schema.Object{"size": number}}}}
	form, err := schema.NewForms(nil).Get("grids", func(schema.Describe) schema.Object {
		return schema.GridKeys(s, "name")
	})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"name: 1": 0, "name: {grid: [1]}": 1, "size: 1": 0, "size: {grid: [1, 2]}": 0,
		"size: {grid: []}": 1, "size: {grid: [a]}": 1, "sub: {size: {grid: [1]}}": 0, "sub: {size: a}": 1} {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		var faults tree.Faults
		form.Check(&faults, doc.Content[0], doc.Content[0])
		if len(faults.List) != want {
			t.Errorf("%s: %d faults, want %d", text, len(faults.List), want)
		}
	}
	if about := schema.Gridable(number)["description"]; about != "a size" {
		t.Errorf("description of a key that accepts a grid = %v, want that of the key", about)
	}
}

// TestAccepted checks the words for the values that a schema accepts, and the line of a fault of a whole document.
func TestAccepted(t *testing.T) {
	number, text := schema.Object{"type": "number"}, schema.Object{"type": "string"}
	named := func(list ...any) schema.Object {
		name := schema.Object{"type": "string", "enum": list}
		return schema.Object{"type": "array", "items": schema.Object{"type": "object",
			"properties": schema.Object{"name": name}}}
	}
	for _, c := range []struct {
		s    schema.Object
		want string
	}{
		{schema.Gridable(number), "a number, or {grid: [...]}"},
		{schema.Object{"if": schema.Object{"type": "array"}, "then": schema.Object{"type": "array", "items": text},
			"else": text}, "text, or a list, each item text"},
		{schema.Object{"if": schema.Object{"type": "object"}, "then": schema.Object{"type": "object",
			"properties": schema.Object{"a": number}}, "else": number}, "a number, or a map with a"},
		{named(), "a list, each item a map with name"},
		{named("eg"), "a list, each item a map with name, such as [{name: eg}]"},
		{named("sgd", "eg"), "a list, each item a map with name, such as [{name: sgd}]"},
		{schema.Object{"type": "string", "pattern": "^a$"}, "text of the form ^a$"},
		{schema.Object{"enum": []any{"a", 1, true}}, "a, 1, true"},
		{schema.Object{"type": "object"}, "a map"},
		{schema.Object{"type": "string", "description": "a title"}, "text (a title)"},
	} {
		if got := schema.Accepted(c.s); got != c.want {
			t.Errorf("%v accepts %q, want %q", c.s, got, c.want)
		}
	}
	form, err := schema.NewForms(nil).Get("whole", func(schema.Describe) schema.Object {
		return schema.Object{"type": "object", "properties": schema.Object{"a": number}, "required": []any{"a"}}
	})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"b: 1\np:\n\n  - a\n":    "2 p: got a list; accepted: a map with a",
		"b: 1\np:\n\n  c: 1\n":   "2 p.a: missing; accepted: a number",
		"b: 1\np:\n\n  a: [1]\n": "4 p.a: got a list; accepted: a number",
	} {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		var faults tree.Faults
		form.Check(&faults, doc.Content[0], tree.At(doc.Content[0], "p"), "p")
		if len(faults.List) != 1 {
			t.Errorf("%s: %d faults, want one", text, len(faults.List))
		} else if f := faults.List[0]; fmt.Sprintf("%d %s: %s", f.Line, f.Key, f.Reason) != want {
			t.Errorf("%s: fault %d %s: %s, want %s", text, f.Line, f.Key, f.Reason, want)
		}
	}
}
