package coordinate

import "github.com/gaplab/gaplab/models"

// differences are the sparse rows z_i = A_iᵀ(1_truth − 1_other) of examples with two labellings, one after another in
// memory: a visit reads one stretch of it, where the features of an example would be several.
type differences struct {
	start []int // offset of z_i in index and value; n+1 values
	index []int32
	value []float64
}

func newDifferences(p *models.Risk) differences {
	d := differences{start: make([]int, len(p.Examples)+1)}
	var z models.Sparse
	for i := range p.Examples {
		e := &p.Examples[i]
		sign := [2]float64{-1, -1}
		sign[e.Truth[0]] = 1
		e.Features.(models.SparseMap).Adjoint(&z, sign[:])
		d.index, d.value = append(d.index, z.Index...), append(d.value, z.Value...)
		d.start[i+1] = len(d.index)
	}
	return d
}

// addTo adds c z_i to x.
func (d *differences) addTo(x []float64, i int, c float64) {
	for t := d.start[i]; t < d.start[i+1]; t++ {
		x[d.index[t]] += c * d.value[t]
	}
}

// dot is z_i·x, in two sums so that neither waits for the other's addition.
func (d *differences) dot(i int, x []float64) float64 {
	index := d.index[d.start[i]:d.start[i+1]]
	value := d.value[d.start[i]:d.start[i+1]][:len(index)]
	var even, odd float64
	t := 0
	for ; t+1 < len(index); t += 2 {
		even += value[t] * x[index[t]]
		odd += value[t+1] * x[index[t+1]]
	}
	if t < len(index) {
		even += value[t] * x[index[t]]
	}
	return even + odd
}
