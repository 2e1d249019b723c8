package lang

import (
	"strings"
	"testing"
)

const stages = `
apiVersion: gaplab/v1
id: my/stages
regularisation: {convention: eg, C: 1}
model: {name: multiclass, loss: log}
dataset: {name: digits, train: {grid: [10, 20]}}
problems:
  first: {regularisation: {C: 10}}
  second: {from: first, seeds: [1, 2], keep: {by: validation_error, patience: 3}}
  third: {from: second, seeds: [1, 2], solvers: [{as: other, name: sgd, eta0: {grid: [1, 2]}}]}
solvers: [{name: eg}]
stop: {passes: 5}
`

// TestFrom checks that a run of a problem with the key "from" starts from the run of the earlier problem with the same
// data set and seed, and that the key of the run depends on that earlier run.
func TestFrom(t *testing.T) {
	_, runs := planOf(t, parsed(t, stages), "paper")
	if len(runs) != 2+4+8 {
		t.Fatalf("%d runs, want 14", len(runs))
	}
	keys := map[string]bool{}
	for i, r := range runs {
		keys[string(r.Canonical())] = true
		switch problem := r.Labels["problem"]; {
		case (r.Base == nil) != (problem == "first"):
			t.Errorf("run %d of problem %v builds on %v", i, problem, r.Base)
		case r.Base == nil:
		case r.Base.Labels["train"] != r.Labels["train"]:
			t.Errorf("run %d on %v builds on a run on %v", i, r.Labels["train"], r.Base.Labels["train"])
		case problem == "third" && r.Base.Seed != r.Seed:
			t.Errorf("run %d of seed %d builds on a run of seed %d", i, r.Seed, r.Base.Seed)
		case problem == "second" && (r.Base.Seed != 1 || r.Keep == nil || r.Keep.Best != "min" || r.Keep.Patience != 3):
			t.Errorf("run %d builds on seed %d and keeps %+v", i, r.Base.Seed, r.Keep)
		}
	}
	if len(keys) != len(runs) {
		t.Errorf("%d different keys of %d runs, want all different", len(keys), len(runs))
	}
	_, other := planOf(t, parsed(t, strings.Replace(stages, "{C: 10}", "{C: 11}", 1)), "paper")
	if string(other[13].Canonical()) == string(runs[13].Canonical()) {
		t.Error("the key of a run does not depend on the run that it builds on")
	}
}

// TestFromFaults checks the messages for two mistakes: the key "from" does not name an earlier problem, or several runs
// of the earlier problem have the same labels.
func TestFromFaults(t *testing.T) {
	faulty(t, stages, [][3]string{
		{"{from: first,", "{from: second,",
			"b.yaml:9: problems.second.from: no earlier problem \"second\"; accepted: an earlier problem: first"},
		{"{from: first,", "{from: frist,", "did you mean \"first\"?"},
		{"problems:", "from: first\nproblems:", "b.yaml:7: from: not allowed at the top level"},
		{"by: validation_error", "by: validation_eror", "unknown metric"},
	})
	s, err := parsed(t, strings.Replace(stages, "{C: 10}", "{C: [10, 20]}", 1)).At("paper", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = s.Plan(); err == nil || !strings.Contains(err.Error(), "2 runs of first have") {
		t.Errorf("error if two runs of the base agree = %v, want \"2 runs of first have\"", err)
	}
}

// TestFromWithFolds checks that a run builds on the run of its own fold and seed.
func TestFromWithFolds(t *testing.T) {
	text := strings.Replace(stages, "seeds: [1, 2], keep", "keep", 1) + "seeds: [1, 2]\nrepeat: {folds: 3}\n"
	_, runs := planOf(t, parsed(t, text), "paper")
	for i, r := range runs {
		if b := r.Base; b != nil && (b.Fold != r.Fold || b.Seed != r.Seed) {
			t.Errorf("run %d of fold %d and seed %d builds on fold %d and seed %d", i, r.Fold, r.Seed, b.Fold, b.Seed)
		}
	}
	if len(runs) != 12+12+24 || runs[47].Base == nil {
		t.Errorf("%d runs, want 48", len(runs))
	}
}
