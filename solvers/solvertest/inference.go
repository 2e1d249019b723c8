package solvertest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// inferences returns the problems of inference that the solver supports. They are chains with four kinds of energies:
// smooth energies, energies with kinks, energies with an unbounded gradient, and energies that are not convex. The
// optimum is certified where tangents of the energy give a lower bound.
func (s *suite) inferences(t testing.TB) []*problem {
	t.Helper()
	vocabulary, err := energy.NewVocabulary(inferenceLabels,
		[][]int{{2}, {0, 1}, {2, 2}, {0, 1, 2}, {0, 1, 1, 0}, {2, 0, 2, 1}})
	if err != nil {
		t.Fatal(err)
	}
	var out []*problem
	for _, m := range []struct {
		name       string
		certified  bool
		unguarded  bool // whether any fixed step length may diverge, because the gradient is unbounded
		energyUpon func(rng *rand.Rand, e *models.Example) (models.Energy, error)
	}{
		{"smoothed hinges", true, false,
			func(rng *rand.Rand, e *models.Example) (models.Energy, error) { return measurements(rng, e, true), nil }},
		{"hinges", false, false, func(rng *rand.Rand, e *models.Example) (models.Energy, error) {
			return measurements(rng, e, false), nil
		}},
		{"counts", true, true, counts},
		{"words", false, false, func(_ *rand.Rand, e *models.Example) (models.Energy, error) {
			return energy.Words{Vocabulary: vocabulary, Length: (len(e.Truth) + 1) / 2, Strength: energy.Constant(0.8)}, nil
		}},
	} {
		p := chainsWith(t, m.energyUpon)
		if !s.takes(p) {
			continue
		}
		q := &problem{objective: p, name: "chains with " + m.name, data: "chain", low: math.Inf(-1), high: math.Inf(1),
			start: 1}
		if m.certified && !(m.unguarded && s.mayDiverge) {
			q.bracket(t, func() (low, high float64) { return inferenceOptimum(p) })
			q.start += math.Abs(q.high)
		}
		out = append(out, q)
	}
	return s.addPopulation(t, out)
}

// chainsWith returns five chains of one to four positions with random scores and untied transitions.
func chainsWith(t testing.TB, energyOf func(*rand.Rand, *models.Example) (models.Energy, error)) *models.Inference {
	t.Helper()
	return testbed.Chains(t, rand.New(rand.NewPCG(9, 9)), "untied", []int{4, 1, 2, 3, 4}, energyOf)
}

// measurements returns an energy of four random linear functions (measurements) of the marginals of the example's
// parts.
func measurements(rng *rand.Rand, e *models.Example, smoothed bool) energy.Linear {
	out := energy.Linear{Smoothed: smoothed}
	for range 4 {
		var row models.Sparse
		for r := range e.Features.Parts() {
			if rng.IntN(3) == 0 {
				row.Index, row.Value = append(row.Index, int32(r)), append(row.Value, rng.NormFloat64())
			}
		}
		out.Rows, out.Weights, out.Offsets = append(out.Rows, row), append(out.Weights, 1+rng.Float64()),
			append(out.Offsets, 0.3*rng.NormFloat64())
	}
	return out
}

// counts returns the energy of observed counts. A thousand individuals move according to random scores, which differ
// from the scores of the example. Each individual is counted with probability 1/2. The count of cell 0 at position 0 is
// missing.
func counts(rng *rand.Rand, e *models.Example) (models.Energy, error) {
	mu := testbed.Gaussian(rng, e.Features.Parts())
	e.Exp.LogSum(mu, mu)
	cells := mu[:(len(e.Truth)+1)/2*inferenceLabels]
	for i, m := range cells {
		cells[i] = math.Round(500 * m)
	}
	cells[0] = math.NaN()
	return energy.NewPoisson(cells, 1000, 0.5)
}

// checkInference checks the iterates of inference: Primal must be the objective of the marginals at Scores, Dual must
// not exceed Primal, and the first Scores must be the scores of the base model. checkInference also checks that the
// solver gives an error for examples that lack something that it needs.
func (s *suite) checkInference(t testing.TB, all []*problem) {
	for _, p := range all {
		of, ok := p.objective.(*models.Inference)
		if !ok {
			continue
		}
		yields := 0
		for it, err := range s.run(p.objective) {
			if err != nil {
				t.Errorf("%s: Run failed: %v", p.name, err)
				break
			}
			if !s.infers(t, p, it, yields) {
				break
			}
			if yields++; yields > shown {
				break
			}
		}
		last := len(of.Examples) - 1
		for name, change := range map[string]func(*models.Example){
			"the last example without an energy": func(e *models.Example) { e.Energy = nil },
			"the last example without marginals": func(e *models.Example) { e.Exp = nil },
		} {
			if s.ownMarginals && name == "the last example without marginals" {
				continue
			}
			q := &models.Inference{Examples: slices.Clone(of.Examples)}
			change(&q.Examples[last])
			name = fmt.Sprintf("%s, but %s", p.name, name)
			if err := solvers.Missing(s.solver, q); !errors.Is(err, solvers.ErrUnsupported) {
				t.Errorf("%s: Missing returns %v: want ErrUnsupported", name, err)
			}
			s.refuses(t, name, q, solvers.ErrUnsupported)
		}
	}
}

// infers checks one iterate of inference, and reports whether to continue.
func (s *suite) infers(t testing.TB, p *problem, it solvers.Iterate, yield int) bool {
	t.Helper()
	if it.W != nil || it.Primal == nil || it.Scores == nil {
		t.Errorf("%s: yield %d: want an iterate with Primal and Scores and without W", p.name, yield)
		return false
	}
	value, largest := 0.0, 0.0
	examples := p.objective.(*models.Inference).Examples
	for i := range examples {
		e := &examples[i]
		theta, scores := make([]float64, e.Features.Parts()), it.Scores(i)
		e.Features.Score(theta, nil)
		if len(scores) != len(theta) || !allFinite(scores) {
			t.Errorf("%s: yield %d: the scores of example %d are %v: want %d finite numbers", p.name, yield, i, scores,
				len(theta))
			return false
		}
		if yield == 0 && !equalBits(scores, theta) {
			t.Errorf("%s: the scores of example %d in the first iterate differ from those of the base model", p.name, i)
		}
		mu := make([]float64, len(theta))
		e.Exp.LogSum(mu, scores)
		if p.data != "chain" {
			continue
		}
		value += (e.Energy.Value(mu) - models.ChainEntropy(mu, inferenceLabels) - inner(theta, mu)) / float64(len(examples))
		for _, v := range scores {
			largest = max(largest, math.Abs(v))
		}
	}
	slop := 1e-9*(1+math.Abs(value)) + 1e-14*largest
	primal := it.Primal()
	if p.data == "chain" && !s.ownMarginals && !(math.Abs(primal-value) <= slop) {
		t.Errorf("%s: yield %d: Primal = %v, want %v, the objective of the marginals at Scores", p.name, yield, primal, value)
		return false
	}
	if it.Dual != nil {
		if d := it.Dual(); !(d <= primal+slop) {
			t.Errorf("%s: yield %d: dual = %v exceeds primal = %v", p.name, yield, d, primal)
			return false
		}
	}
	return true
}
