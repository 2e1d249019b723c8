package gradient

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestSGDSteps checks that step k = 0, 1, ... moves w by eta0/(1 + k/n) times the negative gradient of one term, or by
// a step of AdaGrad, that a run begins at the start weights, and that the average of the iterates has weights
// proportional to k. Between two yields there are several steps if n is large. Some λ are so large that a step changes
// the sign of w, or makes w small.
func TestSGDSteps(t *testing.T) {
	const seed = 7
	for _, n := range []int{5, 45} { // with n < 10, SGD yields after each step
		classes := testbed.TaskOf(t, multiclass.Model{LossScale: 1}, testbed.OverlappingClasses(n, 4, 3))
		words := testbed.Build(t, chain.Model{Edges: "tied"}, generated.Words{Train: n, MaxLetters: 5, Seed: 1})
		problems := map[string]*models.Risk{"classes": classes.Objective(models.LogLoss(), 0.1).(*models.Risk),
			"words": words.Objective(models.Hinge(), 0.1).(*models.Risk)}
		begin := *problems["words"]
		begin.Inexact, begin.Start = true, make([]float64, begin.Dim)
		for j := range begin.Start {
			begin.Start[j] = float64(j%7) / 10
		}
		problems["words, start"] = &begin
		for name, p := range problems {
			for _, lambda := range []float64{p.Lambda, 4.9999, 5, 9} { // eta0·λ is about 1, 1 and 1.8
				for _, s := range []*SGD{{Eta0: 0.2}, {Eta0: 0.2, Average: true}, {Eta0: 0.2, Step: "adagrad"},
					{Eta0: 0.2, Step: "adagrad", Average: true}} {
					checkSGD(t, fmt.Sprintf("%s, n = %d, λ = %v, %+v", name, n, lambda, *s), s, p.At(lambda), seed)
				}
			}
		}
	}
}

// checkSGD compares the first nine yields of a run with a direct implementation of the steps.
func checkSGD(t *testing.T, name string, s *SGD, p *models.Risk, seed uint64) {
	t.Helper()
	n := len(p.Examples)
	w, g, squares := make([]float64, p.Dim), make([]float64, p.Dim), make([]float64, p.Dim)
	copy(w, p.Start)
	out, sum := slices.Clone(w), make([]float64, p.Dim)
	order, due := dualspace.NewOrder("random", n, seed, dualspace.StreamSGD), dualspace.NewCadence(n)
	k, yields := 0, 0
	for it := range testbed.Iterates(t, solvers.Run(s, p, solvers.Env{Seed: seed})) {
		size := 1.0
		for _, v := range out {
			size = max(size, math.Abs(v))
		}
		if !slices.EqualFunc(it.W, out, func(a, b float64) bool { return math.Abs(a-b) <= 1e-11*size }) ||
			it.Epoch != k/n {
			t.Errorf("%s: weights after %d steps differ from those of the formula, or the epoch %d is not %d", name, k, it.Epoch,
				k/n)
			return
		}
		if yields++; yields == 9 {
			return
		}
		for next := due.Next(k); k < next; {
			i, term := order.Next(), *p
			term.Examples = p.Examples[i : i+1]
			term.Gradient(g, w)
			eta := s.Eta0 / (1 + float64(k)/float64(n))
			for j, v := range g {
				if squares[j] += v * v; s.Step == "adagrad" {
					eta = s.Eta0 / math.Sqrt(squares[j]+1e-12)
				}
				w[j] -= eta * v
			}
			k++
			for j, v := range w {
				sum[j] += float64(k) * v
				if out[j] = v; s.Average {
					out[j] = sum[j] / (float64(k) * float64(k+1) / 2)
				}
			}
		}
	}
}
