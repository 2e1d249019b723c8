package schedule

import (
	"maps"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang"
)

// TestStopOfACallersSolver checks that a caller's solver stops by the rule of its problem or, if the problem has none,
// by the rule of the run whose problem it solves. It must have neither the name of that run nor its rule choose.
func TestStopOfACallersSolver(t *testing.T) {
	s := &lang.Spec{Problems: []lang.Problem{{Name: "first", Stop: lang.Stop{Passes: 1}}, {Name: "bare"},
		{Name: "last", Stop: lang.Stop{Epochs: 3}}}}
	for problem, want := range map[string]lang.Stop{"first": {Passes: 1}, "last": {Epochs: 3}, "bare": {Gap: 9}} {
		r := lang.Run{Stop: lang.Stop{Gap: 9}, Choose: &lang.Candidate{}, Solver: lang.Solver{As: "eg", Name: "eg"},
			Labels: map[string]any{"problem": problem, "as": "eg", "solver": "eg", "C": 2.0, "eta": 0.5}}
		own := extraRun(s, r, Named{Name: "mine"})
		if own.Stop != want {
			t.Errorf("problem %s: stop %+v, want %+v", problem, own.Stop, want)
		}
		_, eta := own.Labels["eta"]
		if own.Choose != nil || own.Solver.As != "mine" || own.Labels["as"] != "mine" || own.Labels["solver"] != "mine" ||
			own.Labels["C"] != 2.0 || own.Labels["problem"] != problem || eta {
			t.Errorf("problem %s: run %+v, want the labels of the problem and the name mine", problem, own)
		}
	}
}

// TestLabelsOfACallersSolver checks which labels the run of a caller's solver takes over from a run of the spec: those
// of the problem, and the swept parameters of the data set and the model, with or without the name of their section. A
// parameter of the solver is not taken over, even if the data set has a parameter of the same name with another value.
func TestLabelsOfACallersSolver(t *testing.T) {
	params := func(text string) yaml.Node {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		return *doc.Content[0]
	}
	problem := map[string]any{"dataset": "d", "model": "m", "loss": "log", "C": 2.0, "lambda": 0.5, "seed": 1.0,
		"fold": 2.0, "problem": "p", "train": 60, "dataset.order": 3, "model.order": 2, "window": 4}
	solver := map[string]any{"as": "eg", "solver": "eg", "eta": 0.5, "order": 9, "solver.window": 5}
	r := lang.Run{Labels: map[string]any{}, Dataset: lang.Dataset{Params: params("{train: 60, order: 3, eta: 1}")},
		Model: lang.Model{Params: params("{order: 2, window: 4}")}, Seed: 7}
	maps.Copy(r.Labels, problem)
	maps.Copy(r.Labels, solver)
	all := maps.Clone(r.Labels)
	own := extraRun(&lang.Spec{}, r, Named{Name: "mine"})
	problem["as"], problem["solver"] = "mine", "mine"
	if !maps.Equal(own.Labels, problem) {
		t.Errorf("labels %v, want %v", own.Labels, problem)
	}
	if !maps.Equal(r.Labels, all) || own.Seed != r.Seed || own.Solver.Name != "mine" {
		t.Errorf("labels of the run of the spec %v, seed %d, solver %s; want %v, %d, mine", r.Labels, own.Seed,
			own.Solver.Name, all, r.Seed)
	}
}
