package show

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// Mark is an option that changes how an answer is judged. Within, Hint and HintFor return one.
type Mark func(*exercise)

type exercise struct {
	tolerance float64 // largest relative error that is accepted
	hint      string
	traps     []trap
}

// trap is a particular wrong answer that readers may give, and the hint for it.
type trap struct {
	answer any
	hint   string
}

// Within accepts numbers whose relative error is at most share; the default is 1e-9, for rounding.
func Within(share float64) Mark { return func(x *exercise) { x.tolerance = share } }

// Hint adds a text that is shown for wrong answers.
func Hint(text string) Mark { return func(x *exercise) { x.hint = text } }

// HintFor adds a text that is shown for one particular wrong answer, instead of the text of Hint.
func HintFor(answer any, text string) Mark {
	return func(x *exercise) { x.traps = append(x.traps, trap{answer, text}) }
}

// Answer prints and returns whether the answer to an exercise is right. want is the right answer, which the cell has
// computed and which Answer does not print. An answer is a number of any type, a text (case and surrounding spaces do
// not matter), a truth value, or a []float64, such as values of a function that the reader wrote. An answer of nil, "",
// NaN or a list of only NaN counts as not given yet.
func Answer(name string, answer, want any, marks ...Mark) bool {
	x := exercise{tolerance: 1e-9}
	for _, m := range marks {
		m(&x)
	}
	verdict, right := x.judge(answer, want)
	fmt.Printf("%s: %s\n", name, verdict)
	return right
}

func (x *exercise) judge(answer, want any) (verdict string, right bool) {
	got, wanted := plain(answer), plain(want)
	switch {
	case got == nil:
		return "not answered yet", false
	case wanted == nil:
		panic(fmt.Sprintf("show: the right answer is %v: the results do not determine it", want))
	case reflect.TypeOf(got) != reflect.TypeOf(wanted):
		return fmt.Sprintf("not yet: the answer is %s, not %s", kind(wanted), kind(got)), false
	}
	why, same := x.same(got, wanted)
	if same {
		return "right", true
	}
	hint := x.hint
	for _, t := range x.traps {
		if _, same := x.same(got, plain(t.answer)); same {
			hint = t.hint
			break
		}
	}
	if hint != "" {
		why += ". " + hint
	}
	return "not yet: " + why, false
}

// same compares two answers in the form that plain returns: a number, a truth value, a text or a list of numbers. why
// describes the difference without revealing the right answer.
func (x *exercise) same(got, want any) (why string, same bool) {
	switch want := want.(type) {
	case float64:
		got, ok := got.(float64)
		return fmt.Sprintf("it is not %.6g", got), ok && x.near(got, want)
	case []float64:
		got, ok := got.([]float64)
		if !ok || len(got) != len(want) {
			return fmt.Sprintf("the answer has %d values; give %d", len(got), len(want)), false
		}
		wrong, first := 0, 0
		for i := len(want) - 1; i >= 0; i-- {
			if !x.near(got[i], want[i]) {
				wrong, first = wrong+1, i
			}
		}
		if wrong == 0 {
			return "", true
		}
		return fmt.Sprintf("%d of %d values are wrong, the first is %.6g at index %d", wrong, len(want), got[first],
			first), false
	}
	return fmt.Sprintf("it is not %v", got), got == want
}

func (x *exercise) near(got, want float64) bool {
	return got == want || math.Abs(got-want) <= x.tolerance*math.Abs(want) && !math.IsInf(want, 0)
}

// plain converts an answer to a float64, a bool, a string in lower case or a []float64. It returns nil if there is no
// answer.
func plain(answer any) any {
	switch v := reflect.ValueOf(answer); {
	case !v.IsValid():
		return nil
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	case v.CanFloat():
		if math.IsNaN(v.Float()) {
			return nil
		}
		return v.Float()
	case v.Kind() == reflect.Bool:
		return v.Bool()
	case v.Kind() == reflect.String:
		if s := strings.ToLower(strings.TrimSpace(v.String())); s != "" {
			return s
		}
		return nil
	}
	list, ok := answer.([]float64)
	if !ok {
		panic(fmt.Sprintf("show: an answer of type %T; give a number, a text, true or false, or a []float64", answer))
	}
	for _, v := range list {
		if !math.IsNaN(v) {
			return list
		}
	}
	return nil
}

// kind names the kind of an answer: a number, a text, true or false, or a list of numbers.
func kind(v any) string {
	switch v.(type) {
	case float64:
		return "a number"
	case bool:
		return "true or false"
	case []float64:
		return "a list of numbers"
	}
	return "a text"
}
