package sequence

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPairsInAnyOrder checks that Pairs gives scores with the same bits as Features if the features of each position
// are in order.
func TestPairsInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, untied := range []bool{false, true} {
		shape, err := NewShape(9, 5, untied)
		if err != nil {
			t.Fatal(err)
		}
		w := make([]float64, shape.Dim)
		for j := range w {
			w[j] = rng.NormFloat64()
		}
		for range 50 {
			l := 1 + rng.IntN(6)
			var list []Incidence
			var feature, at []int32
			var value []float64
			for position := range int32(l) {
				for f := range int32(9) {
					if rng.IntN(2) == 0 {
						x := rng.NormFloat64()
						list = append(list, Incidence{f, position, x})
						feature, at, value = append(feature, f), append(at, position), append(value, x)
					}
				}
			}
			pairs, sorted := shape.NewPairs(l, feature, at, value), shape.NewFeatures(l, list)
			theta, want := make([]float64, pairs.Parts()), make([]float64, sorted.Parts())
			pairs.Score(theta, w)
			sorted.Score(want, w)
			if !slices.Equal(theta, want) {
				t.Fatalf("scores = %v, want %v", theta, want)
			}
		}
	}
}
