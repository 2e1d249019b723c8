package harness

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/choice"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestBest checks which run is the best run of an experiment, and which experiments have none. The test finds the best
// run among the rows, by the mean of the validation errors of each value of C. It checks also that OneBest refuses the
// same plans before anything runs, and that the weights of the best run are those that BestWeights names.
func TestBest(t *testing.T) {
	t.Parallel()
	const grid = tiny + "regularisation: {convention: eg, C: [0.001, 100, 10]}\nsolvers: [{name: eg}]\nstop: {passes: 4}\n"
	for _, c := range []struct {
		about, text string
		best        func(f *trace.File) bool // nil: the run with the least mean of the validation error
		refused     string                   // error of OneBest
		says        string                   // description of the choice
	}{
		{"one run", atC + "solvers: [{name: eg}]\nstop: {passes: 2}\n", func(*trace.File) bool { return true }, "", ""},
		{"several runs", grid, nil,
			"it has 3 runs, and no rule chooses among them; add a rule such as choose: {over: C, by: validation_error}", ""},
		{"several settings", strings.Replace(grid, "name: eg}", "name: eg, eta: {grid: [0.5, 0.25]}}", 1), nil,
			"it has 6 runs, and no rule chooses among them; add a rule such as choose: {over: [C, eta], by: ", ""},
		{"ended runs", grid + "choose: {over: C, by: validation_error}\n", nil, "", ", validation error "},
		{"folds", grid + "choose: {over: C, by: validation_error, folds: 3}\n", nil, "",
			", mean validation error of 3 folds "},
		{"ended runs in two groups", strings.Replace(grid, "name: eg}", "name: eg, eta: {grid: [0.5, 0.25]}}", 1) +
			"choose: {over: C, by: validation_error, per: [eta]}\n", nil, "choose compares runs in 2 groups, each with", ""},
		{"runs compared before their ends", atC + "solvers: [{name: eg, eta: {grid: [1e-9, 0.5, 1e-8]}}]\n" +
			"choose: {over: eta, by: primal, at: {passes: 1}}\nstop: {passes: 3}\n",
			func(f *trace.File) bool { return f.Manifest.Labels["eta"] == 0.5 }, "", ""},
	} {
		s := readSpec(t, c.text)
		dir := t.TempDir()
		p, err := NewPlan(s, Options{Root: dir})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.OneBest(); c.refused == "" && err != nil {
			t.Errorf("%s: %v, want a plan with one best run", c.about, err)
		} else if c.refused != "" {
			if refused(t, c.about, err, c.refused); !errors.Is(err, ErrNoBest) {
				t.Errorf("%s: error %v, want an ErrNoBest", c.about, err)
			}
			if _, err := runIn(t, dir, s).Best(); !errors.Is(err, ErrNoBest) {
				t.Errorf("%s: error of the results %v, want an ErrNoBest", c.about, err)
			}
			continue
		}
		r := runIn(t, dir, s, Options{SaveWeights: true})
		best, err := r.Best()
		if err != nil {
			t.Fatalf("%s: %v", c.about, err)
		}
		if c.best != nil {
			if !c.best(best) || len(r.Choices()) > 0 {
				t.Errorf("%s: the best run is %s, choices of ended runs %+v; want no choice", c.about, best.Describe(), r.Choices())
			}
		} else {
			sum := map[any]float64{}
			folds := 0.
			for _, f := range r.Files {
				if folded := f.Manifest.Labels["fold"] != nil; folded || !strings.Contains(c.text, "folds") {
					sum[f.Manifest.Labels["C"]] += toy.Last(t, f)["validation_error"]
					folds++
				}
			}
			folds /= float64(len(sum))
			top, least := any(nil), math.Inf(1)
			for _, C := range []any{0.001, 100., 10.} {
				if sum[C] < least {
					top, least = C, sum[C]
				}
			}
			if sum[0.001] == sum[100.] || len(sum) != 3 {
				t.Fatalf("%s: errors %v, want them to differ", c.about, sum)
			}
			if best.Manifest.Labels["C"] != top || best.Manifest.Labels["fold"] != nil {
				t.Errorf("%s: the best run is %s, want that with C = %v on all data, of the errors %v", c.about, best.Describe(),
					top, sum)
			}
			says := fmt.Sprintf("%s%.1f %%", c.says, 100*least/folds)
			if list := r.Choices(); len(list) != 1 || list[0].File != best || !strings.Contains(list[0].Describe(), says) {
				t.Errorf("%s: choices %+v, want one that says %q", c.about, list, says)
			}
		}
		path, err := r.BestWeights()
		if want := filepath.Join(filepath.Dir(best.Path), best.End.Weights); err != nil || path != want {
			t.Errorf("%s: weights of the best run %s, %v; want %s", c.about, path, err, want)
		}
		if _, err := Load(path); err != nil {
			t.Errorf("%s: %v", c.about, err)
		}
	}
}

// TestNoBestRun checks the errors of experiments whose best run is missing, is not decided or has no weights.
func TestNoBestRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := readSpec(t, tiny+"regularisation: {convention: eg, C: [0.001, 10]}\nsolvers: [{name: eg}]\nstop: {passes: 4}\n"+
		"choose: {over: C, by: validation_error, folds: 2}\n")
	r := runIn(t, dir, s)
	best, err := r.Best()
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.BestWeights()
	if refused(t, "no weights", err, "; save them with `gaplab run"); !errors.Is(err, ErrNoWeights) {
		t.Errorf("error without weights %v, want an ErrNoWeights", err)
	}
	for _, f := range r.Files {
		hidden := f.Path + ".hidden"
		if err := os.Rename(f.Path, hidden); err != nil {
			t.Fatal(err)
		}
		part, err := Read(s, Options{Root: dir})
		if err != nil {
			t.Fatal(err)
		}
		want, state := "not decided, because runs are missing", choice.Undecided
		if f.Path == best.Path {
			want, state = "the run with C=10 is missing; make it with `gaplab run", choice.Decided
		}
		_, err = part.Best()
		if refused(t, f.Describe(), err, want); !errors.Is(err, ErrNoBest) {
			t.Errorf("without %s: error %v, want an ErrNoBest", f.Describe(), err)
		}
		if list := part.Choices(); len(list) != 1 || list[0].State != state || list[0].File != nil {
			t.Errorf("without %s: choices %+v, want one in state %v without a file", f.Describe(), list, state)
		}
		if err := os.Rename(hidden, f.Path); err != nil {
			t.Fatal(err)
		}
	}
	one := readSpec(t, atC+"solvers: [{name: eg}]\nstop: {passes: 2}\n")
	for status, want := range map[trace.Status]string{trace.Interrupted: "it was interrupted; save",
		trace.Failed: "it is failed: no luck; save", trace.Diverged: "it is diverged: no luck; save",
		trace.Done: "run; save"} {
		f := only(t, runIn(t, t.TempDir(), one))
		f.End.Status, f.End.Why = status, "no luck"
		if err := f.Save(f.Path); err != nil {
			t.Fatal(err)
		}
		again := reread(t, one, Options{Out: filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(f.Path))))})
		_, err := again.BestWeights()
		refused(t, string(status), err, want)
	}
}

// TestBestRunAboveAnother checks that the best run of a plan is the run that starts from the weights of another, not
// that other run.
func TestBestRunAboveAnother(t *testing.T) {
	s := toy.Spec(t, toy.AtC+`problems:
  base: {solvers: [{name: ascent}]}
  upon: {from: base, model: {name: shifted, loss: log}, solvers: [{name: ascent}]}
stop: {passes: 1}
`)
	runs, err := s.Plan()
	if err != nil || len(runs) != 2 {
		t.Fatalf("%d runs, %v, want 2", len(runs), err)
	}
	r := &Result{Spec: s, reader: NewReader(Options{})}
	for _, run := range runs {
		f := &trace.File{Manifest: trace.Manifest{Labels: run.Labels}}
		r.entrants = append(r.entrants, choice.Entrant{Run: run, File: f})
	}
	if f, err := r.Best(); err != nil || f.Manifest.Labels["problem"] != "upon" {
		t.Errorf("best run %+v, %v; want that of the problem upon", f, err)
	}
	r.entrants[1].File = nil
	if f, err := r.Best(); !errors.Is(err, ErrNoBest) {
		t.Errorf("best run %+v, %v; want an ErrNoBest without the run of the problem upon", f, err)
	}
}
