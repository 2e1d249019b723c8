package frankwolfe

import (
	"slices"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// atom is a labelling with mass α_i(y) > 0.
type atom struct {
	y    models.Vertex
	loss float64 // Δ_i(y)
	mass float64
}

// atoms contains the labellings with positive mass of each example. μ_i and l_i are sums over these labellings. A
// pairwise step needs them, because it takes mass from one of them. A Frank-Wolfe step does not need them.
type atoms [][]atom

// newAtoms returns atoms with all mass on the true labellings.
func newAtoms(p *models.Risk) atoms {
	out := make(atoms, len(p.Examples))
	for i := range p.Examples {
		out[i] = []atom{{y: slices.Clone(p.Examples[i].Truth), mass: 1}}
	}
	return out
}

// carry saves or loads the labellings and their masses.
func (a atoms) carry(to *solvers.State) {
	for i := range a {
		var y []models.Vertex
		var loss, mass []float64
		for _, x := range a[i] {
			y, loss, mass = append(y, x.y), append(loss, x.loss), append(mass, x.mass)
		}
		to.Carry(&y, &loss, &mass)
		if !to.Loading() {
			continue
		}
		a[i] = make([]atom, len(y))
		for k := range y {
			a[i][k] = atom{y[k], loss[k], mass[k]}
		}
	}
}

// worst returns the index k of the labelling of example i that violates the margin least, among those with positive
// mass. It also returns the labelling's Δ_i(y) + θ·1_y.
func (a atoms) worst(i int, theta []float64) (k int, value float64) {
	for j, x := range a[i] {
		if v := x.loss + x.y.Dot(theta); j == 0 || v < value {
			k, value = j, v
		}
	}
	return k, value
}

// exchange moves mass from labelling k of example i to the labelling y, which may be new. It removes labelling k if no
// mass is left.
func (a atoms) exchange(i, k int, y models.Vertex, loss, mass float64) {
	set := a[i]
	to := slices.IndexFunc(set, func(x atom) bool { return slices.Equal(x.y, y) })
	if to < 0 {
		to = len(set)
		if to < cap(set) { // reuse the memory of a removed labelling
			set = set[:to+1]
			set[to] = atom{y: append(set[to].y[:0], y...), loss: loss}
		} else {
			set = append(set, atom{y: slices.Clone(y), loss: loss})
		}
	}
	set[to].mass += mass
	if set[k].mass -= mass; set[k].mass <= 0 {
		last := len(set) - 1
		set[k], set[last] = set[last], set[k]
		set = set[:last]
	}
	a[i] = set
}

// direct makes the step of a visit pairwise: it will move mass from the labelling y′ of example i with the least
// violation to y*. theta must contain the scores. The moved mass is
//
//	γ = min(α_i(y′), λn (Δ_i(y*) + θ·1_{y*} − Δ_i(y′) − θ·1_{y′}) / |A_iᵀ(1_{y′} − 1_{y*})|²),
//
// which is the exact maximiser. It is the γ of BCFW with 1_{y′} in place of μ_i.
func (a atoms) direct(v *bcfwVisit, i int, theta, diff []float64) {
	k, least := a.worst(i, theta)
	from := a[i][k]
	clear(diff)
	for _, r := range from.y {
		diff[r]++
	}
	for _, r := range v.y {
		diff[r]--
	}
	// if the gain is not positive, y′ = y*, and the gap of the block was a rounding error
	v.from, v.gain, v.rise, v.longest = k, v.cost+v.y.Dot(theta)-least, v.cost-from.loss, from.mass
}

// sums computes μ_i and l_i anew from the labellings with positive mass. Before this, it normalises the masses of each
// example to the sum 1.
func (st *bcfwState) sums() {
	for i, set := range st.atoms {
		var mass float64
		for _, x := range set {
			mass += x.mass
		}
		mu := st.marginals(i)
		clear(mu)
		st.loss[i] = 0
		for j := range set {
			x := &set[j]
			x.mass /= mass
			st.loss[i] += x.mass * x.loss
			for _, r := range x.y {
				mu[r] += x.mass
			}
		}
	}
}
