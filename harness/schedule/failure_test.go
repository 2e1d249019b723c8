package schedule_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// TestBadRunsDoNotStopTheOthers checks the status of runs that diverge, fail or are unsupported, and the reason in
// their files. It also checks that the other runs end as usual.
func TestBadRunsDoNotStopTheOthers(t *testing.T) {
	t.Parallel()
	w := func(p toy.Given) []float64 { return make([]float64, p.Dim) }
	mute := toy.Scripted{Is: "mute", Do: func(toy.Given, func(solvers.Iterate, error) bool) {}}
	panics := toy.Scripted{Is: "panics", Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
		if yield(solvers.Iterate{W: w(p)}, nil) {
			p.Visit(0)
			panic("off by one")
		}
	}}
	errs := toy.Scripted{Is: "errs", Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
		if yield(solvers.Iterate{W: w(p)}, nil) {
			p.Visit(0)
			if yield(solvers.Iterate{W: w(p), Epoch: 0}, nil) {
				yield(solvers.Iterate{}, errors.New("singular"))
			}
		}
	}}
	short := toy.Scripted{Is: "short", Do: func(_ toy.Given, yield func(solvers.Iterate, error) bool) {
		yield(solvers.Iterate{W: make([]float64, 3)}, nil)
	}}
	picky := toy.Scripted{Is: "picky", Look: func(models.Objective) error {
		return solvers.Lacking("does not accept points")
	}}
	deaf := toy.Scripted{Is: "deaf", Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
		for yield(solvers.Iterate{W: w(p)}, nil) || true { // a fault: it yields again although the caller has ended the loop
			p.Visit(0)
		}
	}}
	for _, workers := range []int{1, 2} {
		r := toy.Text(t, toy.AtC+`
solvers:
  - {as: wild, name: descent, step: 1e200}
  - {name: whole}
  - {name: ascent, rate: 0.5}
stop: {passes: 3}
`, toy.With(mute), toy.With(panics), toy.With(errs), toy.With(short), toy.With(picky),
			toy.With(deaf), toy.Workers(workers))
		for _, c := range []struct {
			as     string
			status trace.Status
			why    string
			rows   int // smallest number of rows
		}{
			{"wild", trace.Diverged, "primal became", 2},
			{"whole", trace.Done, "passes", 2},
			{"ascent", trace.Done, "passes", 4},
			{"mute", trace.Failed, "yielded no iterate", 0},
			{"panics", trace.Failed, "panic: off by one", 1},
			{"errs", trace.Failed, "singular", 2},
			{"short", trace.Failed, "len(w) != Dim", 0},
			{"picky", trace.Unsupported, "does not accept points", 0},
			{"deaf", trace.Failed, "continued iteration", 2},
		} {
			f := toy.Labelled(t, r, "as", c.as)
			if f.Status() != c.status || !strings.Contains(f.End.Why, c.why) || len(f.Rows) < c.rows {
				t.Errorf("%s: %s with %d rows: %s; want %s with at least %d rows: %s", c.as, f.Status(), len(f.Rows), f.End.Why,
					c.status, c.rows, c.why)
			}
		}
		failed := strings.Join(r.Failed(), "\n")
		for name, want := range map[string]bool{"wild": true, "mute": true, "panics": true, "errs": true, "picky": false,
			"whole": false} {
			if strings.Contains(failed, name+" ") != want {
				t.Errorf("%s is among the failures: %v, want %v:\n%s", name, !want, want, failed)
			}
		}
		if !r.Ended() {
			t.Error("the result is interrupted, want it ended: all runs have ended")
		}
	}
}

// TestUnsupportedIsReported checks that a solver that needs a smooth loss is unsupported on the hinge loss, with a
// reason that names the other solvers of the catalogue that support it. This must be a failure of the experiment only
// if no other solver ran.
func TestUnsupportedIsReported(t *testing.T) {
	t.Parallel()
	text := strings.Replace(toy.AtC, "log", "hinge", 1)
	r := toy.Text(t, text+"solvers: [{name: whole}, {name: descent, step: 0.1}]\nstop: {passes: 1}\n")
	if f := toy.Labelled(t, r, "as", "whole"); f.Status() != trace.Unsupported ||
		!strings.Contains(f.End.Why, "not the hinge") || !strings.HasSuffix(f.End.Why, "; accepted: descent, still") {
		t.Errorf("end of the run on the hinge loss: %+v, want it unsupported, with a reason and the other solvers", f.End)
	}
	toy.WantStatus(t, toy.Labelled(t, r, "as", "descent"), trace.Done, "passes")
	if failed := r.Failed(); len(failed) != 0 {
		t.Errorf("failures of an experiment with another solver: %q, want none", failed)
	}
	alone := toy.Text(t, text+"solvers: [{name: whole}]\nstop: {passes: 1}\n")
	if failed := alone.Failed(); len(failed) != 1 || !strings.Contains(failed[0], "unsupported") {
		t.Errorf("failures of an experiment whose only solver is unsupported: %q, want one", failed)
	}
	path := toy.Text(t, toy.AtC+"solvers: [{name: descent, step: 0.1, path: {C: {from: 10, factor: 0.5, steps: 2}, "+
		"until: {gap: 0.1}}}, {as: a, name: whole, anneal: {from: 20, factor: 0.5}}]\nstop: {passes: 1}\n")
	for _, f := range path.Files {
		if f.Status() != trace.Unsupported || !strings.Contains(f.End.Why, "dual variables") {
			t.Errorf("%s ended with %+v, want it unsupported for its lack of dual variables", f.Describe(), f.End)
		}
	}
}

// TestMissingData checks that a missing data set gives an ErrMissing that names the experiment, and that a forecast
// works without the data.
func TestMissingData(t *testing.T) {
	t.Parallel()
	s := toy.Spec(t, strings.Replace(toy.AtC, "{name: points, train: 60, validation: 40}", "{name: absent}",
		1)+"solvers: [{name: whole}]\nstop: {passes: 1}\n")
	o := toy.Options(t.TempDir())
	if err := toy.Do(context.Background(), s, o); !errors.Is(err, datasets.ErrMissing) ||
		!strings.Contains(err.Error(), "test/tiny") {
		t.Errorf("Run: %v; want an ErrMissing that names the experiment", err)
	}
	p, err := schedule.NewPlan(s, o)
	if err != nil {
		t.Fatal(err)
	}
	f, err := p.Forecast(t.Context(), nil)
	if err != nil || len(f.Runs) != 1 || f.Memory != 0 || f.Seconds != 0 {
		t.Errorf("Forecast: %+v, %v; want one run, and memory and seconds 0", f, err)
	}
}

// TestDivideNeedsTheData checks that the data of every kind of unit must exist when an experiment is divided among
// processes: of plain runs, of runs that are compared, and of runs of folds.
func TestDivideNeedsTheData(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"runs": toy.AtC + toy.Three, "comparisons": toy.Choosing, "folds": folded} {
		text = strings.Replace(text, "{name: points, train: 60, validation: 40}", "{name: absent}", 1)
		d, err := divide(t, toy.Spec(t, text), toy.Options(t.TempDir()), nil)
		if !errors.Is(err, datasets.ErrMissing) {
			t.Errorf("%s: division %+v with the error %v, want an ErrMissing", name, d, err)
		}
	}
}

// TestUnitsNameTheirData checks that the runs of every kind of unit have the keys and the checksums of data that
// the results of these runs have, apart from runs that are never made because their value of C loses. A task of a
// campaign refuses other data because of this checksum.
func TestUnitsNameTheirData(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test plans whole experiments")
	}
	for name, text := range map[string]string{"runs": toy.AtC + toy.Three, "comparisons": toy.Choosing, "folds": folded} {
		dir, s := t.TempDir(), toy.Spec(t, text)
		d, err := divide(t, s, toy.Options(dir), nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		made, found := map[string]string{}, 0
		for _, c := range toy.Run(t, dir, s).Set.Curves {
			made[c.File.Manifest.Key] = c.File.Manifest.Data.Checksum
		}
		for _, u := range d.Units {
			for _, r := range u.Runs {
				want, ok := made[r.Key]
				if ok {
					found++
				}
				if r.Data == "" || ok && r.Data != want {
					t.Errorf("%s: a unit has the run %+v, want the data %q", name, r, want)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s: no run of the units has the key of a result", name)
		}
	}
}

// TestProgramsNeedPermission checks which specs may run programs of this machine: built-in ones, and those for which
// the option Programs is set. The error for another spec names the line and the key of the solver.
func TestProgramsNeedPermission(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		builtIn, programs, outside, want bool
	}{
		{false, false, true, false}, {true, false, true, true}, {false, true, true, true}, {false, false, false, true},
	} {
		s := toy.Spec(t, toy.AtC+"solvers:\n  - {name: ascent}\n  - {as: mine, name: whole}\nstop: {passes: 1}\n")
		s.BuiltIn = c.builtIn
		o := toy.Options(t.TempDir())
		o.Programs = c.programs
		for i, n := range o.Catalogue.Solvers {
			o.Catalogue.Solvers[i].Outside = c.outside && n.Name == "whole"
		}
		err := toy.Do(t.Context(), s, o)
		var fault *lang.Fault
		if c.want != (err == nil) || !c.want && !errors.As(err, &fault) {
			t.Errorf("%+v: error %v", c, err)
		}
		if line := strings.Count(toy.AtC, "\n") + 3; fault != nil && (fault.Key != "solvers" || fault.Line != line ||
			fault.File != s.File || !strings.HasPrefix(fault.Reason, "mine runs a program of this machine (whole)")) {
			t.Errorf("fault %+v, want one about mine, of the key solvers in line %d", fault, line)
		}
	}
}
