package lang

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gaplab/gaplab/harness/lang/schema"
	"github.com/gaplab/gaplab/harness/lang/tree"
)

// editors returns the exported schema, compiled as an editor compiles it.
func editors(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := Schema(toy())
	if err != nil {
		t.Fatal(err)
	}
	return compiled(t, text)
}

// compiled compiles a schema and checks it against the schema of the JSON Schema standard.
func compiled(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("https://gaplab.invalid/editor.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := compiler.Compile("https://gaplab.invalid/editor.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// asJSON converts a text in YAML to plain values, as for JSON.
func asJSON(t *testing.T, text string) any { return tree.Value(node(t, text)) }

// TestSchemaAccepts checks that the exported schema, which editors use, accepts correct specs and correct overlays.
func TestSchemaAccepts(t *testing.T) {
	s := editors(t)
	files, err := filepath.Glob("testdata/good/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no good specs: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(asJSON(t, string(text))); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, over := range []string{
		"{stop: {passes: null, gap: 0.1}}", "{dataset: {name: mnist}}", "{dataset: {format: libsvm}}", "null",
		"{dataset: {name: covertype, train: null}}", "{dataset: {train: 7}, solvers: [{name: lbfgs}]}",
		"{budget: null, regularisation: {C: {grid: [1]}}}",
	} {
		if err := s.Validate(asJSON(t, strings.Replace(base, "{stop: {passes: 3}}", over, 1))); err != nil {
			t.Errorf("smoke: %s: %v", over, err)
		}
	}
}

// TestSchemaRefuses checks that the exported schema, which editors use, refuses some of the faulty specs in
// testdata/bad.txt. Each of these is an edit of the correct spec in the constant base.
func TestSchemaRefuses(t *testing.T) {
	s := editors(t)
	for _, tt := range []struct{ old, with string }{
		{"stop:", "stpo:"},
		{"eta: 0.5", "eta: -1"},
		{"eta: 0.5", "eat: 1"},
		{"eta: 0.5", "eta: {grid: [0.5, x]}"},
		{"name: eg, eta", "name: ge, eta"},
		{"digits, train", "covertype, train"},
		{"loss: log", "loss: square"},
		{"loss: log", "bias: true"},
		{"[10, 1]", "[10, 0]"},
		{"[10, 1]", "{grid: [10, 0]}"},
		{"[10, 1]", "{grid: [10, 1], other: 2}"},
		{"[10, 1]", "{grid: 10}"},
		{"[10, 1]", "{}"},
		{"gaplab/v1", "gaplab/v2"},
		{"smoke:", "tiny:"},
		{"{stop: {passes: 3}}", "{stop: {passes: -3}}"},
		{"{stop: {passes: 3}}", "{id: x}"},
		{"{stop: {passes: 3}}", "{solvers: [{eta: 1}]}"},
		{"{stop: {passes: 3}}", "{dataset: {name: covertype, train: 1}}"},
	} {
		text := strings.Replace(base, tt.old, tt.with, 1)
		if s.Validate(asJSON(t, text)) == nil {
			t.Errorf("the schema accepts %q", tt.with)
		}
	}
}

// TestSchemaHelps checks that the exported schema has descriptions of keys, defaults, and the names that the catalogue
// lists, and that it is the same at each call.
func TestSchemaHelps(t *testing.T) {
	text, err := Schema(toy())
	if err != nil {
		t.Fatal(err)
	}
	again, err := Schema(toy())
	if err != nil || !bytes.Equal(text, again) {
		t.Errorf("the schema differs from call to call (%v)", err)
	}
	var one bytes.Buffer
	if err := json.Compact(&one, text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"$schema":"https://json-schema.org/draft/2020-12/schema"`, `"description":"initial rate"`, `"default":0.5`,
		`"$ref":"#/$defs/solver-one-slack"`, `"exponentiated gradient"`, `"const":"libsvm"`,
	} {
		if !strings.Contains(one.String(), want) {
			t.Errorf("the schema lacks %s", want)
		}
	}
}

// TestSharedSchemaIsTheSame checks that a schema accepts and refuses the same values before and after Share.
func TestSharedSchemaIsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test makes all schemas")
	}
	apart, together := compiled(t, schema.Layout(toy().wholeSchema())), editors(t)
	refused := 0
	list := edits(t)
	for _, tt := range list {
		p := &tree.Faults{}
		root := tree.Read(p, []byte(tt.text))
		if len(p.List) > 0 {
			continue // Parse refuses this YAML before it applies a schema
		}
		v := tree.Value(root)
		want, got := apart.Validate(v) != nil, together.Validate(v) != nil
		if want != got {
			t.Errorf("%s: refused: %v apart, %v shared", tt.name, want, got)
		}
		if got {
			refused++
		}
	}
	if refused < 20 {
		t.Errorf("only %d of %d bad specs are refused", refused, len(list))
	}
}

// TestFormsAreSchemas checks the parser's schemas against the JSON Schema standard. The parser itself skips this check
// (see formURL in schema/form.go).
func TestFormsAreSchemas(t *testing.T) {
	cat := toy()
	all := []schema.Object{cat.experimentSchema(false)}
	for _, kind := range EntryKinds() {
		all = append(all, cat.itemSchema(kind, false))
		for _, n := range kind.entries(cat) {
			all = append(all, cat.entrySchema(kind, n))
		}
	}
	for _, s := range all {
		compiled(t, schema.Layout(s))
	}
}
