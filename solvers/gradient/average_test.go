package gradient

import (
	"math"
	"testing"
)

// TestAverage: the weights of the iterates are k over their sum.
func TestAverage(t *testing.T) {
	m := newAverage(2)
	var sum, weights float64
	for k := 1; k <= 50; k++ {
		x := math.Sin(float64(k))
		m.add([]float64{x / 4, 0}, 4)
		sum, weights = sum+float64(k)*x, weights+float64(k)
		if math.Abs(m.w[0]-sum/weights) > 1e-14 || m.w[1] != 0 {
			t.Errorf("after %d iterates the average is %v: want %v", k, m.w[0], sum/weights)
		}
	}
}
