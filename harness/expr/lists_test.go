package expr

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestListFunctions compares the functions of lists with their definitions, on short lists in which some elements are
// missing and many are equal. The functions ignore missing elements (NaN).
func TestListFunctions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 6).Draw(t, "n")
		x, values := list(t, "x", n), list(t, "values", n)
		var known []float64
		for i := range x {
			if rapid.IntRange(0, 3).Draw(t, "missing") == 0 {
				x[i] = math.NaN()
			} else {
				known = append(known, x[i])
			}
		}
		tol := float64(rapid.IntRange(0, 8).Draw(t, "tol")) / 8
		call := func(name string, args ...any) any {
			got, err := lookUp(name).call(nil, args)
			if Lacks(err) {
				return "lacking"
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return got
		}
		want := map[string]any{}
		for _, name := range []string{"sum", "mean", "min", "max"} {
			want[name] = "lacking"
		}
		if len(known) > 0 {
			sum, low, high := 0.0, math.Inf(1), math.Inf(-1)
			for _, v := range known {
				sum, low, high = sum+v, math.Min(low, v), math.Max(high, v)
			}
			want["sum"], want["mean"], want["min"], want["max"] = sum, sum/float64(len(known)), low, high
		}
		up, down, never := true, true, true // whether each element is larger, smaller, not smaller than the one before
		for i := 1; i < len(known); i++ {
			a, b := known[i-1], known[i]
			up, down, never = up && b > a, down && b < a, never && a-b <= tol*math.Abs(a)
		}
		want["increasing"], want["decreasing"], want["nondecreasing"] = up, down, never
		if len(known) < 2 {
			want["increasing"], want["decreasing"], want["nondecreasing"] = "lacking", "lacking", "lacking"
		}
		for name, w := range want {
			args := []any{x}
			if name == "nondecreasing" {
				args = append(args, tol)
			}
			if got := call(name, args...); got != w {
				t.Errorf("%s(%v), with the tolerance %v: %v, want %v", name, x, tol, got, w)
			}
		}
		best := any("lacking") // the first of the values at which x is smallest
		for i := n - 1; i >= 0; i-- {
			if len(known) > 0 && x[i] == want["min"] {
				best = values[i]
			}
		}
		if got := call("argmin", values, x); got != best {
			t.Errorf("argmin(%v, %v) = %v, want %v", values, x, got, best)
		}
		truths, trues := rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "truths"), 0.0
		for _, b := range truths {
			if b {
				trues++
			}
		}
		share := any("lacking")
		if n > 0 {
			share = trues / float64(n)
		}
		if got := call("share", truths); got != share {
			t.Errorf("share(%v) = %v, want %v", truths, got, share)
		}
		low, high := float64(rapid.IntRange(-5, 5).Draw(t, "low")), float64(rapid.IntRange(-5, 5).Draw(t, "high"))
		for i, v := range x {
			if got, want := call("within", x, low, high).([]bool)[i], low <= v && v <= high; got != want {
				t.Errorf("within(%v, %v, %v) = %v, want %v", v, low, high, got, want)
			}
			if !math.IsNaN(v) {
				w := values[i]
				if got, want := call("close", v, w, tol*4), math.Max(v, w)-math.Min(v, w) <= tol*4; got != want {
					t.Errorf("close(%v, %v, %v) = %v, want %v", v, w, tol*4, got, want)
				}
			}
		}
	})
}

// TestEarlyRuns checks, for each status, whether the values of a run's column can be read, and whether there is a
// warning that the run ended early.
func TestEarlyRuns(t *testing.T) {
	for status, want := range map[trace.Status]struct{ read, warned, final bool }{
		trace.Done:        {true, false, true},
		trace.Stalled:     {true, true, false},
		trace.Budget:      {true, true, false},
		trace.Diverged:    {true, true, false},
		trace.Interrupted: {true, false, false},
		trace.Failed:      {false, false, false},
	} {
		c := curveOf("eg", []float64{0, 1}, []float64{2, 1})
		c.Status = status
		r := newReader(Evidence{Set: &trace.Set{Curves: []*trace.Curve{c}}})
		_, err := r.get(c, "primal")
		if (err == nil) != want.read || (len(r.warnings) > 0) != want.warned {
			t.Errorf("%s: a column is read with the error %v and the warnings %v, want %+v", status, err, r.warnings, want)
		}
		if _, err := readFinal(r, []any{c, "primal"}); (err == nil) != want.final {
			t.Errorf("%s: the final value is read with the error %v, want %+v", status, err, want)
		}
	}
}
