package harness

import (
	"math"
	"testing"
)

// TestFeatures checks the text of rows of a request in LIBSVM format, in files whose indices begin with 1 and with 0.
func TestFeatures(t *testing.T) {
	for _, c := range []struct {
		row       any
		from1     string
		zeroBased string
	}{
		{[]any{0.5, 0., -2.}, "1:0.5 3:-2", "0:0.5 2:-2"},
		{map[string]any{"10": 1., "2": 1e-300}, "2:1e-300 10:1", "2:1e-300 10:1"},
		{map[string]any{"2147483647": math.MaxFloat64}, "2147483647:1.7976931348623157e+308",
			"2147483647:1.7976931348623157e+308"},
		{[]any{}, "1:0", "0:0"},
		{map[string]any{"7": 0.}, "1:0", "0:0"},
		{map[string]any{"0": 1.}, "", "0:1"},
		{map[string]any{"-1": 1.}, "", ""},
		{map[string]any{"2147483648": 1.}, "", ""},
		{map[string]any{"1": "x"}, "", ""},
		{[]any{true}, "", ""},
		{"1:1", "", ""},
		{nil, "", ""},
	} {
		for first, want := range []string{c.zeroBased, c.from1} {
			if got, err := features(c.row, first); got != want || (err != nil) != (want == "") {
				t.Errorf("%v, indices from %d: %q, %v; want %q", c.row, first, got, err, want)
			}
		}
	}
}
