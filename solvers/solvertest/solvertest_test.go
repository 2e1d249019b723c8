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

// listener is a testing.TB that takes note of failures instead of failing.
type listener struct {
	testing.TB
	until    string // unless "", the complaint after which the rest of the suite says nothing new
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

// listen runs the suite and returns what it complains of. One λ keeps it short.
func listen(solver solvers.Solver, opts ...solvertest.Option) string {
	return listenUntil("", solver, opts...)
}

// listenUntil does what listen does until the suite reports a given error.
func listenUntil(complaint string, solver solvers.Solver, opts ...solvertest.Option) string {
	l := &listener{until: complaint}
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

// sound is a solver that passes: its run and its sessions can be broken by the faults.
type sound struct {
	gibbs
	// A fault replaces one of these; nil is the sound one.
	needs   *solvers.Needs
	check   func(*models.Risk) error // nil refuses nothing else
	run     func(p given, sound iter.Seq2[solvers.Iterate, error]) iter.Seq2[solvers.Iterate, error]
	session func(p given, sound solvers.Session) solvers.Session
	reseed  func(uint64) uint64
}

// given is what a run is given.
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

func TestSoundSolver(t *testing.T) {
	solvertest.Check(t, newSound(), options()...)
}

// TestBrokenSolvers checks that every planted fault is found, and named.
func TestBrokenSolvers(t *testing.T) {
	for _, c := range faults(t) {
		t.Run(c.name, func(t *testing.T) {
			s := newSound()
			c.plant(s)
			if said := listenUntil(c.says, s, c.promises...); !strings.Contains(said, c.says) {
				t.Errorf("the suite says:\n%s\nwant a complaint with %q", said, c.says)
			}
		})
	}
}

func TestNothingSupported(t *testing.T) {
	s := newSound()
	s.check = func(*models.Risk) error { return solvers.Lacking("solves nothing") }
	if said := listen(s); !strings.Contains(said, "takes none of the problems") {
		t.Errorf("of a solver that solves nothing the suite says:\n%s", said)
	}
}
