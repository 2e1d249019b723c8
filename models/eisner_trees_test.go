package models_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// projectiveTrees lists the projective dependency trees of l words as parts, from all l^l assignments of heads.
func projectiveTrees(l int, multiRoot bool) []models.Vertex {
	var all []models.Vertex
	y, head := make(models.Vertex, l), make([]int, l+1)
	for code := range int(math.Pow(float64(l), float64(l))) {
		roots := 0
		for m := 1; m <= l; m++ {
			h := code % l
			code /= l
			y[m-1] = (m-1)*l + h
			if h >= m {
				h++
			}
			if head[m] = h; h == 0 {
				roots++
			}
		}
		if (roots == 1 || multiRoot) && projective(head) {
			all = append(all, append(models.Vertex(nil), y...))
		}
	}
	return all
}

// projective says whether every word descends from the root, and all words between a word and its head from the head.
func projective(head []int) bool {
	under := func(m, h int) bool { // m is h or descends from it
		for range head {
			if m == h {
				return true
			}
			m = head[m]
		}
		return m == h
	}
	for m := 1; m < len(head); m++ {
		if !under(m, 0) {
			return false
		}
		for b := min(m, head[m]) + 1; b < max(m, head[m]); b++ {
			if !under(b, head[m]) {
				return false
			}
		}
	}
	return true
}

// The numbers of projective trees are known: C(3l, l)/(2l+1) with any number of roots, C(3l−2, l−1)/l with one.
func TestProjectiveTrees(t *testing.T) {
	for _, c := range []struct {
		multiRoot bool
		want      []int
	}{{true, []int{1, 3, 12, 55, 273, 1428}}, {false, []int{1, 2, 7, 30, 143, 728}}} {
		for i, want := range c.want {
			if got := len(projectiveTrees(i+1, c.multiRoot)); got != want {
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
