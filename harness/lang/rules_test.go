package lang

import (
	"fmt"
	"strings"
	"testing"
)

// TestRulesBetweenKeys checks which edits of the spec base are accepted (want is empty), and with which message the
// others are refused. Beside each fault that testdata/bad.txt contains stand the nearest cases that are not faults.
func TestRulesBetweenKeys(t *testing.T) {
	parser := toyParser(t)
	const (
		eg, sgd = "eta: 0.5", "eta0: {grid: [1, 0.1]}"
		values  = "convention: eg, C: [10, 1]"
		problem = "{name: multiclass, loss: log}\nregularisation: {" + values + "}"
		stop    = "stop: {passes: 20}"
		names   = "name: digits, train: 100"
		path    = "path: {%s: {from: 9, factor: 0.5, steps: 3}, until: {gap: 1}%s}"
	)
	choose := func(rule string) string { return stop + "\nchoose: {" + rule + "}" }
	for _, c := range []struct{ old, new, want string }{
		{values, values + ", lambda: 1", `regularisation.lambda: cannot be used with convention eg; accepted: the key "C"`},
		{values, "convention: lambda, lambda: 1", ""},
		{values, "convention: svm-struct, lambda: 1", "regularisation.lambda: cannot be used with convention svm-struct"},
		{eg, "lambda: 2", "solvers.0.lambda: cannot be used with convention eg"},
		{sgd, "lambda: 2", "solvers.1.lambda: cannot be used with convention eg"},
		{sgd, fmt.Sprintf(path, "lambda", ""), "solvers.1.path.lambda: cannot be used with convention eg"},
		{sgd, fmt.Sprintf(path, "lambda", ""), "solvers.1.path: no values; accepted: C: {from"},
		{sgd, fmt.Sprintf(path, "C", ""), ""},
		{sgd, fmt.Sprintf(path, "C", "") + ", lambda: 1", "solvers.1.lambda: cannot be given together"},
		{sgd, fmt.Sprintf(path, "C", "") + ", anneal: {from: 99, factor: 0.5}", "solvers.1.anneal: cannot be given together"},
		{values + "}\nsolvers:\n  - {name: eg", "convention: eg}\nsolvers:\n  - {name: eg, C: 3", "no value for solver sgd"},
		{problem, "{name: bayesnet}", ""},
		{problem + "\nsolvers:\n  - {name: eg", "{name: bayesnet}\nsolvers:\n  - {name: eg, C: 1",
			"solvers.0.C: needs a convention"},
		{problem + "\nsolvers:\n  - {name: eg", "{name: bayesnet}\nsolvers:\n  - {name: eg, lambda: 1",
			"solvers.0.lambda: needs a convention"},
		{problem + "\nsolvers:\n  - {name: eg", "{name: bayesnet}\nsolvers:\n  - {name: eg, anneal: {from: 1, factor: 0.5}",
			"solvers.0.anneal: needs a convention"},
		{problem + "\nsolvers:\n  - {name: eg", "{name: bayesnet}\nsolvers:\n  - {name: eg, " + fmt.Sprintf(path, "C", ""),
			"solvers.0.path: needs a convention"},
		{eg, "anneal: {from: 10, factor: 0.5}", ""},
		{eg, "anneal: {from: 9.5, factor: 0.5}", "solvers.0.anneal.from: 9.5 is less than the target 10"},
		{eg, "C: 5, anneal: {from: 6, factor: 0.5}", ""},
		{eg, "C: [5, 20], anneal: {from: 6, factor: 0.5}", "solvers.0.anneal.from: 6 is less than the target 20"},
		{values + "}\nsolvers:\n  - {name: eg",
			"convention: svm-struct, C: [10, 1]}\nsolvers:\n  - {name: eg, anneal: {from: 5, factor: 0.5}", ""},
		{values + "}\nsolvers:\n  - {name: eg",
			"convention: lambda, lambda: 3}\nsolvers:\n  - {name: eg, anneal: {from: 2, factor: 0.5}", "less than the target 3"},

		{stop, "", "no rule ends the runs of eg"},
		{eg, "stop: {gap: 0.1}", ""},
		{stop, stop + "\nbudget: {passes: 5}", ""},
		{stop, stop + "\nbudget: {seconds: 5}", ""},
		{stop, stop + "\nrecord: {examples: [validation_error]}", ""},
		{stop, stop + "\nrecord: {examples: [validation_eror]}", `record.examples: unknown metric "validation_eror"`},
		{stop, stop + "\nrecord: {examples: [all]}", `record.examples: unknown metric "all"`},
		{stop, stop + "\nrecord: {metrics: all}", ""},
		{stop, stop + "\nkeep: {by: all}", `keep.by: unknown metric "all"`},
		{stop, stop + "\nkeep: {by: gap}", ""},

		{stop, choose("over: C, by: validation_error"), ""},
		{stop, choose("over: C, by: gap, ties: dual"), ""},
		{stop, choose("over: C, by: gap, ties: duall"), `choose.ties: unknown metric "duall"`},
		{stop, choose("over: [C, as], by: gap"), ""},
		{stop, choose("solver: sgd, over: as, by: gap"), `choose.over: "as" is not a setting with several values`},
		{stop, choose("over: as, by: gap, per: [solver]"), `choose.per.0: "solver" is not a label for the key "per"`},
		{stop, choose("over: C, by: gap, per: [C]"), `choose.per.0: "C" is not a label for the key "per"`},
		{stop, choose("over: C, by: gap, per: []"), ""},
		{stop, choose("over: C, by: gap, at: {passes: 2.9}"), ""},
		{stop, choose("over: C, by: gap, at: {passes: 3}"),
			"3 is not before the stop; accepted: a number < 3 (at scale smoke)"},
		{stop, choose("over: C, by: gap, at: {epochs: 30}"), ""},
		{stop, choose("over: C, by: gap, at: {passes: 1, epochs: 1}"), "choose.at: needs exactly one"},
		{stop, "stop: {passes: 20, epochs: 4}" + "\nchoose: {over: C, by: gap, at: {epochs: 4}}",
			"choose.at.epochs: 4 is not before the stop; accepted: a number < 4"},
		{stop, "stop: {passes: 20, epochs: 4}" + "\nchoose: {over: C, by: gap, at: {epochs: 3}}", ""},
		{stop, choose("over: C, by: gap, folds: 2"), ""},
		{stop, choose("over: C, by: gap, at: {passes: 1}") + "\nrepeat: {folds: 2}", ""},
		{stop, choose("over: loss, by: gap"), `choose.over: "loss" is not a setting`},
		{"loss: log", "loss: {grid: [log, hinge]}", ""},

		{names, names + ", format: libsvm, path: x", "dataset.format: unknown key"},
		{names, "name: {grid: [digits, mnist]}, train: 7", ""},
		{names, "format: libsvm, path: {grid: [x, y]}", ""},
		{"name: multiclass, loss: log", "name: {grid: [multiclass, bayesnet]}, loss: log", "model.loss: unknown key"},
		{"name: multiclass, loss: log", "name: {grid: [multiclass]}, loss: log, bias: true", ""},
		{eg, "as: {grid: [x, y]}", "solvers.0.as: got a grid"},
		{sgd, "as: eg", `solvers.1: two variants are named "eg", the first on line 8`},
		{"{name: sgd, " + sgd, "{as: x, name: eg}\n  - {name: lbfgs}\n  - {as: x, name: sgd",
			`solvers.3: two variants are named "x", the first on line 9`},
		{"id: eg/fig06", "kind: theorem\nid: eg/fig06", ""},
		{"dataset: {" + names + "}", "kind: theorem", "dataset: missing"},

		{"smoke:", "quick: null\n  smoke:", ""},
		{"smoke: {stop: {passes: 3}}", "smoke: 3", "scales.smoke: got 3; accepted: a map of the keys that differ"},
		{"scales:\n  smoke: {stop: {passes: 3}}", "scales: 3", "scales: got 3; accepted: a map with smoke, quick, paper"},
		{"{stop: {passes: 3}}", "{apiVersion: gaplab/v1}", "scales.smoke.apiVersion: cannot differ between scales"},
		{"{stop: {passes: 3}}", "{paper: {key: eg, figure: 7}}", "scales.smoke.paper: cannot differ between scales"},
		{"{stop: {passes: 3}}", "{scales: {}}", "scales.smoke.scales: cannot differ between scales"},
		{"{stop: {passes: 3}}", "{stop: {passes: 3}}\nproblems: {}", "problems: got a map; accepted: a map of problems"},
		{"{stop: {passes: 3}}", "{stop: {passes: 3}}\nproblems: {a: {stop: {epochs: 2}}, b: {id: x}}",
			"problems.b.id: unknown key"},
		{"{stop: {passes: 3}}", "{problems: {a: {stop: {epochs: 2}}}}", ""},
	} {
		if !strings.Contains(base, c.old) {
			t.Fatalf("base lacks %q", c.old)
		}
		_, err := parser.Parse("b.yaml", []byte(strings.Replace(base, c.old, c.new, 1)))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v; want %q", c.new, err, c.want)
		}
	}
}
