// Package testbed contains small problems for the tests of several solver packages, and functions that run solvers on
// them.
package testbed

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
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// Structured is a task whose labellings have several parts, with the names of the losses that it supports.
type Structured struct {
	Name   string
	Task   *models.Task
	Losses []string
}

// Structures returns a task of each structured model, with n generated examples.
func Structures(t testing.TB, n int) []Structured {
	t.Helper()
	both := []string{"log", "hinge"}
	return []Structured{
		{"chain", Build(t, chain.Model{Edges: "tied"}, generated.Words{Train: n, MaxLetters: 8, Seed: 1}), both},
		{"tagging", Build(t, chain.Model{Edges: "tied", Label: "pos", Cutoff: 1},
			generated.GrammarSentences{Train: n, MaxWords: 12, Seed: 1}), both},
		{"deptree", Build(t, deptree.Model{Cutoff: 1, Between: "count", Roots: "single"},
			generated.GrammarSentences{Train: n, MaxWords: 12, Seed: 1}), both},
		{"cfg", Build(t, cfg.Model{LossScale: 1, Forests: 64}, generated.GrammarTrees{Train: n, MaxWords: 12, Seed: 1}),
			both[:1]},
	}
}

// Build builds the task of a model on a generator's training data.
func Build(t testing.TB, model models.Builder, data datasets.Loader) *models.Task {
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

// EachStructure runs check in a subtest for each structured model and loss, with λ = c/n.
func EachStructure(t *testing.T, n int, c float64, check func(t *testing.T, p *models.Risk)) {
	t.Helper()
	for _, s := range Structures(t, n) {
		for _, name := range s.Losses {
			loss, _ := models.LossNamed(name)
			t.Run(s.Name+"/"+name, func(t *testing.T) { check(t, s.Task.Objective(loss, c/float64(n)).(*models.Risk)) })
		}
	}
}

// WithFeatures returns a copy of the problem whose feature maps are wrapped by wrap.
func WithFeatures(p *models.Risk, wrap func(models.SparseMap) models.FeatureMap) *models.Risk {
	q := *p
	q.Examples = slices.Clone(p.Examples)
	for i := range q.Examples {
		e := &q.Examples[i]
		e.Features = wrap(e.Features.(models.SparseMap))
	}
	return &q
}

// NormOnly is a feature map A that computes |Aᵀv|² (models.Gram) and hides its sparse methods (models.SparseMap).
type NormOnly struct {
	models.FeatureMap
	Norm func(v []float64) float64
}

func (f NormOnly) NormSq(v []float64) float64 { return f.Norm(v) }

// NewNormOnly returns a NormOnly for f. It uses the norm of f if f is a models.Gram, and otherwise the norm of the
// sparse Aᵀv.
func NewNormOnly(f models.SparseMap) models.FeatureMap {
	if g, ok := f.(models.Gram); ok {
		return NormOnly{f, g.NormSq}
	}
	sparse := &models.Sparse{}
	return NormOnly{f, func(v []float64) float64 {
		f.Adjoint(sparse, v)
		return dualspace.Dot(sparse.Value, sparse.Value)
	}}
}

// SparseOnly is a feature map A with sparse methods that hides its method for |Aᵀv|² (models.Gram).
type SparseOnly struct{ models.SparseMap }

// NewSparseOnly returns a SparseOnly for f.
func NewSparseOnly(f models.SparseMap) models.FeatureMap { return SparseOnly{f} }
