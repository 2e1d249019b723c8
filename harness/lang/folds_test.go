package lang

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// TestFoldsOfAChoice checks the runs of a rule with folds, for each number of folds. Each compared run of the plan
// without folds becomes one run for each fold, with the label fold and otherwise the same labels. After all other runs
// comes one final run on all data for each of them. No two runs share their labels or their rule.
func TestFoldsOfAChoice(t *testing.T) {
	const text = `apiVersion: gaplab/v1
id: my/choice
title: A choice
dataset: {name: digits}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: [1, 10]}
seeds: [1, 2]
solvers: [{name: eg}, {as: s, name: sgd, eta0: {grid: [0.1, 1]}}]
stop: {passes: 5}
choose: [{solver: s, over: eta0, by: validation_error%s}]
`
	without := map[string]bool{} // the labels of each compared run
	_, plain := planOf(t, parsed(t, fmt.Sprintf(text, "")), "")
	for _, r := range plain {
		if r.Choose != nil {
			without[show(r)] = true
			if r.Choose.Final || r.Screen() || r.Fold != 0 {
				t.Errorf("%s: final %v, screen %v, fold %d, want none without folds", show(r), r.Choose.Final, r.Screen(), r.Fold)
			}
		}
	}
	for _, folds := range []int{2, 3, 5} {
		_, runs := planOf(t, parsed(t, fmt.Sprintf(text, fmt.Sprintf(", folds: %d", folds))), "")
		if want := len(plain) - len(without) + len(without)*(folds+1); len(runs) != want {
			t.Fatalf("%d runs with %d folds, want %d", len(runs), folds, want)
		}
		seen, finals := map[string][]int{}, 0
		for i, r := range runs {
			if r.Choose == nil {
				continue
			}
			if r.Choose.Final {
				finals++
				if _, labelled := r.Labels["fold"]; labelled || r.Fold != 0 || r.Folds != 0 || r.Screen() {
					t.Errorf("final run %s has the fold %d of %d, want none", show(r), r.Fold, r.Folds)
				}
				seen[show(r)] = append(seen[show(r)], 0)
				if i < len(runs)-len(without) {
					t.Errorf("final run %s is number %d of %d, want all final runs last", show(r), i, len(runs))
				}
				continue
			}
			if !r.Screen() || r.Folds != folds || r.Labels["fold"] != float64(r.Fold) {
				t.Errorf("%s: screen %v, fold %d of %d, want a fold of %d with the same label", show(r), r.Screen(), r.Fold,
					r.Folds, folds)
			}
			name := show(r, "fold")
			seen[name] = append(seen[name], r.Fold)
		}
		if finals != len(without) || !maps.EqualFunc(seen, without, func([]int, bool) bool { return true }) {
			t.Errorf("%d final runs, and compared runs %v, want %d and %v", finals, seen, len(without), without)
		}
		for name, list := range seen {
			slices.Sort(list)
			for k, fold := range list {
				if len(list) != folds+1 || fold != k {
					t.Errorf("%s: folds %v, want 0 for the final run, and 1 to %d", name, list, folds)
					break
				}
			}
		}
		for i := range runs { // a change of one run must not change another
			runs[i].Labels["mark"] = float64(i)
			if c := runs[i].Choose; c != nil {
				c.Group = fmt.Sprint(i)
			}
		}
		for i, r := range runs {
			if r.Labels["mark"] != float64(i) || r.Choose != nil && r.Choose.Group != fmt.Sprint(i) {
				t.Errorf("run %d shares its labels or its rule with run %v", i, r.Labels["mark"])
			}
		}
	}
}
