package lang

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// selecting returns the catalogue toy with a further solver that selects others (Entry.Select).
func selecting() Catalogue {
	c := toy()
	c.Solvers = append(c.Solvers, Entry{Name: "best", New: func() any { return &toyNone{} },
		Select: func(model, loss string) (Selection, error) {
			switch {
			case model != "multiclass":
				return Selection{}, errors.New("no rule for " + model)
			case loss == "log":
				return Selection{"eg", map[string]any{"eta": 0.25}, "it is the log loss"}, nil
			}
			return Selection{Solver: "one-slack", Why: "it is the hinge"}, nil
		}})
	return c
}

const selectingSpec = `
apiVersion: gaplab/v1
id: test/best
title: t
dataset: {name: digits}
model: {name: multiclass, loss: LOSS}
regularisation: {convention: eg, C: 1}
stop: {passes: 1}
solvers: SOLVERS
`

// selectedPlan returns the plan of a spec with the given loss and list of solvers.
func selectedPlan(t *testing.T, loss, solvers string) ([]Run, error) {
	t.Helper()
	text := strings.NewReplacer("LOSS", loss, "SOLVERS", solvers).Replace(selectingSpec)
	f, err := Parse("best.yaml", []byte(text), selecting())
	if err != nil {
		return nil, err
	}
	s, err := f.At("", nil)
	if err != nil {
		return nil, err
	}
	return s.Plan()
}

// TestSelectedSolverRuns checks that the plan, and so the keys of its runs, are the same as if the spec named the
// selected solver.
func TestSelectedSolverRuns(t *testing.T) {
	for loss, named := range map[string]string{"log": "{name: eg, eta: 0.25}", "hinge": "{name: one-slack}"} {
		chosen, err := selectedPlan(t, loss, "[{name: best}]")
		if err != nil {
			t.Fatal(err)
		}
		want, err := selectedPlan(t, loss, "["+named+"]")
		if err != nil {
			t.Fatal(err)
		}
		a, b := chosen[0], want[0]
		if show(a) != show(b) || !cmp.Equal(a.Resolved(), b.Resolved()) || a.Solver.Why == "" || b.Solver.Why != "" {
			t.Errorf("%s: %s (%q); want %s: %s", loss, show(a), a.Solver.Why, show(b),
				cmp.Diff(b.Resolved(), a.Resolved()))
		}
	}
	runs, err := selectedPlan(t, "log", "[{as: mine, name: best, stop: {passes: 3}}]")
	if err != nil || runs[0].Labels["as"] != "mine" || runs[0].Labels["solver"] != "eg" || runs[0].Stop.Passes != 3 {
		t.Errorf("with keys of the language: %+v, %v", runs, err)
	}
}

// TestSelectionFaults checks the messages if the function Select fails, or if it selects different solvers for the
// models of a grid.
func TestSelectionFaults(t *testing.T) {
	for _, c := range []struct{ loss, solvers, want string }{
		{"{grid: [log, hinge]}", "[{name: best}]", "selects eg for one model of the grid, and one-slack"},
		{"log", "[{name: best, eta: 1}]", "eta"},
		{"log", "[{name: best}, {name: eg}]", `two variants are named "eg"`},
	} {
		if _, err := selectedPlan(t, c.loss, c.solvers); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v; want %q", c.solvers, err, c.want)
		}
	}
	text := strings.NewReplacer("multiclass, loss: LOSS", "bayesnet", "SOLVERS", "[{name: best}]").Replace(selectingSpec)
	text = strings.Replace(text, "regularisation: {convention: eg, C: 1}\n", "", 1)
	if _, err := Parse("best.yaml", []byte(text), selecting()); err == nil ||
		!strings.Contains(err.Error(), "no rule for bayesnet") {
		t.Errorf("the error is %v; want \"no rule for bayesnet\"", err)
	}
}
