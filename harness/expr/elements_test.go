package expr_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestElementByElement checks on random lists that an operation on two lists, or on a number and a list, is the list of
// the operations on their elements. Some elements are numbers of which only bounds are known.
func TestElementByElement(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 29))
	e := expr.NewEvaluation(expr.Evidence{Set: trace.NewSet([]*trace.File{
		decay("slow", 10, 0.01, 0.1, 20, trace.End{Status: trace.Budget, Why: "60 s"})})})
	atom := func() string {
		return []string{`final("slow", "passes")`, "2", "-3.5", "0.25", "7"}[rng.IntN(5)]
	}
	texts := func(list []any) []string {
		var out []string
		for _, v := range list {
			out = append(out, fmt.Sprint(v))
		}
		return out
	}
	for range 300 {
		n := 1 + rng.IntN(4)
		var left, right []string
		for range n {
			left, right = append(left, atom()), append(right, atom())
		}
		operator := []string{"+", "-", "*", "/"}[rng.IntN(4)]
		a, b := "["+strings.Join(left, ", ")+"]", "["+strings.Join(right, ", ")+"]"
		switch rng.IntN(3) {
		case 0:
			a = left[0]
			for i := range left {
				left[i] = a
			}
		case 1:
			b = right[0]
			for i := range right {
				right[i] = b
			}
		}
		got, err := e.Values(a + " " + operator + " " + b)
		if err != nil {
			t.Fatal(err)
		}
		var want []any
		for i := range left {
			one, err := e.Values(left[i] + " " + operator + " " + right[i])
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, one...)
		}
		if !reflect.DeepEqual(texts(got), texts(want)) {
			t.Errorf("%s %s %s = %v, want %v", a, operator, b, got, want)
		}
	}
	for _, form := range []string{"[1, 2] + [1, 2, 3]", `[final("slow", "passes"), 2] - [1]`} {
		if got, err := e.Values(form); err == nil || !strings.Contains(err.Error(), "lists of equal length") {
			t.Errorf("%s = %v, error %v; want an error about the lengths", form, got, err)
		}
	}
}

// TestValuesAreFlat checks on random nested values that Values returns the elements of lists, the fields of fits and
// the quantities of maps, each in its place.
func TestValuesAreFlat(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 32))
	e := expr.NewEvaluation(expr.Evidence{Set: trace.NewSet([]*trace.File{
		decay("slow", 10, 0.01, 0.1, 20, trace.End{Status: trace.Budget, Why: "60 s"})})})
	const line = "fit([1, 2, 4, 4.5], [1, 2, 3, 4])"
	const power = "powerfit([1, 2, 5, 7], [1, 2, 3, 4])"
	fields := func(of string, names ...string) (out []string) {
		for _, name := range names {
			out = append(out, of+"."+name)
		}
		return out
	}
	var value func(depth int) (text string, flat []string)
	value = func(depth int) (string, []string) {
		if depth > 0 && rng.IntN(2) == 0 {
			var texts, flat []string
			for range rng.IntN(4) {
				text, elements := value(depth - 1)
				texts, flat = append(texts, text), append(flat, elements...)
			}
			return "[" + strings.Join(texts, ", ") + "]", flat
		}
		switch rng.IntN(5) {
		case 0:
			return line, fields(line, "slope", "intercept", "r2", "n", "low", "high")
		case 1:
			return power, fields(power, "slope", "low", "high", "r2", "n")
		case 2:
			return `"text"`, []string{`"text"`}
		case 3:
			return "1 < 2", []string{"1 < 2"}
		}
		atom := []string{"7", "-0.5", `final("slow", "passes")`}[rng.IntN(3)]
		return atom, []string{atom}
	}
	for range 100 {
		text, elements := value(3)
		got, err := e.Values(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var want []string
		for _, element := range elements {
			one, err := e.Values(element)
			if err != nil || len(one) != 1 {
				t.Fatalf("%s = %v, error %v; want one value", element, one, err)
			}
			want = append(want, fmt.Sprint(one[0]))
		}
		var printed []string
		for _, v := range got {
			printed = append(printed, fmt.Sprint(v))
		}
		if strings.Join(printed, " ") != strings.Join(want, " ") {
			t.Errorf("%s = %q, want %q", text, printed, want)
		}
	}
}
