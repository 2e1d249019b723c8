package testbed

import (
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
)

// Scores is a feature map whose part scores are constants: they depend on no weights.
type Scores []float64

func (f Scores) Parts() int                               { return len(f) }
func (f Scores) Score(theta, _ []float64)                 { copy(theta, f) }
func (f Scores) AddAdjoint([]float64, float64, []float64) {}

// Gaussian returns n random numbers with the standard normal distribution.
func Gaussian(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for j := range v {
		v[j] = rng.NormFloat64()
	}
	return v
}

// Chains returns an inference problem on chains with the given lengths and three labels. The part scores are random,
// and each chain has the energy that the function energy returns. edges is the setting Edges of chain.Model.
func Chains(t testing.TB, rng *rand.Rand, edges string, lengths []int,
	energy func(*rand.Rand, *models.Example) (models.Energy, error)) *models.Inference {
	t.Helper()
	data := &datasets.Sequences{Start: []int{0}, Labels: make([]string, 3)}
	n := 0
	for _, l := range lengths {
		n += l
		data.Start = append(data.Start, n)
	}
	data.X, data.Y = datasets.Rows{N: n, Dim: 1, Value: make([]float64, n)}, make([]int, n)
	task := TaskOf(t, chain.Model{Edges: edges}, data)
	task.Unknowns = models.Marginals{}
	for i := range task.Train {
		e := &task.Train[i]
		e.Features = Scores(Gaussian(rng, e.Features.Parts()))
		var err error
		if e.Energy, err = energy(rng, e); err != nil {
			t.Fatal(err)
		}
	}
	return task.Objective(models.Loss{}, 0).(*models.Inference)
}
