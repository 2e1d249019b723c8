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

// TestQuantity checks the names of columns in legends.
func TestQuantity(t *testing.T) {
	for column, want := range map[string]string{"gap_percent": "gap", "final.excess_percent": "excess", "dual": "dual",
		"working_set": "working set"} {
		if got := quantity(column); got != want {
			t.Errorf("quantity(%q) = %q, want %q", column, got, want)
		}
	}
}
