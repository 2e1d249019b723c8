package schema_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/lang/schema"
)

// grown returns a random schema, which contains some of a few larger schemas in several places.
func grown(rng *rand.Rand, depth int) schema.Object {
	common := func() schema.Object {
		k := rng.IntN(3)
		return schema.Object{"type": "string", "enum": []any{fmt.Sprint("a long value number ", k), strings.Repeat("x", 60)}}
	}
	if depth == 0 || rng.IntN(4) == 0 {
		return common()
	}
	s := schema.Object{"type": "object"}
	for _, key := range []string{"if", "then", "else", "items", "additionalProperties", "propertyNames"} {
		if rng.IntN(2) == 0 {
			s[key] = grown(rng, depth-1)
		}
	}
	if rng.IntN(2) == 0 {
		s["properties"] = schema.Object{"a": grown(rng, depth-1), "b": grown(rng, depth-1)}
	}
	if rng.IntN(2) == 0 {
		s["allOf"] = []any{grown(rng, depth-1), grown(rng, depth-1)}
	}
	return s
}

// plain returns a schema as plain JSON values.
func plain(t *testing.T, s any) any {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// resolved replaces the references to definitions in plain JSON values by the definitions.
func resolved(v any, definitions map[string]any) any {
	switch v := v.(type) {
	case map[string]any:
		if name, ok := v["$ref"].(string); ok {
			out := map[string]any{}
			inner := resolved(definitions[strings.TrimPrefix(name, "#/$defs/")], definitions).(map[string]any)
			for key, x := range inner {
				out[key] = x
			}
			for key, x := range v {
				if key != "$ref" {
					out[key] = x
				}
			}
			return out
		}
		out := map[string]any{}
		for key, x := range v {
			if key != "$defs" {
				out[key] = resolved(x, definitions)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = resolved(x, definitions)
		}
		return out
	}
	return v
}

// TestShare checks that a shared schema with its references resolved is the schema itself, and that no long text of the
// schema is in it more than once.
func TestShare(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 6))
	for range 50 {
		s := schema.Object{"type": "object", "properties": schema.Object{"a": grown(rng, 3), "b": grown(rng, 3)}}
		want := plain(t, s)
		shared := plain(t, schema.Share(s)).(map[string]any)
		definitions := shared["$defs"].(map[string]any)
		if got := resolved(shared, definitions); !reflect.DeepEqual(got, want) {
			t.Fatalf("shared and resolved: %v, want %v", got, want)
		}
		text, _ := json.Marshal(shared)
		for k := range 3 {
			if n := strings.Count(string(text), fmt.Sprint("a long value number ", k)); n > 1 {
				t.Fatalf("a schema is written %d times in %s, want once", n, text)
			}
		}
	}
}
