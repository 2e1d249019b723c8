package solvertest

import (
	"math"
	"math/rand/v2"
	"slices"
)

// blockAscent brackets the minimum of P(w) = λ/2 |w|² + 1/n Σ max_c (w_c·x_i + κ[c ≠ y_i]) − w_{y_i}·x_i by exact
// ascent on one example's dual variables at a time. With μ_i in the simplex and w_c = 1/(λn) Σ_i ([c = y_i] − μ_ic)
// x_i,
//
//	D(μ) = κ/n Σ_i (1 − μ_{i,y_i}) − λ/2 |w|²
//
// and its maximum over μ_i alone is the projection of μ_i + λn/|x_i|² (κ[· ≠ y_i] + W x_i) onto the simplex.
func blockAscent(d *table, kappa, lambda float64) (low, high float64) {
	n, m := len(d.x), len(d.x[0])
	w := make([]float64, m*d.k)
	mu := make([][]float64, n)
	for i := range mu {
		mu[i] = make([]float64, d.k)
		mu[i][d.y[i]] = 1 // w = 0
	}
	rng := rand.New(rand.NewPCG(6, 6))
	low, high = math.Inf(-1), math.Inf(1)
	for pass := range 200_000 {
		for _, i := range rng.Perm(n) {
			d.ascend(i, w, mu[i], kappa, lambda)
		}
		if pass%20 != 0 {
			continue
		}
		primal, dual := d.bounds(w, mu, kappa, lambda)
		low, high = math.Max(low, dual), math.Min(high, primal)
		if high-low <= certified/10*kappa { // P(0) = κ
			break
		}
	}
	return low, high
}

// ascend maximises the dual over example i, and keeps w in step.
func (d *table) ascend(i int, w, mu []float64, kappa, lambda float64) {
	n, m, x := float64(len(d.x)), len(d.x[0]), d.x[i]
	norm := inner(x, x)
	if norm == 0 { // w does not depend on μ_i: any wrong class is best
		clear(mu)
		mu[(d.y[i]+1)%d.k] = 1
		return
	}
	next := make([]float64, d.k)
	for c := range next {
		gain := inner(w[c*m:(c+1)*m], x)
		if c != d.y[i] {
			gain += kappa
		}
		next[c] = mu[c] + lambda*n/norm*gain
	}
	projectSimplex(next)
	for c, v := range next {
		for j, u := range x {
			w[c*m+j] += (mu[c] - v) * u / (lambda * n)
		}
	}
	copy(mu, next)
}

// bounds returns the primal at w, and the dual at μ with the w recomputed from it.
func (d *table) bounds(w []float64, mu [][]float64, kappa, lambda float64) (primal, dual float64) {
	n, m := float64(len(d.x)), len(d.x[0])
	fresh := make([]float64, len(w))
	for i, x := range d.x {
		for c, v := range mu[i] {
			coefficient := -v
			if c == d.y[i] {
				coefficient++
			}
			for j, u := range x {
				fresh[c*m+j] += coefficient * u / (lambda * n)
			}
		}
		dual += kappa * (1 - mu[i][d.y[i]]) / n
	}
	copy(w, fresh)
	dual -= lambda / 2 * inner(w, w)
	primal = lambda / 2 * inner(w, w)
	for i, x := range d.x {
		top := math.Inf(-1)
		for c := range d.k {
			s := inner(w[c*m:(c+1)*m], x)
			if c != d.y[i] {
				s += kappa
			}
			top = math.Max(top, s)
		}
		gold := d.y[i] * m
		primal += (top - inner(w[gold:gold+m], x)) / n
	}
	return primal, dual
}

// projectSimplex replaces v by its Euclidean projection onto {μ ≥ 0, Σ μ = 1}.
func projectSimplex(v []float64) {
	sorted := slices.Clone(v)
	slices.SortFunc(sorted, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	var sum, shift float64
	for r, x := range sorted {
		sum += x
		if s := (sum - 1) / float64(r+1); x > s {
			shift = s
		}
	}
	for r, x := range v {
		v[r] = math.Max(0, x-shift)
	}
}
