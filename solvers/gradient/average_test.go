package gradient

import (
	"math"
	"testing"
)

// TestAverage checks that the weight of iterate k in the average is proportional to k.
func TestAverage(t *testing.T) {
	m := newAverage(2)
	var sum, weights float64
	for k := 1; k <= 50; k++ {
		x := math.Sin(float64(k))
		m.add([]float64{x / 4, 0}, 4)
		sum, weights = sum+float64(k)*x, weights+float64(k)
		if math.Abs(m.w[0]-sum/weights) > 1e-14 || m.w[1] != 0 {
			t.Errorf("average after %d iterates = %v, want %v and 0", k, m.w, sum/weights)
		}
	}
}
