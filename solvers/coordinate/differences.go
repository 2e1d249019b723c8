package coordinate

import "github.com/gaplab/gaplab/models"

// differences stores the sparse rows z_i = A_iᵀ(1_truth − 1_other) of examples with two labellings, one after the other
// in memory. So a visit reads one contiguous range of memory. The features of an example would be in several ranges.
type differences struct {
	start []int // the entries of row z_i are at start[i] to start[i+1]−1 of index and value
	index []int32
	value []float64
}

func newDifferences(p *models.Risk) differences {
	d := differences{start: make([]int, len(p.Examples)+1)}
	var z models.Sparse
	each := func(f func(i int)) {
		for i := range p.Examples {
			e := &p.Examples[i]
			sign := [2]float64{-1, -1}
			sign[e.Truth[0]] = 1
			e.Features.(models.SparseMap).Adjoint(&z, sign[:])
			f(i)
		}
	}
	each(func(i int) { d.start[i+1] = d.start[i] + len(z.Index) })
	d.index, d.value = make([]int32, d.start[len(p.Examples)]), make([]float64, d.start[len(p.Examples)])
	each(func(i int) {
		copy(d.index[d.start[i]:], z.Index)
		copy(d.value[d.start[i]:], z.Value)
	})
	return d
}

// addTo adds c times the row z_i to x.
func (d *differences) addTo(x []float64, i int, c float64) {
	for t := d.start[i]; t < d.start[i+1]; t++ {
		x[d.index[t]] += c * d.value[t]
	}
}

// dots writes the products z_i·x of all rows z_i with x to dst. It computes each product as two independent sums, which
// the processor computes in parallel. A single loop runs through the entries of all rows, because rows are often short.
func (d *differences) dots(dst, x []float64) {
	index := d.index
	value := d.value[:len(index)]
	t := 0
	for i := range dst {
		var even, odd float64
		end := d.start[i+1]
		for ; t < end-1; t += 2 {
			even += value[t] * x[index[t]]
			odd += value[t+1] * x[index[t+1]]
		}
		if t < end {
			even += value[t] * x[index[t]]
			t++
		}
		dst[i] = even + odd
	}
}

// binaryCosts returns the label losses of the true part and of the other part of an example with two parts.
func binaryCosts(e *models.Example) (truth, other float64) {
	if e.ZeroOne > 0 {
		return 0, e.ZeroOne
	}
	y := e.Truth[0]
	if y < len(e.Cost) {
		truth = e.Cost[y]
	}
	if 1-y < len(e.Cost) {
		other = e.Cost[1-y]
	}
	return truth, other
}
