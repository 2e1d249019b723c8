package energy_test

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestMedianDistance checks that the median is over pairs of different rows, that sparse and dense rows give the same
// result, and that the pairs depend on the seed alone.
func TestMedianDistance(t *testing.T) {
	rng := random(11)
	dense := &datasets.Rows{N: 200, Dim: 3, Value: examples.Normals(rng, 600, 2)}
	narrow := dense.Narrow(3)
	got := energy.MedianDistance(dense, 1)
	// Each row has 3 independent normal numbers with standard deviation 2. So |x − x'|²/8 for two rows x and x' has the χ²
	// distribution with 3 degrees of freedom, whose median is 2.366.
	if want := math.Sqrt(8 * 2.366); math.Abs(got-want) > 0.1*want {
		t.Errorf("median distance of normal rows = %v, want about %v", got, want)
	}
	if v := energy.MedianDistance(&narrow, 1); v != got {
		t.Errorf("median distance of the same rows in sparse form = %v, want %v", v, got)
	}
	if energy.MedianDistance(dense, 1) != got || energy.MedianDistance(dense, 2) == got {
		t.Error("want the same median with the same seed, and another median with another seed")
	}
	twice := &datasets.Rows{N: 4, Dim: 1, Value: []float64{0, 0, 0, 5}}
	if v := energy.MedianDistance(twice, 1); v != 5 {
		t.Errorf("median distance of rows at 0 and 5 = %v, want 5: equal rows do not count", v)
	}
	for name, rows := range map[string]*datasets.Rows{
		"one row":    {N: 1, Dim: 1, Value: []float64{3}},
		"equal rows": {N: 3, Dim: 1, Value: []float64{3, 3, 3}},
	} {
		if v := energy.MedianDistance(rows, 1); v != 1 {
			t.Errorf("%s: median distance = %v, want 1", name, v)
		}
	}
}
