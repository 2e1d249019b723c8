package kernel

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// function evaluates the kernel k between any row and the training rows, and counts the evaluations.
type function struct {
	name        string // linear, rbf or polynomial
	gamma, coef float64
	degree      int
	rows        *datasets.Rows // training rows
	norm        []float64      // |x_j|² of each training row x_j
	count       atomic.Int64
	pool        scratch.Pool[working]
	features    func() *byFeature // returns the training rows by feature, if they are sparse
}

// blocks is the number of pieces into which loops over rows are cut for several goroutines.
const blocks = 64

// working is the scratch memory of one call.
type working struct {
	x     []float64 // the dense row x; all zero between calls
	value []float64 // kernel values k(x, x_j) for each training row j in list
	list  []int32
	sums  [4][]float64 // four partial sums for each training row, for the method column; all zero between calls
}

// KernelEvaluations returns the number of evaluations of the kernel so far, summed over all examples of the task.
func (f *function) KernelEvaluations() int64 { return f.count.Load() }

// kernelOf returns the kernel function of the training rows, or an error if a kernel value is not finite.
func (m Model) kernelOf(rows *datasets.Rows) (*function, error) {
	f := &function{name: m.Kernel, gamma: m.Gamma, coef: m.Coef, degree: m.Degree, rows: rows,
		norm: make([]float64, rows.N), features: sync.OnceValue(func() *byFeature { return transpose(rows) })}
	if f.gamma == 0 {
		f.gamma = 1 / float64(max(1, rows.Dim))
	}
	for i := range f.norm {
		_, value := rows.Row(i)
		f.norm[i] = vec.DotRow(nil, value, value)
		// it suffices to check k(x,x), since k(x,z)² ≤ k(x,x) k(z,z)
		if v := f.self(f.norm[i]); math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("the %s kernel of training row %d with itself is %v: want a finite value; "+
				`scale the features down, or reduce "gamma" or "degree"`, f.name, i+1, v)
		}
	}
	return f, nil
}

// self returns k(x, x), given |x|².
func (f *function) self(norm float64) float64 {
	v := []float64{norm}
	f.apply(v, nil, norm)
	return v[0]
}

// evaluate writes k(x, x_j) for each j in list to dst. norm is |x|². Row x may have fewer features than the training
// rows. The cost is the number of non-zeros of the rows in list, since x is stored as a dense row in scratch memory.
func (f *function) evaluate(dst []float64, list []int32, s *working, index []int32, value []float64,
	norm float64) {
	if len(s.x) != f.rows.Dim {
		s.x = make([]float64, f.rows.Dim)
	}
	if index == nil {
		copy(s.x, value)
	} else {
		for t, j := range index {
			s.x[j] = value[t]
		}
	}
	for t, j := range list {
		other, x := f.rows.Row(int(j))
		dst[t] = vec.DotRow(other, x, s.x)
	}
	if index == nil {
		clear(s.x)
	} else {
		for _, j := range index {
			s.x[j] = 0
		}
	}
	f.count.Add(int64(len(list)))
	f.apply(dst, list, norm)
}

// apply replaces the inner products x·x_j in v, with j from list, by kernel values. norm is |x|². If list is nil, v has
// only x·x, which becomes k(x, x).
func (f *function) apply(v []float64, list []int32, norm float64) {
	switch f.name {
	case "rbf":
		for t := range v {
			other := norm
			if list != nil {
				other = f.norm[list[t]]
			}
			v[t] = -f.gamma * max(0, norm+other-2*v[t]) // a rounding error may make a small square negative
		}
		vec.Exp(v, v, 0)
	case "polynomial":
		for t, x := range v {
			v[t] = power(f.gamma*x+f.coef, f.degree)
		}
	}
}

// power returns x^n for n ≥ 1.
func power(x float64, n int) float64 {
	p := 1.0
	for ; n > 1; n >>= 1 {
		if n&1 == 1 {
			p *= x
		}
		x *= x
	}
	return p * x
}

// values returns k(x, x_j) for each of the given rows x and each training row j in list, row by row.
func (f *function) values(rows *datasets.Rows, list []int32) []float64 {
	n := len(list)
	out := make([]float64, rows.N*n)
	f.parallel(rows.N, func(i int, s *working) {
		index, value := rows.Row(i)
		f.evaluate(out[i*n:(i+1)*n], list, s, index, value, vec.DotRow(nil, value, value))
	})
	return out
}

// parallel calls row once for each of n rows, from one goroutine per processor.
func (f *function) parallel(n int, row func(i int, s *working)) {
	models.InBlocks(n, blocks, runtime.GOMAXPROCS(0), func(_, lo, hi int) {
		s := f.pool.Get()
		defer f.pool.Put(s)
		for i := lo; i < hi; i++ {
			row(i, s)
		}
	})
}
