package origin_test

import (
	"fmt"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/trace"
)

// first returns the first run of a spec with one solver, and its plan key.
func first(t *testing.T, set ...string) (lang.Run, string) {
	t.Helper()
	s := toy.Spec(t, toy.AtC+"title: a\nsolvers: [{name: ascent, rate: 0.5}]\nstop: {passes: 4}\n", set...)
	runs, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return runs[0], origin.PlanKey(runs[0])
}

// TestPlanKey checks that each setting that changes the rows changes the key, and that titles, figures and written
// defaults do not change it.
func TestPlanKey(t *testing.T) {
	_, base := first(t)
	for _, set := range []string{"title=b", "figure={x: passes, y: primal}", "solvers.ascent.order=random"} {
		if _, key := first(t, set); key != base {
			t.Errorf("%s changes the plan key, want the same key", set)
		}
	}
	seen := map[string]string{base: "nothing"}
	for _, set := range []string{"dataset.train=61", "dataset.seed=2", "model.loss=hinge", "regularisation.C=11",
		"regularisation.convention=svm-struct",
		"solvers.ascent.rate=0.25", "solvers.ascent.order=cyclic", "seeds=[2]", "stop.passes=5", "record.every={passes: 2}",
		"record.metrics=[primal]", "budget={passes: 3}",
		"repeat={folds: 2}", "repeat={folds: 3}"} {
		_, key := first(t, set)
		if seen[key] != "" {
			t.Errorf("%s and %s have the same plan key", set, seen[key])
		}
		seen[key] = set
	}
}

// TestRunKey checks that the key of a run depends on its settings, on the data and on the revision of each component.
func TestRunKey(t *testing.T) {
	cat := toy.Catalogue()
	run, _ := first(t)
	other, _ := first(t, "solvers.ascent.rate=0.25")
	set := &datasets.Set{Name: "points", Checksum: "abc"}
	key := origin.RunKey(cat, run, set)
	// The results that exist have keys of this text.
	text := fmt.Sprintf("%s\ndata set points 1\nmodel classifier 1\nsolver ascent 1\nrows %d\nabc", run.Canonical(),
		cat.Rows.Revision)
	if want := trace.Digest([]byte(text)); key != want {
		t.Errorf("key %s, want %s, the hash of\n%s", key, want, text)
	}
	seen := map[string]string{key: "nothing"}
	note := func(what, key string) {
		if seen[key] != "" {
			t.Errorf("%s and %s have the same run key", what, seen[key])
		}
		seen[key] = what
	}
	note("other settings", origin.RunKey(cat, other, set))
	note("other data", origin.RunKey(cat, run, &datasets.Set{Name: "points", Checksum: "abd"}))
	for what, revise := range map[string]func(*lang.Catalogue){
		"a revision of the data set": func(c *lang.Catalogue) { c.Datasets[0].Revision++ },
		"a revision of the model":    func(c *lang.Catalogue) { c.Models[0].Revision++ },
		"a revision of the solver":   func(c *lang.Catalogue) { c.Solvers[0].Revision++ },
		"a revision of the rows":     func(c *lang.Catalogue) { c.Rows.Revision++ },
	} {
		later := toy.Catalogue()
		revise(&later)
		note(what, origin.RunKey(later, run, set))
	}
}
