package lang

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/lang/schema"
	"github.com/gaplab/gaplab/harness/lang/tree"
)

// TestDefaultsOfAChoice checks the rule that planned runs have: the direction of its column, the column for ties, the
// labels that must agree, and the name of its group. It also checks the columns that the runs record for the rule.
func TestDefaultsOfAChoice(t *testing.T) {
	c := toy()
	c.Models[0].Metrics = []string{"validation_error", "validation_f1"}
	c.Models[0].Larger = []string{"validation_f1"}
	c.Models[1].Losses, c.Models[1].Metrics = []string{"log"}, []string{"validation_f1"}
	parser := &Parser{catalogue: c, forms: schema.NewForms(nil), trusting: true}
	const labels = "as dataset loss model seed solver"
	for _, test := range []struct{ rule, model, best, ties, per, columns string }{
		{"over: C, by: gap", "", "min", "", labels, "primal gap"},
		{"over: C, by: dual", "", "max", "", labels, "primal dual"},
		{"over: C, by: validation_f1", "", "max", "", labels, "primal validation_f1"},
		{"over: C, by: validation_f1, best: min", "", "min", "", labels, "primal validation_f1"},
		{"over: C, by: dual, best: min", "", "min", "", labels, "primal dual"},
		{"over: C, by: validation_error", "", "min", "", labels, "primal validation_error"},
		{"over: C, by: validation_error, best: max", "", "max", "", labels, "primal validation_error"},
		{"over: C, by: validation_f1", "bayesnet", "min", "", labels, "primal validation_f1"},
		{"over: C, by: validation_f1", "{grid: [bayesnet, multiclass]}", "max", "", labels, "primal validation_f1"},
		{"over: C, by: primal, ties: gap", "", "min", "gap", labels, "primal gap"},
		{"over: C, by: dual, ties: gap", "", "max", "gap", labels, "primal dual gap"},
		{"over: C, by: dual, at: {passes: 1}", "", "max", "primal", labels, "primal"},
		{"over: C, by: dual, at: {epochs: 1}, ties: gap", "", "max", "gap", labels, "primal"},
		{"over: [C, as], by: gap", "", "min", "", "dataset loss model seed", "primal gap"},
		{"over: as, by: gap", "", "min", "", "C dataset loss model seed", "primal gap"},
		{"over: C, by: gap, per: [seed]", "", "min", "", "seed", "primal gap"},
		{"over: C, by: gap, per: []", "", "min", "", "", "primal gap"},
	} {
		text := strings.NewReplacer("stop: {passes: 20}", "stop: {passes: 20}\nrecord: {metrics: [primal]}\nchoose: {"+
			test.rule+"}", ", eta0: {grid: [1, 0.1]}", "").Replace(base)
		if test.model != "" {
			text = strings.Replace(text, "multiclass", test.model, 1)
		}
		f, err := parser.Parse("b.yaml", []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", test.rule, err)
		}
		_, runs := planOf(t, f, "")
		groups := map[string]bool{}
		for _, r := range runs {
			got := r.Choose.Rule
			if got.Best != test.best || got.Ties != test.ties || strings.Join(got.Per, " ") != test.per ||
				strings.Join(r.Record.Metrics, " ") != test.columns {
				t.Errorf("%s: best %s, ties %q, per %q, columns %q; want %s, %q, %q, %q", test.rule, got.Best, got.Ties, got.Per,
					r.Record.Metrics, test.best, test.ties, test.per, test.columns)
			}
			groups[r.Choose.Group] = true
		}
		all := strings.Contains(test.rule, "as]") || strings.Contains(test.rule, "over: as")
		for group := range groups {
			if strings.HasPrefix(group, "all:") != all || !all && !strings.HasPrefix(group, "eg:") &&
				!strings.HasPrefix(group, "sgd:") {
				t.Errorf("%s: group %q", test.rule, group)
			}
		}
		if want := 2; strings.Contains(test.rule, "over: as") || test.model != "" && !strings.HasPrefix(test.model, "b") {
			if len(groups) != 2 && len(groups) != 4 {
				t.Errorf("%s: groups %v", test.rule, groups)
			}
		} else if !all && len(groups) != want {
			t.Errorf("%s: groups %v, want %d", test.rule, groups, want)
		}
	}
}

// TestKeptDirection checks the default direction of the key keep.
func TestKeptDirection(t *testing.T) {
	for keep, want := range map[string]Keep{"{by: dual}": {By: "dual", Best: "max"}, "{by: gap}": {By: "gap", Best: "min"},
		"{by: dual, best: min, patience: 4}": {By: "dual", Best: "min", Patience: 4}} {
		_, runs := planOf(t, parsed(t, base+"keep: "+keep+"\n"), "")
		for _, r := range runs {
			if r.Keep == nil || *r.Keep != want {
				t.Errorf("keep: %s: %+v, want %+v", keep, r.Keep, want)
			}
		}
	}
}

// TestPathWithoutFolds checks the runs of a rule that compares the stages of a path, without folds: each run is
// compared once, on all data, and the stages have final runs. A rule over another setting compares whole runs.
func TestPathWithoutFolds(t *testing.T) {
	const text = `apiVersion: gaplab/v1
id: my/path
dataset: {name: digits}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: 3}
seeds: [1, 2]
solvers:
  - {name: eg, order: {grid: [random, cyclic]}, path: {C: {from: 8, factor: 0.5, steps: 3}, until: {gap: 0.25}}}
  - {name: sgd}
stop: {passes: 5}
choose: {solver: eg, over: %s, by: validation_error}
`
	for over, finals := range map[string]int{"C": 12, "[C, order]": 12, "order": 0} {
		_, runs := planOf(t, parsed(t, fmt.Sprintf(text, over)), "")
		var compared, final, other int
		for i, r := range runs {
			switch {
			case r.Choose == nil:
				other++
			case r.Choose.Final:
				final++
				if r.Screen() || r.Solver.Path != nil || i < len(runs)-finals {
					t.Errorf("over %s: final run %d: screen %v, path %v", over, i, r.Screen(), r.Solver.Path)
				}
			default:
				compared++
				if r.Screen() != (finals > 0) || r.Solver.Path == nil || r.Fold != 0 || r.Folds != 0 || r.Labels["fold"] != nil {
					t.Errorf("over %s: compared run: screen %v, fold %d of %d", over, r.Screen(), r.Fold, r.Folds)
				}
			}
		}
		if compared != 4 || final != finals || other != 2 {
			t.Errorf("over %s: %d compared, %d final and %d other runs; want 4, %d and 2", over, compared, final, other, finals)
		}
	}
}

// TestEarlyRunsInKeys checks that the key of a run that may end early depends on each setting in over and per.
func TestEarlyRunsInKeys(t *testing.T) {
	keys := map[string]string{}
	for _, over := range []Strings{{"C"}, {"C", "eta"}, {"C", "order"}, {"eta"}} {
		for _, per := range [][]string{nil, {"seed"}, {"seed", "model"}} {
			r := Run{Choose: &Candidate{Rule: Choose{Over: over, Per: per, By: "gap", At: At{Epochs: 1}}}}
			key := string(r.Canonical())
			if before, ok := keys[key]; ok {
				t.Errorf("over %v and per %v have the key of %s", over, per, before)
			}
			keys[key] = fmt.Sprint(over, per)
		}
	}
}

// TestAssignToItems checks which item of a list a path of --set names: the longest name, of the key as before name
// before id, or the index.
func TestAssignToItems(t *testing.T) {
	const text = "list: [{as: a, name: z}, {as: a.b, name: y}, {name: a.b.c}, {id: c1}, {as: d, name: a}, {as: '1'}, " +
		"{x: 0}]"
	for path, want := range map[string]string{"list.a.q": "0 q", "list.a.b.q": "1 q", "list.a.b.c.q": "2 q",
		"list.c1.q": "3 q", "list.d.q": "4 q", "list.1.q": "1 q", "list.6.q": "6 q", "list.0.b.q": "0 b", "list.a.c": "0 c",
		"list.7.q": "", "list.-1.q": "", "list.z.q": "", "list.c.q": ""} {
		root := node(t, text)
		var faults tree.Faults
		faults.Sets = []string{""}
		Assign(&faults, root, path+"=5", -1)
		var got []string
		for i, n := range tree.At(root, "list").Content {
			old := tree.At(node(t, text), "list").Content[i]
			for j := 0; j < len(n.Content); j += 2 {
				if key := n.Content[j].Value; !tree.Same(tree.At(old, key), n.Content[j+1]) {
					got = append(got, fmt.Sprint(i, " ", key))
				}
			}
		}
		if strings.Join(got, ", ") != want || (want == "") != (len(faults.List) == 1) {
			t.Errorf("--set %s=5 changes %q, faults %v; want %s", path, got, faults.Err(), want)
		}
		const names = "accepted: a, a.b, a.b.c, c1, d, 1, 6"
		if want == "" && !strings.Contains(faults.Err().Error(), names) {
			t.Errorf("--set %s=5: %v, want %s", path, faults.Err(), names)
		}
	}
}

// TestSetOfAnotherDataSet checks that --set with another data set drops the settings of the old one, also in a problem.
func TestSetOfAnotherDataSet(t *testing.T) {
	for set, want := range map[string]string{
		"dataset.name=mnist": "small 10, large 100", "problems.small.dataset.name=covertype": "small <nil>, large 100",
		"problems.large.dataset.name=digits": "small 10, large 100", "problems.large.dataset.seed=3": "small 10, large 100",
	} {
		text := strings.NewReplacer("C: [1, 10]", "C: 1", "model:", "dataset: {name: digits}\nmodel:", "name: digits, train",
			"train").Replace(twoProblems)
		_, runs := planOf(t, parsed(t, text), "paper", set)
		var got []string
		for _, r := range runs {
			got = append(got, fmt.Sprint(r.Labels["problem"], " ", params(&r.Dataset.Params).(map[string]any)["train"]))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("--set %s: runs %q, want %s", set, got, want)
		}
	}
}

// TestSelectionWithSettings checks that a solver that selects others is refused for models that need other settings of
// one solver, and accepted if all models select the same.
func TestSelectionWithSettings(t *testing.T) {
	for _, same := range []bool{true, false} {
		c := toy()
		c.Solvers = append(c.Solvers, Entry{Name: "best", New: func() any { return &toyNone{} },
			Select: func(_, loss string) (Selection, error) {
				eta := 0.25
				if loss == "hinge" && !same {
					eta = 0.125
				}
				return Selection{"eg", map[string]any{"eta": eta}, "it is " + loss}, nil
			}})
		text := strings.NewReplacer("LOSS", "{grid: [log, hinge]}", "SOLVERS", "[{name: best}]").Replace(selectingSpec)
		parser := &Parser{catalogue: c, trusting: true}
		f, err := parser.Parse("b.yaml", []byte(text))
		if (err == nil) != same {
			t.Errorf("the same settings: %v, error %v", same, err)
		}
		if err == nil {
			_, runs := planOf(t, f, "")
			eta := params(&runs[1].Solver.Params).(map[string]any)["eta"]
			if len(runs) != 2 || eta != 0.25 {
				t.Errorf("%d runs, the second with eta %v; want 2 and 0.25", len(runs), eta)
			}
		}
	}
}

// TestFieldsOfRuns checks that each field of a run has the value of the spec.
func TestFieldsOfRuns(t *testing.T) {
	const text = `apiVersion: gaplab/v1
id: my/fields
dataset: {name: digits, train: 7}
model: {name: multiclass, loss: hinge, bias: true}
regularisation: {convention: lambda, lambda: 0.5}
seeds: [4]
solvers: [{as: a, name: eg, eta: 0.25, workers: 3, anneal: {from: 2, hold: 1, factor: 0.5}}]
stop: {passes: 5, epochs: 6, gap: 0.5, seconds: 7}
budget: {passes: 8, seconds: 9}
record: {every: {epochs: 2, growth: 3, looks: true}, metrics: [primal, validation_error], train: true, examples: [gap]}
keep: {by: primal, patience: 2}
repeat: {folds: 2, times: 2}
`
	_, runs := planOf(t, parsed(t, text), "own")
	r := runs[3]
	got := Run{Experiment: r.Experiment, Scale: r.Scale, Labels: r.Labels, Convention: r.Convention, C: r.C, Seed: r.Seed,
		Fold: r.Fold, Folds: r.Folds, Repetition: r.Repetition, Stop: r.Stop, Budget: r.Budget, Record: r.Record,
		Keep: r.Keep}
	want := Run{Experiment: "my/fields", Scale: "own", Labels: map[string]any{"as": "a", "solver": "eg",
		"dataset": "digits", "model": "multiclass", "loss": "hinge", "lambda": 0.5, "seed": 4., "fold": 2., "repetition": 2.},
		Convention: ConventionLambda, C: 0.5, Seed: 4, Fold: 2, Folds: 2, Repetition: 2,
		Stop:   Stop{Passes: 5, Epochs: 6, Gap: 0.5, Seconds: 7},
		Budget: &Budget{Passes: 8, Seconds: 9, Then: "censored"},
		Record: Record{Every: Cadence{Epochs: 2, Growth: 3, Looks: true}, Metrics: Strings{"primal", "validation_error"},
			Train: true, Examples: []string{"gap"}},
		Keep: &Keep{By: "primal", Best: "min", Patience: 2}}
	if diff := cmp.Diff(fmt.Sprintf("%+v %+v %+v", want, *want.Budget, *want.Keep),
		fmt.Sprintf("%+v %+v %+v", got, *got.Budget, *got.Keep)); diff != "" && !cmp.Equal(want.Labels, got.Labels) {
		t.Error(diff)
	}
	w := r.Solver
	if len(runs) != 4 || w.Workers != 3 || w.As != "a" || w.Name != "eg" || *w.Anneal != (Anneal{2, 1, 0.5}) {
		t.Errorf("%d runs, solver %+v", len(runs), w)
	}
	if !slices.Equal(want.Record.Metrics, got.Record.Metrics) || !slices.Equal(got.Record.Examples, []string{"gap"}) ||
		got.Record.Every != want.Record.Every || !got.Record.Train || *got.Budget != *want.Budget ||
		*got.Keep != *want.Keep ||
		got.Stop != want.Stop || got.Seed != 4 || got.Fold != 2 || got.Folds != 2 || got.Repetition != 2 ||
		got.Scale != "own" || got.Experiment != "my/fields" || got.C != 0.5 || got.Convention != ConventionLambda {
		t.Errorf("run %+v, want %+v", got, want)
	}
	resolved := r.Resolved()
	if solver := resolved["solver"].(map[string]any); solver["params"].(map[string]any)["eta"] != 0.25 ||
		resolved["dataset"].(map[string]any)["params"].(map[string]any)["train"] != 7 ||
		resolved["model"].(map[string]any)["params"].(map[string]any)["bias"] != true {
		t.Errorf("settings of the run: %v", resolved)
	}
}
