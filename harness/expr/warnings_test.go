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
	never := func(run string, passes int) string {
		return fmt.Sprintf("%s: primal did not fall to 1 within %d passes; we assume that it never does", run, passes)
	}
	type labels = map[string]any
	for name, c := range map[string]struct {
		runs   []labels // the labels that replace those of the run
		passes []int
		want   []string
	}{
		"one": {[]labels{{}}, []int{9}, []string{never("as=eg, C=1", 9)}},
		"no gap": {[]labels{{"seed": 3.0}, {"seed": 1.0}, {"seed": 2.0}}, []int{9, 9, 9},
			[]string{never("seed=1 to 3", 9)}},
		"two": {[]labels{{"seed": 1.0}, {"seed": 2.0}}, []int{9, 9}, []string{never("seed=1 and 2", 9)}},
		"a gap": {[]labels{{"seed": 1.0}, {"seed": 2.0}, {"seed": 4.0}}, []int{9, 9, 9},
			[]string{never("seed=1, 2 and 4", 9)}},
		"folds": {[]labels{{"fold": 1.0}, {"fold": 2.0}, {"fold": 3.0}}, []int{9, 9, 9},
			[]string{never("fold=1 to 3", 9)}},
		"seeds of the data": {[]labels{{"dataset.seed": "a"}, {"dataset.seed": "b"}}, []int{9, 9},
			[]string{never("dataset.seed=a and b", 9)}},
		"two values of C": {[]labels{{"C": 1.0, "seed": 1.0}, {"C": 2.0, "seed": 1.0}, {"C": 1.0, "seed": 2.0},
			{"C": 2.0, "seed": 2.0}}, []int{9, 9, 9, 9}, []string{never("C=1, seed=1 and 2", 9), never("C=2, seed=1 and 2", 9)}},
		"other texts": {[]labels{{"seed": 1.0}, {"seed": 2.0}, {"seed": 3.0}}, []int{9, 8, 9},
			[]string{never("seed=1 and 3", 9), never("seed=2", 8)}},
		"seed and fold": {[]labels{{"seed": 1.0, "fold": 1.0}, {"seed": 2.0, "fold": 2.0}}, []int{9, 9},
			[]string{never("seed=1, fold=1", 9), never("seed=2, fold=2", 9)}},
	} {
		var files []*trace.File
		for i, own := range c.runs {
			f := decay("eg", 1, 0.1, 0, c.passes[i], trace.End{Status: trace.Done, Rule: "passes"})
			for k, v := range own {
				f.Manifest.Labels[k] = v
			}
			files = append(files, f)
		}
		e := expr.NewEvaluation(expr.Evidence{Set: trace.NewSet(files)})
		if _, err := e.Assert(`all(series, reach(#, "primal", 1) > 5)`); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, e.Warnings()); diff != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", name, diff)
		}
	}
}
