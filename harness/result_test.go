package harness

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/summary"
	"github.com/gaplab/gaplab/harness/trace"
)

// whole is a spec with a figure, a table and claims of all kinds.
const whole = tiny + `
title: EG on a few digits
regularisation: {convention: eg, C: [100, 10]}
solvers: [{name: eg, eta: 0.5}]
record: {every: {epochs: 1}}
stop: {passes: 20}
figure: {x: passes, y: gap_percent, yscale: log, series: "C={C}"}
table: {rows: C, columns: [final.passes, {name: final.validation_error, title: error}], printed: printed.csv}
claims:
  - {id: c1, says: it falls, assert: 'all(series, final(#, "gap") < 0.5)'}
  - {id: c2, says: it rises, assert: 'all(series, final(#, "primal") > 100)'}
  - {id: c3, says: elsewhere, assert: 'true', scales: [paper], because: it is said of the paper's data}
`

// TestResult checks that Read returns the same rows as Run, and that the figure, the table and the claims can be made
// from them.
func TestResult(t *testing.T) {
	dir := t.TempDir()
	e := fileOf(t, whole)
	if err := os.WriteFile(filepath.Join(filepath.Dir(e.Name), "printed.csv"), []byte("C,error\n100,0.5\n10,0.5\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	s := at(t, e, "")
	if _, err := Read(s, Options{Root: dir}); !errors.Is(err, ErrNoResults) ||
		!strings.Contains(err.Error(), "gaplab run ") || !strings.Contains(err.Error(), "spec.yaml`") {
		t.Errorf("Read before any run: error %v, want an ErrNoResults that names the command", err)
	}
	ran := runIn(t, dir, s)
	r := reread(t, s, Options{Root: dir})
	toy.SameRows(t, "run and read", ran.Files, r.Files)
	fig := drawn(t, r)
	if lines := fig.Panels[0].Lines; fig.ID != "test/tiny" || len(lines) != 2 || lines[0].Label != "C=100" ||
		!strings.Contains(fig.Caption, "digits") {
		t.Errorf("figure = %+v, want 2 lines, the first C=100, and a caption with digits", fig)
	}
	tab, err := r.Table()
	if err != nil {
		t.Fatal(err)
	}
	if tab.ID != "test/tiny" || len(tab.Rows) != 2 {
		t.Errorf("table = %+v, want 2 rows", tab)
	}
	verdicts, err := r.Claims()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range verdicts {
		got = append(got, v.Claim+" "+string(v.Verdict))
	}
	if want := []string{"c1 " + string(claims.Reproduced), "c2 " + string(claims.NotReproduced),
		"c3 " + string(claims.NotTestable)}; !slices.Equal(got, want) {
		t.Errorf("verdicts = %q, want %q", got, want)
	}
}

// TestReadPrefersOwnRuns checks that Read returns the user's runs if there are any, and otherwise those in the
// repository.
func TestReadPrefersOwnRuns(t *testing.T) {
	dir := t.TempDir()
	s := readSpec(t, atC+"solvers: [{name: eg, eta: 0.5}]\nstop: {passes: 4}\n")
	r := runIn(t, dir, s)
	kept := only(t, r).Thin(2)
	if _, err := store.Keep(dir).Write("test/tiny", "own", []*trace.File{kept}, false); err != nil {
		t.Fatal(err)
	}
	if r, err := Read(s, Options{Root: dir}); err != nil || only(t, r).Manifest.Thinned != 0 {
		t.Errorf("Read returns the thinned copy in the repository instead of the user's run: %v", err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "runs")); err != nil {
		t.Fatal(err)
	}
	if r, err := Read(s, Options{Root: dir}); err != nil || only(t, r).Manifest.Thinned == 0 {
		t.Errorf("Read does not return the thinned copy in the repository: %v", err)
	}
	other := readSpec(t, atC+"solvers: [{name: eg, eta: 0.25}]\nstop: {passes: 4}\n")
	if _, err := Read(other, Options{Root: dir}); !errors.Is(err, ErrNoResults) {
		t.Errorf("Read of another spec: error %v, want an ErrNoResults", err)
	}
}

// TestSummaryKeys checks the keys and values in the JSON output of `gaplab run`, on which other programs rely.
func TestSummaryKeys(t *testing.T) {
	r := runText(t, atC+"solvers: [{name: eg, eta: 0.5}, {name: lbfgs}]\nstop: {passes: 2}\n")
	hinge := runText(t, strings.Replace(atC, "log", "hinge", 1)+"solvers: [{name: lbfgs}]\nstop: {passes: 2}\n")
	contract := []string{"C", "cpu_seconds", "dataset", "dual", "exp_calls", "experiment", "gap", "key", "lambda",
		"max_calls", "metrics", "model", "passes", "primal", "scale", "seconds", "seed", "solver", "status", "trace"}
	beyond := []string{"why", "weights", "chosen", "warnings"}
	for _, s := range slices.Concat(summary.Of(r.Files, Catalogue()), summary.Of(hinge.Files, Catalogue())) {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if err := json.Unmarshal(text, &object); err != nil {
			t.Fatal(err)
		}
		keys := slices.DeleteFunc(slices.Sorted(maps.Keys(object)), func(k string) bool { return slices.Contains(beyond, k) })
		if !slices.Equal(keys, contract) {
			t.Errorf("keys = %q, want %q", keys, contract)
		}
		if object["C"] != 10. || object["lambda"] != 10./n || object["seed"] != 1. || object["scale"] != "own" ||
			object["dataset"] != "digits" || object["model"] != "multiclass" {
			t.Errorf("summary = %s, want C 10, lambda %v, seed 1 and the names of scale, data set and model", text, 10./n)
		}
		if _, err := os.Stat(s.Trace); err != nil && !strings.Contains(s.Trace, "test/tiny") {
			t.Errorf("file of the trace = %s, which does not exist: %v", s.Trace, err)
		}
		if s.Status == trace.Unsupported {
			if s.Passes != nil || object["gap"] != nil {
				t.Errorf("summary of a run that never began = %s, want no passes and no gap", text)
			}
			continue
		}
		last := toy.Last(t, labelled(t, r, "as", s.Solver["as"].(string)))
		if *s.Primal != last[trace.Primal] || *s.Gap != (*s.Primal-*s.Dual) / *s.Primal ||
			s.Metrics["validation_error"] != last["validation_error"] || len(s.Metrics) != 1 {
			t.Errorf("summary = %s, want the values of the last row, %v", text, last)
		}
	}
	eg := summary.Of(r.Files, Catalogue())[0]
	if eg.Solver["eta"] != 0.5 || eg.Solver["order"] != "random" || eg.Solver["name"] != "eg" || eg.ExpCalls < 2*n ||
		eg.MaxCalls != 0 {
		t.Errorf("summary of eg = %+v, want its settings, and no max-oracle calls", eg)
	}
	byLambda := runText(t, tiny+"regularisation: {convention: lambda, lambda: [0.1]}\nsolvers: [{name: lbfgs}]\nstop: "+
		"{passes: 2}\n")
	if lambda := summary.Of(byLambda.Files, Catalogue())[0]; lambda.C != nil || *lambda.Lambda != 0.1 {
		t.Errorf("with convention lambda: C = %v, want none; lambda = %v, want 0.1", lambda.C, *lambda.Lambda)
	}
}

// TestSelect checks that Select finds experiments by id, pattern, paper and file, and returns each only once, and that
// Find finds the same by an id or a file. It also checks the errors.
func TestSelect(t *testing.T) {
	ids := func(list []*Experiment) (out []string) {
		for _, e := range list {
			out = append(out, e.ID)
		}
		return out
	}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"eg/fig06"}, []string{"eg/fig06"}},
		{[]string{"eg/fig06", "eg/fig0[56]", "eg/fig06"}, []string{"eg/fig06", "eg/fig05"}},
	} {
		got, err := Select(c.args...)
		if err != nil || !slices.Equal(ids(got), c.want) {
			t.Errorf("Select(%q) = %q, %v, want %q", c.args, ids(got), err, c.want)
		}
	}
	all, err := Select("eg")
	if err != nil || len(all) < 8 {
		t.Errorf("Select of the paper eg = %q, %v, want at least 8 experiments", ids(all), err)
	}
	own := fileOf(t, whole)
	if got, err := Select(own.Name, own.Name); err != nil || len(got) != 1 {
		t.Errorf("Select of the same file twice = %q, %v, want one experiment", ids(got), err)
	}
	for arg, want := range map[string]string{"eg/fig99": "eg/fig06",
		"nowhere/fig1": "accepted: " + experiments.Papers()[0].Key + ", ", "eg/[": "bad pattern",
		"missing.yaml": "missing.yaml"} {
		_, err := Select(arg)
		refused(t, arg, err, want)
		_, err = Find(arg)
		refused(t, arg, err, want)
	}
	wrong := fileWith(t, atC+"solvers: [{name: egg}]\nstop: {passes: 1}\n")
	_, err = Find(wrong)
	refused(t, wrong, err, "egg")
	for _, arg := range []string{"eg/fig06", own.Name} {
		if one, err := Find(arg); err != nil || one.Argument() != arg {
			t.Errorf("Find(%s) = %+v, %v, want the experiment with this argument", arg, one, err)
		}
	}
}

// TestBudgetCensorsFigures checks that the line of a run is marked as censored if the budget stopped the run.
func TestBudgetCensorsFigures(t *testing.T) {
	r := runText(t, atC+"solvers: [{name: eg, eta: 0.5}, {name: lbfgs, stop: {passes: 2}}]\nstop: {passes: "+
		"50}\nbudget: {passes: 4}\nfigure: {x: passes, y: primal}\n")
	fig := drawn(t, r)
	lines := fig.Panels[0].Lines
	if len(lines) != 2 || !lines[0].Censored || lines[1].Censored {
		t.Errorf("lines = %+v, want the line of eg censored and the line of lbfgs not", lines)
	}
	if curve := r.Set.Curves[0]; curve.Status != trace.Budget || !curve.Cut() {
		t.Errorf("curve of eg: status = %s, want %s; cut = %v, want true", curve.Status, trace.Budget, curve.Cut())
	}
}
