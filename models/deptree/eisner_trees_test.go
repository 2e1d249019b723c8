package deptree_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestProjectiveTrees checks the numbers of projective trees: C(3l, l)/(2l+1) with any number of roots, C(3l−2, l−1)/l
// with one.
func TestProjectiveTrees(t *testing.T) {
	for _, c := range []struct {
		multiRoot bool
		want      []int
	}{{true, []int{1, 3, 12, 55, 273, 1428}}, {false, []int{1, 2, 7, 30, 143, 728}}} {
		for i, want := range c.want {
			if got := len(examples.ProjectiveTrees(i+1, c.multiRoot)); got != want {
				t.Errorf("%d words, multi-root %v: %d trees, want %d", i+1, c.multiRoot, got, want)
			}
		}
	}
}

// treeScores draws the part scores of l words.
func treeScores(rng *rand.Rand, l int, scale float64) []float64 {
	theta := make([]float64, l*l)
	for r := range theta {
		theta[r] = scale * rng.NormFloat64()
	}
	return theta
}
