package deptree

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
)

// TestArcMajorant checks that the majorant is at least |φ(truth) − φ(y)|² for trees y that are best at random
// scores, where φ(y) are the features of y. It does so for non-negative features and for features of both signs.
func TestArcMajorant(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test draws thousands of trees")
	}
	set, err := generated.GrammarSentences{Train: 30, MaxWords: 9, Seed: 1}.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	task, err := Model{Cutoff: 1, Between: "count", Roots: "single"}.Build(set.Train, nil)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 3))
	for i := range task.Train {
		e := &task.Train[i]
		f := e.Features.(*arcFeatures)
		for _, sign := range []float64{1, -1} {
			for j := range f.value {
				if j%3 == 0 {
					f.value[j] *= sign
				}
			}
			theta := make([]float64, f.Parts())
			constant := f.Majorise(theta, e.Truth)
			checkMajorant(t, f, e, theta, constant)
			scores, difference := make([]float64, len(theta)), &models.Sparse{}
			closest := 0.0
			for trial := range 200 {
				for r := range scores {
					scores[r] = rng.NormFloat64()
					if trial%2 == 0 {
						scores[r] = theta[r] * (1 + 0.1*scores[r])
					}
				}
				y, _ := e.Max.Max(nil, scores)
				v := make([]float64, len(theta))
				for _, r := range e.Truth {
					v[r]++
				}
				for _, r := range y {
					v[r]--
				}
				f.Adjoint(difference, v)
				own, bound := difference.NormSq(), constant+y.Dot(theta)
				if own > bound*(1+1e-12) {
					t.Fatalf("sentence %d: |φ(truth) − φ(y)|² = %v, want at most the bound %v", i, own, bound)
				}
				if bound > 0 {
					closest = max(closest, own/bound)
				}
			}
			if len(e.Truth) > 2 && sign > 0 && closest < 0.1 {
				t.Errorf("sentence %d: bound is more than ten times every |φ(truth) − φ(y)|², want it tighter", i)
			}
		}
	}
}

// checkMajorant compares the constant and the scores of the majorant with their formulas: C_g is the sum over the words
// of the largest value of feature g in an arc into the word.
func checkMajorant(t *testing.T, f *arcFeatures, e *models.Example, theta []float64, constant float64) {
	t.Helper()
	values := func(y models.Vertex) []float64 {
		w := make([]float64, f.dim)
		f.Add(w, 1, y)
		return w
	}
	negative, l := slices.Min(f.value) < 0, len(e.Truth)
	arcs, most, own := make([][]float64, l*l), make([]float64, f.dim), values(e.Truth)
	for r := range arcs {
		arcs[r] = values(models.Vertex{r})
	}
	for m := range l {
		best := make([]float64, f.dim)
		for r := m * l; r < (m+1)*l; r++ {
			for g, v := range arcs[r] {
				best[g] = max(best[g], math.Abs(v))
			}
		}
		for g, v := range best {
			most[g] += v
		}
	}
	want := 0.0
	for _, v := range own {
		want += v * v
	}
	if negative {
		want *= 2
	}
	if math.Abs(constant-want) > 1e-9*(1+want) {
		t.Fatalf("constant = %v, want %v", constant, want)
	}
	for r := range theta {
		want = 0
		for g, v := range arcs[r] {
			if negative {
				want += 2 * math.Abs(v) * most[g]
			} else {
				want += v * (most[g] - 2*own[g])
			}
		}
		if math.Abs(theta[r]-want) > 1e-9*(1+math.Abs(want)) {
			t.Fatalf("score of part %d = %v, want %v", r, theta[r], want)
		}
	}
}
