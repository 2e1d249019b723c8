package lang

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// editors compiles the exported schema, as an editor would.
func editors(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := Schema(toy())
	if err != nil {
		t.Fatal(err)
	}
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

func asJSON(t *testing.T, text string) any {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return value(doc.Content[0])
}

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
		"{dataset: {train: 7}, solvers: [{name: lbfgs}]}", "{budget: null, regularisation: {C: {grid: [1]}}}",
	} {
		if err := s.Validate(asJSON(t, strings.Replace(base, "{stop: {passes: 3}}", over, 1))); err != nil {
			t.Errorf("smoke: %s: %v", over, err)
		}
	}
}

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

func TestSchemaHelps(t *testing.T) {
	text, err := Schema(toy())
	if err != nil {
		t.Fatal(err)
	}
	again, err := Schema(toy())
	if err != nil || !bytes.Equal(text, again) {
		t.Errorf("the schema differs from call to call (%v)", err)
	}
	for _, want := range []string{
		`"$schema": "https://json-schema.org/draft/2020-12/schema"`, `"description": "initial rate"`, `"default": 0.5`,
		`"$ref": "#/$defs/solver-one-slack"`, `"exponentiated gradient"`, `"const": "libsvm"`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the schema lacks %s", want)
		}
	}
}
