package coordinate

import (
	"math"

	"github.com/gaplab/gaplab/internal/prefetch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// dcdClasses is the dual point of DCD for any number of classes. In each example, few classes have mass. A visit
// computes the scores of all classes. Its step involves only the classes with mass, and the classes whose scores exceed
// the mean score of the classes with mass.
type dcdClasses struct {
	p        *models.Risk
	lambda   float64
	examples []dcdExample
	w        []float64 // the weights w(α) (see DCD) for λ = lambda

	s, diff []float64 // working memory with one entry for each class: its score, and the change of its mass
	near    []dcdMass // working memory: the vector that project maps to the simplex, without classes that get no mass
}

// dcdExample contains all data of an example that a visit reads, in one place in memory.
type dcdExample struct {
	dualspace.Features
	alpha []dcdMass // the classes with mass in the dual distribution α_i
	cost  []float64
	norm  float64 // q: |A_iᵀv|² = q|v|² if the entries of v sum to 0
	parts int     // number of classes of the example
	best  int     // the class of largest score at the last visit
}

// dcdMass is one entry of a distribution over classes.
type dcdMass struct {
	class int
	mass  float64
}

// dcdRoom is the initial capacity of each example's list of classes with mass.
const dcdRoom = 4

// dcdRate is the largest step size λn/q. Features that are all 0 have q = 0, and products of an infinite step size
// with the scores would be infinite or NaN.
const dcdRate = 1e200

// newDCDClasses returns the dual point with all mass on the true labellings. It calls no oracle.
func newDCDClasses(p *models.Risk) *dcdClasses {
	layout := dualspace.NewLayout(p)
	st := &dcdClasses{p: p, lambda: p.Lambda, examples: make([]dcdExample, len(p.Examples)), w: make([]float64, p.Dim),
		near: make([]dcdMass, 0, layout.Largest)}
	room := make([]dcdMass, dcdRoom*len(p.Examples))
	for i := range st.examples {
		e, mine := &p.Examples[i], &st.examples[i]
		truth := e.Truth[0]
		*mine = dcdExample{Features: dualspace.NewFeatures(e.Features),
			alpha: append(room[dcdRoom*i:dcdRoom*i:dcdRoom*(i+1)], dcdMass{truth, 1}),
			cost:  e.Cost, norm: e.Features.(models.Isotropic).ScaleSq(), parts: e.Features.Parts(), best: truth}
	}
	layout.Scratch(&st.s, &st.diff)
	return st
}

func (st *dcdClasses) visit(i int) (violation, lead float64) {
	e := &st.examples[i]
	s := st.s[:e.parts]
	e.Score(s, st.w)
	st.p.Loss.Augment(s, e.cost)
	top := s[e.best]
	for c, v := range s {
		if v > top {
			e.best, top = c, v
		}
	}
	low := top
	for _, a := range e.alpha {
		low = min(low, s[a.class])
	}
	violation = top - low
	if violation > dcdTol*max(math.Abs(top), math.Abs(low)) {
		st.step(e, s, top)
		return violation, 0
	}
	if len(e.alpha) > 1 {
		return 0, math.Inf(-1)
	}
	second := math.Inf(-1)
	for c, v := range s {
		if v > second && c != e.alpha[0].class {
			second = v
		}
	}
	return 0, low - second
}

// step replaces the distribution α_i over classes by the projection Π(α_i + λn/q s) onto the simplex (see DCD). top is
// the largest entry of the scores s. Π subtracts t from each class that keeps mass. For every set S of classes, t ≥
// (Σ_S (α_c + λn/q s_c) − 1)/|S|. If S consists of the class of largest score and the classes with mass, this bound is
// λn/q times the mean of s over S. So classes without mass whose s is below this mean get no mass.
func (st *dcdClasses) step(e *dcdExample, s []float64, top float64) {
	lambdaN := st.lambda * float64(len(st.examples))
	rate := min(lambdaN/e.norm, dcdRate)
	near := st.near[:0]
	sum := 0.0
	for _, a := range e.alpha {
		v := s[a.class] - top
		near = append(near, dcdMass{a.class, a.mass + rate*v})
		sum += v
		s[a.class] = math.Inf(-1)
	}
	floor := top + sum/float64(len(near)+1)
	if s[e.best] < top { // the best class has mass: the loop above has set its s to −Inf
		floor = top + sum/float64(len(near))
	}
	for c, v := range s {
		if v >= floor {
			near = append(near, dcdMass{c, rate * (v - top)})
		}
	}
	project(near)
	diff := st.diff[:len(s)]
	clear(diff)
	for _, a := range e.alpha {
		diff[a.class] = -a.mass
	}
	e.alpha = e.alpha[:0]
	for _, a := range near {
		diff[a.class] += a.mass
		if a.mass > 0 {
			e.alpha = append(e.alpha, a)
		}
	}
	e.AddAdjoint(st.w, -1/lambdaN, diff)
}

// project replaces the vector v by the nearest point of the simplex, max(0, v − t). In each round, it computes t from
// the remaining entries and removes the entries that are not above t (Michelot 1986). It ends when no entry is removed,
// after at most len(v) rounds. It also ends if rounding errors bring a removed entry back.
func project(v []dcdMass) {
	t := math.Inf(-1)
	above, count := 0, len(v)+1
	for {
		sum := 0.0
		above = 0
		for _, a := range v {
			if a.mass > t {
				sum += a.mass
				above++
			}
		}
		if above >= count || above == 0 {
			break
		}
		count = above
		t = (sum - 1) / float64(above)
	}
	for j, a := range v {
		v[j].mass = max(0, a.mass-t)
		if above == 1 && a.mass > t {
			v[j].mass = 1 // exactly, without rounding errors
		}
	}
}

func (st *dcdClasses) fetch(soon, later int) {
	prefetch.Value(&st.examples[later])
	e := &st.examples[soon]
	prefetch.Slice(e.alpha)
	e.Fetch()
}

func (st *dcdClasses) weights() []float64 { return st.w }

func (st *dcdClasses) refresh() {
	clear(st.w)
	c := 1 / (st.lambda * float64(len(st.examples)))
	for i := range st.examples {
		e, truth := &st.examples[i], st.p.Examples[i].Truth[0]
		if len(e.alpha) == 1 && e.alpha[0].class == truth {
			continue
		}
		diff := st.diff[:e.parts]
		clear(diff)
		diff[truth] = 1
		for _, a := range e.alpha {
			diff[a.class] -= a.mass
		}
		e.AddAdjoint(st.w, c, diff)
	}
}

func (st *dcdClasses) scale(lambda float64) {
	dualspace.Scale(st.w, st.lambda/lambda)
	st.lambda = lambda
}

func (st *dcdClasses) dual() float64 {
	var cost float64
	for i := range st.examples {
		e := &st.examples[i]
		for _, a := range e.alpha {
			if a.class < len(e.cost) {
				cost += e.cost[a.class] * a.mass
			}
		}
	}
	return st.p.Loss.Margin*cost/float64(len(st.examples)) - st.lambda/2*dualspace.Dot(st.w, st.w)
}
