package render

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// mine is a spec with two scales.
const mine = `apiVersion: gaplab/v1
id: my/mine
dataset: {name: digits, train: 30, validation: 10}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: 10}
solvers: [{name: eg, eta: 0.5}]
stop: {passes: 2}
claims:
  - {id: c1, says: It is short., assert: 'final(series[0], "passes") < 3', measure: 'final(series[0], "passes")'}
scales:
  smoke: {}
  quick: {stop: {passes: 5}}
`

// TestScalesOfATemplate checks that a template gets the numbers and the verdicts of the scale that it names, each time,
// also if it names several, and if the renderer has read them before for another template. Kept results come before
// those in the folder runs, unless the user names a folder of runs.
func TestScalesOfATemplate(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "results")
	file := filepath.Join(dir, "mine.yaml")
	if err := os.WriteFile(file, []byte(mine), 0o666); err != nil {
		t.Fatal(err)
	}
	e, err := harness.Find(file)
	if err != nil {
		t.Fatal(err)
	}
	const part = "{{on \"mine.yaml\"}}{{value \"%.0f\" `final(series[0], \"passes\")`}} {{measured \"%.0f\" \"c1\"}} " +
		"{{with claims \"mine.yaml\"}}{{len .Reproduced}} {{len .NotReproduced}} {{len .NotTestable}}{{end}}; "
	const template = "{{scale \"smoke\"}}" + part + "{{scale \"quick\"}}" + part + "{{scale \"smoke\"}}" + part
	rendered := func(about string, o harness.Options, want string) {
		t.Helper()
		r := New(o)
		for range 2 {
			got, err := r.Render(filepath.Join(dir, "page.md.tmpl"), template)
			if err != nil || got != want {
				t.Errorf("%s: page %q, %v; want %q", about, got, err, want)
			}
		}
	}
	if _, err := New(harness.Options{Root: root}).Render(filepath.Join(dir, "page.md.tmpl"), template); !errors.Is(err,
		harness.ErrNoResults) {
		t.Errorf("error without results %v, want an ErrNoResults", err)
	}
	for _, scale := range []string{"smoke", "quick"} {
		s, err := e.At(scale, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := harness.Run(t.Context(), s, harness.Options{Root: root})
		if err != nil {
			t.Fatal(err)
		}
		if scale == "quick" { // the kept copy has other passes
			f := r.Files[0]
			f.Rows[len(f.Rows)-1].Values[trace.Passes] = 4
			if _, err := store.Keep(root).Write(s.ID, scale, r.Files, false); err != nil {
				t.Fatal(err)
			}
		}
	}
	rendered("kept results", harness.Options{Root: root}, "2 2 1 0 0; 4 4 0 1 0; 2 2 1 0 0;")
	rendered("a folder of runs", harness.Options{Root: root, Out: filepath.Join(root, "runs")},
		"2 2 1 0 0; 5 5 0 1 0; 2 2 1 0 0;")
}

// TestPagesNeedAllRuns checks that a template gets neither numbers nor verdicts from only some of the planned runs.
func TestPagesNeedAllRuns(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mine.yaml")
	if err := os.WriteFile(file, []byte(mine+"seeds: [1, 2]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	e, err := harness.Find(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.At("smoke", nil)
	if err != nil {
		t.Fatal(err)
	}
	o := harness.Options{Root: filepath.Join(dir, "results")}
	r, err := harness.Run(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	templates := []string{"{{on \"mine.yaml\"}}{{value \"%.0f\" `final(series[0], \"passes\")`}}",
		"{{with claims \"mine.yaml\"}}{{len .}}{{end}}"}
	for want, template := range map[string]string{"2": templates[0], "1": templates[1]} {
		if got, err := New(o).Render(filepath.Join(dir, "page.md.tmpl"), template); err != nil || got != want {
			t.Errorf("%s with all runs: %q, %v; want %q", template, got, err, want)
		}
	}
	if err := os.Remove(r.Files[1].Path); err != nil {
		t.Fatal(err)
	}
	for _, template := range templates {
		got, err := New(o).Render(filepath.Join(dir, "page.md.tmpl"), template)
		if !errors.Is(err, harness.ErrPartial) {
			t.Errorf("%s with one of two runs: %q, %v; want an ErrPartial", template, got, err)
		}
	}
}
