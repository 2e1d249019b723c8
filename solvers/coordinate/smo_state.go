package coordinate

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

const (
	smoUnit = 1.0 / (1 << 52) // all marginals are multiples of this number
	smoTol  = 1e-12           // largest gap g that may be a rounding error, relative to a bound on a labelling's score
)

// smoState is the dual point of SMO: the marginals of each example, and the weights w that the marginals define. The
// comment of SMO defines the symbols.
type smoState struct {
	p      *models.Risk
	lambda float64
	dualspace.Layout
	mu []float64 // the marginals μ_i, multiples of smoUnit
	w  []float64 // the weights w(μ) for λ = lambda

	moves   int   // number of steps and changes of λ
	at      []int // for each example, the value of moves when its gap g was last 0; −1 if g was never 0
	settled int   // number of examples whose gap g was 0 since the last step or change of λ

	// working memory of a visit, with room for the largest number of parts of an example
	theta   []float64 // the loss-augmented scores s
	masked  []float64 // −s where μ > 0, a penalty elsewhere
	diff    []float64 // −d of the last pair, 0 elsewhere
	plus    models.Vertex
	minus   models.Vertex
	adjoint dualspace.Adjoint
}

// newSMOState returns the state whose marginals are those of the true labellings. It calls no oracle.
func newSMOState(p *models.Risk) *smoState {
	n := len(p.Examples)
	st := &smoState{p: p, lambda: p.Lambda, Layout: dualspace.NewLayout(p), at: make([]int, n), w: make([]float64, p.Dim)}
	st.mu = st.Zeros()
	for i := range p.Examples {
		st.at[i] = -1
		mu := st.marginals(i)
		for _, r := range p.Examples[i].Truth {
			mu[r] = 1
		}
	}
	st.Scratch(&st.theta, &st.masked, &st.diff)
	return st
}

// marginals returns the marginals μ_i of example i, as a subslice of mu.
func (st *smoState) marginals(i int) []float64 { return st.Of(st.mu, i) }

// visit makes up to steps steps on example i. It ends early if the gap g is 0.
func (st *smoState) visit(i, steps int) error {
	for range steps {
		gap, most, err := st.pair(i)
		if err != nil {
			return err
		}
		delta := st.length(i, gap, most)
		if delta == 0 {
			if st.at[i] != st.moves {
				st.at[i] = st.moves
				st.settled++
			}
			return nil
		}
		st.move(i, delta)
		st.unsettle()
	}
	return nil
}

// unsettle records that the gap g of any example may be positive again.
func (st *smoState) unsettle() {
	st.moves++
	st.settled = 0
}

// pair computes the labellings y⁺, which gains mass, and y⁻, which loses mass (see SMO). It writes −d = 1_{y⁻} − 1_{y⁺}
// into st.diff. It returns the gap g, or 0 if g is within rounding errors, and the largest mass that can move from y⁻
// to y⁺.
func (st *smoState) pair(i int) (gap, most float64, err error) {
	e, mu := &st.p.Examples[i], st.marginals(i)
	theta, masked, diff := st.theta[:len(mu)], st.masked[:len(mu)], st.diff
	for _, y := range []models.Vertex{st.plus, st.minus} { // remove the previous pair from diff
		for _, r := range y {
			diff[r] = 0
		}
	}
	e.Features.Score(theta, st.w)
	st.p.Loss.Augment(theta, e.Cost)
	st.plus, _ = e.Max.Max(st.plus, theta)
	top := mask(masked, theta, mu)
	st.minus, _ = e.Max.Max(st.minus, masked)
	for _, r := range st.minus {
		if mu[r] == 0 {
			return 0, 0, fmt.Errorf("solvers: smo: example %d: the max-oracle returned a labelling with part "+
				"%d, whose marginal is 0; want only parts with a positive marginal: the oracle or the polytope is wrong", i, r)
		}
		diff[r]++
	}
	for _, r := range st.plus {
		if diff[r]--; diff[r] < 0 {
			gap += theta[r]
		}
	}
	most = 1
	for _, r := range st.minus {
		if diff[r] > 0 {
			gap -= theta[r]
			most = min(most, mu[r])
		}
	}
	if gap <= smoTol*top*float64(len(st.plus)) {
		return 0, most, nil
	}
	return gap, most, nil
}

// mask writes −s for the parts with a positive marginal, and a negative penalty for the parts with marginal 0. The
// penalty is so large that a labelling with a penalised part has a lower score than all labellings without a penalised
// part. This holds because the score −s of each part with mass is at least −top, and no labelling has more than
// len(theta) parts. Sums with penalties stay finite. mask returns top, the largest |s|.
func mask(masked, theta, mu []float64) (top float64) {
	for _, s := range theta {
		if s = math.Abs(s); s > top {
			top = s
		}
	}
	penalty := -(2*top*float64(len(theta)) + 1)
	for r, m := range mu {
		masked[r] = penalty
		if m > 0 {
			masked[r] = -theta[r]
		}
	}
	return top
}

// length returns the best mass δ to move, rounded to a multiple of smoUnit. The dual is quadratic in δ. Let δ* be the
// maximiser of the dual over all δ, feasible or not. The rounded mass is at most 2δ*, so the dual does not decrease.
func (st *smoState) length(i int, gap, most float64) float64 {
	if gap == 0 {
		return 0
	}
	f := st.p.Examples[i].Features
	if norm := st.adjoint.NormSq(f, st.diff[:f.Parts()]); norm > 0 {
		most = min(most, st.lambda*float64(len(st.p.Examples))*gap/norm)
	}
	return math.Round(most/smoUnit) * smoUnit
}

// move moves the mass delta of example i from y⁻ to y⁺.
func (st *smoState) move(i int, delta float64) {
	mu := st.marginals(i)
	for _, r := range st.minus {
		mu[r] -= delta
	}
	for _, r := range st.plus {
		mu[r] += delta
	}
	c := delta / (st.lambda * float64(len(st.p.Examples)))
	if f, ok := st.p.Examples[i].Features.(models.SparseMap); ok {
		f.Add(st.w, c, st.minus)
		f.Add(st.w, -c, st.plus)
		return
	}
	st.p.Examples[i].Features.AddAdjoint(st.w, c, st.diff[:len(mu)])
}

// refresh recomputes w from the marginals, to remove the rounding errors of many steps.
func (st *smoState) refresh() {
	st.Weights(st.w, st.lambda, st.p, st.mu, st.theta)
}

// setLambda changes λ without changing the marginals, so λ·w does not change.
func (st *smoState) setLambda(lambda float64) {
	if lambda == st.lambda {
		return
	}
	dualspace.Scale(st.w, st.lambda/lambda)
	st.lambda = lambda
	st.unsettle()
}

// dual returns the dual D(μ) of SMO, computed from the marginals of all examples.
func (st *smoState) dual() float64 {
	var sum float64
	if kappa := st.p.Loss.Margin; kappa != 0 {
		for i := range st.p.Examples {
			sum += kappa * dualspace.Dot(st.p.Examples[i].Cost, st.marginals(i))
		}
	}
	return sum/float64(len(st.p.Examples)) - st.lambda/2*dualspace.Dot(st.w, st.w)
}

// shape returns the mean over the examples of the number of parts with a positive marginal, and the largest violation
// of an equality of the examples' polytopes.
func (st *smoState) shape() (support, infeasibility float64) {
	for _, m := range st.mu {
		if m > 0 {
			support++
		}
	}
	for i := range st.p.Examples {
		infeasibility = max(infeasibility, st.p.Examples[i].Polytope.Infeasibility(st.marginals(i)))
	}
	return support / float64(len(st.p.Examples)), infeasibility
}
