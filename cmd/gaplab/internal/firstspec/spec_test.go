package firstspec

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/formats"
	"github.com/gaplab/gaplab/harness/lang"
)

// TestSpec reads the specs of several forms as YAML, and compares their keys with the settings that each form needs.
// It also checks the values of λ: three powers of ten, the largest about 10/n, or 100/n for a parser. The loader
// must read the file as a run of the spec would, except that it does not scale.
func TestSpec(t *testing.T) {
	sentences := func(n int) *datasets.Set {
		return &datasets.Set{Train: &datasets.Sentences{Start: make([]int, n+1)}}
	}
	rows := func(n, classes int) *datasets.Set {
		return &datasets.Set{Train: &datasets.Labelled{X: datasets.Rows{N: n}, Classes: make([]string, classes)}}
	}
	treebank := strings.Fields("id word lemma cpos pos feats head deprel _ _")
	text := map[string]any{"format": "conll", "path": "a b.txt", "validation": 0.2}
	with := func(base map[string]any, more map[string]any) map[string]any {
		out := map[string]any{}
		for _, m := range []map[string]any{base, more} {
			for key, value := range m {
				out[key] = value
			}
		}
		return out
	}
	for _, c := range []struct {
		form    Form
		path    string
		held    string
		set     *datasets.Set
		dataset map[string]any
		model   map[string]any
		by      string
		lambda  []any
		stop    map[string]any
	}{
		{Form{Task: Tag, Format: "conll", Columns: []string{"word", "pos", "chunk"}, Label: "chunk", Spans: true},
			"a b.txt", "", sentences(1000), with(text, map[string]any{"columns": "word pos chunk"}),
			map[string]any{"name": "chain", "loss": "log", "label": "chunk"}, "validation_f1", []any{1e-2, 1e-3, 1e-4},
			map[string]any{"gap": 1e-2, "passes": 60}},
		{Form{Task: Tag, Format: "conll", Columns: []string{"word", "tag"}, Label: "tag", Comments: true},
			"a b.txt", "true", sentences(90), with(text, map[string]any{"columns": "word tag", "comments": true,
				"validation": "true"}),
			map[string]any{"name": "chain", "loss": "log", "label": "tag"}, "validation_error", []any{1e-1, 1e-2, 1e-3},
			map[string]any{"gap": 1e-2, "passes": 60}},
		{Form{Task: Parse, Format: "conll", Columns: treebank, Label: "pos"}, "a b.txt", "", sentences(10),
			with(text, map[string]any{"columns": strings.Join(treebank, " "), "projective": true}),
			map[string]any{"name": "deptree", "loss": "hinge", "cutoff": 2}, "validation_accuracy", []any{1e1, 1e0, 1e-1},
			map[string]any{"gap": 1e-1, "passes": 20}},
		{Form{Task: Parse, Format: "conllu", Label: "upos"}, "a b.txt", "", sentences(10),
			with(text, map[string]any{"format": "conllu", "projective": true}),
			map[string]any{"name": "deptree", "loss": "hinge", "cutoff": 2}, "validation_accuracy", []any{1e1, 1e0, 1e-1},
			map[string]any{"gap": 1e-1, "passes": 20}},
		{Form{Task: Classify, Format: "libsvm", ZeroBased: true}, "12", "more.txt", rows(100, 2),
			map[string]any{"format": "libsvm", "path": "12", "zero_based": true, "validation": "more.txt"},
			map[string]any{"name": "binary", "loss": "log", "bias": 1}, "validation_error", []any{1e-1, 1e-2, 1e-3},
			map[string]any{"gap": 1e-3, "passes": 200}},
		{Form{Task: Classify, Format: "csv", Delimiter: "semicolon", Label: "no"}, "x.csv", "", rows(100, 3),
			map[string]any{"format": "csv", "path": "x.csv", "label": "no", "delimiter": "semicolon", "scale": "max",
				"validation": 0.2},
			map[string]any{"name": "multiclass", "loss": "log"}, "validation_error", []any{1e-1, 1e-2, 1e-3},
			map[string]any{"gap": 1e-3, "passes": 200}},
		{Form{Task: Classify, Format: "csv", Delimiter: "comma", Label: "kind"}, "x.csv", "", rows(100, 3),
			map[string]any{"format": "csv", "path": "x.csv", "label": "kind", "scale": "max", "validation": 0.2},
			map[string]any{"name": "multiclass", "loss": "log"}, "validation_error", []any{1e-1, 1e-2, 1e-3},
			map[string]any{"gap": 1e-3, "passes": 200}},
	} {
		written := c.form.Spec("my/first", c.path, c.held, c.set)
		var got struct {
			APIVersion     string `yaml:"apiVersion"`
			ID             string
			Dataset, Model map[string]any
			Regularisation struct {
				Convention string
				Lambda     []any
			}
			Choose  map[string]any
			Solvers []map[string]any
			Stop    map[string]any
		}
		keys := yaml.NewDecoder(strings.NewReader(written))
		keys.KnownFields(true)
		if err := keys.Decode(&got); err != nil {
			t.Fatalf("%v:\n%s", err, written)
		}
		templates, _ := got.Model["features"].(string)
		delete(got.Model, "features")
		for what, pair := range map[string][2]any{
			"version": {got.APIVersion, lang.Version}, "convention": {got.Regularisation.Convention, "lambda"},
			"id": {got.ID, "my/first"}, "dataset": {got.Dataset, c.dataset}, "model": {got.Model, c.model},
			"rule":      {got.Choose, map[string]any{"over": "lambda", "by": c.by}},
			"solvers":   {got.Solvers, []map[string]any{{"name": "auto"}}},
			"stop rule": {fmt.Sprint(got.Stop), fmt.Sprint(c.stop)},
			"lambda":    {fmt.Sprint(got.Regularisation.Lambda), fmt.Sprint(c.lambda)},
		} {
			if !reflect.DeepEqual(pair[0], pair[1]) {
				t.Errorf("%+v: %s = %v, want %v", c.form, what, pair[0], pair[1])
			}
		}
		if loader, want := c.form.Loader(c.path, c.held), loaderOf(t, got.Dataset); !reflect.DeepEqual(loader, want) {
			t.Errorf("%+v: loader %+v, want that of the spec, %+v", c.form, loader, want)
		}
		// Each column but the words, the one to predict and those of a treebank gives features; a tagger always has a bias.
		for _, column := range c.form.Columns {
			wanted := c.form.Task == Tag && column == "pos" || c.form.Task == Tag && column == "word"
			if strings.Contains(templates, column+"[0]") != wanted {
				t.Errorf("%+v: features %q of column %s: %v, want %v", c.form, templates, column, !wanted, wanted)
			}
		}
		if strings.HasSuffix(templates, " bias") != (c.form.Task == Tag) {
			t.Errorf("%+v: features %q, want a bias only for taggers", c.form, templates)
		}
	}
}

// loaderOf returns the loader of a data set in a spec, without its scale.
func loaderOf(t *testing.T, dataset map[string]any) datasets.Loader {
	t.Helper()
	dataset["scale"] = ""
	text, err := yaml.Marshal(dataset)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []datasets.Entry{formats.CoNLLEntry(), formats.CoNLLUEntry(), formats.CSVEntry(),
		formats.LIBSVMEntry()} {
		if e.Name != dataset["format"] {
			continue
		}
		loader := reflect.ValueOf(e.New())
		if err := yaml.Unmarshal(text, loader.Interface()); err != nil {
			t.Fatal(err)
		}
		return loader.Elem().Interface().(datasets.Loader)
	}
	t.Fatalf("no format %v", dataset["format"])
	return nil
}
