package gradient

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// LBFGS is limited-memory BFGS on the primal, from w = 0, by gonum/optimize with the line search of Moré and Thuente
// (that of the L-BFGS-B code which Collins et al. (2008) used, section 7.1.4). Only for differentiable losses.
//
// Every evaluation of P and ∇P costs n visits, line search included; an epoch is one accepted iterate. The dual bound
// comes with the gradient: D = P(w) − |∇P(w)|²/(2λ), the dual value at the distributions that w induces.
//
// State: (2·Memory + 14) Dim floats. It ends by itself when the line search finds no further decrease.
type LBFGS struct {
	// number of stored pairs
	Memory int `yaml:"memory" jsonschema:"minimum=1,maximum=1000"`
}

var _ solvers.Trainer = (*LBFGS)(nil)

// NewLBFGS is LBFGS with its default settings.
func NewLBFGS() *LBFGS { return &LBFGS{Memory: 10} }

// Needs implements Solver: a smooth loss and marginals.
func (*LBFGS) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Smooth, Oracles: solvers.Marginals}
}

// errBreak ends gonum's loop when the consumer of the iterates has stopped.
var errBreak = errors.New("solvers: lbfgs: broken off")

// Train implements Trainer. The recorder is called in this goroutine, between evaluations, so yielding there is safe.
func (l *LBFGS) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(l, p, func(yield func(solvers.Iterate, error) bool) {
		p := p.Parallel(env.Workers)
		w := make([]float64, p.Dim)
		if !yield(solvers.Iterate{W: w}, nil) {
			return
		}
		f := &memoised{problem: p, x: make([]float64, p.Dim), g: make([]float64, p.Dim), env: env}
		_, err := optimize.Minimize(
			optimize.Problem{Func: f.value, Grad: f.gradient, Status: f.status},
			w,
			&optimize.Settings{
				GradientThreshold: math.NaN(), // no stopping rule but ours
				Converger:         optimize.NeverTerminate{},
				Recorder:          &yielder{lambda: p.Lambda, yield: yield},
			},
			&optimize.LBFGS{Store: l.Memory, GradStopThreshold: math.NaN(),
				Linesearcher: &optimize.MoreThuente{DecreaseFactor: 1e-3, CurvatureFactor: 0.9}},
		)
		if f.panicked != nil {
			panic(f.panicked)
		}
		switch {
		case env.Interrupted(yield):
		case err == nil, errors.Is(err, errBreak):
		case errors.Is(err, optimize.ErrLinesearcherFailure), errors.Is(err, optimize.ErrNoProgress),
			errors.Is(err, optimize.ErrNonDescentDirection):
			// At the limit of rounding: the last iterate stands.
		default:
			yield(solvers.Iterate{}, fmt.Errorf("solvers: lbfgs: %w", err))
		}
	})
}

// memoised evaluates P and ∇P together, once per point: gonum asks for them separately.
type memoised struct {
	env      solvers.Env
	problem  *models.Risk
	x, g     []float64
	p        float64
	known    bool
	panicked any // by an evaluation: gonum calls it in its own goroutine, where nobody could recover
}

func (m *memoised) at(x []float64) {
	if m.panicked != nil || m.known && slices.Equal(x, m.x) {
		return
	}
	defer func() {
		if m.panicked = recover(); m.panicked != nil {
			m.p = math.NaN()
		}
	}()
	copy(m.x, x)
	m.p = m.problem.Gradient(m.g, x)
	m.known = true
}

func (m *memoised) value(x []float64) float64 {
	m.at(x)
	return m.p
}

func (m *memoised) gradient(grad, x []float64) {
	m.at(x)
	copy(grad, m.g)
}

// status ends gonum's loop after a panic, and when the run is to stop.
func (m *memoised) status() (optimize.Status, error) {
	if m.panicked != nil || m.env.Stopped() {
		return optimize.Failure, errBreak
	}
	return optimize.NotTerminated, nil
}

// yielder is gonum's recorder: it yields the accepted iterates. Each is copied, as gonum's memory holds the points of a
// last line search in vain when the run ends.
type yielder struct {
	lambda float64
	yield  func(solvers.Iterate, error) bool
	epoch  int
	x, g   []float64
}

func (y *yielder) Init() error { return nil }

func (y *yielder) Record(loc *optimize.Location, op optimize.Operation, _ *optimize.Stats) error {
	if op != optimize.MajorIteration {
		return nil
	}
	y.epoch++
	y.x, y.g = append(y.x[:0], loc.X...), append(y.g[:0], loc.Gradient...)
	value := loc.F
	if !y.yield(solvers.Iterate{
		W:     y.x,
		Epoch: y.epoch,
		Dual: func() float64 {
			norm := floats.Norm(y.g, 2)
			return value - norm*norm/(2*y.lambda)
		},
	}, nil) {
		return errBreak
	}
	return nil
}
