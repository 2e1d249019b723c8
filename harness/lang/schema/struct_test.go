package schema_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/schema"
	"github.com/gaplab/gaplab/harness/lang/tree"
)

// inner is a struct below sizes.
type inner struct {
	Deep float64 `yaml:"deep" jsonschema:"required"`
}

// sizes has settings of each kind.
type sizes struct {
	Name   string    `yaml:"name" jsonschema:"required,enum=a,enum=b"`
	Count  uint16    `yaml:"count" jsonschema:"maximum=9"`
	Rate   float64   `yaml:"rate" jsonschema:"exclusiveMinimum=0"`
	On     bool      `yaml:"on"`
	Off    bool      `yaml:"off"`
	List   []float64 `yaml:"list" jsonschema:"minItems=1"`
	Below  inner     `yaml:"below"`
	Next   *inner    `yaml:"next"`
	Hidden int       `yaml:"-"`
}

// TestSchemaOfAStruct checks the schema of a struct: the keys, their types, limits, descriptions and defaults, and that
// only scalars that are not zero have a default.
func TestSchemaOfAStruct(t *testing.T) {
	deep := func() schema.Object {
		return schema.Object{"type": "object", "additionalProperties": false, "required": []any{"deep"},
			"properties": schema.Object{"deep": schema.Object{"type": "number"}}}
	}
	want := schema.Object{"type": "object", "additionalProperties": false, "required": []any{"name"},
		"properties": schema.Object{
			"name":  schema.Object{"type": "string", "enum": []any{"a", "b"}, "default": "b", "description": "sizes Name"},
			"count": schema.Object{"type": "integer", "minimum": 0., "maximum": 9., "default": 7},
			"rate":  schema.Object{"type": "number", "exclusiveMinimum": 0.}, "on": schema.Object{"type": "boolean",
				"default": true}, "off": schema.Object{"type": "boolean"},
			"list":  schema.Object{"type": "array", "minItems": 1., "items": schema.Object{"type": "number"}},
			"below": deep(), "next": deep(),
		}}
	describe := func(of reflect.Type, field string) string {
		if field == "Name" {
			return of.Name() + " " + field
		}
		return ""
	}
	given := &sizes{Name: "b", Count: 7, On: true, List: []float64{3}, Below: inner{Deep: 4}, Next: &inner{}}
	if diff := cmp.Diff(want, schema.OfStruct(reflect.TypeFor[sizes](), given, describe)); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
	bare := schema.OfStruct(reflect.TypeFor[sizes](), nil, nil)
	for key, v := range bare["properties"].(schema.Object) {
		if s := v.(schema.Object); s["default"] != nil || s["description"] != nil {
			t.Errorf("without defaults and descriptions, %s is %v", key, s)
		}
	}
	none := schema.OfStruct(reflect.TypeFor[struct{}](), &struct{}{}, nil)
	if got := none["properties"]; !cmp.Equal(got, schema.Object{}) {
		t.Errorf("properties of a struct without fields: %v", got)
	}
}

// TestDescriptionsOfFields checks which text is the description of a field: the first paragraph above it, on one line,
// of the type of this name in this package.
func TestDescriptionsOfFields(t *testing.T) {
	const tag = "`yaml:\"x\"`"
	files := map[string]string{
		"a.go": "package p\n\n" +
			"type other struct {\n\t// wrong\n\tName int " + tag + "\n}\n\ntype sizes struct {\n\t// the name\n" +
			"\t// of it\n\t//\n\t// more\n\tName, Count int " + tag + "\n\tRate int " + tag + " // not this\n}\n",
		"sub/b.go":    "package q\n\ntype sizes struct {\n\t// wrong\n\tRate int " + tag + "\n}\n",
		"c.txt":       "type sizes struct {\n\t// wrong\n\tRate int " + tag + "\n}\n",
		"unparsed.go": "not Go, but without settings",
	}
	sources := fstest.MapFS{}
	for name, text := range files {
		sources[name] = &fstest.MapFile{Data: []byte(text)}
	}
	describe := schema.Comments(sources, reflect.TypeFor[sizes]().PkgPath())
	for field, want := range map[string]string{"Name": "the name of it", "Count": "the name of it", "Rate": "", "": "",
		"None": ""} {
		if got := describe(reflect.TypeFor[sizes](), field); got != want {
			t.Errorf("description of %q: %q, want %q", field, got, want)
		}
	}
	if got := describe(reflect.TypeFor[inner](), "Name"); got != "" {
		t.Errorf("description of a field of another type: %q", got)
	}
}

// faultsOf returns the number of faults of a text by a schema.
func faultsOf(t *testing.T, s schema.Object, text string) int {
	t.Helper()
	form, err := schema.NewForms(nil).Get("s", func(schema.Describe) schema.Object { return s })
	if err != nil {
		t.Fatal(err)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	var faults tree.Faults
	form.Check(&faults, doc.Content[0], doc.Content[0])
	return len(faults.List)
}

// TestOverlaysOfASchema checks what the schema of an overlay accepts: fewer keys and null, at each depth of maps, but
// the same values, lists and grids as the schema itself.
func TestOverlaysOfASchema(t *testing.T) {
	number := schema.Object{"type": "number", "default": 3, "exclusiveMinimum": 0}
	object := func(properties schema.Object, required ...any) schema.Object {
		return schema.Object{"type": "object", "properties": properties, "required": required, "additionalProperties": false,
			"minProperties": 1}
	}
	eg := object(schema.Object{"name": true, "eta": number}, "eta")
	eg["description"] = "of the definition"
	s := object(schema.Object{
		"a": number, "sub": object(schema.Object{"x": number, "y": number}, "x"), "size": schema.Gridable(number),
		"list": schema.Object{"type": "array", "items": object(schema.Object{"x": number}, "x")},
		"solver": schema.Object{"type": "object", "required": []any{"name"}, "description": "an algorithm",
			"properties": schema.Object{"name": schema.Object{"enum": []any{"eg"}}}, "allOf": []any{
				schema.Object{"if": schema.Object{"required": []any{"name"}}, "then": schema.Object{"$ref": "#/$defs/eg"}}}},
	}, "a", "sub")
	s["dependentRequired"] = schema.Object{"size": []any{"list"}}
	whole := plain(t, s)
	partial := schema.Partial(s, schema.Object{"eg": eg})
	for text, want := range map[string]bool{
		"{}": true, "{a: 1}": true, "{a: null}": true, "{a: x}": false, "{a: 0}": false, "{b: 1}": false, "{b: null}": false,
		"{sub: null}": true, "{sub: {}}": true, "{sub: {y: 2}}": true, "{sub: {x: null}}": true, "{sub: {x: y}}": false,
		"{sub: 1}": false, "{size: 2}": true, "{size: null}": true, "{size: {grid: [1, 2]}}": true,
		"{size: {grid: []}}": false, "{size: {grid: [x]}}": false, "{size: {grid: null}}": false, "{list: []}": true,
		"{list: null}": true, "{list: [{x: 1}]}": true, "{list: [{}]}": false, "{list: [{x: null}]}": false,
		"{solver: {}}":         true,
		"{solver: {name: eg}}": true, "{solver: {name: eg, eta: 2}}": true, "{solver: {name: eg, eta: null}}": true,
		"{solver: {name: eg, eta: 0}}": false, "{solver: {name: eg, old: null}}": true, "{solver: {name: eg, old: 1}}": false,
		"{solver: {name: sgd}}": false,
	} {
		if got := faultsOf(t, partial, text); (got == 0) != want {
			t.Errorf("%s: %d faults, want none: %v", text, got, want)
		}
	}
	if !reflect.DeepEqual(plain(t, s), whole) {
		t.Errorf("Partial has changed the schema to %v", s)
	}
	text := string(schema.Layout(partial))
	if strings.Count(text, `"default"`) != 1 || // of an item of a list, which an overlay replaces as a whole
		strings.Contains(text, "of the definition") ||
		!strings.Contains(text, "an algorithm") {
		t.Errorf("the overlay has other defaults, or wrong descriptions: %s", text)
	}
}

// TestNamesInMessages checks when a message lists the names of data sets, models and solvers, and which command it
// names if there are too many, and the words for the range of a number.
func TestNamesInMessages(t *testing.T) {
	list := func(n int) []string { return slices.Repeat([]string{"x"}, n) }
	for section, command := range map[string]string{"dataset": "gaplab data list", "model": "gaplab help models",
		"solvers": "gaplab help solvers", "other": ""} {
		for n := 11; n <= 14; n++ {
			want := strings.Join(list(n), ", ")
			if n > 12 && command != "" {
				want = "a name that `" + command + "` prints"
			}
			if got := schema.NameList(section, list(n)); got != want {
				t.Errorf("%d names of %s: %q, want %q", n, section, got, want)
			}
		}
	}
	for want, s := range map[string]schema.Object{
		"a number": {"type": "number"}, "a number > 0 and ≤ 1": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
		"a whole number ≥ 2 and < 5": {"type": "integer", "minimum": 2, "exclusiveMaximum": 5}, "true or false": {
			"type": "boolean"}, "a value (any)": {"description": "any"}, "a map with a, b": {"type": "object",
			"properties": schema.Object{"b": true, "a": true}},
	} {
		if got := schema.Accepted(s); got != want {
			t.Errorf("%v accepts %q, want %q", s, got, want)
		}
	}
}

// TestShareKeepsNotes checks that descriptions and defaults stay at their keys when equal schemas are shared.
func TestShareKeepsNotes(t *testing.T) {
	rng := rand.New(rand.NewPCG(2811, 13))
	for range 50 {
		properties := schema.Object{}
		for k := range 6 {
			s := grown(rng, 0)
			for _, note := range []string{"description", "default"} {
				if rng.IntN(2) == 0 {
					s[note] = fmt.Sprint(note, " ", rng.IntN(3))
				}
			}
			properties[fmt.Sprint("k", k)] = s
		}
		s := schema.Object{"type": "object", "properties": properties}
		want := plain(t, s)
		shared := plain(t, schema.Share(s)).(map[string]any)
		if got := resolved(shared, shared["$defs"].(map[string]any)); !reflect.DeepEqual(got, want) {
			t.Fatalf("shared and resolved (-want +got):\n%s", cmp.Diff(want, got))
		}
	}
}

// TestFormsByName checks that a form is built once for each name, and that a schema that is no schema is an error.
func TestFormsByName(t *testing.T) {
	forms, built := schema.NewForms(func(reflect.Type, string) string { return "d" }), map[string]int{}
	get := func(name, kind string) *schema.Form {
		f, err := forms.Get(name, func(d schema.Describe) schema.Object {
			about := ""
			if d != nil {
				about = d(nil, "")
			}
			built[name+about]++
			return schema.Object{"type": kind, "description": about}
		})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	a, b, again := get("a b/c", "string"), get("b", "number"), get("a b/c", "number")
	if a != again || a == b || a.Described()["type"] != "string" || a.Described()["description"] != "d" ||
		b.Described()["type"] != "number" {
		t.Errorf("forms %v, %v, %v", a.Described(), b.Described(), again.Described())
	}
	if want := map[string]int{"a b/c": 1, "b": 1, "a b/cd": 1, "bd": 1}; !cmp.Equal(built, want) {
		t.Errorf("built %v, want %v", built, want)
	}
	for range 2 {
		bad := func(schema.Describe) schema.Object { return schema.Object{"$ref": "#/none"} }
		if _, err := forms.Get("bad", bad); err == nil || !strings.HasPrefix(err.Error(), "schema of bad: ") {
			t.Errorf("a reference to nothing: error %v", err)
		}
	}
}
