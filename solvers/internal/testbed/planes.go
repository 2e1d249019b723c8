package testbed

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// PlaneCase is a small task with a list of all labellings of each example.
type PlaneCase struct {
	Name       string
	Task       *models.Task
	Labellings [][]models.Vertex // all labellings of each example, including the true one
}

// TaskOf builds the task of a model on training data.
func TaskOf(t testing.TB, model models.Builder, data datasets.Data) *models.Task {
	t.Helper()
	task, err := model.Build(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// LabellingsOf returns all labellings of an example. It collects the best labellings at random scores until 400 trials
// find no new labelling.
func LabellingsOf(rng *rand.Rand, e *models.Example) []models.Vertex {
	all := []models.Vertex{e.Truth}
	theta := make([]float64, e.Features.Parts())
	for idle := 0; idle < 400; idle++ {
		for r := range theta {
			theta[r] = rng.NormFloat64()
		}
		if y, _ := e.Max.Max(nil, theta); !slices.ContainsFunc(all, y.Equal) {
			all, idle = append(all, y), 0
		}
	}
	return all
}

// Difference returns ψ(y) = Aᵀ(1_truth − 1_y), the features of an example's truth minus the features of the labelling
// y.
func Difference(dim int, e *models.Example, y models.Vertex) []float64 {
	mu, psi := make([]float64, e.Features.Parts()), make([]float64, dim)
	for _, r := range e.Truth {
		mu[r]++
	}
	for _, r := range y {
		mu[r]--
	}
	e.Features.AddAdjoint(psi, 1, mu)
	return psi
}

// Largest returns the largest label loss, Δ in the theorems, and the largest |ψ(y)|², R² in the theorems, over all
// labellings y of all examples. Difference computes ψ.
func (c PlaneCase) Largest() (loss, radius float64) {
	for i, list := range c.Labellings {
		e := &c.Task.Train[i]
		for _, y := range list {
			psi := Difference(c.Task.Dim(), e, y)
			loss, radius = max(loss, e.LabelLoss(y)), max(radius, dualspace.Dot(psi, psi))
		}
	}
	return loss, radius
}

// MostViolated returns the largest violation d − w·g over all constraints w·g ≥ d − ξ of the 1-slack problem (see
// cuttingplane.OneSlack) on the first n examples. There is one constraint for each way to choose one labelling for each
// of these examples.
func (c PlaneCase) MostViolated(loss models.Loss, w []float64, n int) float64 {
	violations := make([][]float64, n)
	for i := range violations {
		e := &c.Task.Train[i]
		for _, y := range c.Labellings[i] {
			d := e.LabelLoss(y)
			v := d - dualspace.Dot(w, Difference(c.Task.Dim(), e, y))
			if loss.Slack {
				v = d * (1 - dualspace.Dot(w, Difference(c.Task.Dim(), e, y)))
			}
			violations[i] = append(violations[i], v)
		}
	}
	most := math.Inf(-1)
	var joint func(i int, sum float64)
	joint = func(i int, sum float64) {
		if i == n {
			most = max(most, sum/float64(n))
			return
		}
		for _, v := range violations[i] {
			joint(i+1, sum+v)
		}
	}
	joint(0, 0)
	return most
}

// End contains the values of the last iterate of a run.
type End struct {
	W            []float64
	Epoch        int
	Primal, Dual float64
	Stats        map[string]float64
}

// EndOf runs a solver until the run ends by itself, and returns the values of the last iterate.
func EndOf(t *testing.T, s solvers.Solver, p *models.Risk) End {
	t.Helper()
	return EndOfRun(t, solvers.Run(s, p, solvers.Env{Seed: 1}), p)
}

// EndOfRun ranges over a run on the problem p, such as a run of a solvers.Session, until the run ends by itself. It
// returns the values of the last iterate.
func EndOfRun(t *testing.T, run iter.Seq2[solvers.Iterate, error], p *models.Risk) (out End) {
	t.Helper()
	for it := range Iterates(t, run) {
		if out = EndAt(it); out.Epoch > 5000 {
			t.Fatalf("the run has not ended by epoch %d", out.Epoch)
		}
	}
	out.Primal = p.Primal(out.W)
	return out
}

// EndAt returns an End with the values of an iterate and a copy of its weights.
func EndAt(it solvers.Iterate) End {
	out := End{W: slices.Clone(it.W), Epoch: it.Epoch, Dual: it.Dual(), Stats: map[string]float64{}}
	it.Stats(func(name string, v float64) { out.Stats[name] = v })
	return out
}
