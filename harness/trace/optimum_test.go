package trace_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestOptimumOfEachSeedBelow checks that problems that start from the weights of an earlier run have a separate optimum
// for each seed of that run.
func TestOptimumOfEachSeedBelow(t *testing.T) {
	of := func(as string, seed, primal, dual float64) *trace.File {
		f := run(labels(as, 10), row("passes", 0, "primal", 9, "dual", 0), row("passes", 1, "primal", primal, "dual", dual))
		f.Manifest.Spec = map[string]any{"model": map[string]any{"name": "inference"}, "seed": seed,
			"from": map[string]any{"solver": map[string]any{"name": "eg"}, "seed": seed}}
		return f
	}
	set := trace.NewSet([]*trace.File{of("a", 1, 4, 3.9), of("b", 1, 4.1, 4), of("a", 2, 2, 1.9), of("b", 2, 2.1, 2)})
	if set.Err != nil {
		t.Fatal(set.Err)
	}
	for i, want := range []float64{4, 4, 2, 2} {
		if c := set.Curves[i]; c.Final(trace.Opt) != want || c.Final(trace.OptLow) != want {
			t.Errorf("curve %d: opt_low, opt = %v, %v; want both %v", i, c.Final(trace.OptLow), c.Final(trace.Opt), want)
		}
	}
}

// TestOptimumOfSeveralProblems checks that each problem of an experiment has its own optimum, shared by all solvers on
// the problem.
func TestOptimumOfSeveralProblems(t *testing.T) {
	of := func(problem, as, checksum, model string, primal, dual float64) *trace.File {
		l := labels(as, 10)
		l["problem"], l["model"] = problem, model
		f := run(l, row("passes", 0, "primal", 9, "dual", 0), row("passes", 1, "primal", primal, "dual", dual))
		f.Manifest.Data.Checksum = checksum
		f.Manifest.Spec = map[string]any{"model": map[string]any{"name": model}, "solver": map[string]any{"as": as}}
		return f
	}
	set := trace.NewSet([]*trace.File{
		of("letters", "one-slack", "a", "chain", 4, 3.9),
		of("letters", "n-slack", "a", "chain", 4.1, 4),
		of("words", "one-slack", "b", "chain", 2, 2),      // other data
		of("parses", "one-slack", "a", "cfg", 1, 0.5),     // the same data, another model
		of("parses again", "n-slack", "a", "cfg", 0.8, 0), // the same problem under another name
	})
	if set.Err != nil {
		t.Fatal(set.Err)
	}
	want := [][2]float64{{4, 4}, {4, 4}, {2, 2}, {0.8, 0.5}, {0.8, 0.5}}
	for i, c := range set.Curves {
		if got := [2]float64{c.Final(trace.Opt), c.Final(trace.OptLow)}; got != want[i] {
			t.Errorf("%v: opt, opt_low = %v, want %v", c.Labels, got, want[i])
		}
	}
	if len(set.Warnings) != 1 ||
		!strings.Contains(set.Warnings[0],
			"problem=parses, C=10: the runs ended before the optimum, at a relative gap of 0.38;") {
		t.Errorf("warnings %q, want one that names the problem parses", set.Warnings)
	}
}

// TestOptimumToTheGapAskedFor checks that there is no warning about an uncertain optimum if a run has reached the gap
// at which its spec stops.
func TestOptimumToTheGapAskedFor(t *testing.T) {
	for _, c := range []struct {
		gap  float64
		warn bool
	}{{0, true}, {0.01, true}, {0.03, false}} {
		f := run(labels("a", 10), row("passes", 1, "primal", 4, "dual", 3.9))
		f.Manifest.Spec = map[string]any{"stop": map[string]any{"gap": c.gap}}
		set := trace.NewSet([]*trace.File{f})
		if warned := len(set.Warnings) > 0; warned != c.warn {
			t.Errorf("stop at a gap of %v: warnings %q; want some: %t", c.gap, set.Warnings, c.warn)
		}
		if set.Curves[0].Doubt == "" {
			t.Errorf("stop at a gap of %v: the curve has no doubt about its optimum", c.gap)
		}
	}
}

// TestOneWarningOfTheOptimum checks that several problems with uncertain optima share one warning, that those without a
// dual share another and those whose runs all diverged a third, and that a stage of a path with a gap of its own gives
// none if it reached this gap.
func TestOneWarningOfTheOptimum(t *testing.T) {
	var files []*trace.File
	for i, dual := range []float64{3.9, 3, 2, 3.9} {
		f := run(labels("a", float64(10*(i+1))), row("passes", 1, "primal", 4, "dual", dual))
		f.Manifest.Experiment = "my/own"
		files = append(files, f)
	}
	files[3].Manifest.Spec = map[string]any{"solver": map[string]any{
		"path": map[string]any{"until": map[string]any{"gap": 0.03}}}}
	for _, c := range []float64{50, 60} {
		f := run(labels("b", c), row("passes", 1, "primal", 4))
		f.Manifest.Experiment = "my/own"
		files = append(files, f)
	}
	for _, c := range []float64{70, 80, 80} {
		f := run(labels("a", c), row("passes", 1, "primal", 4, "dual", 1))
		f.Manifest.Experiment, f.End.Status = "my/own", trace.Diverged
		files = append(files, f)
	}
	files[len(files)-1].End.Status = trace.Done // at C = 80, one of the two runs did not diverge
	want := []string{
		"my/own 4 problems: the runs ended before the optimum, at relative gaps from 0.025 to 0.75; " +
			"allow more passes for smaller gaps",
		"my/own 2 problems: no solver computed a dual, so the distance to the optimum is not known",
		"my/own C=70: all runs diverged, so the distance to the optimum is not known",
	}
	if got := trace.NewSet(files).Warnings; !slices.Equal(got, want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
}

// TestOptimumOfEachLoss checks that runs with different losses do not share an optimum.
func TestOptimumOfEachLoss(t *testing.T) {
	of := func(loss string, primal, dual float64) *trace.File {
		l := labels("a", 10)
		l["loss"] = loss
		return run(l, row("passes", 1, "primal", primal, "dual", dual))
	}
	set := trace.NewSet([]*trace.File{of("log", 4, 3.9), of("hinge", 2, 1.9)})
	if set.Err != nil {
		t.Fatal(set.Err)
	}
	for i, want := range []float64{4, 2} {
		if got := set.Curves[i].Final(trace.Opt); got != want {
			t.Errorf("%v: opt = %v, want %v", set.Curves[i].Labels, got, want)
		}
	}
}

// TestCut checks that Cut is true for a curve that was ended by a limit on passes, epochs or seconds, or by a budget,
// and false for a curve that converged or reached the gap of its stop rule.
func TestCut(t *testing.T) {
	for rule, want := range map[string]bool{"passes": true, "epochs": true, "seconds": true, "gap": false,
		"converged": false, "patience": false} {
		f := run(labels("a", 10), row("passes", 1, "primal", 1))
		f.End.Rule = rule
		if got := trace.NewSet([]*trace.File{f}).Curves[0].Cut(); got != want {
			t.Errorf("Cut of a run that ended by the rule %s = %v, want %v", rule, got, want)
		}
		f.End.Status = trace.Budget
		if !trace.NewSet([]*trace.File{f}).Curves[0].Cut() {
			t.Error("Cut of a run that its budget ended = false, want true")
		}
	}
}

// TestCurveWithoutLambda checks that a curve with a loss but without λ is compared with no other and gets no derived
// columns, with a warning, and that runs without loss and λ share one optimum.
func TestCurveWithoutLambda(t *testing.T) {
	for _, c := range []struct {
		labels  map[string]any
		derived bool
	}{
		{map[string]any{"as": "eg", "loss": "log"}, false},
		{map[string]any{"as": "eg", "loss": "log", "lambda": 0.5}, true},
		{map[string]any{"as": "eg"}, true},
	} {
		set := trace.NewSet([]*trace.File{run(c.labels, row("passes", 1, "primal", 2, "dual", 1)),
			run(c.labels, row("passes", 1, "primal", 1, "dual", 1))})
		if warned := len(set.Warnings) == 2 && strings.Contains(set.Warnings[0], `no label "lambda"`); warned == c.derived {
			t.Errorf("%v: warnings %q, want two about lambda: %v", c.labels, set.Warnings, !c.derived)
		}
		for i, want := range []float64{100, 0} {
			got := set.Curves[i].Final(trace.ExcessPercent)
			if set.Curves[i].Has(trace.Opt) != c.derived || c.derived && got != want {
				t.Errorf("%v: excess of run %d = %v %%, want %v, derived: %v", c.labels, i, got, want, c.derived)
			}
		}
	}
}

// TestRelative checks relative differences, also from 0.
func TestRelative(t *testing.T) {
	for _, c := range []struct{ difference, of, want float64 }{
		{1, 2, 0.5}, {1, -2, 0.5}, {-1, 2, -0.5}, {0, 0, 0}, {0, 3, 0}, {2, 0, math.Inf(1)},
	} {
		if got := trace.Relative(c.difference, c.of); got != c.want {
			t.Errorf("Relative(%v, %v) = %v, want %v", c.difference, c.of, got, c.want)
		}
	}
}

// TestBoundLacking checks which missing run might have bounded the optimum of a curve: one of the same problem, if the
// optimum is in doubt. A label that only one of the two runs has is no difference.
func TestBoundLacking(t *testing.T) {
	same := labels("other", 10)
	without := labels("other", 10)
	delete(without, "lambda")
	otherC, otherLoss := labels("other", 1), labels("other", 10)
	otherLoss["loss"] = "hinge"
	for _, c := range []struct {
		about  string
		labels map[string]any
		dual   float64
		want   bool
	}{
		{"the same problem", same, 1, true},
		{"a plan without lambda", without, 1, true},
		{"another C", otherC, 1, false},
		{"another loss", otherLoss, 1, false},
		{"the optimum is known", same, 2, false},
	} {
		set := trace.NewSet([]*trace.File{run(labels("eg", 10), row("passes", 1, "primal", 2, "dual", c.dual))})
		missing := trace.NewMissing(c.labels, trace.Missing, "it was not run")
		set.Missing = []*trace.Curve{missing}
		if got := set.BoundLacking(set.Curves[0]); (got == missing) != c.want || got != nil && !c.want {
			t.Errorf("%s: %v, want the missing run: %v", c.about, got, c.want)
		}
		if missing.Reason() != "missing (it was not run)" {
			t.Errorf("reason %q, want the status and the reason", missing.Reason())
		}
	}
}

// TestProblemsApart checks which differences of two runs give them two optima: those of the data, their number, the
// model, the weights they start from, the loss and λ, but not those of the solver or of rounding. The settings with
// defaults (File.Spec) count in place of those in the manifest.
func TestProblemsApart(t *testing.T) {
	spec := func(model, from string) map[string]any {
		return map[string]any{"model": model, "from": from, "stop": from}
	}
	for name, c := range map[string]struct {
		change func(f *trace.File)
		apart  bool
	}{
		"nothing":            {func(f *trace.File) {}, false},
		"solver":             {func(f *trace.File) { f.Manifest.Labels["as"] = "other" }, false},
		"problem":            {func(f *trace.File) { f.Manifest.Labels["problem"] = "other" }, false},
		"examples":           {func(f *trace.File) { f.Manifest.N++ }, true},
		"data":               {func(f *trace.File) { f.Manifest.Data.Checksum = "other" }, true},
		"validation":         {func(f *trace.File) { f.Manifest.Validation++ }, false},
		"name of the model":  {func(f *trace.File) { f.Manifest.Labels["model"] = "other" }, true},
		"loss":               {func(f *trace.File) { f.Manifest.Labels["loss"] = "hinge" }, true},
		"lambda":             {func(f *trace.File) { f.Manifest.Labels["lambda"] = 0.0100001 }, true},
		"rounding of lambda": {func(f *trace.File) { f.Manifest.Labels["lambda"] = 0.01 * (1 + 1e-15) }, false},
		"model":              {func(f *trace.File) { f.Manifest.Spec = spec("n", "a") }, true},
		"weights":            {func(f *trace.File) { f.Manifest.Spec = spec("m", "b") }, true},
		"model with defaults": {func(f *trace.File) {
			f.Manifest.Spec, f.Spec = spec("old", "old"), spec("m", "a")
		}, false},
		"other defaults": {func(f *trace.File) { f.Spec = spec("n", "a") }, true},
	} {
		a := run(labels("eg", 10), row("passes", 1, "primal", 2, "dual", 1))
		b := run(labels("eg", 10), row("passes", 1, "primal", 4, "dual", 0.5))
		a.Manifest.Spec, b.Manifest.Spec = spec("m", "a"), spec("m", "a")
		c.change(b)
		set := trace.NewSet([]*trace.File{a, b})
		want := [2]float64{2, 1}
		if c.apart {
			want = [2]float64{4, 0.5}
		}
		if got := [2]float64{set.Curves[1].Final(trace.Opt), set.Curves[1].Final(trace.OptLow)}; got != want {
			t.Errorf("another %s: opt and opt_low %v, want %v", name, got, want)
		}
	}
}

// TestOptimumOfZero checks that relative distances from an optimum of 0 are missing, except that of 0, and that curves
// without a primal have no optimum.
func TestOptimumOfZero(t *testing.T) {
	c := trace.NewSet([]*trace.File{run(labels("eg", 10), row("passes", 0, "primal", 1, "dual", -1), row("passes", 1,
		"primal", 0, "dual", -1), row("passes", 2, "primal", 0, "dual", 0))}).Curves[0]
	nan := math.NaN()
	for name, want := range map[string][]float64{trace.ExcessPercent: {nan, 0, 0}, trace.GapPercent: {nan, nan, 0},
		trace.Opt: {0, 0, 0}, trace.OptLow: {0, 0, 0}} {
		if diff := cmp.Diff(want, c.Columns[name], cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	negative := trace.NewSet([]*trace.File{run(labels("eg", 10), row("passes", 0, "primal", -1), row("passes", 1, "primal",
		-2, "dual", -4))}).Curves[0]
	for name, want := range map[string][]float64{trace.ExcessPercent: {50, 0}, trace.GapPercent: {nan, 100}} {
		if diff := cmp.Diff(want, negative.Columns[name], cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s of a negative optimum: %s", name, diff)
		}
	}
	none := trace.NewSet([]*trace.File{run(labels("eg", 10), row("passes", 0, "dual", 1))})
	if c := none.Curves[0]; c.Has(trace.Opt) || c.Doubt != "" || len(none.Warnings) > 0 {
		t.Errorf("without a primal: %v, doubt %q, warnings %q; want none", c.ColumnNames(), c.Doubt, none.Warnings)
	}
}

// TestSameProblemByLabel checks each label that tells problems apart, and one that does not.
func TestSameProblemByLabel(t *testing.T) {
	for _, name := range []string{"dataset", "model", "loss", "C", "lambda", "fold", "seed"} {
		own := labels("eg", 10)
		own["dataset"], own["fold"], own["seed"] = "d", 1., 1.
		other := labels("eg", 10)
		other["dataset"], other["fold"], other["seed"] = "d", 1., 1.
		if other[name] = any("other"); name == "C" || name == "lambda" {
			other[name] = 7.5
		}
		set := trace.NewSet([]*trace.File{run(own, row("passes", 1, "primal", 2, "dual", 1))})
		first, second := trace.NewMissing(other, trace.Missing, ""), trace.NewMissing(own, trace.Damaged, "")
		want := second
		if name == "seed" {
			want = first
		}
		set.Missing = []*trace.Curve{first, second}
		if got := set.BoundLacking(set.Curves[0]); got != want {
			t.Errorf("another %s: the run %+v might have bounded the optimum, want %+v", name, got, want)
		}
	}
	f := run(labels("eg", 10), row("passes", 1, "primal", 2, "dual", 1))
	f.End.Status = trace.Failed
	set := trace.NewSet([]*trace.File{f})
	if got := set.BoundLacking(set.Curves[0]); got != nil {
		t.Errorf("a failed run lacks its own bound: %+v", got)
	}
}
