package editor_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/lang/editor"
)

// hintsOf returns the place at the character | in a text, and the words of the hints there.
func hintsOf(t *testing.T, text string) (editor.Place, []string) {
	t.Helper()
	p, err := lang.NewParser(harness.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	cursor := strings.IndexByte(text, '|')
	text = strings.Replace(text, "|", "", 1)
	place := editor.Hints(p, text, cursor)
	var words []string
	for _, h := range place.Hints {
		words = append(words, h.Word)
	}
	return place, words
}

// TestHints checks the hints at the cursor, which is the character | in a text. Words after + must be among the hints,
// words after - must not. Some texts have open brackets, or a line without its colon.
func TestHints(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test asks for hints at tens of places")
	}
	for text, want := range map[string]string{
		"|":                             "+base dataset solvers explore problems -eta",
		"dat|":                          "+dataset",
		"dataset: {|":                   "+name format -train",
		"dataset: {name: dig|":          "+digits mnist -bcfw",
		"dataset:\n  name: di|":         "+digits",
		"dataset:\n  name: digits\n  |": "+train validation seed -name",
		"dataset: {name: digits, tr|}\nmodel: {name: multiclass}": "+train",
		"dataset:\n  na|\nmodel: {name: multiclass}":              "+name format",
		"solvers: [{name: bcfw, |":                                "+average order step as stop -name eta",
		"solvers:\n  - name: bcfw\n    step: |":                   "+frank-wolfe pairwise",
		"solvers: [{name: bcfw, average: |}]":                     "+true false",
		"solvers: [|":                                             "",
		"solvers: [{|":                                            "+name",
		"sgd: {base: eg-digits, solvers: [{name: sgd, |":          "+eta0 -base",
		"sgd:\n  base: eg-digits\n  |":                            "+solvers explore -base",
		"regularisation: {convention: |}":                         "+eg svm-struct lambda",
		"stop: {|":                                                "+passes gap seconds",
		"record: {every: {|":                                      "+growth passes epochs",
		"model: {name: multiclass, loss: |":                       "+log hinge",
		"problems:\n  a:\n    dataset: {name: digits, |":          "+train",
		"scales:\n  smoke:\n    stop: {|":                         "+passes",
		"figure: {x: passes, xs|":                                 "+xscale -dataset",
		"figure: {panels: [{yscale: |":                            "+log",
		"claims: [{id: c1, ki|":                                   "+kind",
		"title: it's\ndataset: {|":                                "+name",
		"stop: {passes: {|":                                       "",
		"]|":                                                      "",
	} {
		place, words := hintsOf(t, text)
		in, out, _ := strings.Cut(strings.TrimPrefix(want, "+"), " -")
		for _, w := range strings.Fields(in) {
			if !slices.Contains(words, w) {
				t.Errorf("%s: hints %v (path %v), want %s among them", text, words, place.Path, w)
			}
		}
		for _, w := range strings.Fields(out) {
			if slices.Contains(words, w) {
				t.Errorf("%s: hints %v, want no %s", text, words, w)
			}
		}
		if want == "" && len(words) > 0 {
			t.Errorf("%s: hints %v, want none", text, words)
		}
	}
}

// TestHintOfAKey checks what a hint states about a key: its description, its accepted values, its default, and the
// solver to which it belongs. It also checks the description of a value.
func TestHintOfAKey(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test asks for a hint for each key")
	}
	find := func(text, word string) editor.Hint {
		place, words := hintsOf(t, text)
		i := slices.Index(words, word)
		if i < 0 {
			t.Fatalf("%s: no %s among %v", text, word, words)
		}
		return place.Hints[i]
	}
	if h := find("solvers: [{name: bcfw, step|: pairwise}]", "step"); h.Of != "solver bcfw" ||
		h.Default != "frank-wolfe" || h.Accepts != "frank-wolfe, pairwise" || !strings.Contains(h.Says, "least violated") {
		t.Errorf("%+v", h)
	}
	if h := find("dataset:\n  name: digits\n  tra|: 100\n", "train"); h.Of != "dataset digits" || h.Default != "1000" ||
		!strings.Contains(h.Accepts, "a whole number") || h.Says != "number of training examples" {
		t.Errorf("%+v", h)
	}
	if h := find("stop: {|passes: 3}", "passes"); h.Of != "" || h.Accepts != "a number > 0" || h.Says == "" {
		t.Errorf("%+v", h)
	}
	for key, accepts := range map[string]string{"base": "text", "without": "a list, each item text",
		"explore": "a map"} {
		if h := find("|", key); h.Accepts != accepts || h.Says == "" {
			t.Errorf("key %s of a cell: %+v, want %s, with a description", key, h, accepts)
		}
	}
	if h := find("solvers: [{name: |bcfw}]", "bcfw"); h.Key || !strings.Contains(h.Says, "block-coordinate") {
		t.Errorf("%+v", h)
	}
}

// FuzzHints checks that no text makes Hints panic, and that the cursor lies between the start and the end of the place.
func FuzzHints(f *testing.F) {
	p, err := lang.NewParser(harness.Catalogue())
	if err != nil {
		f.Fatal(err)
	}
	f.Add("solvers: [{name: bcfw, step: pairwise}]\nstop: {passes: 3}", uint(20))
	f.Add("a: &x [*x]\n<<: {", uint(3))
	f.Add("- - - {'", uint(8))
	f.Fuzz(func(t *testing.T, text string, cursor uint) {
		at := int(cursor % uint(len(text)+1))
		if got := editor.Hints(p, text, at); got.Start > at || got.End < at || got.Start < 0 || got.End > len(text) {
			t.Errorf("%q at %d: %+v", text, at, got)
		}
	})
}
