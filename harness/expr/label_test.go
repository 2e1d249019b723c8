package expr

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestLabelsWithFewDigits checks that a number in a selector matches a label up to a relative difference of 1e-5, and
// that a text or a truth value matches only an equal label.
func TestLabelsWithFewDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		have := math.Exp(rapid.Float64Range(-12, 12).Draw(t, "log of the label"))
		if rapid.Bool().Draw(t, "negative") {
			have = -have
		}
		away := rapid.Float64Range(-3e-5, 3e-5).Draw(t, "relative difference")
		if math.Abs(math.Abs(away)-1e-5) < 1e-9 {
			t.Skip("on the edge")
		}
		c := curveOf("eg", []float64{0}, []float64{1})
		c.Labels["C"] = have
		want := math.Abs(away) < 1e-5
		for name, v := range map[string]any{"a number": have * (1 + away), "a list": []any{have * (1 + away), "eg"}} {
			if got := matches(c, conditions(map[string]any{"C": v})); got != want {
				t.Errorf("the label C=%v matches %s, %v: %v, want %v", have, name, v, got, want)
			}
		}
	})
	values := []any{0.0, 1.0, "0", "1", "eg", true, false}
	for _, have := range values {
		for _, want := range values {
			c := &trace.Curve{Labels: map[string]any{"name": have}}
			if got := matches(c, conditions(map[string]any{"name": want})); got != (have == want) {
				t.Errorf("the label %#v matches %#v: %v, want %v", have, want, got, have == want)
			}
		}
	}
	if matches(&trace.Curve{Labels: map[string]any{}, File: &trace.File{}}, conditions(map[string]any{"C": 1.0})) {
		t.Error("a curve without the label C matches C=1")
	}
}
