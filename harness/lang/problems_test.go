package lang

import (
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

// TestProblems checks that each problem is the experiment with the keys of the problem in place of its own, and that
// each run has the problem's name as its label "problem".
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
			t.Errorf("the budget of a solver is %v for its own run and %v for another's", b, runs[0].Budget)
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
