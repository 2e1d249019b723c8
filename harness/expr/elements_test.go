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
