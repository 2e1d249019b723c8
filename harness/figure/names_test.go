package figure

import "testing"

// TestAxisLabel checks the labels of columns, final values, percentages and other expressions.
func TestAxisLabel(t *testing.T) {
	for _, test := range []struct {
		want        string
		expressions []string
	}{
		{"Effective passes", []string{"passes"}},
		{"Effective passes", []string{"final.passes"}},
		{"Objective", []string{"primal", "dual"}},
		{"Primal objective, Validation error", []string{"primal", "validation_error"}},
		{"Validation error (%)", []string{"100 * validation_error"}},
		{"Validation error (%)", []string{"100*final.validation_error"}},
		{"Solver time, wall clock (s)", []string{"seconds"}},
		{"Solver time, CPU (s)", []string{"cpu_seconds"}},
		{"Working set", []string{"working_set"}},
		{"log(primal - opt)", []string{"log(primal - opt)"}},
		{"λ", []string{"lambda"}},
	} {
		if got := AxisLabel(test.expressions); got != test.want {
			t.Errorf("AxisLabel(%q) = %q, want %q", test.expressions, got, test.want)
		}
	}
}
