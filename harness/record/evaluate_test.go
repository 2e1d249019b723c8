package record_test

import (
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// TestBoundsOfDivergingRuns checks that the recorded dual of a diverging run remains a lower bound in spite of
// rounding, even if the primal exceeds 1e100.
func TestBoundsOfDivergingRuns(t *testing.T) {
	r := toy.Text(t, toy.Tiny+`
regularisation: {convention: eg, C: 1000}
solvers:
  - {name: descent, step: {grid: [0.5, 1, 2, 4, 1e3, 1e6, 1e20, 1e50]}}
  - {name: ascent, rate: 0.5}
record: {every: {passes: 0.1}}
stop: {passes: 20}
`)
	best := toy.Last(t, toy.Labelled(t, r, "as", "ascent"))[trace.Primal]
	huge, bounds := false, 0
	for _, f := range r.Files {
		for _, row := range f.Rows {
			huge = huge || row.Values[trace.Primal] > 1e100
			if d, ok := row.Values[trace.Dual]; ok {
				bounds++
				if d > best {
					t.Fatalf("%s: at %v passes, primal %g: dual = %g, want at most %g, the primal of another run", f.Describe(),
						row.Values[trace.Passes], row.Values[trace.Primal], d, best)
				}
			}
		}
	}
	if !huge || bounds == 0 {
		t.Errorf("a primal above 1e100: %v, rows with a bound: %d; the test needs both", huge, bounds)
	}
	if r.Set.Err != nil {
		t.Error(r.Set.Err)
	}
}

// TestTrainMetrics checks that train_error is measured on the training examples and validation_error on the validation
// examples.
func TestTrainMetrics(t *testing.T) {
	var w []float64
	fixed := toy.Scripted{Is: "fixed", Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
		w = make([]float64, p.Dim)
		for j := range w {
			w[j] = float64(j*j%7) - 3
		}
		yield(solvers.Iterate{W: w}, nil)
	}}
	r := toy.Text(t, toy.Quickly("{passes: 1}")+"record: {every: {epochs: 1}, train: true}\n", toy.With(fixed))
	got := toy.Labelled(t, r, "as", "fixed").Rows[0].Values
	set, err := (&toy.Points{Train: toy.N, Validation: 40, Seed: 1}).Load(t.Context(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	errors := map[string]float64{}
	for name, data := range map[string]datasets.Data{"train_error": set.Train, "validation_error": set.Validation} {
		task, err := toy.Classifier{}.Build(set.Train, data)
		if err != nil {
			t.Fatal(err)
		}
		errors[name] = task.Evaluate(w, 1)["validation_error"]
		if got[name] != errors[name] {
			t.Errorf("%s = %v, want %v", name, got[name], errors[name])
		}
	}
	if errors["train_error"] == errors["validation_error"] {
		t.Error("train_error equals validation_error; the test needs data on which they differ")
	}
}

// TestOptimumOfZero checks that the relative gap is 0 if primal and dual are both 0, so that the stop rule ends the
// run. It also checks that a row has no gap if only the primal is 0.
func TestOptimumOfZero(t *testing.T) {
	zero := toy.Scripted{Is: "zero", Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
		for k := range 5 {
			it := solvers.Iterate{W: make([]float64, p.Dim), Epoch: k, Primal: func() float64 { return 0 },
				Dual: func() float64 { return float64(min(0, k-2)) }}
			if !yield(it, nil) {
				return
			}
		}
	}}
	r := toy.Text(t, toy.Quickly("{gap: 0.1}")+"record: {every: {epochs: 1}}\n", toy.With(zero))
	f := toy.Labelled(t, r, "as", "zero")
	toy.WantStatus(t, f, trace.Done, "gap")
	if len(f.Rows) != 3 {
		t.Errorf("rows = %d, want 3: the third has a gap of 0", len(f.Rows))
	}
	for i, row := range f.Rows {
		if gap, ok := row.Values[trace.Gap]; ok != (i == 2) || gap != 0 {
			t.Errorf("row %d: gap = %v (%v), want 0 in row 2 and none before", i, gap, ok)
		}
	}
	if c := trace.NewSet([]*trace.File{f}).Curves[0]; c.Final(trace.GapPercent) != 0 || c.Final(trace.ExcessPercent) != 0 {
		t.Errorf("final gap_percent = %v, excess_percent = %v; want 0, 0", c.Final(trace.GapPercent),
			c.Final(trace.ExcessPercent))
	}
}

// TestDualAbovePrimal checks that a row has a warning if its dual is above its primal by more than rounding, and only
// then.
func TestDualAbovePrimal(t *testing.T) {
	for _, c := range []struct {
		primal, dual float64
		want         bool
	}{
		{2, 1, false}, {2, 2, false}, {2, 2 + 1e-10, false}, {2, 2.1, true},
		{-2, -2.1, false}, {-2, -1.9, true}, {0, 1e-3, true},
	} {
		wrong := toy.Scripted{Is: "wrong", Do: func(_ toy.Given, yield func(solvers.Iterate, error) bool) {
			yield(solvers.Iterate{Primal: func() float64 { return c.primal }, Dual: func() float64 { return c.dual }}, nil)
		}}
		f := toy.Labelled(t, toy.Text(t, toy.Quickly("{passes: 1}"), toy.With(wrong)), "as", "wrong")
		if got := len(f.Rows[0].Warnings) > 0; got != c.want {
			t.Errorf("primal %v, dual %v: warnings %q, want some: %v", c.primal, c.dual, f.Rows[0].Warnings, c.want)
		}
	}
}
