package solvertest_test

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/bethe"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// inferring is a solver of inference that passes; change breaks its iterates.
type inferring struct {
	bethe.Damped
	change func(k int, it *solvers.Iterate) // k counts iterates from 0
}

func (s *inferring) Infer(p *models.Inference, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		k := 0
		for it, err := range s.Damped.Infer(p, env) {
			if err == nil && s.change != nil {
				s.change(k, &it)
			}
			if k++; !yield(it, err) {
				return
			}
		}
	}
}

// TestBrokenInference checks that every planted fault of a solver of inference is found, and named.
func TestBrokenInference(t *testing.T) {
	for _, c := range []struct {
		name, says string
		plant      func(s *inferring)
	}{
		{"sound", "", func(*inferring) {}},
		{"a dual above the primal", "no lower bound", func(s *inferring) {
			s.change = func(_ int, it *solvers.Iterate) {
				if it.Dual != nil {
					primal := it.Primal
					it.Dual = func() float64 { return primal() + 1e-3 }
				}
			}
		}},
		{"another objective", "the objective of the marginals at Scores", func(s *inferring) {
			s.change = func(_ int, it *solvers.Iterate) {
				primal := it.Primal
				it.Primal = func() float64 { return primal() + 1e-6 }
			}
		}},
		{"scores of another example", "finite numbers", func(s *inferring) {
			s.change = func(_ int, it *solvers.Iterate) {
				scores := it.Scores
				it.Scores = func(i int) []float64 { return scores(i / 2) }
			}
		}},
		{"a start elsewhere", "not those of the base model", func(s *inferring) {
			s.change = func(k int, it *solvers.Iterate) {
				scores := it.Scores
				it.Scores = func(i int) []float64 {
					v := slices.Clone(scores(i))
					v[0] += 1e-12
					return v
				}
			}
		}},
		{"no scores", "but Primal and Scores", func(s *inferring) {
			s.change = func(_ int, it *solvers.Iterate) { it.Scores = nil }
		}},
		{"a run that stands still", "the primal came down to", func(s *inferring) {
			s.MaxCalls = 2
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &inferring{Damped: bethe.Damped{Rho: 0.5, MaxCalls: 1000}}
			c.plant(s)
			said := listen(s, solvertest.Accuracy(1e-6, 1e-6, 1000), solvertest.CallsBetweenYields(func(n int) int { return n }))
			if !strings.Contains(said, c.says) || c.says == "" && said != "" {
				t.Errorf("the suite says:\n%s\nwant a complaint with %q", said, c.says)
			}
		})
	}
}
