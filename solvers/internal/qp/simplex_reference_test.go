package qp

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// enumerate returns the optimum: the largest D among the stationary points of all faces that lie in the simplex. Some
// optimum is on a face whose equations are regular, as others can be left along a line on which D is constant.
func (s *workingSet) enumerate(c float64) (best float64) {
	n := len(s.g)
	for set := 1; set < 1<<n; set++ {
		var on []int
		for k := range n {
			if set>>k&1 == 1 {
				on = append(on, k)
			}
		}
		// Σα < C, and Σα = C.
		for _, alpha := range [][]float64{s.stationary(on, -1, c), s.stationary(on[1:], on[0], c)} {
			if alpha != nil {
				_, d, _ := s.primal(alpha, c)
				best = max(best, d)
			}
		}
	}
	return best
}

// stationary returns the α that has no slope on the columns of on. Column base has what the others leave of C; if base
// < 0, no column has it. It returns nil if there is no such α in the simplex.
func (s *workingSet) stationary(on []int, base int, c float64) []float64 {
	m := len(on)
	zero, loss := make([]float64, len(s.g[0])), 0.0
	if base >= 0 {
		zero, loss = s.g[base], s.d[base]
	}
	alpha, rest := make([]float64, len(s.g)), c
	if m > 0 {
		a, b, x := mat.NewDense(m, m, nil), mat.NewVecDense(m, nil), mat.NewVecDense(m, nil)
		for i, k := range on {
			di := floats.SubTo(make([]float64, len(zero)), s.g[k], zero)
			b.SetVec(i, s.d[k]-loss-c*floats.Dot(di, zero))
			for j, l := range on {
				a.Set(i, j, floats.Dot(di, s.g[l])-floats.Dot(di, zero))
			}
		}
		var lu mat.LU
		lu.Factorize(a)
		if lu.Cond() > 1e13 || lu.SolveVecTo(x, false, b) != nil {
			return nil
		}
		for i, k := range on {
			alpha[k] = x.AtVec(i)
			rest -= alpha[k]
		}
	}
	if base >= 0 {
		alpha[base] = rest
	}
	if slices.Min(alpha) < 0 || rest < 0 {
		return nil
	}
	return alpha
}

// projectedGradient returns the dual value after steps of the accelerated projected gradient method (Beck and Teboulle
// 2009).
func (s *workingSet) projectedGradient(c float64, steps int) float64 {
	n := len(s.g)
	trace := 0.0
	for _, g := range s.g {
		trace += floats.Dot(g, g)
	}
	alpha, last, y := make([]float64, n), make([]float64, n), make([]float64, n)
	w := make([]float64, len(s.g[0]))
	momentum := 1.0
	for range steps {
		clear(w)
		for k := range y {
			floats.AddScaled(w, y[k], s.g[k])
		}
		copy(last, alpha)
		for k, g := range s.g {
			alpha[k] = y[k] + (s.d[k]-floats.Dot(w, g))/trace
		}
		project(alpha, c)
		next := (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		for k := range y {
			y[k] = alpha[k] + (momentum-1)/next*(alpha[k]-last[k])
		}
		momentum = next
	}
	_, d, _ := s.primal(alpha, c)
	return d
}

// project moves x to the nearest point of x ≥ 0, Σx ≤ c.
func project(x []float64, c float64) {
	sum := 0.0
	for _, v := range x {
		sum += max(0, v)
	}
	shift := 0.0
	if sum > c {
		sorted := slices.Clone(x)
		slices.Sort(sorted)
		sum = 0
		for i := len(x) - 1; i >= 0; i-- {
			sum += sorted[i]
			if s := (sum - c) / float64(len(x)-i); s < sorted[i] {
				shift = s
			}
		}
	}
	for k, v := range x {
		x[k] = max(0, v-shift)
	}
}
