package eg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/deptree"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestDivergenceByEnumeration compares the column kl with KL(α‖α_0) by its definition, over the list of all
// labellings of each example, and checks that the w of the same row is w(α) of the listed α. It also checks the
// inequality that corollary 7 of Zhang, Saha and Vishwanathan (2011) rests on: KL is at most log|Y|, and 0 at the
// start.
func TestDivergenceByEnumeration(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test lists all labellings")
	}
	for name, task := range map[string]*models.Task{
		"multiclass": testbed.TaskOf(t, multiclass.Model{LossScale: 3}, testbed.OverlappingClasses(12, 3, 4)),
		"chain":      testbed.TaskOf(t, chain.Model{Edges: "tied"}, testbed.ShortSequences(3, 2, 3, 1, 3, 2, 4, 2, 3)),
		"untied":     testbed.TaskOf(t, chain.Model{Edges: "untied"}, testbed.ShortSequences(2, 3, 3, 2, 1, 4)),
		"deptree": testbed.Build(t, deptree.Model{Cutoff: 2, Between: "count", Roots: "single"},
			generated.GrammarSentences{Train: 30, MaxWords: 6, Seed: 1}),
	} {
		for _, order := range []string{"permutation", "batch"} {
			t.Run(name+" "+order, func(t *testing.T) {
				p := task.Objective(models.Hinge(), 0.1).(*models.Risk)
				p.Examples = slices.DeleteFunc(slices.Clone(p.Examples), func(e models.Example) bool { return len(e.Truth) > 4 })
				p.Examples = p.Examples[:min(12, len(p.Examples))]
				rng := rand.New(rand.NewPCG(2, 2))
				var labels [][]models.Vertex
				logs := 0.0
				for i := range p.Examples {
					labels = append(labels, testbed.LabellingsOf(rng, &p.Examples[i]))
					logs += math.Log(float64(len(labels[i]))) / float64(len(p.Examples))
				}
				solver := &Solver{Order: order, Rate: "adaptive", Eta: 1, KL: true}
				session, err := solver.Start(p, solvers.Env{Seed: 1})
				if err != nil {
					t.Fatal(err)
				}
				st := stateOf(session.(*egDivergence).Session)
				first := true
				for it := range testbed.Iterates(t, session.Run(p.Lambda)) {
					want, w := 0.0, make([]float64, p.Dim)
					for i := range p.Examples {
						s, _ := st.parts(i)
						alpha := gibbs(labels[i], s)
						for y, a := range alpha {
							if a > 0 {
								want += a * math.Log(a*float64(len(alpha))) / float64(len(p.Examples))
							}
							psi := testbed.Difference(p.Dim, &p.Examples[i], labels[i][y])
							for j, x := range psi {
								w[j] += a * x / (p.Lambda * float64(len(p.Examples)))
							}
						}
					}
					for j := range w {
						if math.Abs(w[j]-it.W[j]) > 1e-9*(1+math.Abs(w[j])) {
							t.Fatalf("epoch %d: w[%d] = %v, want %v, that of the listed distributions", it.Epoch, j, it.W[j], w[j])
						}
					}
					it.Stats(func(stat string, v float64) {
						if stat != "kl" {
							return
						}
						if math.Abs(v-want) > 1e-9 || v > logs+1e-9 || first && math.Abs(v) > 1e-12 {
							t.Errorf("epoch %d: kl = %v, want %v, at most %v and 0 at the start", it.Epoch, v, want, logs)
						}
					})
					first = false
					if it.Epoch >= 20 {
						break
					}
				}
			})
		}
	}
}

// gibbs returns the probabilities of the listed labellings y, which are proportional to exp(s·1_y).
func gibbs(labels []models.Vertex, s []float64) []float64 {
	out, top := make([]float64, len(labels)), math.Inf(-1)
	for y, label := range labels {
		for _, r := range label {
			out[y] += s[r]
		}
		top = max(top, out[y])
	}
	sum := 0.0
	for y, v := range out {
		out[y] = math.Exp(v - top)
		sum += out[y]
	}
	dualspace.Scale(out, 1/sum)
	return out
}
