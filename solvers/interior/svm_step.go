package interior

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// direction is a change of the variables.
type direction struct {
	w                []float64 // Δw
	product          []float64 // the changes of α_ic s_ic at which solve aims, to first order
	alpha, slack, xi []float64 // Δα, Δs and Δξ
}

// set makes d a copy of the direction from.
func (d *direction) set(from *direction) { d.mix(from, 0) }

// mix replaces the direction d by from + share (d − from).
func (d *direction) mix(from *direction, share float64) {
	for _, v := range [][2][]float64{{d.w, from.w}, {d.product, from.product}, {d.alpha, from.alpha},
		{d.slack, from.slack}, {d.xi, from.xi}} {
		for j, x := range v[1] {
			v[0][j] = x + share*(v[0][j]-x)
		}
	}
}

// step makes one iteration. The predictor of Mehrotra's method aims at α_ic s_ic = 0, and its length determines σ. The
// corrector aims at σμ − Δα_ic Δs_ic, with the changes of the predictor. The centrality correctors of Gondzio (1996)
// follow. Each tries a longer step, and aims at moving the products α_ic s_ic that would leave the interval [σμ/10,
// 10σμ] back into it. Only a share of each corrector is added. The share is chosen such that the step to the boundary
// of α ≥ 0 and s ≥ 0 is as long as possible (Colombo and Gondzio 2008). The correctors cost little, since they share
// the factorisation. step returns false if rounding errors prevent progress.
func (st *svmState) step() bool {
	if !st.factorise() {
		return false
	}
	to := &st.to
	for j, a := range st.alpha {
		to.product[j] = -a * st.slack[j]
	}
	st.solve()
	length, after := math.Min(1, st.length()), 0.0
	for j, a := range st.alpha {
		after += (a + length*to.alpha[j]) * (st.slack[j] + length*to.slack[j])
	}
	ratio := after / (st.mu * float64(len(st.alpha)))
	target := ratio * ratio * ratio * st.mu
	for j := range to.product {
		to.product[j] += target - to.alpha[j]*to.slack[j]
	}
	st.solve()
	for range correctors {
		length := math.Min(1, st.length())
		longer := math.Min(1, 1.5*length+0.3)
		st.kept.set(to)
		for j, a := range st.alpha {
			v := (a + longer*to.alpha[j]) * (st.slack[j] + longer*to.slack[j])
			to.product[j] += math.Max(-10*target, math.Min(10*target, math.Max(target/10, v))-v)
		}
		st.solve()
		if math.Min(1, st.blend()) < length+0.01 {
			break
		}
	}
	length = math.Min(1, boundary*st.length())
	if !(length > 1e-10) {
		return false
	}
	floats.AddScaled(st.w, length, to.w)
	floats.AddScaled(st.alpha, length, to.alpha)
	floats.AddScaled(st.slack, length, to.slack)
	floats.AddScaled(st.xi, length, to.xi)
	for i := range st.examples {
		alpha, total := st.layout.Of(st.alpha, i), 0.0
		for _, a := range alpha {
			total += a
		}
		for c := range alpha {
			alpha[c] /= total
		}
	}
	return true
}

// blend replaces st.to by st.kept + share (st.to − st.kept). It chooses the share from 0, 0.1, ..., 1 for which the
// step to the boundary of α ≥ 0 and s ≥ 0 is longest, and returns the length of this step.
func (st *svmState) blend() float64 {
	best, share := 0.0, 0.0
	for tenth := range 11 {
		w := float64(tenth) / 10
		length := math.Min(toBoundary(st.alpha, st.kept.alpha, st.to.alpha, w),
			toBoundary(st.slack, st.kept.slack, st.to.slack, w))
		if length > best {
			best, share = length, w
		}
	}
	st.to.mix(&st.kept, share)
	return best
}

// length returns the largest step for which α and s stay non-negative. The step may be infinite.
func (st *svmState) length() float64 {
	return math.Min(toBoundary(st.alpha, st.to.alpha, st.to.alpha, 1), toBoundary(st.slack, st.to.slack, st.to.slack, 1))
}
