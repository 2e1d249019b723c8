package testbed_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestStructures checks that each structured model has n examples whose labellings have several parts, that the
// problems have the λ asked for, and that each of the losses can be evaluated: the gradient of the risk, taken by
// differences, is that of the model.
func TestStructures(t *testing.T) {
	for _, n := range []int{3, 7} {
		var names []string
		for _, s := range testbed.Structures(t, n) {
			names = append(names, s.Name)
			if len(s.Task.Train) != n {
				t.Errorf("%s: %d examples, want %d", s.Name, len(s.Task.Train), n)
			}
			several := 0
			for i := range s.Task.Train {
				if e := &s.Task.Train[i]; len(e.Truth) > 1 && e.Features.Parts() > len(e.Truth) {
					several++
				}
			}
			if 2*several <= n {
				t.Errorf("%s: %d of %d labellings have several parts, want more than half", s.Name, several, n)
			}
			// The grammar has only the log loss, since its label loss is not a sum over parts.
			if want := (s.Task.Train[0].ZeroOne == 0); slices.Contains(s.Losses, "hinge") != want || s.Losses[0] != "log" {
				t.Errorf("%s: losses %q; the hinge is to be among them: %v", s.Name, s.Losses, want)
			}
		}
		if got := strings.Join(names, " "); got != "chain tagging deptree cfg" {
			t.Errorf("structures %q", got)
		}
	}
	problems := map[string]bool{}
	testbed.EachStructure(t, 5, 2, func(t *testing.T, p *models.Risk) {
		problems[t.Name()] = true
		if p.Lambda != 0.4 || len(p.Examples) != 5 {
			t.Errorf("λ = %v with %d examples, want 0.4 with 5", p.Lambda, len(p.Examples))
		}
		if log := strings.HasSuffix(t.Name(), "/log"); log != (p.Loss == models.LogLoss()) ||
			!log && p.Loss != models.Hinge() {
			t.Errorf("%s has the loss %+v", t.Name(), p.Loss)
		}
		rng := rand.New(rand.NewPCG(35, 35))
		w, v, g := testbed.Gaussian(rng, p.Dim), testbed.Gaussian(rng, p.Dim), make([]float64, p.Dim)
		p.Gradient(g, w)
		const h = 1e-6
		var at [2]float64
		var slope float64
		for k, sign := range []float64{-h, h} {
			moved := slices.Clone(w)
			for j := range moved {
				moved[j] += sign * v[j]
			}
			at[k] = p.Primal(moved)
		}
		for j := range g {
			slope += g[j] * v[j]
		}
		if got := (at[1] - at[0]) / (2 * h); math.Abs(got-slope) > 1e-4*(1+math.Abs(slope)) {
			t.Errorf("slope of the risk by differences %v, by its gradient %v", got, slope)
		}
	})
	if len(problems) != 7 {
		t.Errorf("%d problems, want 7: %v", len(problems), problems)
	}
}

// TestWrappedFeatures checks that wrapped feature maps compute the same norm, hide the methods that they are to hide,
// and leave the problem as it was.
func TestWrappedFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	testbed.EachStructure(t, 4, 1, func(t *testing.T, p *models.Risk) {
		norms := testbed.WithFeatures(p, testbed.NewNormOnly)
		sparse := testbed.WithFeatures(p, testbed.NewSparseOnly)
		for i := range p.Examples {
			f := p.Examples[i].Features.(models.SparseMap)
			if _, ok := norms.Examples[i].Features.(models.SparseMap); ok {
				t.Fatal("a NormOnly has sparse methods")
			}
			if _, ok := sparse.Examples[i].Features.(models.Gram); ok {
				t.Fatal("a SparseOnly computes norms")
			}
			if _, ok := sparse.Examples[i].Features.(models.SparseMap); !ok {
				t.Fatal("a SparseOnly has no sparse methods")
			}
			mu, w := testbed.Gaussian(rng, f.Parts()), make([]float64, p.Dim)
			f.AddAdjoint(w, 1, mu)
			var want float64
			for _, x := range w {
				want += x * x
			}
			if got := norms.Examples[i].Features.(models.Gram).NormSq(mu); math.Abs(got-want) > 1e-9*want {
				t.Fatalf("norm of example %d = %v, want %v", i, got, want)
			}
		}
	})
}

// TestPlanes checks the list of all labellings of short chains, and the largest loss, norm and violation over it,
// against sums over all sequences of labels.
func TestPlanes(t *testing.T) {
	lengths := []int{1, 3, 2}
	task := testbed.TaskOf(t, chain.Model{Edges: "tied"}, testbed.ShortSequences(2, 3, lengths...))
	rng := rand.New(rand.NewPCG(35, 37))
	c := testbed.PlaneCase{Name: "chain", Task: task}
	for i := range task.Train {
		list := testbed.LabellingsOf(rng, &task.Train[i])
		if want := int(math.Pow(3, float64(lengths[i]))); len(list) != want || !list[0].Equal(task.Train[i].Truth) {
			t.Fatalf("%d labellings of example %d, want %d, the true one first", len(list), i, want)
		}
		c.Labellings = append(c.Labellings, list)
	}
	w := testbed.Gaussian(rng, task.Dim())
	var loss, radius float64
	for _, rescaling := range []string{"margin", "slack"} {
		most := 0.0 // the sum of the largest violations of the examples, since the choices are independent
		for i, list := range c.Labellings {
			e, worst := &task.Train[i], math.Inf(-1)
			score := make([]float64, e.Features.Parts())
			e.Features.Score(score, w)
			sum := func(y models.Vertex) (s float64) {
				for _, r := range y {
					s += score[r]
				}
				return s
			}
			for _, y := range list {
				v := e.LabelLoss(y) + sum(y) - sum(e.Truth)
				if rescaling == "slack" {
					v = e.LabelLoss(y) * (1 + sum(y) - sum(e.Truth))
				}
				worst = max(worst, v)
				a, b := make([]float64, task.Dim()), make([]float64, task.Dim())
				for k, labelling := range []models.Vertex{e.Truth, y} {
					mu := make([]float64, e.Features.Parts())
					for _, r := range labelling {
						mu[r]++
					}
					e.Features.AddAdjoint([][]float64{a, b}[k], 1, mu)
				}
				loss, radius = max(loss, e.LabelLoss(y)), max(radius, math.Pow(testbed.Distance(a, b), 2))
			}
			most += worst
		}
		l := models.Hinge()
		l.Slack = rescaling == "slack"
		if got := c.MostViolated(l, w, 3); math.Abs(got-most/3) > 1e-9 {
			t.Errorf("largest violation with %s rescaling = %v, want %v", rescaling, got, most/3)
		}
	}
	if gotLoss, gotRadius := c.Largest(); gotLoss != loss || math.Abs(gotRadius-radius) > 1e-9*radius {
		t.Errorf("largest loss and norm = %v, %v; want %v, %v", gotLoss, gotRadius, loss, radius)
	}
}
