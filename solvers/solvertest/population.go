package solvertest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/collective"
)

// addPopulation appends an inference problem to out, if the solver supports the problem: counts of a population that
// moves along a chain. The chain has separate scores at each step. The energy of the counts has an unbounded gradient.
func (s *suite) addPopulation(t testing.TB, out []*problem) []*problem {
	t.Helper()
	const cells, steps = 3, 4
	rng := rand.New(rand.NewPCG(1, 1))
	d := &datasets.CellCounts{Cells: cells, Steps: steps, Theta: make([]float64, steps*cells+(steps-1)*cells*cells),
		Counts: make([]float64, steps*cells), Population: 30, Rate: 0.5}
	for r := range d.Theta {
		d.Theta[r] = 2 * rng.NormFloat64()
	}
	for r := range d.Counts {
		d.Counts[r] = float64(rng.IntN(4) * rng.IntN(9))
	}
	task, err := collective.Model{Edges: "untied"}.Build(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := task.Objective(models.Loss{}, 0)
	if !s.takes(p) {
		return out
	}
	return append(out, &problem{objective: p, name: "counts of a population", data: "population", low: math.Inf(-1),
		high: math.Inf(1), start: 30, own: !s.mayDiverge})
}
