package frankwolfe

import (
	"slices"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// atom is a labelling y of an example i with positive mass.
type atom struct {
	y    models.Vertex
	loss float64 // the label loss Δ_i(y)
	mass float64 // the mass α_i(y)
}

// atoms contains, for each example, the labellings with positive mass. The marginals μ_i and the expected label loss
// l_i are sums over these labellings. A pairwise step needs the list, because it takes mass from one labelling. A
// Frank-Wolfe step does not need it.
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

// worst returns the index k in a[i] of the labelling y that violates the margin least, among the labellings of example
// i with positive mass. value is the label loss of y plus its score, Δ_i(y) + θ·1_y.
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

// direct replaces the Frank-Wolfe step of visit v by a pairwise step. A pairwise step moves mass from y′ to y*, where
// y′ is the labelling that violates the margin least, among the labellings of example i with positive mass. theta must
// contain the scores θ = A_i w. direct writes 1_{y′} − 1_{y*} into diff. Later, Step computes the mass to move,
//
//	γ = min(α_i(y′), λn (Δ_i(y*) + θ·1_{y*} − Δ_i(y′) − θ·1_{y′}) / |A_iᵀ(1_{y′} − 1_{y*})|²),
//
// which maximises the dual. This is the formula of γ in BCFW with 1_{y′} in place of μ_i, Δ_i(y′) in place of l_i, and
// the upper limit α_i(y′) in place of 1.
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
	// if v.gain is not positive, y′ = y*, and the gap of the block was a rounding error
	v.from, v.gain, v.rise, v.longest = k, v.cost+v.y.Dot(theta)-least, v.cost-from.loss, from.mass
}

// sums first scales the masses of each example so that they sum to 1. Then it recomputes the marginals μ_i and the
// expected label losses l_i from the labellings with positive mass.
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
