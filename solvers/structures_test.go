package solvers

import (
	"context"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/deptree"
)

// structured is a task whose labellings have several parts, and the losses over parts that it has.
type structured struct {
	name   string
	task   *models.Task
	losses []string
}

// structures are the structured models on n generated examples each.
func structures(t testing.TB, n int) []structured {
	t.Helper()
	both := []string{"log", "hinge"}
	return []structured{
		{"chain", build(t, chain.Model{Edges: "tied"}, generated.Words{Train: n, MaxLetters: 8, Seed: 1}), both},
		{"tagging", build(t, chain.Model{Edges: "tied", Label: "pos", Cutoff: 1},
			generated.GrammarSentences{Train: n, MaxWords: 12, Seed: 1}), both},
		{"deptree", build(t, deptree.Model{Cutoff: 1, Between: "count", Roots: "single"},
			generated.GrammarSentences{Train: n, MaxWords: 12, Seed: 1}), both},
		{"cfg", build(t, cfg.Model{LossScale: 1, Forests: 64}, generated.GrammarTrees{Train: n, MaxWords: 12, Seed: 1}),
			both[:1]},
	}
}

// build makes the task of a generator's training data.
func build(t testing.TB, model models.Builder, data datasets.Loader) *models.Task {
	t.Helper()
	set, err := data.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	task, err := model.Build(set.Train, nil)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// eachStructure runs a subtest for each structured model and loss, with C = λn.
func eachStructure(t *testing.T, n int, c float64, check func(t *testing.T, p *models.Risk)) {
	t.Helper()
	for _, s := range structures(t, n) {
		for _, name := range s.losses {
			loss, _ := models.LossNamed(name)
			t.Run(s.name+"/"+name, func(t *testing.T) { check(t, s.task.Risk(loss, c/float64(n))) })
		}
	}
}

// withFeatures is the problem with its feature maps wrapped.
func withFeatures(p *models.Risk, wrap func(models.SparseMap) models.FeatureMap) *models.Risk {
	q := *p
	q.Examples = slices.Clone(p.Examples)
	for i := range q.Examples {
		e := &q.Examples[i]
		e.Features = wrap(e.Features.(models.SparseMap))
	}
	return &q
}

// normOnly offers |Aᵀv|², and hides the sparse methods.
type normOnly struct {
	models.FeatureMap
	norm func(v []float64) float64
}

func (f normOnly) NormSq(v []float64) float64 { return f.norm(v) }

// newNormOnly takes the map's own norm, or that of its sparse Aᵀv.
func newNormOnly(f models.SparseMap) models.FeatureMap {
	if g, ok := f.(models.Gram); ok {
		return normOnly{f, g.NormSq}
	}
	sparse := &models.Sparse{}
	return normOnly{f, func(v []float64) float64 {
		f.Adjoint(sparse, v)
		return dot(sparse.Value, sparse.Value)
	}}
}

// sparseOnly hides |Aᵀv|².
type sparseOnly struct{ models.SparseMap }

func newSparseOnly(f models.SparseMap) models.FeatureMap { return sparseOnly{f} }
