package gradient

// average is the weighted mean of all iterates, where the weight of iterate k is proportional to k (Lacoste-Julien,
// Schmidt and Bach 2012):
//
//	w̄_k = (k − 1)/(k + 1) w̄_{k−1} + 2/(k + 1) w_k
//
// So w̄_1 = w_1, and the influence of the first iterates becomes small quickly.
type average struct {
	w []float64 // w̄_k, the average
	k int       // number of iterates so far
}

func newAverage(dim int) *average { return &average{w: make([]float64, dim)} }

// add adds the next iterate, a·v, to the average. It costs Dim operations.
func (m *average) add(v []float64, a float64) {
	m.k++
	share := 2 / float64(m.k+1)
	for j, x := range v {
		m.w[j] += share * (a*x - m.w[j])
	}
}
