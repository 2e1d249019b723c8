package cuttingplane

import (
	"fmt"
	"iter"
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/qp"
)

const (
	nSlackStart    = 100 // the initial ε of precision: halving and precision: svmstruct
	nSlackAttempts = 5   // largest number of attempts at the end to solve the QP up to its tolerance
	nSlackPairs    = 5   // pairs of variables in a step of qp.Decomposition, as in SVM-light's default
)

// nSlackState is the state of NSlack: the working set of constraints of each example, their multipliers, and w.
type nSlackState struct {
	s         *NSlack
	p         *models.Risk
	env       solvers.Env
	set       *qp.Blocks // the constraints with their multipliers, and w
	solver    qp.Solver
	precision float64 // ε, the violation beyond ξ_i that a new constraint must exceed in this pass
	scratch   dualspace.Difference
	fresh     int     // number of constraints added since the last QP
	floor     float64 // largest violation that may be a rounding error of the QP
	solvedTo  float64 // tolerance of the last QP; +Inf if the QP was for another λ

	at       int  // the next example of the pass
	found    bool // whether this pass found a constraint
	before   int  // number of constraints added in all earlier passes
	passQPs  int  // number of QPs of this pass
	attempts int  // number of attempts at the end to solve the QP up to its tolerance

	passes, qps     int     // numbers of passes and of QPs so far
	steps           int     // total number of steps of the QPs
	most            int     // size of the largest working set so far
	added           int     // number of constraints added so far
	largest, widest float64 // of the added constraints: largest label loss; largest |ψ_i(ȳ)|² (see NSlack)
}

func newNSlackState(s *NSlack, p *models.Risk, env solvers.Env) *nSlackState {
	st := &nSlackState{s: s, p: p, env: env}
	st.set = qp.NewBlocks(p.Dim, len(p.Examples), st.capacity())
	if s.QP == "decomposition" {
		st.solver = &qp.Decomposition{Pairs: nSlackPairs, Stop: env.Stopped}
	} else {
		st.solver = &qp.Coordinate{Stop: env.Stopped}
	}
	return st
}

// capacity returns C/n, the largest sum of the multipliers of an example.
func (st *nSlackState) capacity() float64 { return 1 / (st.p.Lambda * float64(len(st.p.Examples))) }

// Run implements Session.
func (st *nSlackState) Run(lambda float64) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		resumed, err := st.env.Resumed(st.carry)
		if err != nil {
			yield(solvers.Iterate{}, err)
			return
		}
		if resumed {
			st.p = st.p.At(lambda)
		} else {
			st.begin(lambda)
		}
		if !yield(st.iterate(), nil) {
			return
		}
		if !resumed {
			st.solve() // a session may have constraints from a run at another λ
			if st.env.Interrupted(yield) {
				return
			}
			st.beginPass()
		}
		for {
			more := st.pass(yield)
			if !more || st.env.Interrupted(yield) {
				return
			}
			last := st.precision <= max(st.s.Epsilon, st.rounding())
			few := st.s.Precision == "svmstruct" && !last && st.added-st.before <= st.few()
			switch {
			case st.found && !few || !st.found && st.refine():
			case last && st.set.Gap() > st.tolerance()+st.floor: // the QP has not reached its tolerance
				if st.attempts++; st.attempts > nSlackAttempts {
					yield(solvers.Iterate{}, fmt.Errorf(
						"solvers: n-slack: the QP (%s) ends at a gap of %.3g, above its tolerance, %.3g",
						st.s.QP, st.set.Gap(), st.tolerance()))
					return
				}
				st.solve()
				st.env.Enter("")
				if st.env.Interrupted(yield) {
					return
				}
			case last:
				return
			default:
				st.precision = max(st.precision/2, st.s.Epsilon)
				st.solve() // to the tolerance of the new precision
			}
			if st.env.Interrupted(yield) {
				return
			}
			st.beginPass()
		}
	}
}

// begin begins a run of the session at the given λ.
func (st *nSlackState) begin(lambda float64) {
	if lambda != st.p.Lambda {
		st.p = st.p.At(lambda)
		st.set.SetCapacity(st.capacity())
		st.solvedTo = math.Inf(1)
	}
	st.precision = st.s.Epsilon
	if st.s.Precision != "fixed" {
		st.precision = max(nSlackStart, st.s.Epsilon)
	}
	st.attempts = 0
}

// beginPass begins a pass over the examples.
func (st *nSlackState) beginPass() { st.at, st.found, st.before, st.passQPs = 0, false, st.added, 0 }

// carry saves or loads the state that the rest of the pass and later passes depend on.
func (st *nSlackState) carry(to *solvers.State) {
	st.set.Carry(to)
	to.Carry(&st.precision, &st.fresh, &st.floor, &st.solvedTo, &st.at, &st.found, &st.before, &st.passQPs, &st.attempts,
		&st.passes, &st.qps, &st.steps, &st.most, &st.added, &st.largest, &st.widest)
}

// refine solves the QP up to the tolerance of the present precision, if it has not been solved so precisely yet. It
// reports whether w has moved. If w has moved, the search for violated constraints must be repeated.
func (st *nSlackState) refine() bool {
	if st.set.Len() == 0 || st.fresh == 0 && st.solvedTo <= st.tolerance() {
		return false
	}
	before := st.steps
	st.solve()
	st.env.Enter("")
	return st.steps > before
}

// tolerance returns the tolerance of the QP.
func (st *nSlackState) tolerance() float64 {
	if st.s.Tolerance > 0 {
		return st.s.Tolerance
	}
	return max(st.precision, st.rounding()) / 2
}

// rounding returns the largest violation that may be a rounding error.
func (st *nSlackState) rounding() float64 { return max(oneSlackRound*(1+st.largest), st.floor) }

// few returns the largest number of new constraints of a pass after which precision: svmstruct halves ε, as the
// authors' program does.
func (st *nSlackState) few() int {
	n := len(st.p.Examples)
	return min(n/3, max(n/100, 5))
}

// pass visits the examples from st.at on. If a resumed run continues a pass, these are its remaining examples;
// otherwise they are all examples. pass returns false if the caller ended the loop at a yield.
func (st *nSlackState) pass(yield func(solvers.Iterate, error) bool) (more bool) {
	n := len(st.p.Examples)
	due := dualspace.NewCadence(n)
	st.env.Enter("oracle")
	for st.at < n {
		if st.env.Stopped() {
			return true
		}
		if st.separate(st.at) {
			st.found = true
			if st.fresh >= st.s.Batch {
				st.solve()
			}
		}
		if st.at++; st.at == n {
			if st.fresh > 0 {
				st.solve()
			}
			st.passes++
		}
		if due.Yields(st.at) && !st.env.Stopped() {
			st.env.Enter("")
			it := st.iterate()
			it.State = st.carry
			if !yield(it, nil) {
				return false
			}
			st.env.Enter("oracle")
		}
	}
	st.env.Enter("")
	return true
}

// separate adds the most violated labelling of example i as a constraint, if its violation exceeds the example's slack
// ξ_i by more than the precision. It reports whether it has added a constraint.
func (st *nSlackState) separate(i int) bool {
	e, x := &st.p.Examples[i], &st.scratch
	x.Theta = models.Resize(x.Theta, e.Features.Parts())
	e.Features.Score(x.Theta, st.set.W())
	var loss, margin float64
	x.Y, loss, margin = st.p.Loss.Violated(x.Y, e, x.Theta)
	if !(st.p.Loss.Violation(loss, margin) > st.set.Slack(i)+max(st.precision, st.rounding())) {
		return false
	}
	st.largest = max(st.largest, loss)
	e.Features.(models.SparseMap).Adjoint(&x.Adjoint.Sparse, x.Indicators(e, x.Y))
	g := x.Adjoint.Sparse
	st.widest = max(st.widest, g.NormSq())
	if st.p.Loss.Slack {
		for t := range g.Value {
			g.Value[t] *= loss
		}
	}
	st.set.Add(i, g, loss)
	st.fresh++
	st.added++
	return true
}

// solve solves the QP up to its tolerance, and removes constraints whose multiplier was 0 in many consecutive QPs (see
// NSlack.Drop).
func (st *nSlackState) solve() {
	if st.set.Len() == 0 {
		return
	}
	st.env.Enter("qp")
	st.solvedTo = st.tolerance()
	st.steps += st.solver.Solve(st.set, st.solvedTo)
	st.floor = 8 * st.set.Resolution()
	st.most = max(st.most, st.set.Len())
	st.qps++
	st.passQPs++
	st.fresh = 0
	if st.s.Drop > 0 {
		st.set.Age(max(st.s.Drop, st.passQPs))
	}
	st.env.Enter("oracle")
}

func (st *nSlackState) iterate() solvers.Iterate {
	return solvers.Iterate{W: st.set.W(), Epoch: st.passes,
		Dual: func() float64 { return st.p.Lambda * st.set.Value() },
		Stats: func(yield func(string, float64)) {
			yield("support_vectors", float64(st.set.NonZero()))
			yield("working_set", float64(st.set.Len()))
			yield("working_set_most", float64(st.most))
			yield("constraints_added", float64(st.added))
			yield("qps", float64(st.qps))
			yield("qp_steps", float64(st.steps))
			yield("precision", st.precision)
			yield("loss_seen", st.largest)
			yield("radius_sq_seen", st.widest)
		}}
}
