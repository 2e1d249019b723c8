package schema

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// settings is a struct with the keywords that settings use.
type settings struct {
	Rate   float64           `yaml:"rate" jsonschema:"required,exclusiveMinimum=0,maximum=1"`
	Size   int               `yaml:"size" jsonschema:"minimum=1,exclusiveMaximum=100"`
	Order  string            `yaml:"order" jsonschema:"enum=random,enum=cyclic"`
	ID     string            `yaml:"id" jsonschema:"minLength=2,maxLength=4,pattern=^[a-zé]+$"`
	Seeds  []uint64          `yaml:"seeds" jsonschema:"minItems=1,maxItems=3,uniqueItems=true,maximum=9007199254740991"`
	On     bool              `yaml:"on"`
	Labels map[string]string `yaml:"labels"`
}

// TestValidation validates values against schemas. It checks that the mismatches are those that the library jsonschema
// finds.
func TestValidation(t *testing.T) {
	s := OfStruct(reflect.TypeFor[settings](), settings{Size: 3, Order: "cyclic"}, nil)
	schemas := []Object{s, GridKeys(s, "order"), Gridable(s), {"type": "array", "items": s}, {}, {"type": "null"},
		{"if": Object{"required": []any{"kind"}, "properties": Object{"kind": Object{"const": "theorem"}}},
			"then": Object{"dependentRequired": Object{"size": []any{"rate", "order"}, "id": []any{"on"}}},
			"else": Object{"if": Object{"type": "object"}, "then": Object{"required": []any{"rate", "size"}},
				"else": Object{"type": "number", "minimum": 2}}},
		{"type": "object", "minProperties": 1, "additionalProperties": Object{"type": "integer"},
			"propertyNames": Object{"enum": []any{"rate", "size"}}},
		{"properties": Object{"rate": true, "size": false}, "additionalProperties": false},
		{"const": 1.0}, {"enum": []any{"a", 1, nil, false}}, {"uniqueItems": true}, {"type": "array", "maxItems": 1.0},
	}
	scalars := []any{nil, true, false, 0, 1, 2, 1.0, -0.5, 0.5, 99.5, 100, 1e30, uint64(1 << 63), "", "a", "é", "ab",
		"abcdé", "A1", "random", "theorem"}
	all := slices.Clone(scalars)
	for _, v := range scalars {
		for _, key := range []string{"rate", "size", "order", "id", "seeds", "on", "labels", "kind", "grid", "a/b~c"} {
			all = append(all, Object{key: v}, Object{"rate": 0.5, key: v}, Object{key: []any{v, v}},
				Object{key: Object{"grid": []any{v, 1}}}, Object{"rate": 1, "size": 2, key: Object{"x": v}},
				Object{"kind": "theorem", key: v}, Object{"grid": []any{Object{key: v}}})
		}
		all = append(all, []any{v}, []any{v, v}, []any{v, 1, "a"}, []any{[]any{v}, []any{1.0}},
			[]any{Object{"x": v}, Object{"x": 1}})
	}
	valid, invalid := 0, 0
	for i, s := range schemas {
		if err := supported(s); err != nil {
			t.Fatalf("schema %d: %v", i, err)
		}
		doc, err := values(s)
		if err != nil {
			t.Fatal(err)
		}
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource("https://gaplab.invalid/s.json", doc); err != nil {
			t.Fatal(err)
		}
		compiled := compiler.MustCompile("https://gaplab.invalid/s.json")
		for _, v := range all {
			want, got := leaves(t, compiled.Validate(v)), []string{}
			var c validation
			c.check(s, v, nil, nil)
			for _, m := range c.list {
				slices.Sort(m.names)
				got = append(got, fmt.Sprint(m.keyword, m.at, m.steps, m.names))
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("schema %d, value %v: mismatches\n%q, want\n%q", i, v, got, want)
			}
			if len(want) == 0 {
				valid++
			} else {
				invalid++
			}
		}
	}
	if valid < 1000 || invalid < 1000 {
		t.Errorf("%d valid values and %d invalid ones, want at least 1,000 of both", valid, invalid)
	}
}

// leaves lists the errors of the library jsonschema that have no further causes: keyword, path of the value, steps to
// the schema, and keys.
func leaves(t *testing.T, err error) []string {
	out := []string{}
	if err == nil {
		return out
	}
	var fault *jsonschema.ValidationError
	if !errors.As(err, &fault) {
		t.Fatal(err)
	}
	var walk func(f *jsonschema.ValidationError)
	walk = func(f *jsonschema.ValidationError) {
		for _, cause := range f.Causes {
			walk(cause)
		}
		if len(f.Causes) > 0 {
			return
		}
		keyword, names := "false", []string(nil)
		if path := f.ErrorKind.KeywordPath(); len(path) > 0 {
			keyword = path[0]
		}
		if k := reflect.ValueOf(f.ErrorKind).Elem(); k.Kind() == reflect.Struct {
			for _, field := range []string{"Missing", "Properties"} {
				if list := k.FieldByName(field); list.IsValid() {
					names = slices.Sorted(slices.Values(list.Interface().([]string)))
				}
			}
		}
		_, fragment, _ := strings.Cut(f.SchemaURL, "#")
		fragment, err := url.PathUnescape(fragment)
		if err != nil {
			t.Fatal(err)
		}
		steps := strings.Split(fragment, "/")[1:]
		for i, step := range steps {
			steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		}
		out = append(out, fmt.Sprint(keyword, f.InstanceLocation, steps, names))
	}
	walk(fault)
	slices.Sort(out)
	return out
}

// TestUnsupported checks that a schema with a keyword or a value that validation does not check is refused.
func TestUnsupported(t *testing.T) {
	for keyword, s := range map[string]Object{
		"multipleOf": {"items": Object{"multipleOf": 2}},
		"type":       {"properties": Object{"x": Object{"type": []any{"null", "string"}}}},
		"required":   {"required": []string{"x"}},
		"pattern":    {"pattern": "("},
		"then":       {"if": true, "then": "x"},
	} {
		if err := supported(s); err == nil || !strings.Contains(err.Error(), keyword) {
			t.Errorf("%v: error %v, want one that names %s", s, err, keyword)
		}
	}
}
