package solvertest_test

import (
	"fmt"
	"iter"
	"runtime"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// listener is a testing.TB that records failures instead of failing.
type listener struct {
	testing.TB
	until    string // the suite ends after a message that contains this text; "": it never ends early
	failures []string
}

func (l *listener) Helper() {}
func (l *listener) Errorf(format string, args ...any) {
	said := fmt.Sprintf(format, args...)
	l.failures = append(l.failures, said)
	if l.until != "" && strings.Contains(said, l.until) {
		runtime.Goexit()
	}
}
func (l *listener) Fatalf(format string, args ...any) { l.Errorf(format, args...); runtime.Goexit() }

// complains checks that the suite reports a fault of a solver with a message that contains the text says. If this text
// is empty, the suite must report no fault. To save time, the suite ends after this message, and tests only one λ.
func complains(t *testing.T, says string, solver solvers.Solver, opts ...solvertest.Option) {
	t.Helper()
	l := &listener{until: says}
	done := make(chan struct{})
	go func() {
		defer close(done)
		solvertest.Check(l, solver, append(options(), opts...)...)
	}()
	<-done
	if said := strings.Join(l.failures, "\n"); !strings.Contains(said, says) || says == "" && said != "" {
		t.Errorf("the suite reports:\n%s\nwant a message with %q", said, says)
	}
}

func options() []solvertest.Option {
	return []solvertest.Option{
		solvertest.Lambdas(0.1, 0.1),
		solvertest.Accuracy(1e-4, 1e-2, 100),
		solvertest.CallsBetweenYields(func(n int) int { return max(2, n/2) }),
		solvertest.MonotoneDual(),
	}
}

// sound is a solver that passes the suite. Tests of faults replace its functions.
type sound struct {
	gibbs
	// Each field replaces a part of the solver's behaviour. A fault sets at least one field; where a field is nil, the
	// solver behaves correctly.
	needs   *solvers.Needs
	check   func(*models.Risk) error // nil returns no error
	run     func(p given, sound iter.Seq2[solvers.Iterate, error]) iter.Seq2[solvers.Iterate, error]
	session func(p given, sound solvers.Session) solvers.Session
	reseed  func(uint64) uint64
}

// given contains the arguments of a run.
type given struct {
	*models.Risk
	solvers.Env
}

var _ solvers.Warm = (*sound)(nil)

func newSound() *sound { return &sound{} }

func (s *sound) Needs() solvers.Needs {
	if s.needs != nil {
		return *s.needs
	}
	return s.gibbs.Needs()
}

func (s *sound) Check(o models.Objective) error {
	if s.check != nil {
		return s.check(o.(*models.Risk))
	}
	return nil
}

func (s *sound) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	if s.reseed != nil {
		env.Seed = s.reseed(env.Seed)
	}
	run := solvers.Checked(s, p, func(yield func(solvers.Iterate, error) bool) { s.gibbs.Train(p, env)(yield) })
	if s.run != nil {
		return s.run(given{p, env}, run)
	}
	return run
}

func (s *sound) Start(p *models.Risk, env solvers.Env) (solvers.Session, error) {
	session, err := s.gibbs.Start(p, env)
	if err != nil || s.session == nil {
		return session, err
	}
	return s.session(given{p, env}, session), nil
}

// TestSoundSolver checks that a sound solver passes the suite.
func TestSoundSolver(t *testing.T) {
	solvertest.Check(t, newSound(), options()...)
}

// TestBrokenSolvers checks, for each fault, that the suite reports a solver with this fault by the right message.
func TestBrokenSolvers(t *testing.T) {
	for i, c := range faults(t) {
		if testing.Short() && i%5 != 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			s := newSound()
			c.plant(s)
			complains(t, c.says, s, c.promises...)
		})
	}
}

// TestNothingSupported checks that the suite fails for a solver that supports none of its problems.
func TestNothingSupported(t *testing.T) {
	s := newSound()
	s.check = func(*models.Risk) error { return solvers.Lacking("solves nothing") }
	complains(t, "supports none of the problems", s)
}

// hasty is a solver that ends after its first iterate and says that it is at the optimum.
type hasty struct{ *sound }

func (hasty) Certifies() bool { return true }

// TestWrongCertificate checks that the suite reports a solver that certifies an end far from the optimum.
func TestWrongCertificate(t *testing.T) {
	s := newSound()
	s.run = func(_ given, run sequence) sequence {
		return func(yield func(solvers.Iterate, error) bool) {
			for it, err := range run {
				yield(it, err)
				return
			}
		}
	}
	complains(t, "the solver certifies its end, but its primal is", hasty{s})
}
