package schedule_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// fromSpec is a spec with three problems. Problem "first" trains a classifier. Problem "again" evaluates the weights of
// "first" with other training data. Problem "top" trains another model, which starts from the weights of "first".
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

// TestFrom checks that a run starts from the weights of the best row of its base run, even if an earlier process made
// the base run. The base run must be repeated if its weights file is missing.
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
		t.Fatalf("validation errors %v: the test needs a run whose best row is not the last", errs)
	}
	again := f["again"].Rows[0].Values["validation_error"]
	if len(f["again"].Rows) != 1 || again != slices.Min(errs) {
		t.Errorf("error with the weights of the base = %v, want the smallest of %v, in one row", again, errs)
	}
	if got := f["top"].Rows[0].Values["validation_error"]; got != again {
		t.Errorf("first error of the run that starts from these weights = %v, want %v", got, again)
	}
	if s := f["refused"].Status(); s != trace.Unsupported {
		t.Errorf("status of a solver that cannot start from given weights = %s, want unsupported", s)
	}
	kept := f["first"].End.Examples["validation_error"]
	if sum(kept.Num)/sum(kept.Den) != again || len(kept.Num) != 20 {
		t.Errorf("counts by example: %v errors in %v labels, want the error rate of the best row, %v", sum(kept.Num),
			sum(kept.Den), again)
	}

	// If only the run that starts from the weights is missing, the base run is not repeated: the weights are read from the
	// file.
	if err := os.Remove(f["top"].Path); err != nil {
		t.Fatal(err)
	}
	start := f["first"].Manifest.Start
	g := runs()
	if g["first"].Manifest.Start != start || trace.Diff(g["top"], f["top"]) != "" {
		t.Error("the base was run again, or the run with its saved weights has other rows")
	}
	// If the weights file is missing too, the base run is repeated.
	weights, err := filepath.Glob(filepath.Join(filepath.Dir(f["first"].Path), "*.weights.json.gz"))
	if err != nil || len(weights) != 1 {
		t.Fatalf("weights files: %v, %v; want one, of the base", weights, err)
	}
	if err := errorsOf(os.Remove(weights[0]), os.Remove(f["top"].Path)); err != nil {
		t.Fatal(err)
	}
	if d := trace.Diff(runs()["top"], f["top"]); d != "" {
		t.Errorf("after its base was run again, the run has other rows: %s", d)
	}
}

// TestFromNeedsExactWeights checks that a run does not start from weights that were rounded for predictions. Instead
// the base run must be repeated, and its weights must be saved with all bits.
func TestFromNeedsExactWeights(t *testing.T) {
	t.Parallel()
	first, _, _ := strings.Cut(fromSpec, "  again:")
	want := toy.Labelled(t, toy.Text(t, fromSpec), "as", "top")
	out := t.TempDir()
	alone := toy.Only(t, toy.Run(t, out, toy.Spec(t, first), toy.Weights()))
	if store.HasWeights(alone, true) || !store.HasWeights(alone, false) {
		t.Fatal("a run from which no other run starts must have rounded weights")
	}
	// saved returns the run "first" of the forecast: whether it will save its weights, and whether its file has them.
	saved := func(text string) (bool, bool) {
		p, err := schedule.NewPlan(toy.Spec(t, text), toy.Options(out))
		if err != nil {
			t.Fatal(err)
		}
		f, err := p.Forecast(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range f.Runs[1:] {
			if r.Saves {
				t.Errorf("the run %v will save its weights, from which no run starts", r.Labels)
			}
		}
		return f.Runs[0].Saves, f.Runs[0].Made != nil && f.Runs[0].Made.Weights
	}
	if will, has := saved(first); will || has {
		t.Errorf("forecast of one run: saves its weights %v, has them %v; want false and false", will, has)
	}
	if will, has := saved(fromSpec); !will || has {
		t.Errorf("forecast of the base: saves its weights %v, has them %v; want true and false", will, has)
	}
	r := toy.Run(t, out, toy.Spec(t, fromSpec), toy.Workers(1))
	if will, has := saved(fromSpec); !will || !has {
		t.Errorf("forecast of the base that has run: saves its weights %v, has them %v; want true and true", will, has)
	}
	if base := toy.Labelled(t, r, "as", "first"); !store.HasWeights(base, true) {
		t.Error("the base of other runs has rounded weights, want exact weights")
	}
	if d := trace.Diff(toy.Labelled(t, r, "as", "top"), want); d != "" {
		t.Errorf("rows of the run after its base had rounded weights: %s; want the rows of a fresh folder", d)
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

// barren returns fromSpec with two further problems: the run of problem "wild" diverges, and the run of problem "lost"
// should start from the weights of "wild".
func barren() string {
	return strings.Replace(fromSpec, "  again:", `  wild:
    solvers: [{as: wild, name: descent, step: 1e300}]
  lost:
    from: wild
    model: {name: again, loss: log}
    solvers: [{as: lost, name: still}]
  again:`, 1)
}

// TestBarrenBase checks that a run fails if the run whose weights it needs diverged, and that the other runs are not
// affected.
func TestBarrenBase(t *testing.T) {
	t.Parallel()
	r := toy.Text(t, barren())
	toy.WantStatus(t, toy.Labelled(t, r, "as", "wild"), trace.Diverged, "")
	if lost := toy.Labelled(t, r, "as", "lost"); lost.Status() != trace.Failed ||
		!strings.Contains(lost.End.Why, "no weights to start from") {
		t.Errorf("the run whose base diverged ended with %+v, want it failed for lack of weights", lost.End)
	}
	toy.WantStatus(t, toy.Labelled(t, r, "as", "top"), trace.Done, "passes")
}

// TestKeepLooksAtItsMetric checks that two metrics are evaluated although record.metrics does not list them: the metric
// of the setting "keep" and that of the setting "examples".
func TestKeepLooksAtItsMetric(t *testing.T) {
	t.Parallel()
	text := strings.Replace(fromSpec[:strings.Index(fromSpec, "  again:")], "record: {", "record: {metrics: [primal], ", 1)
	f := toy.Only(t, toy.Text(t, text, toy.Weights()))
	if f.End.Examples["validation_error"].Num == nil || f.End.Examples["validation_error"].Of == "" {
		t.Errorf("counts by example = %v, want those of validation_error", f.End.Examples)
	}
	toy.Column(t, f, "validation_error")
}

// TestPatience checks that a run with the setting patience ends after that number of consecutive rows without an
// improvement. Its final weights must be the weights of the best row.
func TestPatience(t *testing.T) {
	t.Parallel()
	r := toy.Text(t, strings.Replace(fromSpec[:strings.Index(fromSpec, "  again:")], "keep: {by: validation_error}",
		"keep: {by: validation_error, patience: 2}", 1), toy.Weights())
	f := toy.Only(t, r)
	errs := toy.Column(t, f, "validation_error")
	best := slices.Index(errs, slices.Min(errs))
	if f.End.Rule == "patience" && len(errs) != best+3 || f.End.Rule != "patience" && len(errs) > best+2 {
		t.Errorf("errors %v, ended by %s: want patience to end the run two rows after the best", errs, f.End.Rule)
	}
}

// TestProblemsShareARun checks that a run that two problems share is made once, and is a result of both.
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
		t.Fatalf("%d of %d runs, interrupted %v; want 4, not interrupted", len(r.Files), r.Planned, !r.Ended())
	}
	a, b := toy.Labelled(t, r, "problem", "rates", "step", "0.1"), toy.Labelled(t, r, "problem", "seeds", "seed", "1")
	if a.Path != b.Path {
		t.Errorf("the shared run is in two files, %s and %s", a.Path, b.Path)
	}
}

// chained is fromSpec with two more problems: the run of "third" starts from the weights of "middle", which itself
// starts from those of "first". Neither run changes the weights.
const chained = fromSpec + `  middle:
    from: first
    model: {name: again, loss: log}
    solvers: [{as: middle, name: still}]
  third:
    from: middle
    model: {name: again, loss: log}
    solvers: [{as: third, name: still}]
`

// TestFromTwice checks that the weights of a run that started from others are passed on, and that each run is made
// once.
func TestFromTwice(t *testing.T) {
	t.Parallel()
	var j toy.Journal
	r := toy.Text(t, chained, j.Option())
	middle, third := toy.Last(t, toy.Labelled(t, r, "as", "middle")), toy.Labelled(t, r, "as", "third")
	if got := toy.Last(t, third); len(third.Rows) != 1 || got["validation_error"] != middle["validation_error"] ||
		got[trace.Primal] != middle[trace.Primal] {
		t.Errorf("rows of the run of third %v, want one with the values of %v", third.Rows, middle)
	}
	first, after := slices.Index(j.Ended, "first"), slices.Index(j.Ended, "middle")
	if first > after || after > slices.Index(j.Ended, "third") || len(j.Ended) != 6 || len(j.Reused) != 0 {
		t.Errorf("runs ended in the order %q, want first, middle, third and three others", j.Ended)
	}
}
