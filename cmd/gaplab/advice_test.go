package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/reference"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
)

// TestHelpPages checks the page of words with several meanings, and that each page exists and has its word.
func TestHelpPages(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test asks for all pages of help")
	}
	root := program()
	pages, err := helpPages(root)
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{
		"run": "run", "spec": "spec", "classify": "train", "parse": "train", "tag": "train", "stop": "spec stop",
		"model": "spec model", "dataset": "spec dataset", "solvers": "solvers", "solver": "solvers", "column": "columns",
		"expression": "expressions", "passes": "spec stop.passes", "gap": "spec stop.gap", "C": "spec regularisation.C",
		"growth": "spec record.every.growth", "lambda": "spec regularisation.lambda",
		"yscale": "spec figure.panels", "eg": "solvers eg", "chain": "models chain",
		"mnist": "datasets mnist", "libsvm": "datasets libsvm", "delimiter": "datasets", "eta0": "solvers",
		"report": "report", "data": "data", "kernel": "models kernel",
	} {
		if pages[word] != "gaplab help "+want {
			t.Errorf("%s: page %q, want gaplab help %s", word, pages[word], want)
		}
	}
	for _, hidden := range []string{"man", "grid", ""} {
		if page, ok := pages[hidden]; ok {
			t.Errorf("%q has the page %s", hidden, page)
		}
	}
	text, err := lang.Schema(harness.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	r, err := reference.New(text)
	if err != nil {
		t.Fatal(err)
	}
	kind := map[string][]string{"datasets": {"dataset", "format"}, "models": {"model"}, "solvers": {"solver"}}
	for word, page := range pages {
		parts := strings.Fields(page)[2:]
		is := func(c reference.Component) bool { return slices.Contains(kind[parts[0]], c.Kind) }
		found := len(parts) == 1 && (parts[0] == word || parts[0] == word+"s")
		switch {
		case parts[0] == "spec" && len(parts) == 2:
			found = slices.ContainsFunc(r.Keys, func(k reference.Key) bool {
				below := k.Path == parts[1] || strings.HasPrefix(k.Path, parts[1]+".") || strings.HasPrefix(k.Path, parts[1]+"[")
				return below && strings.HasSuffix("."+k.Path, "."+word)
			})
		case len(parts) == 2:
			found = parts[1] == word && slices.ContainsFunc(r.Components, func(c reference.Component) bool {
				return is(c) && c.Name == word
			})
		case parts[0] == "train":
			found = found || strings.Contains(trainLong, "--task "+word)
		case kind[parts[0]] != nil:
			found = found || slices.ContainsFunc(r.Components, func(c reference.Component) bool {
				return is(c) && slices.ContainsFunc(c.Settings, func(k reference.Key) bool { return k.Path == word })
			})
		}
		if !found {
			t.Errorf("%s has the page %s, which does not explain it", word, page)
		}
	}
}
