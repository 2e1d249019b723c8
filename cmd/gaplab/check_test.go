package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/ci"
	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness/baseline"
	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/trace"
)

// someCurves returns the curves of two experiments, of which two have moved.
func someCurves() []ci.Suite {
	run := func(gap float64) *trace.File {
		f := &trace.File{}
		for i := range 3 {
			f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{trace.Passes: float64(i), trace.Gap: gap}})
		}
		return f
	}
	curve := func(id, name string) gate.Comparison {
		return gate.Comparison{Experiment: id, Curve: name, OK: true, Reference: run(0.5), Fresh: run(0.5)}
	}
	moved := func(id, name, message string, ratio float64) gate.Comparison {
		c := curve(id, name)
		c.OK, c.Message, c.Work, c.Fresh = false, message, ratio, run(0.25)
		return c
	}
	stale := func(id, name, text string) gate.Comparison {
		c := curve(id, name)
		c.Stale = text
		return c
	}
	gone := moved("my/b", "C=3", "the curve is gone", 0)
	gone.Fresh = nil
	return []ci.Suite{
		{Experiment: "my/a", Argument: "a.yaml", Curves: []gate.Comparison{stale("my/a", "C=1", "solver eg 1, now 2"),
			moved("my/a", "C=2", "gap 0.25, was 0.5", 2), stale("my/a", "C=3", "solver eg 1, now 2"),
			stale("my/a", "C=4", "model chain 1, now 3")}, Err: errors.New("weak duality")},
		{Experiment: "my/b", Argument: "b.yaml",
			Curves: []gate.Comparison{curve("my/b", "C=1"), curve("my/b", "C=2"), gone}},
	}
}

// TestOutputOfCheck checks the table of curves of which some have moved, the notes about older revisions, and the files
// for build servers: the summary of a step is continued, other files are replaced, and only curves that moved are
// drawn, each under its number.
func TestOutputOfCheck(t *testing.T) {
	dir := t.TempDir()
	var out, other bytes.Buffer
	env := map[string]string{"GITHUB_STEP_SUMMARY": filepath.Join(dir, "step.md")}
	v := &checkVerb{sys: system{out: &out, err: &other, getenv: func(k string) string { return env[k] }},
		format: &term.Choice{Value: "text"}, junit: filepath.Join(dir, "out", "gate.xml"),
		figure: filepath.Join(dir, "drawn")}
	if err := v.print(someCurves()); err != nil {
		t.Fatal(err)
	}
	const table = `experiment  curve  verdict  what moved
my/a        C=1    ok
my/a        C=2    moved    gap 0.25, was 0.5
my/a        C=3    ok
my/a        C=4    ok
my/b        C=1    ok
my/b        C=2    ok
my/b        C=3    moved    the curve is gone
`
	if out.String() != table {
		t.Errorf("got\n%swant\n%s", &out, table)
	}
	const note = "gaplab: note: my/a: its references were made by other revisions, but the curves are the same: " +
		"solver eg 1, now 2; model chain 1, now 3\n"
	if other.String() != note {
		t.Errorf("notes %q, want %q", &other, note)
	}
	other.Reset()
	read := func(name string) string {
		text, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		return string(text)
	}
	for i := range 2 {
		if err := v.report(someCurves()); err != nil {
			t.Fatal(err)
		}
		if got := read("step.md"); got != strings.Repeat(ci.Markdown(someCurves()), i+1) {
			t.Errorf("the summary of the step after %d calls:\n%s", i+1, got)
		}
		if got := read("out/gate.xml"); got != ci.JUnit(someCurves()) {
			t.Errorf("JUnit XML after %d calls:\n%s", i+1, got)
		}
	}
	drawn, _ := filepath.Glob(filepath.Join(dir, "drawn", "*", "*"))
	if want := []string{filepath.Join(dir, "drawn", "my", "a-2.svg")}; !slices.Equal(drawn, want) {
		t.Errorf("figures %q, want %q", drawn, want)
	}
	if strings.Contains(other.String(), "::error") {
		t.Errorf("annotations without GITHUB_ACTIONS: %s", &other)
	}
	env["GITHUB_ACTIONS"] = "true"
	v.junit, v.figure, v.summary = "", "", filepath.Join(dir, "own.md")
	other.Reset()
	for range 2 {
		if err := v.report(someCurves()); err != nil {
			t.Fatal(err)
		}
	}
	if got := other.String(); got != strings.Repeat(ci.Annotations(someCurves()), 2) {
		t.Errorf("annotations:\n%s", got)
	}
	if read("own.md") != ci.Markdown(someCurves()) || read("step.md") != strings.Repeat(ci.Markdown(someCurves()), 2) {
		t.Error("with --summary, its file is not the summary, or that of the step has changed")
	}
	v.junit, v.summary = dir, filepath.Join(dir, "last.md")
	if err := v.report(someCurves()); err == nil || read("last.md") == "" {
		t.Errorf("a file that cannot be written: error %v, want one, and the other file", err)
	}
}

// TestDifferencesOfBaselines checks what gaplab baseline diff and baseline update print of curves of which some moved.
func TestDifferencesOfBaselines(t *testing.T) {
	var curves []gate.Comparison
	var changes []baseline.Change
	for _, s := range someCurves() {
		curves = append(curves, s.Curves...)
	}
	for i, c := range curves {
		changes = append(changes, baseline.Change{Comparison: c, Same: i != 1 && i != 4 && i != 6})
	}
	for format, want := range map[string]string{
		"text": "experiment  curve  work  what moved\nmy/a        C=2     × 2  gap 0.25, was 0.5\n" +
			"my/b        C=3          the curve is gone\n",
		"md": "| experiment | curve | work | what moved |\n| --- | --- | ---: | --- |\n" +
			"| my/a | C=2 | × 2 | gap 0.25, was 0.5 |\n| my/b | C=3 |  | the curve is gone |\n",
		"json": "my/a my/a my/a my/a my/b my/b my/b ",
	} {
		var out, other bytes.Buffer
		err := printDiff(system{out: &out, err: &other, getenv: func(string) string { return "" }}, format, curves)
		got := out.String()
		if format == "json" {
			got = ""
			for line := range strings.Lines(out.String()) {
				got += strings.Split(line, `"`)[3] + " "
			}
		}
		if got != want || err == nil || err.Error() != "2 of 7 curves moved" ||
			term.ExitCode(t.Context(), err) != term.ExitShort || other.Len() > 0 {
			t.Errorf("%s: got\n%s%v, %s\nwant\n%s", format, got, err, &other, want)
		}
	}
	var out, other bytes.Buffer
	sys := system{out: &out, err: &other, getenv: func(string) string { return "" }}
	if err := printDiff(sys, "text", curves[2:6]); err != nil || out.Len() > 0 ||
		other.String() != "gaplab: note: 4 curves are the same\n" {
		t.Errorf("equal curves: error %v, %q, %q", err, &out, &other)
	}
	other.Reset()
	v := &baselineVerb{sys: sys}
	const table = `experiment  curve  verdict  work  what moved
my/a        C=2    moved     × 2  gap 0.25, was 0.5
my/b        C=1    digits         within the tolerances
my/b        C=3    gone           the curve is gone
gaplab: note: my/x: 4 of 7 curves are the same
`
	if err := v.show(&baseline.Baseline{Experiment: "my/x", Curves: changes}); err != nil || other.String() != table {
		t.Errorf("error %v, got\n%swant\n%s", err, &other, table)
	}
	other.Reset()
	if err := v.show(&baseline.Baseline{Curves: changes[2:4]}); err != nil || other.Len() > 0 {
		t.Errorf("without a change: error %v, %q", err, &other)
	}
}
