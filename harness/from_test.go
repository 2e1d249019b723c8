package harness

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// A chain, the same weights on its own validation data and on other training data, and an energy on top of it.
const fromSpec = `
apiVersion: gaplab/v1
id: own/from
dataset: {name: words, train: 30, validation: 20}
model: {name: chain, loss: log}
regularisation: {convention: eg, C: 1}
stop: {passes: 6}
record: {every: {epochs: 1}, examples: [validation_error]}
problems:
  first:
    solvers: [{as: first, name: eg, start: 3}]
    keep: {by: validation_error}
  again:
    from: first
    dataset: {train: 10}
    model: {name: same, loss: log}
    solvers: [{as: again, name: given}, {as: refused, name: lbfgs}]
  top:
    from: first
    model: {name: nonlocal, loss: log, energy: words, initial: 1}
    solvers: [{as: top, name: sgd, eta0: 0.01}]
`

// TestFrom: a run begins with the weights that an earlier one has kept, those of its best row, also when it is
// started again.
func TestFrom(t *testing.T) {
	out := t.TempDir()
	runs := func() map[string]*trace.File {
		r, err := Run(context.Background(), readSpec(t, fromSpec), Out(out), Workers(2))
		if err != nil {
			t.Fatal(err)
		}
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
	again := f["again"].Rows[0].Values["validation_error"]
	if len(f["again"].Rows) != 1 || again != slices.Min(errs) {
		t.Errorf("with the weights of an earlier run the error is %v; its rows have %v", again, errs)
	}
	if got := f["top"].Rows[0].Values["validation_error"]; !(got < again) {
		t.Errorf("with known words the error is %v, without %v", got, again)
	}
	if s := f["refused"].Status(); s != trace.Unsupported {
		t.Errorf("a solver that begins at zero is %s on weights that are given: want unsupported", s)
	}
	kept := f["first"].End.Examples["validation_error"]
	if sum(kept.Num)/sum(kept.Den) != again || len(kept.Num) != 20 {
		t.Errorf("the counts by example are those of %v errors in %v letters: want those of the best row, %v", sum(kept.Num),
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

// TestBarrenBase: a run whose base diverged is failed, and the others end as they would.
func TestBarrenBase(t *testing.T) {
	text := strings.Replace(fromSpec, "  again:", `  wild:
    solvers: [{as: wild, name: sgd, eta0: 1e300}]
  lost:
    from: wild
    model: {name: same, loss: log}
    solvers: [{as: lost, name: given}]
  again:`, 1)
	r := runText(t, text)
	wantStatus(t, labelled(t, r, "as", "wild"), trace.Diverged, "")
	if lost := labelled(t, r, "as", "lost"); lost.Status() != trace.Failed ||
		!strings.Contains(lost.End.Why, "no weights to begin with") {
		t.Errorf("a run that begins with what diverged: %+v", lost.End)
	}
	wantStatus(t, labelled(t, r, "as", "top"), trace.Done, "passes")
}

// TestKeepLooksAtItsMetric: what keep and examples look at is evaluated although it is not recorded.
func TestKeepLooksAtItsMetric(t *testing.T) {
	text := strings.Replace(fromSpec[:strings.Index(fromSpec, "  again:")], "record: {", "record: {metrics: [primal], ", 1)
	f := only(t, runText(t, text, SaveWeights()))
	if f.End.Examples["validation_error"].Num == nil || f.End.Examples["validation_error"].Of == "" {
		t.Errorf("the counts of examples are %v", f.End.Examples)
	}
	column(t, f, "validation_error")
}

// TestPatience: a run with patience ends after so many rows in turn without a better one, and keeps the weights of
// the best.
func TestPatience(t *testing.T) {
	r := runText(t, strings.Replace(fromSpec[:strings.Index(fromSpec, "  again:")], "keep: {by: validation_error}",
		"keep: {by: validation_error, patience: 2}", 1), SaveWeights())
	f := only(t, r)
	errs := column(t, f, "validation_error")
	best := slices.Index(errs, slices.Min(errs))
	if f.End.Rule == "patience" && len(errs) != best+3 || f.End.Rule != "patience" && len(errs) > best+2 {
		t.Errorf("errors %v, ended by %s: want two rows behind the best", errs, f.End.Rule)
	}
}

// TestProblemsShareARun: a run that two problems have in common is made once, and found under both.
func TestProblemsShareARun(t *testing.T) {
	r := runText(t, `
apiVersion: gaplab/v1
id: own/shared
dataset: {name: digits, train: 30, validation: 0}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: 1}
problems:
  rates: {solvers: [{as: sgd, name: sgd, eta0: {grid: [0.1, 0.2]}}]}
  seeds: {solvers: [{as: sgd, name: sgd, eta0: 0.1}], seeds: [1, 2]}
stop: {passes: 2}
`, Workers(2))
	if len(r.Files) != 4 || r.Interrupted() {
		t.Fatalf("%d of %d runs, interrupted: %v", len(r.Files), r.Planned, r.Interrupted())
	}
	a, b := labelled(t, r, "problem", "rates", "eta0", "0.1"), labelled(t, r, "problem", "seeds", "seed", "1")
	if a.Path != b.Path {
		t.Errorf("the same run is in %s and %s", a.Path, b.Path)
	}
}
