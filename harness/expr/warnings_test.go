package expr_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestWarningsOfSeeds checks that warnings with the same text about runs that differ only in a seed or a fold are one
// warning with all seeds, and that other warnings stay apart.
func TestWarningsOfSeeds(t *testing.T) {
	const slow, never = 0.1, ": primal did not fall to 1 within %d passes; we assume that it never does"
	type labels = map[string]any
	for name, c := range map[string]struct {
		runs   []labels // the labels that replace those of the run
		passes []int
		want   []string // the beginning of each warning
	}{
		"one": {[]labels{{}}, []int{9}, []string{"as=eg, C=1" + never}},
		"no gap": {[]labels{{"seed": 3.0}, {"seed": 1.0}, {"seed": 2.0}}, []int{9, 9, 9},
			[]string{"seed=1 to 3" + never}},
		"two": {[]labels{{"seed": 1.0}, {"seed": 2.0}}, []int{9, 9}, []string{"seed=1 and 2" + never}},
		"a gap": {[]labels{{"seed": 1.0}, {"seed": 2.0}, {"seed": 4.0}}, []int{9, 9, 9},
			[]string{"seed=1, 2 and 4" + never}},
		"folds": {[]labels{{"fold": 1.0}, {"fold": 2.0}, {"fold": 3.0}}, []int{9, 9, 9},
			[]string{"fold=1 to 3" + never}},
		"seeds of the data": {[]labels{{"dataset.seed": "a"}, {"dataset.seed": "b"}}, []int{9, 9},
			[]string{"dataset.seed=a and b" + never}},
		"two values of C": {[]labels{{"C": 1.0, "seed": 1.0}, {"C": 2.0, "seed": 1.0}, {"C": 1.0, "seed": 2.0},
			{"C": 2.0, "seed": 2.0}}, []int{9, 9, 9, 9}, []string{"C=1, seed=1 and 2" + never, "C=2, seed=1 and 2" + never}},
		"other texts": {[]labels{{"seed": 1.0}, {"seed": 2.0}, {"seed": 3.0}}, []int{9, 8, 9},
			[]string{"seed=1 and 3" + never, "seed=2" + never}},
		"seed and fold": {[]labels{{"seed": 1.0, "fold": 1.0}, {"seed": 2.0, "fold": 2.0}}, []int{9, 9},
			[]string{"seed=1, fold=1" + never, "seed=2, fold=2" + never}},
	} {
		var files []*trace.File
		for i, own := range c.runs {
			f := decay("eg", 1, slow, 0, c.passes[i], trace.End{Status: trace.Done, Rule: "passes"})
			for k, v := range own {
				f.Manifest.Labels[k] = v
			}
			files = append(files, f)
		}
		e := expr.NewEvaluation(expr.Evidence{Set: trace.NewSet(files)})
		if _, err := e.Assert(`all(series, reach(#, "primal", 1) > 5)`); err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, w := range c.want {
			passes := 9
			if w == "seed=2"+never && name == "other texts" {
				passes = 8
			}
			want = append(want, fmt.Sprintf(w, passes))
		}
		if diff := cmp.Diff(want, e.Warnings()); diff != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", name, diff)
		}
	}
}
