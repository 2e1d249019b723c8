package harness

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/summary"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/gradient"
)

// Walk is a user's solver: stochastic gradient descent.
type Walk struct{ Step float64 }

func (w *Walk) Needs() solvers.Needs { return solvers.Needs{Oracles: solvers.Marginals} }

func (w *Walk) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return (&gradient.SGD{Eta0: w.Step}).Train(p, env)
}

// mine is a Walk with a method Name.
type mine struct{ *Walk }

func (mine) Name() string { return "mine" }

// TestWithIsDrawn checks that a caller's solver has a line with a separate name and style on every panel on which it
// ran, for any series in the spec. It also checks that the series of other solvers do not contain it.
func TestWithIsDrawn(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test runs three experiments")
	}
	for _, id := range []string{"eg/fig06", "eg/fig11", "eg/fig12"} {
		e := found(t, id)
		s := at(t, e, "smoke", "stop.passes=2", "dataset.train=12", "dataset.validation=10")
		r := runIn(t, t.TempDir(), s, Options{With: []solvers.Solver{mine{&Walk{Step: 0.01}}}, Workers: 2})
		fig := drawn(t, r)
		for _, p := range fig.Panels {
			own := 0
			labels := map[string]int{}
			for _, l := range p.Lines {
				labels[l.Label]++
				if strings.HasPrefix(l.Label, "mine") {
					own++
				}
				first := p.Lines[slices.IndexFunc(p.Lines, func(o figure.Line) bool {
					return o.Hue == l.Hue && o.Dash == l.Dash
				})]
				if strings.HasPrefix(first.Label, "mine") != strings.HasPrefix(l.Label, "mine") {
					t.Errorf("%s, %s: the lines %s and %s have the same hue and dashes", id, p.Title, l.Label, first.Label)
				}
			}
			if own == 0 {
				t.Errorf("%s, %s: the caller's solver has no line", id, p.Title)
			}
			for label, n := range labels {
				if n > 1 && strings.HasPrefix(label, "mine") {
					t.Errorf("%s, %s: %d lines have the label %s, want 1", id, p.Title, n, label)
				}
			}
		}
	}
}

// TestWith checks the runs of a caller's solver: one for each problem and seed, with the experiment's stop rule. These
// runs must have the same rows as the runs of a listed solver with the same algorithm. It must be possible to draw and
// read the runs. Each call of Run must repeat them.
func TestWith(t *testing.T) {
	dir := t.TempDir()
	s := readSpec(t, tiny+`
regularisation: {convention: eg, C: [10, 1]}
solvers:
  - {as: longer, name: eg, eta: 0.5, stop: {passes: 3}}
  - {name: sgd, eta0: {grid: [0.1, 0.01]}}
  - {as: path, name: eg, eta: 0.5, path: {C: {from: 100, factor: 0.5, steps: 2}, until: {gap: 0.1}}}
seeds: [1, 2]
stop: {passes: 2}
figure: {x: passes, y: primal, series: [{where: 'as == "walk" && C == 10', label: mine}]}
`)
	r := runIn(t, dir, s, Options{With: []solvers.Solver{&Walk{Step: 0.1}}, Workers: 2})
	if want := 2*2*2 + 2*2 + 2 + 2*2; len(r.Files) != want {
		t.Errorf("%d runs, want %d, with one of the user's solver per C and seed", len(r.Files), want)
	}
	for _, C := range []string{"10", "1"} {
		for _, seed := range []string{"1", "2"} {
			f := labelled(t, r, "as", "walk", "C", C, "seed", seed)
			toy.WantStatus(t, f, trace.Done, "passes")
			if p := toy.Last(t, f)[trace.Passes]; p != 2 {
				t.Errorf("C=%s seed=%s: %v passes, want the 2 of the experiment's stop", C, seed, p)
			}
			same := labelled(t, r, "as", "sgd", "eta0", "0.1", "C", C, "seed", seed)
			if d := trace.Diff(f, same); d != "" {
				t.Errorf("C=%s seed=%s: the user's solver and sgd have different rows: %s", C, seed, d)
			}
			if got := fmt.Sprint(summary.Of([]*trace.File{f}, Catalogue())[0].Solver); got != "map[Step:0.1 as:walk name:walk]" {
				t.Errorf("solver in the summary = %s, want walk with Step 0.1", got)
			}
		}
	}
	fig := drawn(t, r)
	if lines := fig.Panels[0].Lines; len(lines) != 1 || lines[0].Label != "mine" {
		t.Errorf("the figure has %d lines, want one with the label mine: %+v", len(lines), lines)
	}
	again, err := Read(s, Options{With: []solvers.Solver{&Walk{Step: 0.1}}, Root: dir})
	if err != nil || len(again.Files) != len(r.Files) {
		t.Errorf("Read = %v, %v, want all %d runs", again, err, len(r.Files))
	}
	var log toy.Journal
	runIn(t, dir, s, Options{With: []solvers.Solver{&Walk{Step: 0.1}}, OnEvent: log.Event})
	if len(log.Ended) != 4 || slices.Compact(log.Ended)[0] != "walk" {
		t.Errorf("the second Run made runs of %q, want only the 4 of walk, because its code may have changed", log.Ended)
	}
}

// TestWithKeepsGridsOfTheProblem checks that a user's solver runs on each data set of a grid, and that labels tell
// these runs apart.
func TestWithKeepsGridsOfTheProblem(t *testing.T) {
	text := strings.Replace(atC, "train: 60", "train: {grid: [40, 60]}", 1)
	r := runText(t, text+"solvers: [{name: sgd, eta0: {grid: [0.1, 0.01]}}]\nstop: {passes: 1}\n",
		Options{With: []solvers.Solver{&Walk{Step: 0.1}}})
	for _, train := range []string{"40", "60"} {
		if f := labelled(t, r, "as", "walk", "train", train); trace.FormatLabel(f.Manifest.Labels["n"]) != train {
			t.Errorf("number of training examples = %v, want %s", f.Manifest.Labels["n"], train)
		}
	}
	if len(r.Files) != 6 {
		t.Errorf("%d runs, want 6", len(r.Files))
	}
}

// TestOnly checks that Only leaves out the spec's solvers, and that the rows of the caller's solvers are the same with
// and without Only.
func TestOnly(t *testing.T) {
	s := readSpec(t, atC+"solvers: [{name: eg, eta: 0.5}]\nstop: {passes: 3}\n")
	beside := runIn(t, t.TempDir(), s, Options{With: []solvers.Solver{&Walk{Step: 0.1}}})
	alone := runIn(t, t.TempDir(), s, Options{With: []solvers.Solver{&Walk{Step: 0.1}}, Only: true})
	if len(beside.Files) != 2 || len(alone.Files) != 1 {
		t.Fatalf("%d runs in all without Only, want 2; %d with Only, want 1", len(beside.Files), len(alone.Files))
	}
	if d := trace.Diff(labelled(t, beside, "as", "walk"), alone.Files[0]); d != "" {
		t.Errorf("the rows with Only differ from those without: %s", d)
	}
}

// TestWithRefuses checks that Run returns an error if the caller's solvers have no names or conflicting names, or have
// nothing to run on.
func TestWithRefuses(t *testing.T) {
	const text = atC + "solvers: [{as: mine, name: eg, eta: 0.5}]\nstop: {passes: 1}\n"
	for _, c := range []struct {
		name, text string
		with       []solvers.Solver
		want       string
	}{
		{"nil", text, []solvers.Solver{nil}, "nil"},
		{"no name", text, []solvers.Solver{struct{ solvers.Solver }{&gradient.SGD{Eta0: 1}}}, "Name() string"},
		{"twice", text, []solvers.Solver{&Walk{Step: 1}, &Walk{Step: 2}}, "also the name of another solver"},
		{"ours", text, []solvers.Solver{&gradient.SGD{Eta0: 1}}, `"sgd" of your solver is also the name of a solver`},
		{"a variant", text, []solvers.Solver{mine{}}, `"mine" of your solver is also the name of a variant`},
		{"nobody", text, nil, "the option Only leaves no solver"},
		{"paths only", tiny + "regularisation: {convention: eg}\nsolvers: [{name: eg, eta: 0.5, path: {C: {from: 1, " +
			"factor: 0.5, steps: 2}, until: {gap: 1}}}]\n",
			[]solvers.Solver{&Walk{Step: 1}}, "walk has no problem to run on"},
	} {
		_, err := Run(context.Background(), readSpec(t, c.text),
			Options{With: c.with, Only: c.with == nil, Root: t.TempDir()})
		refused(t, c.name, err, c.want)
	}
}

// TestCommandLeavesFoldersOut checks that the command in a manifest contains the names of files without the user's
// folders.
func TestCommandLeavesFoldersOut(t *testing.T) {
	for arg, want := range map[string]string{
		"/home/me/a b.yaml":             "a b.yaml",
		"--out=/home/me/results":        "--out=results",
		"dataset={path: /home/me/x.gz}": "dataset={path: x.gz}",
		`dataset.path="/home/me/x.gz"`:  `dataset.path="x.gz"`,
		"a=[/x/y.txt, /z/w.txt]":        "a=[y.txt, w.txt]",
		"eg/fig06":                      "eg/fig06",
		"url=https://host/file":         "url=https://host/file",
		"1/2":                           "1/2",
	} {
		o := Options{Command: []string{arg}}.Schedule()
		if len(o.Command) != 1 || o.Command[0] != want {
			t.Errorf("argument %s in the manifest = %q, want %q", arg, o.Command, want)
		}
	}
}
