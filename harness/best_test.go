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
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestBest checks which run is the best run of an experiment, and which experiments have none. The test finds the best
// run among the rows, by the mean of the validation errors of each value of C. It checks also that OneBest refuses the
// same plans before anything runs, and that the weights of the best run are those that BestWeights names.
func TestBest(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test makes many experiments")
	}
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

// TestChoiceDescribe checks the line about a choice in each of its states, and how it writes the values of columns.
func TestChoiceDescribe(t *testing.T) {
	rule := func(by string, folds int, over ...string) lang.Choose {
		return lang.Choose{Over: over, By: by, Folds: folds}
	}
	for _, c := range []struct {
		verdict choice.Verdict
		want    string
	}{
		{choice.Verdict{State: choice.Undecided, Rule: rule("primal", 0, "C", "eta")},
			"C, eta: not decided, because runs are missing"},
		{choice.Verdict{State: choice.Nobody, Rule: rule("validation_error", 3, "C", "eta")},
			"nothing is chosen, because for each value of C, eta some run has no validation_error"},
		{choice.Verdict{State: choice.Decided, Rule: rule("validation_error", 0, "C"), Value: "10", Top: "10", Mean: 0.125,
			Error: 0.5}, "C=10, validation error 12.5 %"},
		{choice.Verdict{State: choice.Decided, Rule: rule("train_f1", 0, "C"), Value: "10", Top: "10", Mean: 0.125},
			"C=10, train F1 12.5 %"},
		{choice.Verdict{State: choice.Decided, Rule: rule("validation_accuracy", 0, "C"), Value: "1", Top: "1", Mean: 0.5},
			"C=1, validation accuracy 50.0 %"},
		{choice.Verdict{State: choice.Decided, Rule: rule("validation_accuracy_words", 0, "C"), Value: "1", Top: "1",
			Mean: 0.5}, "C=1, validation accuracy words 50.0 %"},
		{choice.Verdict{State: choice.Decided, Rule: rule("validation_certified", 0, "C"), Value: "1", Top: "1", Mean: 0.5},
			"C=1, validation certified 50.0 %"},
		{choice.Verdict{State: choice.Decided, Rule: rule("gap_percent", 0, "C"), Value: "1", Top: "1", Mean: 0.125},
			"C=1, gap percent 0.125"},
		{choice.Verdict{State: choice.Decided, Rule: rule("primal", 4, "C"), Value: "1", Top: "10", Mean: 0.125, Error: 0.25},
			"C=1 (the strongest regularisation within one standard error of C=10), mean primal of 4 folds 0.125, standard " +
				"error 0.25"},
		{choice.Verdict{State: choice.Decided, Rule: rule("validation_error", 4, "C", "eta"), Value: "C=1, eta=2",
			Top: "C=1, eta=2", Mean: 0.125, Error: 0.25},
			"C=1, eta=2, mean validation error of 4 folds 12.5 %, standard error 25.0 %"},
	} {
		if got := (Choice{Verdict: c.verdict}).Describe(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.verdict, got, c.want)
		}
	}
}

// TestOneBest checks which plans can have one best run, and the advice for each other plan.
func TestOneBest(t *testing.T) {
	seed := uint64(0)
	run := func(group string, at float64, labels map[string]any) lang.Run {
		seed++
		r := lang.Run{Seed: seed, Labels: labels}
		if group != "" {
			r.Choose = &lang.Candidate{Group: group, Rule: lang.Choose{At: lang.At{Passes: at}}}
		}
		return r
	}
	base := run("", 0, nil)
	upon := func() lang.Run {
		r := run("", 0, nil)
		r.Base = &base
		return r
	}
	groups := func(n int, at float64) (runs []lang.Run) {
		for i := range n {
			runs = append(runs, run(fmt.Sprint("g", i), at, nil), run(fmt.Sprint("g", i), at, nil))
		}
		return runs
	}
	for _, c := range []struct {
		about string
		runs  []lang.Run
		want  string // "": one best run
	}{
		{"no run", nil, "there are no runs"},
		{"one run", []lang.Run{run("", 0, nil)}, ""},
		{"two equal runs", []lang.Run{run("", 0, nil), run("", 0, nil)},
			"it has 2 runs, and no rule chooses among them; add a rule such as choose: {over: lambda, by: primal}"},
		{"runs that differ in what a rule cannot choose", []lang.Run{run("", 0, map[string]any{"solver": "a", "seed": 1.,
			"problem": "p", "n": 1., "fold": 1., "C": 1.}), run("", 0, map[string]any{"solver": "b", "seed": 2., "problem": "q",
			"n": 2., "fold": 2., "C": 1.})}, "over: lambda, by"},
		{"runs of which only the last differs", []lang.Run{run("", 0, map[string]any{"eta": 1., "as": "a", "C": 1.}),
			run("", 0, map[string]any{"eta": 1., "as": "a", "C": 1.}),
			run("", 0, map[string]any{"eta": 2., "as": "b", "C": 1.})},
			"it has 3 runs, and no rule chooses among them; add a rule such as choose: {over: [as, eta], by"},
		{"a group of ended runs", groups(1, 0), ""},
		{"a group of ended runs and another run", append(groups(1, 0), run("", 0, nil)), ""},
		{"a group of runs that are compared before", groups(1, 1), ""},
		{"two groups of runs that are compared before", groups(2, 1), "it has 2 runs"},
		{"a group of runs that are compared before and another run", append(groups(1, 1), run("", 0, nil)), "it has 2 runs"},
		{"a base and one run", []lang.Run{base, upon()}, ""},
		{"a base and two runs", []lang.Run{base, upon(), upon()}, "it has 2 runs"},
		{"four groups", groups(4, 0), "in 4 groups, each with a best run: g0; g1; g2; g3; let"},
		{"six groups", groups(6, 0), "in 6 groups, each with a best run: g0; g1; g2; g3; and 2 more; let"},
	} {
		err := oneBest("p/a", c.runs, lang.Catalogue{})
		if c.want == "" && err != nil {
			t.Errorf("%s: %v, want one best run", c.about, err)
		} else if c.want != "" {
			if refused(t, c.about, err, c.want, "p/a"); !errors.Is(err, ErrNoBest) {
				t.Errorf("%s: error %v, want an ErrNoBest", c.about, err)
			}
		}
	}
}

// TestChoicesOfEachGroup checks that Choices has a choice for each group of ended runs, also after a group of runs that
// are compared before their ends, and that its file is the first run with the value that wins, and never a run of a
// fold.
func TestChoicesOfEachGroup(t *testing.T) {
	var list []choice.Entrant
	add := func(group string, at float64, folds, fold int, final bool, c, err float64) *trace.File {
		rule := lang.Choose{Over: []string{"C"}, By: "validation_error", Folds: folds, At: lang.At{Passes: at}}
		f := &trace.File{Manifest: trace.Manifest{Labels: map[string]any{"C": c}}, End: &trace.End{Status: trace.Done},
			Rows: []trace.Row{{Values: map[string]float64{trace.Passes: 1, "validation_error": err}}}}
		list = append(list, choice.Entrant{File: f, Run: lang.Run{Labels: f.Manifest.Labels, Fold: fold, Folds: folds,
			Choose: &lang.Candidate{Group: group, Rule: rule, Final: final}}})
		return f
	}
	add("early", 1, 0, 0, false, 1, 0.1)
	add("ended", 0, 0, 0, false, 1, 0.3)
	first := add("ended", 0, 0, 0, false, 2, 0.1)
	add("ended", 0, 0, 0, false, 2, 0.2)
	for fold := 1; fold <= 2; fold++ {
		add("folds", 0, 2, fold, false, 5, 0.1)
		add("folds", 0, 2, fold, false, 4, 0.2)
	}
	final := add("folds", 0, 2, 0, true, 5, 0.9)
	got := (&Result{entrants: list}).Choices()
	if len(got) != 2 || got[0].Group != "ended" || got[0].File != first || got[0].Value != "2" ||
		got[1].Group != "folds" || got[1].File != final || got[1].Value != "5" {
		t.Errorf("choices %+v, want the first run with C=2 of the ended runs, and the run with C=5 on all data", got)
	}
}
