package schedule_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
)

// A classifier, the same weights on its own validation data and on other training data, and a model on top of it.
const fromSpec = `
apiVersion: gaplab/v1
id: own/from
dataset: {name: points, train: 30, validation: 20}
model: {name: classifier, loss: log}
regularisation: {convention: eg, C: 1}
stop: {passes: 5}
record: {every: {epochs: 1}, examples: [validation_error]}
problems:
  first:
    solvers: [{as: first, name: descent, step: 9}]
    keep: {by: validation_error}
  again:
    from: first
    dataset: {train: 10}
    model: {name: again, loss: log}
    solvers: [{as: again, name: still}, {as: refused, name: whole}]
  top:
    from: first
    model: {name: shifted, loss: log}
    solvers: [{as: top, name: descent, step: 0.01}]
`

// TestFrom: a run begins with the weights that an earlier one has kept, those of its best row, also when it is
// started again.
func TestFrom(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	runs := func() map[string]*trace.File {
		r := toy.Run(t, out, toy.Spec(t, fromSpec), toy.Workers(2))
		list := map[string]*trace.File{}
		for _, f := range r.Files {
			list[f.Manifest.Labels["as"].(string)] = f
		}
		return list
	}
	f := runs()
	var errs []float64
	for _, r := range f["first"].Rows {
		errs = append(errs, r.Values["validation_error"])
	}
	if slices.Min(errs) == errs[len(errs)-1] {
		t.Fatalf("errors %v: the best row is the last, and this test says nothing", errs)
	}
	again := f["again"].Rows[0].Values["validation_error"]
	if len(f["again"].Rows) != 1 || again != slices.Min(errs) {
		t.Errorf("with the weights of an earlier run the error is %v; its rows have %v", again, errs)
	}
	if got := f["top"].Rows[0].Values["validation_error"]; got != again {
		t.Errorf("on top of these weights the error is %v at first, theirs is %v", got, again)
	}
	if s := f["refused"].Status(); s != trace.Unsupported {
		t.Errorf("a solver that begins at zero is %s on weights that are given: want unsupported", s)
	}
	kept := f["first"].End.Examples["validation_error"]
	if sum(kept.Num)/sum(kept.Den) != again || len(kept.Num) != 20 {
		t.Errorf("the counts by example are those of %v errors in %v rows: want those of the best row, %v", sum(kept.Num),
			sum(kept.Den), again)
	}

	// The dependent run alone is missing: the earlier one is not run again, its weights are read.
	if err := os.Remove(f["top"].Path); err != nil {
		t.Fatal(err)
	}
	start := f["first"].Manifest.Start
	g := runs()
	if g["first"].Manifest.Start != start || trace.Diff(g["top"], f["top"]) != "" {
		t.Error("a run that begins with kept weights comes out another")
	}
	// The weights are missing: it is.
	weights, err := filepath.Glob(filepath.Join(filepath.Dir(f["first"].Path), "*.weights.json.gz"))
	if err != nil || len(weights) != 1 {
		t.Fatalf("weights: %v, %v; want those of the one run that others begin with", weights, err)
	}
	if err := errorsOf(os.Remove(weights[0]), os.Remove(f["top"].Path)); err != nil {
		t.Fatal(err)
	}
	if d := trace.Diff(runs()["top"], f["top"]); d != "" {
		t.Errorf("a run whose beginning was run again comes out another: %s", d)
	}
}

func errorsOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

// barren is fromSpec with a base that diverges, and a run that would begin with its weights.
func barren() string {
	return strings.Replace(fromSpec, "  again:", `  wild:
    solvers: [{as: wild, name: descent, step: 1e300}]
  lost:
    from: wild
    model: {name: again, loss: log}
    solvers: [{as: lost, name: still}]
  again:`, 1)
}

// TestBarrenBase checks that a run fails if its base diverged, and that the other runs are not affected.
func TestBarrenBase(t *testing.T) {
	t.Parallel()
	r := toy.Text(t, barren())
	toy.WantStatus(t, toy.Labelled(t, r, "as", "wild"), trace.Diverged, "")
	if lost := toy.Labelled(t, r, "as", "lost"); lost.Status() != trace.Failed ||
		!strings.Contains(lost.End.Why, "no weights to begin with") {
		t.Errorf("a run that begins with what diverged: %+v", lost.End)
	}
	toy.WantStatus(t, toy.Labelled(t, r, "as", "top"), trace.Done, "passes")
}

// TestKeepLooksAtItsMetric: what keep and examples look at is evaluated although it is not recorded.
func TestKeepLooksAtItsMetric(t *testing.T) {
	t.Parallel()
	text := strings.Replace(fromSpec[:strings.Index(fromSpec, "  again:")], "record: {", "record: {metrics: [primal], ", 1)
	f := toy.Only(t, toy.Text(t, text, toy.Weights()))
	if f.End.Examples["validation_error"].Num == nil || f.End.Examples["validation_error"].Of == "" {
		t.Errorf("the counts of examples are %v", f.End.Examples)
	}
	toy.Column(t, f, "validation_error")
}

// TestPatience checks that a run with patience ends after the given number of consecutive rows without an improvement,
// and keeps the weights of the best row.
func TestPatience(t *testing.T) {
	t.Parallel()
	r := toy.Text(t, strings.Replace(fromSpec[:strings.Index(fromSpec, "  again:")], "keep: {by: validation_error}",
		"keep: {by: validation_error, patience: 2}", 1), toy.Weights())
	f := toy.Only(t, r)
	errs := toy.Column(t, f, "validation_error")
	best := slices.Index(errs, slices.Min(errs))
	if f.End.Rule == "patience" && len(errs) != best+3 || f.End.Rule != "patience" && len(errs) > best+2 {
		t.Errorf("errors %v, ended by %s: want two rows behind the best", errs, f.End.Rule)
	}
}

// TestProblemsShareARun checks that a run that two problems share is made once and found under both.
func TestProblemsShareARun(t *testing.T) {
	t.Parallel()
	r := toy.Text(t, `
apiVersion: gaplab/v1
id: own/shared
dataset: {name: points, train: 30, validation: 0}
model: {name: classifier, loss: log}
regularisation: {convention: eg, C: 1}
problems:
  rates: {solvers: [{as: sgd, name: descent, step: {grid: [0.1, 0.2]}}]}
  seeds: {solvers: [{as: sgd, name: descent, step: 0.1}], seeds: [1, 2]}
stop: {passes: 2}
`, toy.Workers(2))
	if len(r.Files) != 4 || !r.Ended() {
		t.Fatalf("%d of %d runs, interrupted: %v", len(r.Files), r.Planned, !r.Ended())
	}
	a, b := toy.Labelled(t, r, "problem", "rates", "step", "0.1"), toy.Labelled(t, r, "problem", "seeds", "seed", "1")
	if a.Path != b.Path {
		t.Errorf("the same run is in %s and %s", a.Path, b.Path)
	}
}
