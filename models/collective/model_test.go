package collective

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/inference/cgm"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

func build(t testing.TB, edges string, d datasets.Data) *models.Task {
	return examples.Build(t, Model{Edges: edges}, d, nil)
}

// inference returns the problem of an example for Bethe projections.
func inference(e *models.Example) *energy.Problem {
	p := &energy.Problem{Theta: make([]float64, e.Features.Parts()), Oracle: e.Exp, Energy: e.Energy}
	e.Features.Score(p.Theta, nil)
	return p
}

// TestCollective checks that two methods find the same optimum: Bethe projections, which use the example of the task,
// and the interior-point method, which uses the convex programme (cgm.Problem). Edges are tied, with one table of
// transitions for all steps, or untied, with a table for each step.
func TestCollective(t *testing.T) {
	d := counted(t, generated.Migration{Side: 3, Steps: 5, Walkers: 200, Distance: 1, Drift: 0.5, Noise: 0.3, Rate: 0.5,
		Seed: 1})
	untied := random(3, 4)
	for _, c := range []struct {
		edges string
		d     *datasets.CellCounts
		parts int
	}{
		{edgesTied, d, 5*9 + 81},
		{edgesAuto, d, 5*9 + 81},
		{"", d, 5*9 + 81},
		{edgesUntied, d, 5*9 + 4*81},
		{edgesAuto, &datasets.CellCounts{Cells: 3, Steps: 4, Theta: untied.Theta, Counts: untied.Counts, Population: 30,
			Rate: 0.5}, 3*4 + 3*9},
		{edgesAuto, &datasets.CellCounts{Cells: 3, Steps: 1, Theta: untied.Theta[:3], Counts: untied.Counts[:3],
			Population: 30, Rate: 0.5}, 3},
		{edgesTied, &datasets.CellCounts{Cells: 2, Steps: 2, Theta: untied.Theta[:8], Counts: untied.Counts[:4],
			Population: 30, Rate: 0.5}, 8},
	} {
		task := build(t, c.edges, c.d)
		e := &task.Train[0]
		k, l := c.d.Cells, c.d.Steps
		if e.Features.Parts() != c.parts || len(task.Train) != 1 || task.Dim() != 0 || task.Validation != nil ||
			task.Metrics != nil {
			t.Fatalf("%s: %d parts, %d examples, %d weights, want %d parts, 1 example, no weights, validation data or metrics",
				c.edges, e.Features.Parts(), len(task.Train), task.Dim(), c.parts)
		}
		if f := task.Facts; f["cells"] != float64(k) || f["s"] != float64(k*k) || f["population"] != c.d.Population {
			t.Errorf("facts = %v, want %d cells, s = %d, a population of %v", f, k, k*k, c.d.Population)
		}
		p := e.Features.(interface{ Collective() *cgm.Problem }).Collective()
		best, err := cgm.Solve(cgm.BlockInterior{Tol: 1e-12, MaxSteps: 80}, p)
		if err != nil {
			t.Fatal(err)
		}
		bethe := inference(e)
		it := energy.Solve(bethe, energy.Damped{Rho: 1, MaxCalls: 20000, Tol: 1e-11})
		if math.Abs(it.Value()-best.Primal) > 1e-9*(1+math.Abs(best.Primal)) || apart(it.Mu[:l*k], best.Mu[:l*k]) > 1e-6 {
			t.Errorf("%s, %d steps: objective of Bethe projections = %v, want %v; largest difference of node marginals = %v",
				c.edges, l, it.Value(), best.Primal, apart(it.Mu[:l*k], best.Mu[:l*k]))
		}
		if r, bound := bethe.Certify(it.Mu); r > 1e-6 || math.Abs(bound-p.LowerBound(best.Mu)) > 1e-8*(1+math.Abs(bound)) {
			t.Errorf("%s: residual = %v, want at most 1e-6; bound = %v, want %v", c.edges, r, bound, p.LowerBound(best.Mu))
		}
		if tied := c.parts == l*k+k*k && l > 2; tied != (e.Polytope == nil) || !tied &&
			e.Polytope.Infeasibility(it.Mu) > 1e-12 {
			t.Errorf("%s, %d steps: polytope = %v, want nil with tied edges, else feasible marginals", c.edges, l, e.Polytope)
		}
	}
}

// TestCollectiveMax checks that the best path has the largest score of all 4³ paths.
func TestCollectiveMax(t *testing.T) {
	d := counted(t, generated.Migration{Side: 2, Steps: 3, Walkers: 5, Distance: 0.2, Drift: 0.5, Noise: 1, Rate: 1,
		Seed: 1})
	var values []float64
	for _, edges := range []string{edgesTied, edgesUntied} {
		e := &build(t, edges, d).Train[0]
		p := inference(e)
		y, v := e.Max.Max(nil, p.Theta)
		if math.Abs(v-y.Dot(p.Theta)) > 1e-12 {
			t.Errorf("%s: score of the best path %v = %v, want the returned value %v", edges, y, y.Dot(p.Theta), v)
		}
		values = append(values, v)
	}
	best := math.Inf(-1)
	for path := range 64 {
		a, b, c := path%4, path/4%4, path/16
		best = max(best, d.Theta[a]+d.Theta[4+b]+d.Theta[8+c]+d.Theta[12+a*4+b]+d.Theta[28+b*4+c])
	}
	if math.Abs(values[0]-best) > 1e-12 || math.Abs(values[1]-best) > 1e-12 {
		t.Errorf("scores of the best paths = %v, want %v", values, best)
	}
}

// TestCollectiveRefuses checks the errors of wrong data and settings.
func TestCollectiveRefuses(t *testing.T) {
	d := counted(t, generated.Migration{Side: 2, Steps: 3, Walkers: 5, Rate: 1, Seed: 1})
	bad, p := *d, random(3, 3)
	bad.Rate = 0
	differ := &datasets.CellCounts{Cells: 3, Steps: 3, Theta: p.Theta, Counts: p.Counts, Population: 1, Rate: 1}
	for _, c := range []struct {
		edges             string
		train, validation datasets.Data
		want              string
	}{
		{edgesAuto, &datasets.Treebank{}, nil, "needs counts of a population; the data set has bracketed trees"},
		{edgesAuto, d, d, "accepts no validation data; the data set has counts of a population"},
		{"all", d, nil, `edges is "all"; accepted: auto, tied, untied`},
		{edgesTied, differ, nil, "accepted: untied, auto"},
		{edgesAuto, &bad, nil, "rate"},
	} {
		_, err := Model{Edges: c.edges}.Build(c.train, c.validation)
		examples.Refused(t, c.edges, err, c.want)
	}
}

// TestFixedScores checks that the part scores are constant, and that wrong lengths panic.
func TestFixedScores(t *testing.T) {
	e := &build(t, edgesAuto, counted(t, generated.Migration{Side: 2, Steps: 2, Walkers: 5, Rate: 1, Seed: 1})).Train[0]
	theta := make([]float64, e.Features.Parts())
	theta[0] = rand.Float64() + 1
	e.Features.Score(theta, nil)
	before := slices.Clone(theta)
	e.Features.AddAdjoint(nil, 1, theta)
	if theta[0] != 0 || !slices.Equal(theta, before) {
		t.Errorf("scores = %v, want %v as before AddAdjoint", theta, before)
	}
	for name, misuse := range map[string]func(){
		"fewer parts":        func() { e.Features.Score(theta[1:], nil) },
		"weights":            func() { e.Features.Score(theta, theta) },
		"adjoint of weights": func() { e.Features.AddAdjoint(theta, 1, theta) },
	} {
		examples.Panics(t, name, "collective: ", "want", misuse)
	}
}
