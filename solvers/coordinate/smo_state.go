package coordinate

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

const (
	smoUnit = 1.0 / (1 << 52) // marginals are multiples of it
	smoTol  = 1e-12           // largest gap due to rounding, relative to the sum of a labelling's scores
)

// smoState is the dual point of SMO: the marginals of each example, and the w that they induce.
type smoState struct {
	p      *models.Risk
	lambda float64
	dualspace.Layout
	mu []float64 // μ_i, multiples of smoUnit
	w  []float64 // w(μ) at lambda

	moves   int   // steps taken, and changes of λ
	at      []int // moves when example i was last found to have no gap
	settled int   // examples found to have none since the last move

	// scratch of one visit, as long as the largest example
	theta   []float64 // s
	masked  []float64 // −s where μ > 0
	diff    []float64 // −d of the last pair, 0 elsewhere
	plus    models.Vertex
	minus   models.Vertex
	adjoint dualspace.Adjoint
}

// newSMOState starts from the true labellings: no oracle call.
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

func (st *smoState) marginals(i int) []float64 { return st.Of(st.mu, i) }

// visit takes up to steps steps on example i, fewer if no gap is left.
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

// unsettle forgets which examples had no gap.
func (st *smoState) unsettle() {
	st.moves++
	st.settled = 0
}

// pair finds y⁺ and y⁻, writes −d = 1_{y⁻} − 1_{y⁺} into st.diff, and returns the gap (0 if within rounding) and the
// most mass that may move.
func (st *smoState) pair(i int) (gap, most float64, err error) {
	e, mu := &st.p.Examples[i], st.marginals(i)
	theta, masked, diff := st.theta[:len(mu)], st.masked[:len(mu)], st.diff
	for _, y := range []models.Vertex{st.plus, st.minus} { // the last pair
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
			return 0, 0, fmt.Errorf("solvers: smo: example %d: the labelling of least score among those with mass has part "+
				"%d, whose marginal is 0: the example's max-oracle or its polytope is wrong", i, r)
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

// mask writes −s, and a penalty on the parts without mass, whose labellings must lose against all others: these
// score −top or more in each part, and a labelling has no more than all parts. Sums with penalties stay finite, and
// others do not have them.
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

// length returns the best mass to move, rounded to a multiple of smoUnit. Rounding makes it at most twice the best on
// an unbounded line, so that D does not fall.
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

// move gives the mass delta of y⁻ to y⁺.
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

// refresh recomputes w from the marginals, to shed the rounding of many moves.
func (st *smoState) refresh() {
	st.Weights(st.w, st.lambda, st.p, st.mu, st.theta)
}

// setLambda keeps the marginals and so λ·w.
func (st *smoState) setLambda(lambda float64) {
	if lambda == st.lambda {
		return
	}
	dualspace.Scale(st.w, st.lambda/lambda)
	st.lambda = lambda
	st.unsettle()
}

// dual returns D(μ), summed again from the marginals.
func (st *smoState) dual() float64 {
	var sum float64
	if kappa := st.p.Loss.Margin; kappa != 0 {
		for i := range st.p.Examples {
			sum += kappa * dualspace.Dot(st.p.Examples[i].Cost, st.marginals(i))
		}
	}
	return sum/float64(len(st.p.Examples)) - st.lambda/2*dualspace.Dot(st.w, st.w)
}

// shape returns the mean number of parts with mass, and the largest violation of an equality of the polytopes.
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
