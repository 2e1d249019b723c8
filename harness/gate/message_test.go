package gate_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestMessagesOfWork checks whole messages about runs that need more or less work than their references. The gap of a
// run with the given speed is 2^(−speed·p/4) after p passes. In a run with two stages, p counts from the start of a
// stage. If dual is true, the dual also differs, in the row after 8 passes.
func TestMessagesOfWork(t *testing.T) {
	curve := func(speed float64, stages bool) *trace.File {
		f := full(41)
		for i, r := range f.Rows {
			delete(r.Values, trace.Primal)
			if stages {
				r.Values[trace.Stage], r.Values[trace.C] = float64(1+i/21), math.Pow(10, float64(i/21))
				i %= 21
			}
			r.Values[trace.Gap] = math.Exp2(-speed * float64(i) / 4)
		}
		return f
	}
	for _, c := range []struct {
		was, is      float64
		stages, dual bool
		want         string
	}{
		{1, 1, false, false, ""},
		{1, 1, true, false, ""},
		{1, 0.9995, false, false, ""},
		{1, 0.5, false, false, "at epoch 1 (1 passes): gap 0.841 reached in 2 passes, was 1: a factor of 2 in work " +
			"(tolerance 5 %); in the end gap 0.000977 is no longer reached, was reached in 40 passes"},
		{0.5, 1, false, false, "at epoch 1 (1 passes): gap 0.917 reached in 0.5 passes, was 1: a factor of 0.5 in work " +
			"(tolerance 5 %); in the end gap 0.0312 reached in 20 passes, was 40: a factor of 0.5 in work"},
		{0.5, 1, true, false, "at epoch 1 (1 passes) of stage 1, C=1: gap 0.917 reached in 0.5 passes, was 1: a factor " +
			"of 0.5 in work (tolerance 5 %); in the end gap 0.193 reached in 30.5 passes, was 40: a factor of 0.762 in work"},
		{1, 1, false, true, "at epoch 8 (8 passes): dual 3, was 0.01 (a factor of 300; tolerance 1e-05)"},
		{0.8, 0.82, false, true, "at epoch 8 (8 passes): dual 3, was 0.01 (a factor of 300; tolerance 1e-05); gap 0.33 " +
			"reached in 7.805 passes, was 8: a factor of 0.976 in work; in the end gap 0.00391 reached in 39.02 passes, " +
			"was 40: a factor of 0.976 in work"},
		{0.82, 0.8, false, true, "at epoch 8 (8 passes): dual 3, was 0.01 (a factor of 300; tolerance 1e-05); gap 0.321 " +
			"reached in 8.2 passes, was 8: a factor of 1.02 in work; in the end gap 0.00391 reached in 40 passes, was " +
			"39.02: a factor of 1.02 in work"},
	} {
		ref, now := curve(c.was, c.stages), curve(c.is, c.stages)
		if c.dual {
			now.Rows[8].Values[trace.Dual] = 3
		}
		if got := within(t, ref, now); got != c.want {
			t.Errorf("speed %g, was %g, stages %v:\n%s\nwant\n%s", c.is, c.was, c.stages, got, c.want)
		}
	}
}

// TestWhichCurvesAreCompared gives the gate all combinations of a curve in the reference and in the new runs, each of
// them absent, made here, or made by an external program. A curve must be compared unless a side is external.
func TestWhichCurvesAreCompared(t *testing.T) {
	const absent, here, outside = 0, 1, 2
	want := map[[2]int]string{{here, absent}: "moved", {absent, here}: "moved", {here, here}: "same"}
	curve := func(plan string, how int) []*trace.File {
		if how == absent {
			return nil
		}
		f := run(5)
		f.Manifest.Plan, f.Manifest.Labels["as"], f.Manifest.Outside = plan, plan, how == outside
		return []*trace.File{f}
	}
	for ref := range 3 {
		for now := range 3 {
			for _, order := range []bool{false, true} { // whether a curve that is the same comes first
				refs, fresh := curve("p", ref), curve("p", now)
				if same := curve("q", here); order {
					refs, fresh = append(slices.Clone(same), refs...), append(slices.Clone(same), fresh...)
				} else {
					refs, fresh = append(refs, same...), append(fresh, same...)
				}
				got := map[string]string{}
				for _, c := range gate.Within()("p/a", refs, fresh) {
					says := "moved"
					if c.OK {
						says = "same"
					}
					name := "p"
					if f := c.Fresh; f != nil && f.Manifest.Plan == "q" {
						name = "q"
					}
					got[name] += says
				}
				if got["q"] != "same" || got["p"] != want[[2]int{ref, now}] {
					t.Errorf("reference %d, new run %d: %v, want %q for the curve p, and the same for q", ref, now,
						fmt.Sprint(got), want[[2]int{ref, now}])
				}
			}
		}
	}
}
