package lang

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// base is a correct spec. Each faulty spec differs from base in one place, so that line numbers are easy to check.
const base = `apiVersion: gaplab/v1
id: eg/fig06
paper: {key: eg, figure: 6}
dataset: {name: digits, train: 100}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: [10, 1]}
solvers:
  - {name: eg, eta: 0.5}
  - {name: sgd, eta0: {grid: [1, 0.1]}}
stop: {passes: 20}
scales:
  smoke: {stop: {passes: 3}}
`

// edit is a faulty variant of base, with the messages that Parse must return for it.
type edit struct {
	name, text string
	want       []string
}

// edits reads testdata/bad.txt, which lists edits of base. An edit begins with a line == NAME. Lines that begin with -
// are replaced by the lines that begin with +. The other lines of an edit are the messages.
func edits(t testing.TB) (list []edit) {
	t.Helper()
	text, err := os.ReadFile("testdata/bad.txt")
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(string(text), "== "), "\n\n== ") {
		name, rest, _ := strings.Cut(strings.TrimSpace(part), "\n")
		e := edit{name: name}
		var old, with []string
		for line := range strings.SplitSeq(rest, "\n") {
			if l, ok := strings.CutPrefix(line, "-"); ok {
				old = append(old, l)
			} else if l, ok := strings.CutPrefix(line, "+"); ok {
				with = append(with, l)
			} else {
				e.want = append(e.want, line)
			}
		}
		before, after, found := strings.Cut(base, strings.Join(old, "\n"))
		if !found {
			t.Fatalf("%s: base has no %q", name, old)
		}
		e.text = before + strings.Join(with, "\n") + after
		list = append(list, e)
	}
	return list
}

// TestBad checks the messages of Parse for each edit.
func TestBad(t *testing.T) {
	parser := toyParser(t)
	for _, tt := range edits(t) {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parser.Parse("b.yaml", []byte(tt.text))
			var got []string
			if err != nil {
				got = strings.Split(err.Error(), "\n")
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
			var first *Fault
			if err != nil && (!errors.As(err, &first) || first.File != "b.yaml") {
				t.Errorf("%v is not a *Fault with the name of the file", err)
			}
		})
	}
}

// TestRangesOfAxes checks that the ends of an axis are accepted only if the first is smaller than the second, for both
// axes, in the figure and in a panel.
func TestRangesOfAxes(t *testing.T) {
	parser := toyParser(t)
	values := []string{"-2", "0", "0.5", "0.5000001"} // ascending
	for i, low := range values {
		for j, high := range values {
			for key, place := range map[string]string{"xrange": "", "yrange": "panels.1."} {
				ends := fmt.Sprintf("%s: [%s, %s]", key, low, high)
				figure := fmt.Sprintf("figure: {x: passes, y: primal, %s}\n", ends)
				if place != "" {
					figure = fmt.Sprintf("figure: {panels: [{x: passes, y: primal}, {x: passes, y: dual, %s}]}\n", ends)
				}
				_, err := parser.Parse("b.yaml", []byte(base+figure))
				refused := err != nil && strings.Contains(err.Error(), "is an empty range")
				if i < j && err != nil || i >= j && (!refused || !strings.Contains(err.Error(), place+key)) {
					t.Errorf("%s: the error is %v; want an error: %v", figure, err, i >= j)
				}
			}
		}
	}
}

// TestEmpty checks the message for files without content.
func TestEmpty(t *testing.T) {
	for _, text := range []string{"", "\n# nothing\n", "---\n", "null", "~"} {
		_, err := Parse("b.yaml", []byte(text), toy())
		if want := "b.yaml: the text is empty; accepted: one YAML document"; err == nil || err.Error() != want {
			t.Errorf("Parse(%q): got %v, want %s", text, err, want)
		}
	}
}

// TestBadSet checks the messages of At for bad items of --set.
func TestBadSet(t *testing.T) {
	f := parsed(t, base)
	tests := []struct{ set, want string }{
		{"stop.passes", `--set stop.passes: not an assignment; accepted: key=value, such as stop.passes=5 (the value ` +
			`null removes the key)`},
		{"stop.passes=", `--set stop.passes=: not an assignment; accepted: key=value, such as stop.passes=5 (the value ` +
			`null removes the key)`},
		{"stop.passes=soon", `--set stop.passes=soon: stop.passes: got "soon"; accepted: a number > 0`},
		{"stop.passes={a", `--set stop.passes={a: stop.passes: not YAML: did not find expected ',' or '}'`},
		{"stop.pases=5", `--set stop.pases=5: stop.pases: unknown key, did you mean "passes"?; accepted: epochs, gap, ` +
			`passes, seconds`},
		{"stop.passes.x=5", `--set stop.passes.x=5: stop.passes.x: stop.passes is 3, which has no keys; accepted: ` +
			`the path of a value`},
		{"solvers.ge.eta=1", `--set solvers.ge.eta=1: solvers.ge: no such item; accepted: eg, sgd`},
		{"solvers.eg.eta=-1", `--set solvers.eg.eta=-1: solvers.0.eta: -1 is out of range; accepted: a number > 0`},
		{"solvers.7.eta=1", `--set solvers.7.eta=1: solvers.7: no such item; accepted: eg, sgd`},
		{"stop=&a {passes: 1}", `--set stop=&a {passes: 1}: stop: anchors and aliases are not supported; write the ` +
			`value out`},
		{"budget.seconds=.inf", `--set budget.seconds=.inf: budget.seconds: .inf is not finite; accepted: a finite number`},
		{"dataset=null", `b.yaml:1: dataset: missing; accepted: a map with format, name (after --set dataset=null)`},
	}
	for _, tt := range tests {
		t.Run(tt.set, func(t *testing.T) {
			_, err := f.At("smoke", []string{tt.set})
			if err == nil || err.Error() != tt.want {
				t.Errorf("\ngot  %v\nwant %s", err, tt.want)
			}
		})
	}
}

// TestBadCatalogue checks the errors for entries of a catalogue that no spec could use.
func TestBadCatalogue(t *testing.T) {
	tests := []struct {
		name string
		new  func() any
		want string
	}{
		{"nil", nil,
			"lang: catalogue: solver x: its function New is nil; accepted: a function that returns the default settings"},
		{"value", func() any { return toyNone{} },
			"lang: catalogue: solver x: its function New returns lang.toyNone; accepted: a pointer to a struct of settings"},
		{"no tag", func() any { return &struct{ Eta float64 }{} },
			`lang: catalogue: solver x: field Eta has no yaml tag; accepted: a key, or "-" to hide the field`},
		{"key of the language", func() any {
			return &struct {
				Path string `yaml:"path"`
			}{}
		}, `lang: catalogue: solver x: field Path: "path" is a key of the language; accepted: any key but as, name, C, ` +
			`lambda, path, anneal, stop, budget, workers, seeds, grid`},
		{"option", func() any {
			return &struct {
				Eta float64 `yaml:"eta,omitempty"`
			}{}
		}, `lang: catalogue: solver x: field Eta: the yaml option "omitempty" could drop a value from the manifest; ` +
			`accepted: the key alone`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cat := Catalogue{Solvers: []Entry{{Name: "x", New: tt.new}}}
			if _, err := Parse("b.yaml", []byte(base), cat); err == nil || err.Error() != tt.want {
				t.Errorf("\ngot  %v\nwant %s", err, tt.want)
			}
			if _, err := Schema(cat); err == nil || err.Error() != tt.want {
				t.Errorf("Schema:\ngot  %v\nwant %s", err, tt.want)
			}
		})
	}
}

// TestKinds checks the kind of an experiment: the one that the spec gives, or else one that follows from the item of
// the paper, the figure and the table.
func TestKinds(t *testing.T) {
	const figure, table = "figure: {x: passes, y: primal}\n", "table: {rows: C, columns: [passes]}\n"
	for _, c := range []struct{ id, paper, rest, want string }{
		{"my/a", "", "", "own"}, {"my/a", "", figure, "own"},
		{"eg/a", "{key: eg, figure: 1}", "", "figure"}, {"eg/a", "{key: eg, table: 1}", "", "table"},
		{"eg/a", "{key: eg, table: 1}", figure, "table"}, {"eg/a", "{key: eg, figure: 1}", table, "table"},
		{"eg/a", "{key: eg, section: \"1\"}", figure, "figure"}, {"eg/a", "{key: eg, section: \"1\"}", table, "table"},
		{"eg/a", "{key: eg, section: \"1\"}", figure + table, "figure"},
		{"eg/a", "{key: eg, section: \"1\"}", "", "theorem"},
		{"eg/a", "{key: eg, figure: 1}", "kind: theorem\n", "theorem"},
	} {
		text := strings.NewReplacer("id: eg/fig06", "id: "+c.id, "paper: {key: eg, figure: 6}\n",
			map[bool]string{true: "", false: "paper: " + c.paper + "\n"}[c.paper == ""]).Replace(base) + c.rest
		s, err := parsed(t, text).At("smoke", nil)
		if err != nil || s.Kind != c.want {
			t.Errorf("%+v: kind %+v, %v; want %s", c, s, err, c.want)
		}
	}
}

// TestCatalogueWithoutCheck checks that expressions are not checked if the catalogue has no function for that, and that
// a setting may be in an embedded struct, beside fields that are not exported.
func TestCatalogueWithoutCheck(t *testing.T) {
	type Inner struct {
		Rate float64 `yaml:"rate"`
	}
	type outer struct {
		Inner
		hidden int
	}
	c := toy()
	c.CheckExpr = nil
	c.Solvers = append(c.Solvers, Entry{Name: "embedded", New: func() any { return &outer{hidden: 1} }})
	text := strings.Replace(base, "name: eg, eta: 0.5", "name: embedded, rate: 2", 1) +
		"claims: [{id: c1, says: It falls., assert: '((('}]\n"
	if _, err := Parse("b.yaml", []byte(text), c); err != nil {
		t.Errorf("error %v, want none", err)
	}
}
