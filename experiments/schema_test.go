package experiments_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
)

// TestSchemaIsCurrent checks that schema.json, which editors read, agrees with the catalogue.
func TestSchemaIsCurrent(t *testing.T) {
	want, err := lang.Schema(harness.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.TrimSpace(got), bytes.TrimSpace(want)) {
		t.Error("experiments/schema.json is out of date: run `go run ./cmd/gaplab schema > experiments/schema.json`")
	}
}

// TestSchemaIsSmall checks the size of the schema, which must be small: editors load it with each spec, and its changes
// appear in diffs.
func TestSchemaIsSmall(t *testing.T) {
	info, err := os.Stat("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() >= 260_000 {
		t.Errorf("schema.json has %d bytes; want less than 260,000", info.Size())
	}
}

// newcomer holds three settings, as those of a new solver.
type newcomer struct {
	Eta   float64 `yaml:"eta" jsonschema:"exclusiveMinimum=0"`
	Every int     `yaml:"every" jsonschema:"minimum=1"`
	Order string  `yaml:"order" jsonschema:"enum=random,enum=sweep"`
}

// TestSolversAreFewLines checks that a new solver adds only its settings to the schema, and does not change other
// lines.
func TestSolversAreFewLines(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test reads all sources")
	}
	lines := func(cat lang.Catalogue) map[string]int {
		text, err := lang.Schema(cat)
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		for line := range strings.Lines(string(text)) {
			count[strings.TrimRight(line, ",\n")]++
		}
		return count
	}
	cat := harness.Catalogue()
	before := lines(cat)
	cat.Solvers = append(slices.Clone(cat.Solvers), lang.Entry{Name: "newcomer", About: "a solver of a test",
		New: func() any { return &newcomer{Eta: 1, Every: 5, Order: "sweep"} }})
	after := lines(cat)
	changed := 0
	for line, n := range after {
		changed += max(0, n-before[line])
	}
	for line, n := range before {
		changed += max(0, n-after[line])
	}
	if changed < 10 || changed > 50 {
		t.Errorf("a solver with three settings changes %d lines of the schema; want up to 50", changed)
	}
}

// TestEditorsAcceptAll checks that schema.json is a valid schema by the standard, and accepts every committed spec.
func TestEditorsAcceptAll(t *testing.T) {
	text, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("https://gaplab.invalid/schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("https://gaplab.invalid/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range experiments.IDs() {
		text, err := experiments.FS.ReadFile(id + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		var spec any
		if err := yaml.Unmarshal(text, &spec); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(spec); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
}
