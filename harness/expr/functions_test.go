package expr

import (
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// parameters returns the names of the arguments in the forms of a signature, without the marks of optional ones, and
// the smallest and largest number of arguments.
func parameters(signature string) (names []string, least, most int) {
	least = 99
	for _, form := range strings.Split(signature, " or ") {
		_, inside, _ := strings.Cut(strings.TrimSuffix(form, ")"), "(")
		inside = strings.ReplaceAll(inside, "{label: value, ...}", "labels")
		list := strings.Split(inside, ", ")
		required := 0
		for i, p := range list {
			if !strings.HasSuffix(p, "?") {
				required++
			}
			list[i] = strings.TrimSuffix(p, "?")
		}
		names, least, most = list, min(least, required), max(most, len(list))
	}
	return names, least, most
}

// TestSignatures checks that each function accepts as many arguments as its signature has, that the argument column or
// metric is a column's name if it follows curves, and that the first argument of curve and curves has labels.
func TestSignatures(t *testing.T) {
	for _, f := range allFunctions() {
		names, least, most := parameters(f.Signature)
		if f.least != least || f.most != most {
			t.Errorf("%s accepts %d to %d arguments, want %d to %d", f.Signature, f.least, f.most, least, most)
		}
		at := slices.IndexFunc(names, func(name string) bool { return name == "column" || name == "metric" })
		if f.column != at+1 {
			t.Errorf("%s: the column is argument %d, want %d", f.Signature, f.column, at+1)
		}
		curves := 0
		if at > 0 {
			curves = slices.IndexFunc(names, func(name string) bool { return !slices.Contains([]string{"a", "b", "c"}, name) })
		} else if f.Name == "T" {
			curves = 1
		}
		if f.curves != curves {
			t.Errorf("%s: %d curves, want %d", f.Signature, f.curves, curves)
		}
		if f.labels != (names[0] == "labels") || f.other != (f.Name == "experiment") {
			t.Errorf("%s: labels %v, other %v", f.Signature, f.labels, f.other)
		}
	}
}

// TestWrongArguments checks that a function with right arguments returns a value, and that for each argument there are
// values of a wrong type, for which the function returns an error. A function decides an assertion exactly if it
// returns a truth value for some arguments that have none; then the verdict of a claim reports its arguments.
func TestWrongArguments(t *testing.T) {
	c := curveOf("eg", []float64{0, 1, 2}, []float64{4, 2, 1})
	c.Columns[trace.ExcessPercent] = []float64{30, 10, 0.5}
	candidates := []any{[]float64{1, 2, 4}, 1.0, c, "primal", []bool{true, true, true}, map[string]any{"a": 1.0}}
	r := newReader(Evidence{Set: &trace.Set{Curves: []*trace.Curve{c}}})
	tried := 0
	for _, f := range allFunctions() {
		_, _, most := parameters(f.Signature)
		var right []any  // the first arguments for which the function returns a value
		decides := false // whether the function returns a truth value for arguments without truth values
		var find func(args []any) bool
		find = func(args []any) bool {
			if len(args) == most {
				if v, err := f.call(r, args); err == nil {
					if right == nil {
						right = slices.Clone(args)
					}
					_, truth := v.(bool)
					decides = truth && !slices.ContainsFunc(args, func(a any) bool { _, ok := a.([]bool); return ok })
				}
				return decides
			}
			return slices.ContainsFunc(candidates, func(v any) bool { return find(append(slices.Clone(args), v)) })
		}
		if f.labels || f.other || slices.Contains([]string{"printed", "paired", "spread", "completed", "repetitions"},
			f.Name) {
			continue // these need more than a curve
		}
		if find(nil); right == nil {
			t.Errorf("%s accepts no arguments", f.Signature)
			continue
		}
		if f.decides != decides {
			t.Errorf("%s: a verdict reports the arguments: %v, but the function returns a truth value: %v", f.Signature,
				f.decides, decides)
		}
		tried++
		for i := range right {
			var accepted []any
			for _, v := range candidates {
				args := slices.Clone(right)
				args[i] = v
				if _, err := f.call(r, args); err == nil {
					accepted = append(accepted, v)
				}
			}
			if len(accepted) == len(candidates) {
				t.Errorf("%s accepts everything as argument %d", f.Signature, i+1)
			}
		}
	}
	if tried < 20 {
		t.Errorf("%d functions tried, want at least 20", tried)
	}
}
