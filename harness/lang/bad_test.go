package lang

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// base is a good spec. Each bad one differs from it in one place, so its line numbers are easy to check.
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

// bad lists edits of base, and the messages of Parse for each.
var bad = []struct {
	name, old, with string
	want            []string
}{
	{"unknown key", "stop: {passes: 20}", "stpo: {passes: 20}", []string{
		`b.yaml:1: stop: no rule ends the runs of eg; accepted: at least one of passes, epochs, gap, seconds`,
		`b.yaml:1: stop: no rule ends the runs of sgd; accepted: at least one of passes, epochs, gap, seconds`,
		`b.yaml:10: stpo: unknown key, did you mean "stop"?; accepted: apiVersion, budget, choose, claims, dataset, ` +
			`figure, from, id, keep, kind, model, paper, problems, record, regularisation, repeat, seeds, solvers, stop, ` +
			`table, title`,
	}},
	{"unknown key below", "stop: {passes: 20}", "stop: {pases: 20, gap: 0.1}", []string{
		`b.yaml:10: stop.pases: unknown key, did you mean "passes"?; accepted: epochs, gap, passes, seconds`,
	}},
	{"unknown parameter of a solver", "eta: 0.5", "\n     eat: 0.5", []string{
		`b.yaml:9: solvers.0.eat: unknown key, did you mean "eta"?; accepted: C, anneal, as, budget, eta, lambda, name, ` +
			`order, path, rates, seeds, step, stop, workers`,
	}},
	{"parameter of another data set", "digits, train: 100", "covertype, train: 100", []string{
		`b.yaml:4: dataset.train: unknown key; accepted: n, name`,
	}},
	{"several faults, sorted", "[10, 1]}", "[10, -1]}\nbudget: {seconds: soon}", []string{
		`b.yaml:6: regularisation.C.1: -1 is out of range; accepted: a number > 0`,
		`b.yaml:7: budget.seconds: got "soon"; accepted: a number > 0`,
	}},
	{"wrong types", "stop: {passes: 20}", "stop: [20]\ntitle: 7\nseeds: [1.5]", []string{
		`b.yaml:10: stop: got a list; accepted: a map with epochs, gap, passes, seconds`,
		`b.yaml:11: title: got 7, which is not text unless quoted; accepted: text (heading of the figure or table)`,
		`b.yaml:12: seeds.0: got 1.5; accepted: a whole number ≥ 0 and ≤ 9007199254740991`,
	}},
	{"nothing where a value should be", "eta: 0.5", "eta: ", []string{
		`b.yaml:8: solvers.0.eta: got nothing; accepted: a number > 0`,
	}},
	{"out of range in a grid", "[1, 0.1]", "[1, 0]", []string{
		`b.yaml:9: solvers.1.eta0.grid.1: 0 is out of range; accepted: a number > 0`,
	}},
	{"empty grid", "[1, 0.1]", "[]", []string{
		`b.yaml:9: solvers.1.eta0.grid: got 0 items; accepted: a list, each item a number > 0`,
	}},
	{"grid with more", "{grid: [1, 0.1]}", "{grid: [1, 0.1], by: 2}", []string{
		`b.yaml:9: solvers.1.eta0.by: unknown key; accepted: grid`,
	}},
	{"grid where none can stand", "stop: {passes: 20}", "stop: {passes: {grid: [20, 30]}}", []string{
		`b.yaml:10: stop.passes: got a grid, which cannot stand here; accepted: a number > 0`,
	}},
	{"grid of solvers", "{name: eg, eta: 0.5}", "{name: {grid: [eg, sgd]}}", []string{
		`b.yaml:8: solvers.0.name: got a grid, which cannot stand here; accepted: eg, sgd, lbfgs, one-slack`,
	}},
	{"grid of data sets of which one lacks the key", "name: digits, train: 100",
		"name: {grid: [digits, covertype]}, train: 100", []string{
			`b.yaml:4: dataset.train: unknown key; accepted: n, name`,
		}},
	{"unknown solver", "name: eg, eta", "name: ge, eta", []string{
		`b.yaml:8: solvers.0.name: unknown value "ge", did you mean "eg"?; accepted: eg, sgd, lbfgs, one-slack`,
	}},
	{"unknown model", "multiclass", "multi-class", []string{
		`b.yaml:5: model.name: unknown value "multi-class", did you mean "multiclass"?; accepted: multiclass, bayesnet`,
	}},
	{"unknown loss", "loss: log", "loss: hing", []string{
		`b.yaml:5: model.loss: unknown value "hing", did you mean "hinge"?; accepted: log, hinge`,
	}},
	{"no loss", ", loss: log", "", []string{`b.yaml:5: model.loss: missing; accepted: log, hinge, or {grid: [...]}`}},
	{"unknown data set", "digits", "imagenet", []string{
		`b.yaml:4: dataset.name: unknown value "imagenet"; accepted: digits, mnist, covertype`,
	}},
	{"neither name nor format", "name: digits, train: 100", "train: 100", []string{
		`b.yaml:4: dataset: exactly one of name and format is needed; accepted: name digits, mnist, covertype; ` +
			`format libsvm`,
	}},
	{"format without its path", "name: digits, train: 100", "format: libsvm", []string{
		`b.yaml:4: dataset.path: missing; accepted: text (training file), or {grid: [...]}`,
	}},
	{"unknown scale", "smoke:", "smoek:", []string{
		`b.yaml:12: scales.smoek: unknown scale, did you mean "smoke"?; accepted: smoke, quick, paper`,
	}},
	{"fault of a scale", "{stop: {passes: 3}}", "{stop: {passes: none}}", []string{
		`b.yaml:12: stop.passes: got "none"; accepted: a number > 0 (at scale smoke)`,
	}},
	{"scale that removes the stop", "{stop: {passes: 3}}", "{stop: {passes: null}}", []string{
		`b.yaml:12: stop: no rule ends the runs of eg; accepted: at least one of passes, epochs, gap, seconds (at scale ` +
			`smoke)`,
		`b.yaml:12: stop: no rule ends the runs of sgd; accepted: at least one of passes, epochs, gap, seconds (at scale ` +
			`smoke)`,
	}},
	{"fixed key in a scale", "{stop: {passes: 3}}", "{id: x}", []string{
		`b.yaml:12: scales.smoke.id: cannot differ between scales; accepted: at the top level only`,
	}},
	{"unknown metric", "stop: {passes: 20}", "stop: {passes: 20}\nrecord: {metrics: [primal, validation_eror]}", []string{
		`b.yaml:11: record.metrics: unknown metric "validation_eror", did you mean "validation_error"?; accepted: all, ` +
			`dual, gap, primal, validation_error`,
	}},
	{"two cadences", "stop: {passes: 20}", "stop: {passes: 20}\nrecord: {every: {passes: 1, epochs: 1}}", []string{
		`b.yaml:11: record.every: passes and epochs are both given; accepted: one of them (in an overlay, null ` +
			`removes the other)`,
	}},
	{"two lists of seeds", "stop: {passes: 20}", "stop: {passes: 20}\nseeds: [1]\nrepeat: {seeds: [2, 2]}", []string{
		`b.yaml:12: repeat.seeds: item 2 is repeated; accepted: each once`,
	}},
	{"seeds twice", "stop: {passes: 20}", "stop: {passes: 20}\nseeds: [1]\nrepeat: {seeds: [2]}", []string{
		`b.yaml:12: repeat.seeds: seeds are also given at the top level; accepted: one of the two`,
	}},
	{"duplicate key", "stop: {passes: 20}", "stop: {passes: 20}\nid: eg/fig07", []string{
		`b.yaml:11: id: duplicate key, first on line 2; accepted: each key once`,
	}},
	{"anchor and alias", "{passes: 20}", "&s {passes: 20}\nbudget: *s", []string{
		`b.yaml:10: stop: anchors and aliases are not supported; accepted: the value written out`,
		`b.yaml:11: budget: anchors and aliases are not supported; accepted: the value written out`,
	}},
	{"merge key", "{passes: 20}", "{<<: {passes: 20}}", []string{
		`b.yaml:10: stop.<<: "<<" is not a valid key; accepted: a word`,
	}},
	{"tag", "{passes: 20}", "{passes: !!str 20}", []string{
		`b.yaml:10: stop.passes: the tag !!str is not supported; accepted: the plain value`,
	}},
	{"not a number", "{passes: 20}", "{passes: .nan, gap: .inf}", []string{
		`b.yaml:10: stop.passes: .nan is not finite; accepted: a finite number`,
		`b.yaml:10: stop.gap: .inf is not finite; accepted: a finite number`,
	}},
	{"octal", "{passes: 20}", "{passes: 020}", []string{
		`b.yaml:10: stop.passes: YAML reads 020 as octal; accepted: the number without leading zeros`,
	}},
	{"a list", base, "- x", []string{
		`b.yaml:1: got a list; accepted: a map with keys such as apiVersion, id and solvers`,
	}},
	{"number as a key", "{passes: 20}", "{1: 20}", []string{`b.yaml:10: stop.1: 1 is not a valid key; accepted: a word`}},
	{"second document", "stop: {passes: 20}", "stop: {passes: 20}\n---\nid: x", []string{
		`b.yaml:11: second document; accepted: one experiment per file`,
	}},
	{"not YAML", "stop: {passes: 20}", "stop: {passes: 20\nscales: 1", []string{
		`b.yaml:10: not YAML: did not find expected ',' or '}'`,
	}},
	{"a colon in a text", "stop: {passes: 20}", "title: One: two", []string{
		`b.yaml:10: not YAML: a second colon; accepted: quotes around a text that contains ": "`,
	}},
	{"other version", "gaplab/v1", "gaplab/v2", []string{
		`b.yaml:1: apiVersion: unknown value "gaplab/v2", did you mean "gaplab/v1"?; accepted: gaplab/v1`,
	}},
	{"id of another paper", "id: eg/fig06", "id: egr/fig06", []string{
		`b.yaml:2: id: "egr/fig06" does not begin with the key of its paper; accepted: eg/ITEM`,
	}},
	{"id that climbs", "id: eg/fig06", "id: eg/../fig06", []string{
		`b.yaml:2: id: got "eg/../fig06"; accepted: text of the form ` +
			`^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*$ (paper/item, such as eg/fig06)`,
	}},
	{"nothing to run", base[strings.Index(base, "dataset"):strings.Index(base, "stop")], "", []string{
		`b.yaml:1: dataset: missing; accepted: a map with format, name`,
		`b.yaml:1: model: missing; accepted: a map with name`,
		`b.yaml:1: solvers: missing; accepted: a list, each item a map with name`,
	}},
	{"two variants of one name", "name: sgd, eta0: {grid: [1, 0.1]}", "name: eg", []string{
		`b.yaml:9: solvers.1: second variant named "eg", first on line 8; accepted: another name, by as`,
	}},
	{"rule between keys of a solver", "eta: 0.5", "eta: {grid: [0.5, 2]}, order: batch", []string{
		`b.yaml:8: solvers.0: eg: eta: order batch needs eta ≤ 1`,
	}},
	{"no regularisation", "regularisation: {convention: eg, C: [10, 1]}", "", []string{
		`b.yaml:1: regularisation: missing; accepted: a map with convention (eg, svm-struct, lambda) and C or lambda`,
	}},
	{"C in convention lambda", "convention: eg, C: [10, 1]", "convention: lambda, C: 1", []string{
		`b.yaml:6: regularisation.C: does not go with convention lambda; accepted: lambda`,
		`b.yaml:6: regularisation: no value for solver eg; accepted: lambda with a number > 0, a list, or {grid: [...]}`,
		`b.yaml:6: regularisation: no value for solver sgd; accepted: lambda with a number > 0, a list, or {grid: [...]}`,
	}},
	{"path", "eta: 0.5", "C: 1, path: {C: {from: 10, factor: 1, steps: 3}, until: {passes: 2}}", []string{
		`b.yaml:8: solvers.0.C: cannot be given together with path; accepted: one of the two`,
		`b.yaml:8: solvers.0.path.C.factor: a factor of 1 repeats one value; accepted: a number > 0 other than 1`,
		`b.yaml:8: solvers.0.path.until.gap: missing; accepted: a number > 0, the relative gap that ends a stage`,
	}},
	{"path that runs out of the numbers", "eta: 0.5", "path: {C: {from: 10, factor: 0.1, steps: 400}, until: {gap: 1}}",
		[]string{
			`b.yaml:8: solvers.0.path.C: its last value is 0; accepted: from, factor and steps with all values > 0 and < 1e300`,
		}},
	{"anneal upwards", "eta: 0.5", "anneal: {from: 5, factor: 0.5}", []string{
		`b.yaml:8: solvers.0.anneal.from: 5 is less than the target 10; accepted: a number ≥ the target`,
	}},
	{"choose", "stop: {passes: 20}", `stop: {passes: 20}
choose:
  - {solver: sdg, over: eta0, by: primal, at: {passes: 1}}
  - {solver: sgd, over: eta, by: error, at: {passes: 20}, per: [C, seeds]}
  - {solver: eg, over: eta, by: primal, at: {}}`, []string{
		`b.yaml:12: choose.0.solver: no solver "sdg", did you mean "sgd"?; accepted: eg, sgd`,
		`b.yaml:13: choose.1.over: "eta" is not a grid of sgd, did you mean "eta0"?; accepted: eta0`,
		`b.yaml:13: choose.1.per.1: "seeds" is not a label besides over, did you mean "seed"?; accepted: C, as, dataset, ` +
			`eta0, loss, model, seed, solver`,
		`b.yaml:13: choose.1.at.passes: 20 is not before the stop; accepted: a number < 20`,
		`b.yaml:13: choose.1.by: unknown metric "error"; accepted: dual, gap, primal, validation_error`,
		`b.yaml:13: choose.1.at.passes: 20 is not before the stop; accepted: a number < 3 (at scale smoke)`,
		`b.yaml:14: choose.2.over: "eta" is not a grid of eg; accepted: a setting of eg with a grid`,
		`b.yaml:14: choose.2.at: exactly one of passes and epochs is needed; accepted: {passes: NUMBER} or {epochs: ` +
			`NUMBER}`,
	}},
	{"figure", "stop: {passes: 20}", `stop: {passes: 20}
figure:
  yrange: [2, 1]
  panels:
    - {x: passes, series: [{of: ge}, {y: primal}]}
    - {y: [], xscale: lin}
    - {y: dual, where: "(C == 1"}`, []string{
		`b.yaml:15: figure.panels.1.xscale: unknown value "lin"; accepted: linear, log`,
		`b.yaml:15: figure.panels.1.y: got 0 items; accepted: a list, each item text`,
	}},
	{"figure between keys", "stop: {passes: 20}", `stop: {passes: 20}
figure:
  panels:
    - {x: passes, yrange: [2, 1], series: [{of: ge}, {y: primal}]}
    - {y: dual, where: "(C == 1"}`, []string{
		`b.yaml:13: figure.panels.0.series.0.of: no solver "ge", did you mean "eg"?; accepted: eg, sgd`,
		`b.yaml:13: figure.panels.0.y: missing; accepted: a column, a list of them, or final.COLUMN`,
		`b.yaml:13: figure.panels.0.yrange: [2, 1] is empty; accepted: two numbers, the smaller first`,
		`b.yaml:14: figure.panels.1.x: missing; accepted: a column, a label, or final.COLUMN`,
		`b.yaml:14: figure.panels.1.where: where: parentheses do not match`,
	}},
	{"claims", "stop: {passes: 20}", `stop: {passes: 20}
claims:
  - {id: c1, says: x}
  - {id: c1, says: x, assert: f(1, kind: M, scales: [paper]}
  - {says: x, assert: "true", data: Z}`, []string{
		`b.yaml:14: claims.2.data: unknown value "Z"; accepted: Y, S, R`,
		`b.yaml:14: claims.2.id: missing; accepted: text of the form ^[a-z][a-z0-9-]*$ (such as c1)`,
	}},
	{"claims between keys", "stop: {passes: 20}", `stop: {passes: 20}
claims:
  - {id: c1, says: x}
  - {id: c1, says: x, assert: "f(1", kind: M, scales: [paper]}`, []string{
		`b.yaml:12: claims.0: nothing checks the claim; accepted: assert with an expression, or tested with the name of a ` +
			`Go test`,
		`b.yaml:13: claims.1.id: second claim c1, first on line 12; accepted: each id once`,
		`b.yaml:13: claims.1.because: missing; accepted: the reason why the other scales cannot decide the claim`,
		`b.yaml:13: claims.1.tested: missing; accepted: the name of the Go test that checks the claim, which kind M needs`,
		`b.yaml:13: claims.1.assert: assert: parentheses do not match`,
	}},
	{"plan too large", "stop: {passes: 20}",
		"stop: {passes: 20}\nrepeat: {folds: 1000, seeds: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]}", []string{
			`b.yaml:7: solvers: the plan has more than 100000 runs; accepted: smaller grids`,
		}},
	{"grids too large", "eta: 0.5", "rates: [" + strings.Repeat("{grid: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}, ", 5) + "1]",
		[]string{
			`b.yaml:8: solvers.0: its grids have too many combinations; accepted: at most 10000`,
		}},
}

// TestBad checks the messages of Parse for each edit of bad.
func TestBad(t *testing.T) {
	parser, err := toyParser()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range bad {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(base, tt.old) {
				t.Fatalf("base has no %q", tt.old)
			}
			_, err := parser.Parse("b.yaml", []byte(strings.Replace(base, tt.old, tt.with, 1)))
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

// TestEmpty checks the message for files without content.
func TestEmpty(t *testing.T) {
	for _, text := range []string{"", "\n# nothing\n", "---\n", "null", "~"} {
		_, err := Parse("b.yaml", []byte(text), toy())
		if want := "b.yaml: empty; accepted: one YAML document"; err == nil || err.Error() != want {
			t.Errorf("Parse(%q): got %v, want %s", text, err, want)
		}
	}
}

// TestBadSet checks the messages of At for bad items of --set.
func TestBadSet(t *testing.T) {
	f, err := Parse("b.yaml", []byte(base), toy())
	if err != nil {
		t.Fatal(err)
	}
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
		{"stop=&a {passes: 1}", `--set stop=&a {passes: 1}: stop: anchors and aliases are not supported; accepted: the ` +
			`value written out`},
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

// TestBadCatalogue checks the errors for entries that no spec could use.
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
