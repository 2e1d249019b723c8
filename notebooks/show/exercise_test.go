package show_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/notebooks/show"
	"github.com/gaplab/gaplab/solvers/gradient"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

func ExampleAnswer() {
	var nothing any
	best := 10.0 // stands for a number that a cell computes from results
	show.Answer("Exercise 1", nothing, best)
	show.Answer("Exercise 1", 1, best, show.HintFor(1, "Look at the other end."), show.Hint("Look again."))
	show.Answer("Exercise 1", 100, best, show.HintFor(1, "Look at the other end."), show.Hint("Look again."))
	show.Answer("Exercise 1", 10, best)
	show.Answer("Exercise 2", 11, best, show.Within(0.2))
	show.Answer("Exercise 3", []float64{1, 2, 4}, []float64{1, 3, 5})
	// Output:
	// Exercise 1: not answered yet
	// Exercise 1: not yet: it is not 1. Look at the other end.
	// Exercise 1: not yet: it is not 100. Look again.
	// Exercise 1: right
	// Exercise 2: right
	// Exercise 3: not yet: 2 of 3 values are wrong, the first is 2 at index 1
}

// TestAnswer checks which answers Answer accepts as right, for each type of answer.
func TestAnswer(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		answer, want any
		right        bool
	}{
		{nil, 1.0, false}, {nan, 1.0, false}, {"  ", "eg", false}, {[]float64{nan, nan}, []float64{1, 2}, false},
		{[]float64{}, []float64{1}, false}, {[]float64{1, nan}, []float64{1, 2}, false},
		{[]float64{1}, []float64{1, 2}, false}, {[]float64{0, -2}, []float64{0, -2}, true},
		{uint8(3), 3, true}, {3, 3.0, true}, {3.0000001, 3.0, false}, {-3, 3, false}, {0, 0.0, true}, {1e-12, 0.0, false},
		{math.Inf(1), math.Inf(1), true}, {math.Inf(1), 7.0, false}, {7.0, math.Inf(1), false},
		{" No-More ", "no-more", true}, {"no-mor", "no-more", false}, {"1", 1, false}, {true, 1, false},
		{true, true, true}, {false, true, false}, {1.0, []float64{1}, false},
	} {
		if got := show.Answer("Exercise", tt.answer, tt.want); got != tt.right {
			t.Errorf("Answer(%v), right answer %v: got %t, want %t", tt.answer, tt.want, got, tt.right)
		}
	}
	if show.Answer("Exercise", 1.3, 1, show.Within(0.25)) || !show.Answer("Exercise", -0.8, -1, show.Within(0.25)) {
		t.Error("Within(0.25) must accept an error of 20 % and refuse one of 30 %")
	}
}

// TestAnswerPanics checks that Answer panics if the right answer is missing, or if an answer has an unsupported type,
// since these are mistakes of the notebook.
func TestAnswerPanics(t *testing.T) {
	for want, call := range map[string]func(){
		"right answer is NaN":     func() { show.Answer("Exercise", 1, math.NaN()) },
		"an answer of type []int": func() { show.Answer("Exercise", []int{1}, 1) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("panic %q, want %q in it", got, want)
				}
			}()
			call()
		}()
	}
}

// TestConforms checks that the conformance suite accepts a solver with true promises about it, and rejects the solver
// with a false promise.
func TestConforms(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test runs the suite three times")
	}
	promise := solvertest.Accuracy(1e-6, 1e-6, 2000)
	between := solvertest.CallsBetweenYields(func(n int) int { return 60 * n })
	if !show.Conforms(gradient.NewLBFGS(), promise, between) {
		t.Error("Conforms(L-BFGS) = false, want true")
	}
	if show.Conforms(gradient.NewLBFGS(), promise, between, solvertest.Random()) {
		t.Error("Conforms(L-BFGS with the promise Random) = true, want false: it draws no random numbers")
	}
}
