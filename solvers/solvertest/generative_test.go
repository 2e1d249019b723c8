package solvertest_test

import (
	"iter"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/bethe"
	"github.com/gaplab/gaplab/solvers/direct"
	"github.com/gaplab/gaplab/solvers/simplicial"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// fitting is a solver that fits log-probabilities and passes the suite. Tests of faults replace one of its functions.
type fitting struct {
	*simplicial.RSD
	change func(k int, it *solvers.Iterate)
	run    func(p *models.Generative, env solvers.Env) sequence
	needs  *solvers.Needs
}

func (s *fitting) Needs() solvers.Needs {
	if s.needs != nil {
		return *s.needs
	}
	return s.RSD.Needs()
}

func (s *fitting) Fit(p *models.Generative, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	if s.run != nil {
		return s.run(p, env)
	}
	return solvers.Checked(s, p, altered(s.RSD.Fit(p, env), s.change))
}

// TestBrokenFitters checks that the suite reports each of several faults in a solver that fits log-probabilities.
func TestBrokenFitters(t *testing.T) {
	for _, c := range []struct {
		name, says string
		plant      func(s *fitting)
	}{
		{"a dual above the primal", "no lower bound", func(s *fitting) {
			s.change = func(_ int, it *solvers.Iterate) {
				primal := it.Primal
				it.Dual = func() float64 { return primal() + 1e-3 }
			}
		}},
		{"a dual above the optimum, under a primal that is too high", "no lower bound", func(s *fitting) {
			s.change = func(_ int, it *solvers.Iterate) {
				primal := it.Primal()
				it.Primal = func() float64 { return primal + 10 }
				it.Dual = func() float64 { return primal + 9 }
			}
		}},
		{"bounds that never meet", "want a difference of at most", func(s *fitting) {
			s.change = func(_ int, it *solvers.Iterate) {
				dual := it.Dual
				it.Dual = func() float64 { return dual() - 0.1 }
			}
		}},
		{"weights too short", "want Dim", func(s *fitting) {
			s.change = func(_ int, it *solvers.Iterate) { it.W = it.W[1:] }
		}},
		{"support of a temperature claimed", "but Run", func(s *fitting) { s.needs = &solvers.Needs{} }},
		{"a run that does not check the problem", "want an error that refuses this problem", func(s *fitting) {
			s.run = func(*models.Generative, solvers.Env) sequence {
				return func(yield func(solvers.Iterate, error) bool) { yield(solvers.Iterate{W: make([]float64, 3)}, nil) }
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &fitting{RSD: simplicial.New(), change: func(int, *solvers.Iterate) {}}
			c.plant(s)
			complains(t, c.says, s, solvertest.Accuracy(1, 1e-4, 1000),
				solvertest.CallsBetweenYields(func(n int) int { return 10 * n }))
		})
	}
}

// TestSearchless checks that the suite reports two faults: a solver that yields only one iterate but does not promise
// Searchless, and a solver that promises Searchless but yields several iterates.
func TestSearchless(t *testing.T) {
	complains(t, "best primal =", direct.NewGiven())
	complains(t, "does not search", bethe.NewDamped(), solvertest.Searchless())
}

// TestBrokenInterruptions checks that the suite reports faults of a run after its context has ended. A run that
// continues unchanged is correct.
func TestBrokenInterruptions(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test interrupts the suite once for each defect")
	}
	for _, c := range []struct {
		name, says string
		stopped    func(k int, it solvers.Iterate, env solvers.Env, yield func(solvers.Iterate, error) bool) bool
	}{
		{"unchanged", "", func(_ int, it solvers.Iterate, _ solvers.Env, yield func(solvers.Iterate, error) bool) bool {
			return yield(it, nil)
		}},
		{"half a step shown", "differs from an uninterrupted run",
			func(_ int, it solvers.Iterate, _ solvers.Env, yield func(solvers.Iterate, error) bool) bool {
				if it.W = slices.Clone(it.W); len(it.W) > 0 {
					it.W[0] += 1e-9
				}
				return yield(it, nil)
			}},
		{"another error", "want the context's error",
			func(_ int, _ solvers.Iterate, _ solvers.Env, yield func(solvers.Iterate, error) bool) bool {
				yield(solvers.Iterate{}, solvers.Lacking("fits nothing"))
				return false
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSound()
			s.run = func(p given, run sequence) sequence {
				return func(yield func(solvers.Iterate, error) bool) {
					k := 0
					for it, err := range run {
						if p.Stopped() && err == nil {
							if !c.stopped(k, it, p.Env, yield) {
								return
							}
						} else if !yield(it, err) {
							return
						}
						k++
					}
				}
			}
			complains(t, c.says, s)
		})
	}
}
