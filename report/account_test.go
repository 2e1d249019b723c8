package report_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/report"
)

// at returns a spec at a scale.
func at(t *testing.T, name, scale string) *lang.Spec {
	t.Helper()
	e, err := harness.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.At(scale, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAccount checks that an account contains the verdicts, the figure, the table, the curves and the origin of the
// runs.
func TestAccount(t *testing.T) {
	options := harness.Options{Root: filepath.Join("..", "results"), Kept: true}
	specs := []*lang.Spec{at(t, "eg/fig06", "smoke"), at(t, "eg/tab2", "smoke")}
	all, err := report.Accounts(specs, options)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d accounts, %v, want 2", len(all), err)
	}
	a := all[0]
	result, err := harness.Read(specs[0], options)
	if err != nil {
		t.Fatal(err)
	}
	want, err := result.Claims()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, a.Verdicts); diff != "" {
		t.Error(diff)
	}
	if a.Missing != nil || a.Figure == nil || a.Table != nil || a.Explore == nil || all[1].Table == nil {
		t.Errorf("account of eg/fig06 has a figure: %v, a table: %v, curves: %v; missing = %v; want a figure and curves",
			a.Figure != nil, a.Table != nil, a.Explore != nil, a.Missing)
	}
	if !strings.Contains(a.Text, "id: eg/fig06") || a.Command != "gaplab run eg/fig06 --scale smoke" {
		t.Errorf("command = %q, text = %q, want those of eg/fig06", a.Command, a.Text)
	}
	if p, ok := a.Paper(); !ok || p.Key != "eg" || p.Title == "" {
		t.Errorf("Paper = %+v, %v, want eg", p, ok)
	}
	m := result.Files[0].Manifest
	for _, want := range []string{m.Data.Checksum, m.Commit, m.CPU, m.Start} {
		if !slices.ContainsFunc(a.Origin, func(f report.Fact) bool { return want != "" && strings.Contains(f.Text, want) }) {
			t.Errorf("origin = %v, want %q in it", a.Origin, want)
		}
	}
	for i, f := range a.Origin {
		if slices.Contains(a.Origin[:i], f) || f.Text == "" {
			t.Errorf("fact %v is listed twice, or has no text", f)
		}
	}
}

// TestAccountWithoutResults checks that an experiment without results has an account, and that the account contains the
// command that makes results, without private folders.
func TestAccountWithoutResults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.yaml")
	spec := `{apiVersion: gaplab/v1, id: my/mine, dataset: {name: digits, train: 100, validation: 50},
  model: {name: multiclass, loss: log}, regularisation: {convention: lambda, lambda: [0.1]}, solvers: [{name: eg}],
  stop: {passes: 3}, claims: [{id: c1, says: It ends., kind: E, data: S, tol: none, assert: "len(series) > 0"}]}`
	if err := os.WriteFile(file, []byte(spec), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := report.Accounts([]*lang.Spec{at(t, file, "")}, harness.Options{Root: t.TempDir(), Out: t.TempDir()})
	if err != nil || len(all) != 1 {
		t.Fatalf("%d accounts, %v, want 1", len(all), err)
	}
	a := all[0]
	if !errors.Is(a.Missing, harness.ErrNoResults) || a.Explore != nil || a.Figure != nil {
		t.Errorf("missing = %v, want an ErrNoResults, no figure and no curves", a.Missing)
	}
	if a.Count()[claims.NotTestable] != 1 || a.Verdicts[0].Why == "" {
		t.Errorf("verdicts = %+v, want one that is not testable, with the reason", a.Verdicts)
	}
	if a.Command != "gaplab run mine.yaml" {
		t.Errorf("command = %q, want gaplab run mine.yaml, without folders", a.Command)
	}
	if _, ok := a.Paper(); ok {
		t.Error("a user's experiment belongs to a paper, want none")
	}
}

// TestAccountOfSomeRuns checks that an account has neither figure nor table nor curves if a planned run has no result,
// unless they are asked for, and that it says which runs have one.
func TestAccountOfSomeRuns(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mine.yaml")
	write := func(solvers string) *lang.Spec {
		spec := `{apiVersion: gaplab/v1, id: my/mine, dataset: {name: digits, train: 60, validation: 20},
  model: {name: multiclass, loss: log}, regularisation: {convention: lambda, lambda: [0.1]}, stop: {passes: 2},
  figure: {x: passes, y: primal}, table: {rows: as, columns: [final.primal]}, solvers: [` + solvers + "]}"
		if err := os.WriteFile(file, []byte(spec), 0o600); err != nil {
			t.Fatal(err)
		}
		return at(t, file, "")
	}
	options := harness.Options{Root: filepath.Join(dir, "kept"), Out: filepath.Join(dir, "out")}
	if _, err := harness.Run(t.Context(), write("{name: eg}"), options); err != nil {
		t.Fatal(err)
	}
	part := options
	part.Partial = true
	for name, c := range map[string]struct {
		solvers      string
		options      harness.Options
		planned      int
		share        string
		lacks, shown bool
	}{
		"all runs":            {"{name: eg}", options, 1, "", false, true},
		"one of two":          {"{name: eg}, {name: lbfgs}", options, 2, "1 of 2 runs", true, false},
		"one of two, partial": {"{name: eg}, {name: lbfgs}", part, 2, "1 of 2 runs", false, true},
	} {
		all, err := report.Accounts([]*lang.Spec{write(c.solvers)}, c.options)
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %d accounts, %v, want 1", name, len(all), err)
		}
		a := all[0]
		for what, got := range map[string]bool{"figure": a.Figure != nil, "table": a.Table != nil,
			"curves": a.Explore != nil} {
			if got != c.shown {
				t.Errorf("%s: has %s = %v, want %v", name, what, got, c.shown)
			}
		}
		if errors.Is(a.Lacking, harness.ErrPartial) != c.lacks || a.Missing != nil {
			t.Errorf("%s: lacking = %v, missing = %v; want an ErrPartial: %v, and results", name, a.Lacking, a.Missing, c.lacks)
		}
		if a.Planned != c.planned || a.Share != c.share || len(a.Runs) != 1 {
			t.Errorf("%s: %d runs, %d planned, share %q; want 1, %d, %q", name, len(a.Runs), a.Planned, a.Share, c.planned,
				c.share)
		}
		if noted := slices.ContainsFunc(a.Notes, func(note string) bool {
			return strings.Contains(note, harness.ErrPartial.Error())
		}); noted != (c.planned > 1) {
			t.Errorf("%s: notes = %q, want one about runs without a result: %v", name, a.Notes, c.planned > 1)
		}
	}
	err := filepath.WalkDir(options.Out, func(path string, e os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" {
			return err
		}
		return os.WriteFile(path, []byte("{"), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	all, err := report.Accounts([]*lang.Spec{write("{name: eg}")}, options)
	if err != nil || len(all) != 1 || !errors.Is(all[0].Missing, harness.ErrNoResults) ||
		!errors.Is(all[0].Lacking, harness.ErrPartial) || all[0].Explore != nil {
		t.Errorf("of damaged results: accounts = %+v, error %v; want one that lacks its run and has no curves", all, err)
	}
}
