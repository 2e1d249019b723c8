package sequence

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestLabelScores checks LabelScores on small chains against the list of all labellings.
func TestLabelScores(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, untied := range []bool{false, true} {
		for _, size := range [][2]int{{1, 1}, {4, 1}, {1, 2}, {3, 2}, {3, 3}, {2, 5}} {
			k, l := size[0], size[1]
			c, n := NewOracle(k, untied), chainParts(l, k, untied)
			theta := examples.Normals(rng, n, 5)
			got := c.LabelScores([]float64{7}, theta)
			if len(got) != l*k {
				t.Fatalf("%d labels, %d positions: %d scores, want one per label and position", k, l, len(got))
			}
			want := make([]float64, l*k)
			for i := range want {
				want[i] = math.Inf(-1)
			}
			for _, y := range examples.Chains(k, untied)(&models.Example{Truth: make(models.Vertex, 2*l-1)}) {
				sum := 0.
				for _, r := range y {
					sum += theta[r]
				}
				for _, r := range y[:l] {
					want[r] = max(want[r], sum)
				}
			}
			for i, v := range got {
				if !(math.Abs(v-want[i]) <= 1e-12*math.Abs(want[i])+1e-12) {
					t.Errorf("%d labels, %d positions, untied %v: score %d = %v, want %v", k, l, untied, i, v, want[i])
				}
			}
		}
	}
}
