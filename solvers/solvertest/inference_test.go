package solvertest_test

import (
	"iter"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/bethe"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// inferring is a solver of inference that passes the suite, unless the function change makes its iterates wrong.
type inferring struct {
	bethe.Damped
	change func(k int, it *solvers.Iterate)
}

func (s *inferring) Infer(p *models.Inference, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return altered(s.Damped.Infer(p, env), s.change)
}

// TestBrokenInference checks that the suite reports each of several faults in a solver of inference.
func TestBrokenInference(t *testing.T) {
	for _, c := range []struct {
		name, says string
		plant      func(s *inferring)
	}{
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
		{"a start elsewhere", "differ from those of the base model", func(s *inferring) {
			s.change = func(k int, it *solvers.Iterate) {
				scores := it.Scores
				it.Scores = func(i int) []float64 {
					v := slices.Clone(scores(i))
					v[0] += 1e-12
					return v
				}
			}
		}},
		{"no scores", "want an iterate with Primal and Scores", func(s *inferring) {
			s.change = func(_ int, it *solvers.Iterate) { it.Scores = nil }
		}},
		{"a run that ends too early", "best primal =", func(s *inferring) {
			s.MaxCalls = 2
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &inferring{bethe.Damped{Rho: 0.5, MaxCalls: 1000}, func(int, *solvers.Iterate) {}}
			c.plant(s)
			complains(t, c.says, s, solvertest.Accuracy(1e-6, 1e-6, 1000),
				solvertest.CallsBetweenYields(func(n int) int { return n }))
		})
	}
}
