package solvertest_test

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// inferring is a solver of inference that passes; change breaks its iterates.
type inferring struct {
	solvers.BetheDamped
	supports func(*models.Problem) error
	change   func(k int, it *solvers.Iterate) // k counts iterates from 0
}

func (s *inferring) Supports(p *models.Problem) error {
	if s.supports != nil {
		return s.supports(p)
	}
	return s.BetheDamped.Supports(p)
}

func (s *inferring) Run(p *models.Problem) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		k := 0
		for it, err := range s.BetheDamped.Run(p) {
			if err == nil && s.change != nil {
				s.change(k, &it)
			}
			if k++; !yield(it, err) {
				return
			}
		}
	}
}

// Every fault of a solver of inference that is planted is found, and named.
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
		{"the hinge taken", "but the hinge", func(s *inferring) {
			s.supports = func(p *models.Problem) error {
				q := *p
				if p.Loss == models.Hinge() && p.Dim == 0 {
					q.Loss = models.LogLoss()
				}
				return s.BetheDamped.Supports(&q)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &inferring{BetheDamped: solvers.BetheDamped{Rho: 0.5, MaxCalls: 1000}}
			c.plant(s)
			said := listen(s, solvertest.Accuracy(1e-6, 1e-6, 1000), solvertest.CallsBetweenYields(func(n int) int { return n }))
			if !strings.Contains(said, c.says) || c.says == "" && said != "" {
				t.Errorf("the suite says:\n%s\nwant a complaint with %q", said, c.says)
			}
		})
	}
}
