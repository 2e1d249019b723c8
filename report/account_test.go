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
