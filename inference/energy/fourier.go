package energy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gaplab/gaplab/datasets"
)

// Fourier is a random map z to D features whose inner products approximate the Gaussian kernel (Rahimi and Recht 2007),
//
//	z(x) = √(2/D) cos(W x + u),   E z(x)·z(x') = exp(−|x − x'|²/(2 s²)),
//
// where s is the bandwidth, W has independent normal numbers with variance 1/s², and u is uniform in [0, 2π]. The mean
// of z over the positions of a sequence is the mean map of its set of rows (Smola et al. 2007).
type Fourier struct {
	d     int       // D, the number of features
	w     []float64 // the matrix W, d numbers for each input feature
	phase []float64 // the phases u (see Fourier)
}

const (
	streamFourier   = 101     // stream of random numbers that NewFourier uses
	streamBandwidth = 102     // stream of random numbers that MedianDistance uses
	bandwidthPairs  = 1000    // pairs of rows that MedianDistance draws
	mostFourier     = 1 << 26 // largest size of W, which takes 512 MB
)

// NewFourier draws a random map to d features, for rows with the given number of inputs.
func NewFourier(d, inputs int, bandwidth float64, seed uint64) (*Fourier, error) {
	switch {
	case d < 1:
		return nil, fmt.Errorf("energy: %d random Fourier features: want at least 1", d)
	case inputs < 1:
		return nil, fmt.Errorf("energy: random Fourier features of %d inputs: want at least 1 input", inputs)
	case d > mostFourier/inputs:
		return nil, fmt.Errorf("energy: %d random Fourier features of %d inputs take %.3g numbers: want at most %d", d,
			inputs,
			float64(d)*float64(inputs), mostFourier)
	case !(bandwidth > 0) || math.IsInf(bandwidth, 1):
		return nil, fmt.Errorf("energy: the bandwidth of random Fourier features is %v: want a positive finite number",
			bandwidth)
	}
	rng := rand.New(rand.NewPCG(seed, streamFourier))
	f := &Fourier{d: d, w: make([]float64, d*inputs), phase: make([]float64, d)}
	for i := range f.w {
		f.w[i] = rng.NormFloat64() / bandwidth
	}
	for i := range f.phase {
		f.phase[i] = 2 * math.Pi * rng.Float64()
	}
	return f, nil
}

// Mean returns the mean of z over the rows lo .. hi−1. Mean ignores input features with an index of at least the number
// of inputs of the map; validation data may have such features.
func (f *Fourier) Mean(rows *datasets.Rows, lo, hi int) []float64 {
	if lo < 0 || hi <= lo || hi > rows.N {
		panic(fmt.Sprintf("energy: Mean of rows %d to %d of %d: want a non-empty range of rows", lo, hi, rows.N))
	}
	d := f.d
	mean, z := make([]float64, d), make([]float64, d)
	for t := lo; t < hi; t++ {
		copy(z, f.phase)
		index, value := rows.Row(t)
		for i, x := range value {
			j := i
			if index != nil {
				j = int(index[i])
			}
			if x == 0 || (j+1)*d > len(f.w) {
				continue
			}
			for r, w := range f.w[j*d : (j+1)*d] {
				z[r] += x * w
			}
		}
		for r, v := range z {
			mean[r] += math.Cos(v)
		}
	}
	scale := math.Sqrt(2/float64(d)) / float64(hi-lo)
	for r := range mean {
		mean[r] *= scale
	}
	return mean
}

// MedianDistance returns the median Euclidean distance between the rows of 1000 random pairs, a usual first choice of
// the bandwidth. Pairs of equal rows do not count. If both rows of every pair are equal, MedianDistance returns 1.
func MedianDistance(rows *datasets.Rows, seed uint64) float64 {
	if rows.N < 2 {
		return 1
	}
	rng := rand.New(rand.NewPCG(seed, streamBandwidth))
	var distances []float64
	row := make([]float64, rows.Dim)
	for range bandwidthPairs {
		i, j := rng.IntN(rows.N), rng.IntN(rows.N-1)
		if j >= i {
			j++
		}
		clear(row)
		addRow(row, rows, i, 1)
		addRow(row, rows, j, -1)
		if d := dot(row, row); d > 0 {
			distances = append(distances, math.Sqrt(d))
		}
	}
	if len(distances) == 0 {
		return 1
	}
	slices.Sort(distances)
	return distances[len(distances)/2]
}

// addRow adds c times row i to dst.
func addRow(dst []float64, rows *datasets.Rows, i int, c float64) {
	index, value := rows.Row(i)
	for t, x := range value {
		j := t
		if index != nil {
			j = int(index[t])
		}
		dst[j] += c * x
	}
}
