package lang

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

const twoProblems = `
apiVersion: gaplab/v1
id: my/two
regularisation: {convention: eg, C: [1, 10]}
model: {name: multiclass, loss: log}
problems:
  small: {dataset: {name: digits, train: 10}}
  large:
    dataset: {name: digits, train: 100}
    regularisation: {C: [5]}
    solvers: [{as: other, name: eg, budget: {passes: 7}}]
solvers: [{name: eg}]
stop: {passes: 5}
figure: {x: passes, y: primal, series: [{of: eg}, {of: other}]}
scales:
  smoke: {problems: {large: {dataset: {train: 50}}}}
`

// TestProblems checks that the keys of a problem replace the keys of the experiment, and that each run has the
// problem's name as its label "problem".
func TestProblems(t *testing.T) {
	for _, scale := range []string{"smoke", "paper"} {
		_, runs := planOf(t, parsed(t, twoProblems), scale)
		if len(runs) != 3 {
			t.Fatalf("%d runs, want 2 of small and 1 of large", len(runs))
		}
		for i, want := range []struct {
			problem, as string
			c           float64
		}{{"small", "eg", 1}, {"small", "eg", 10}, {"large", "other", 5}} {
			r := runs[i]
			if r.Labels["problem"] != want.problem || r.Labels["as"] != want.as || r.C != want.c {
				t.Errorf("run %d is %v with C = %v; want %+v", i, r.Labels, r.C, want)
			}
		}
		if b := runs[2].Budget; b == nil || b.Passes != 7 || runs[0].Budget != nil {
			t.Errorf("budget of a run whose solver has one: %v, of another run: %v; want 7 passes and nil", b, runs[0].Budget)
		}
		train := tree.Value(&runs[2].Dataset.Params).(map[string]any)["train"]
		if want := map[string]any{"smoke": 50, "paper": 100}[scale]; train != want {
			t.Errorf("at scale %s large has train = %v; want %v", scale, train, want)
		}
	}
}

// TestProblemFaults checks the lines and messages of faults in problems.
func TestProblemFaults(t *testing.T) {
	faulty(t, twoProblems, [][3]string{
		{"{dataset: {name: digits, train: 10}}",
			"{dataset: {name: digits, train: 10}, figure: {x: passes}}", "b.yaml:7: problems.small.figure: unknown key"},
		{"{dataset: {name: digits, train: 10}}", "5", "b.yaml:7: problems.small: got 5; accepted: a map"},
		{"name: digits, train: 10", "name: digit, train: 10", "b.yaml:7: dataset.name: unknown"},
		{"{of: other}", "{of: others}", "no solver \"others\", did you mean \"other\"?"},
	})
}

// TestProblemsAtAScale checks what a scale does to the problems: it changes one, removes one and adds one.
func TestProblemsAtAScale(t *testing.T) {
	for change, want := range map[string]string{
		"{}":                                    "small 10, large 100",
		"{large: {dataset: {train: 50}}}":       "small 10, large 50",
		"{small: null}":                         "large 100",
		"{large: null}":                         "small 10",
		"{third: {dataset: {name: digits}}}":    "small 10, large 100, third 1000",
		"{small: null, large: {seeds: [1, 2]}}": "large 100, large 100",
	} {
		text := strings.Replace(twoProblems, "{large: {dataset: {train: 50}}}", change, 1)
		text = strings.Replace(text, "C: [1, 10]", "C: 1", 1)
		text = strings.Replace(text, ", series: [{of: eg}, {of: other}]", "", 1)
		_, runs := planOf(t, parsed(t, text), "smoke")
		var got []string
		for _, r := range runs {
			got = append(got, fmt.Sprint(r.Labels["problem"], " ", tree.Value(&r.Dataset.Params).(map[string]any)["train"]))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("problems: %s: runs of %q, want %s", change, got, want)
		}
	}
}

// TestStopOfARun checks the stop rules of planned runs: the rules of the experiment, or the solver's own rules in their
// place. A run with a path has no rule on the gap, because each stage has its own rule on the gap.
func TestStopOfARun(t *testing.T) {
	const text = `
apiVersion: gaplab/v1
id: my/stops
dataset: {name: digits}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: 1}
solvers:
  - {name: eg}
  - {as: own, name: eg, stop: {gap: 0.5}}
  - {as: path, name: eg, path: {C: {from: 8, factor: 0.5, steps: 3}, until: {gap: 0.25}}}
stop: {gap: 0.125, passes: 9}
`
	want := map[string]Stop{"eg": {Gap: 0.125, Passes: 9}, "own": {Gap: 0.5, Passes: 9}, "path": {Passes: 9}}
	_, runs := planOf(t, parsed(t, text), "own")
	for _, r := range runs {
		if r.Stop != want[r.Solver.As] {
			t.Errorf("%s stops by %+v, want %+v", r.Solver.As, r.Stop, want[r.Solver.As])
		}
	}
}
