package solvertest_test

import (
	"errors"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// listener is a testing.TB that takes note of failures instead of failing.
type listener struct {
	testing.TB
	failures []string
}

func (l *listener) Helper() {}
func (l *listener) Errorf(format string, args ...any) {
	l.failures = append(l.failures, fmt.Sprintf(format, args...))
}
func (l *listener) Fatalf(format string, args ...any) { l.Errorf(format, args...); runtime.Goexit() }

// listen runs the suite and returns what it complains of. One λ keeps it short.
func listen(solver solvers.Solver, opts ...solvertest.Option) string {
	l := &listener{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		solvertest.Check(l, solver, append(options(), opts...)...)
	}()
	<-done
	return strings.Join(l.failures, "\n")
}

func options() []solvertest.Option {
	return []solvertest.Option{
		solvertest.Lambdas(0.1, 0.1),
		solvertest.Accuracy(1e-4, 1e-2, 100),
		solvertest.CallsBetweenYields(func(n int) int { return max(2, n/2) }),
		solvertest.MonotoneDual(),
	}
}

// sound is EG as a solver that passes: its Run and Session can be broken by the faults.
type sound struct {
	eg *solvers.EG
	// A fault replaces one of these; nil is the sound one.
	supports func(*models.Problem) error
	run      func(p *models.Problem, sound iter.Seq2[solvers.Iterate, error]) iter.Seq2[solvers.Iterate, error]
	session  func(p *models.Problem, sound solvers.Session) solvers.Session
	reseed   func(uint64) uint64
}

var _ interface {
	solvers.Warm
	solvers.Seeded
} = (*sound)(nil)

func newSound() *sound {
	return &sound{eg: &solvers.EG{Eta: 0.5, Order: "random", Rate: "adaptive", Seed: 1}}
}

func (s *sound) Supports(p *models.Problem) error {
	if s.supports != nil {
		return s.supports(p)
	}
	if !(p.Lambda > 0 && p.Lambda < 1e300) || p.Loss.Temp < 0 || len(p.Examples) == 0 {
		return errors.New("no such problem")
	}
	return s.eg.Supports(p)
}

func (s *sound) Run(p *models.Problem) iter.Seq2[solvers.Iterate, error] {
	run := func(yield func(solvers.Iterate, error) bool) {
		if err := s.Supports(p); err != nil {
			yield(solvers.Iterate{}, err)
			return
		}
		s.eg.Run(p)(yield)
	}
	if s.run != nil {
		return s.run(p, run)
	}
	return run
}

func (s *sound) Start(p *models.Problem) (solvers.Session, error) {
	session, err := s.eg.Start(p)
	if err != nil || s.session == nil {
		return session, err
	}
	return s.session(p, session), nil
}

func (s *sound) WithSeed(seed uint64) solvers.Solver {
	c := *s
	if s.reseed != nil {
		seed = s.reseed(seed)
	}
	c.eg = s.eg.WithSeed(seed).(*solvers.EG)
	return &c
}

func TestSoundSolver(t *testing.T) {
	solvertest.Check(t, newSound(), options()...)
}

// Every fault that is planted is found, and named.
func TestBrokenSolvers(t *testing.T) {
	for _, c := range faults(t) {
		t.Run(c.name, func(t *testing.T) {
			s := newSound()
			c.plant(s)
			if said := listen(s, c.promises...); !strings.Contains(said, c.says) {
				t.Errorf("the suite says:\n%s\nwant a complaint with %q", said, c.says)
			}
		})
	}
}

func TestNothingSupported(t *testing.T) {
	s := newSound()
	s.supports = func(*models.Problem) error {
		return fmt.Errorf("%w: this solver solves nothing", solvers.ErrUnsupported)
	}
	if said := listen(s); !strings.Contains(said, "supports none of the problems") {
		t.Errorf("of a solver that solves nothing the suite says:\n%s", said)
	}
}
