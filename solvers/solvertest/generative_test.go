package solvertest_test

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/bethe"
	"github.com/gaplab/gaplab/solvers/direct"
	"github.com/gaplab/gaplab/solvers/simplicial"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// fitting is a solver of log-probabilities that passes; a fault replaces one of its functions.
type fitting struct {
	*simplicial.RSD
	change func(k int, it *solvers.Iterate) // k counts iterates from 0
	run    func(p *models.Generative, env solvers.Env) iter.Seq2[solvers.Iterate, error]
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
	return solvers.Checked(s, p, func(yield func(solvers.Iterate, error) bool) {
		k := 0
		for it, err := range s.RSD.Fit(p, env) {
			if err == nil && s.change != nil {
				s.change(k, &it)
			}
			if k++; !yield(it, err) {
				return
			}
		}
	})
}

// TestBrokenFitters checks that every planted fault of a solver of log-probabilities is found, and named.
func TestBrokenFitters(t *testing.T) {
	for _, c := range []struct {
		name, says string
		plant      func(s *fitting)
	}{
		{"sound", "", func(*fitting) {}},
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
		{"bounds that never meet", "the bounds came to", func(s *fitting) {
			s.change = func(_ int, it *solvers.Iterate) {
				dual := it.Dual
				it.Dual = func() float64 { return dual() - 0.1 }
			}
		}},
		{"weights too short", "want Dim", func(s *fitting) {
			s.change = func(_ int, it *solvers.Iterate) { it.W = it.W[1:] }
		}},
		{"a temperature taken", "but Run", func(s *fitting) { s.needs = &solvers.Needs{} }},
		{"a run without a look at what is asked", "want the problem refused", func(s *fitting) {
			s.run = func(*models.Generative, solvers.Env) iter.Seq2[solvers.Iterate, error] {
				return func(yield func(solvers.Iterate, error) bool) { yield(solvers.Iterate{W: make([]float64, 3)}, nil) }
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &fitting{RSD: simplicial.New()}
			c.plant(s)
			said := listen(s, solvertest.Accuracy(1, 1e-4, 1000),
				solvertest.CallsBetweenYields(func(n int) int { return 10 * n }))
			if !strings.Contains(said, c.says) || c.says == "" && said != "" {
				t.Errorf("the suite says:\n%s\nwant a complaint with %q", said, c.says)
			}
		})
	}
}

// TestSearchless checks that a solver that does not search must say so, and must end.
func TestSearchless(t *testing.T) {
	if said := listen(direct.NewGiven()); !strings.Contains(said, "the primal came down to") {
		t.Errorf("of weights that are no optimum the suite says:\n%s", said)
	}
	if said := listen(bethe.NewDamped(), solvertest.Searchless()); !strings.Contains(said, "does not search") {
		t.Errorf("of a search that was denied the suite says:\n%s", said)
	}
}

// TestBrokenInterruptions checks that every planted fault of a run that should stop is found, and named.
func TestBrokenInterruptions(t *testing.T) {
	for _, c := range []struct {
		name, says string
		stopped    func(k int, it solvers.Iterate, env solvers.Env, yield func(solvers.Iterate, error) bool) bool
	}{
		{"deaf", "", func(_ int, it solvers.Iterate, _ solvers.Env, yield func(solvers.Iterate, error) bool) bool {
			return yield(it, nil)
		}},
		{"ended", "", func(_ int, _ solvers.Iterate, env solvers.Env, yield func(solvers.Iterate, error) bool) bool {
			yield(solvers.Iterate{}, env.Err())
			return false
		}},
		{"half a step shown", "shows something else",
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
			if said := listen(s); !strings.Contains(said, c.says) || c.says == "" && said != "" {
				t.Errorf("the suite says:\n%s\nwant a complaint with %q", said, c.says)
			}
		})
	}
}
