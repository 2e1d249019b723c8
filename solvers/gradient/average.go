package gradient

// average is the mean of all iterates, iterate k with a weight like k (Lacoste-Julien, Schmidt and Bach 2012):
//
//	w̄_k = (k − 1)/(k + 1) w̄_{k−1} + 2/(k + 1) w_k
//
// so that w̄_1 = w_1 and the first iterates are soon forgotten.
type average struct {
	w []float64
	k int
}

func newAverage(dim int) *average { return &average{w: make([]float64, dim)} }

// add takes the next iterate, a·v. It costs Dim.
func (m *average) add(v []float64, a float64) {
	m.k++
	share := 2 / float64(m.k+1)
	for j, x := range v {
		m.w[j] += share * (a*x - m.w[j])
	}
}
