package lang

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestOneSEOfRegularisation checks that the rule of one standard error is accepted for C and for λ, and for no other
// setting: neither alone nor beside C.
func TestOneSEOfRegularisation(t *testing.T) {
	for _, c := range []struct {
		convention, solver, over string
		ok                       bool
	}{
		{"{convention: eg, C: {grid: [1, 2]}}", "{name: eg}", "C", true},
		{"{convention: lambda, lambda: {grid: [1, 2]}}", "{name: eg}", "lambda", true},
		{"{convention: eg, C: 1}", "{name: eg, eta: {grid: [0.5, 1]}}", "eta", false},
		{"{convention: eg, C: {grid: [1, 2]}}", "{name: eg, eta: {grid: [0.5, 1]}}", "[C, eta]", false},
	} {
		_, err := toyParser(t).Parse("b.yaml", []byte(fmt.Sprintf(`
apiVersion: gaplab/v1
id: test/one
title: t
dataset: {name: digits}
model: {name: multiclass, loss: log}
regularisation: %s
solvers: [%s]
choose: {over: %s, by: validation_error, folds: 2, one_se: true}
stop: {passes: 2}
`, c.convention, c.solver, c.over)))
		const want = "choose.one_se: one_se chooses the strongest regularisation; accepted: only lambda or C in the key over"
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("one_se over %s: error %v, want %v", c.over, err, c.ok)
		}
	}
}

// TestFinalsOfAPath checks the final runs of a rule that chooses a stage of a path: one for each stage, with the value
// of the stage, without a path and on all data. A final run ends by the rules for the stage; the rules of the spec
// apply only where the stage has none.
func TestFinalsOfAPath(t *testing.T) {
	for _, c := range []struct {
		until, stop string
		want        Stop
	}{
		{"{gap: 0.25}", "{passes: 200}", Stop{Gap: 0.25, Passes: 200}},
		{"{gap: 0.25, passes: 3}", "{passes: 200, epochs: 9}", Stop{Gap: 0.25, Passes: 3, Epochs: 9}},
		{"{gap: 0.25, epochs: 2, seconds: 5}", "{passes: 200, epochs: 9, seconds: 7}",
			Stop{Gap: 0.25, Passes: 200, Epochs: 2, Seconds: 5}},
	} {
		_, runs := planOf(t, parsed(t, fmt.Sprintf(`
apiVersion: gaplab/v1
id: test/path
title: t
dataset: {name: digits}
model: {name: multiclass, loss: log}
regularisation: {convention: eg}
solvers: [{name: eg, path: {C: {from: 8, factor: 0.5, steps: 3}, until: %s}}]
choose: {over: C, by: validation_error, folds: 2}
stop: %s
`, c.until, c.stop)), "")
		var values []float64
		for _, r := range runs {
			if !r.Choose.Final {
				if r.Fold == 0 || r.Solver.Path == nil {
					t.Errorf("a compared run has fold %d and path %v, want a fold and a path", r.Fold, r.Solver.Path)
				}
				continue
			}
			values = append(values, r.C)
			if r.Stop != c.want || r.Solver.Path != nil || r.Fold != 0 || r.Labels["C"] != r.C {
				t.Errorf("until %s, stop %s: a final run has stop %+v, path %v, fold %d and label C %v with C=%v; want stop %+v, "+
					"no path, no fold and the same C", c.until, c.stop, r.Stop, r.Solver.Path, r.Fold, r.Labels["C"], r.C, c.want)
			}
		}
		if !slices.Equal(values, []float64{8, 4, 2}) {
			t.Errorf("the final runs have C %v, want one for each stage: 8, 4, 2", values)
		}
	}
}
