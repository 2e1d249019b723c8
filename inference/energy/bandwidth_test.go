package energy_test

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestMedianDistance checks that the median distance is that of pairs of different rows, sparse or dense, and depends
// on the seed only.
func TestMedianDistance(t *testing.T) {
	rng := random(11)
	dense := &datasets.Rows{N: 200, Dim: 3, Value: examples.Normals(rng, 600, 2)}
	narrow := dense.Narrow(3)
	got := energy.MedianDistance(dense, 1)
	// |x − x'|² is 8 times χ² with 3 degrees of freedom, whose median is 2.366
	if want := math.Sqrt(8 * 2.366); math.Abs(got-want) > 0.1*want {
		t.Errorf("the median distance of normal rows is %v: want about %v", got, want)
	}
	if v := energy.MedianDistance(&narrow, 1); v != got {
		t.Errorf("of the same rows stored sparsely it is %v: want %v", v, got)
	}
	if energy.MedianDistance(dense, 1) != got || energy.MedianDistance(dense, 2) == got {
		t.Error("the same seed draws other pairs, or another seed the same")
	}
	twice := &datasets.Rows{N: 4, Dim: 1, Value: []float64{0, 0, 0, 5}}
	if v := energy.MedianDistance(twice, 1); v != 5 {
		t.Errorf("of rows at 0 and 5 it is %v: want 5, the distance of those that differ", v)
	}
	for name, rows := range map[string]*datasets.Rows{
		"one row":    {N: 1, Dim: 1, Value: []float64{3}},
		"equal rows": {N: 3, Dim: 1, Value: []float64{3, 3, 3}},
	} {
		if v := energy.MedianDistance(rows, 1); v != 1 {
			t.Errorf("%s: the median distance is %v: want 1", name, v)
		}
	}
}
