package deptree_test

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/real"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/deptree"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// spanish returns the task of the Spanish treebank, 2,267 sentences.
func spanish(b *testing.B) *models.Task {
	b.Helper()
	dir := os.Getenv("GAPLAB_DATA")
	if dir == "" {
		b.Skip("GAPLAB_DATA is not set")
	}
	set, err := (real.CAST3LB{Split: "eg", Projective: true}).Load(context.Background(),
		datasets.Source{Data: dir, Offline: true})
	if err != nil {
		b.Skip(err)
	}
	task, err := deptree.Model{Arcs: "gold", Cutoff: 1, Between: "count", Roots: "single"}.Build(set.Train, nil)
	if err != nil {
		b.Fatal(err)
	}
	return task
}

// BenchmarkDepTree measures one pass over the Spanish treebank on one core, separately for each step: part scores,
// marginals, best trees, and the transpose of the feature map, written to a sparse vector and added to a dense one. It
// also measures a whole log-likelihood with its gradient.
func BenchmarkDepTree(b *testing.B) {
	task := spanish(b)
	rng := rand.New(rand.NewPCG(1, 0))
	w := make([]float64, task.Dim())
	for j := range w {
		w[j] = 0.1 * rng.NormFloat64()
	}
	parts := 0
	theta := make([][]float64, len(task.Train))
	for i := range task.Train {
		theta[i] = make([]float64, task.Train[i].Features.Parts())
		parts += len(theta[i])
		task.Train[i].Features.Score(theta[i], w)
	}
	mu := make([]float64, 200*200)
	stage := func(name string, do func(i int, e *models.Example)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for i := range task.Train {
					do(i, &task.Train[i])
				}
			}
			b.ReportMetric(float64(parts)*float64(b.N)/b.Elapsed().Seconds(), "parts/s")
		})
	}
	stage("score", func(i int, e *models.Example) { e.Features.Score(theta[i], w) })
	stage("marginals", func(i int, e *models.Example) { e.Exp.LogSum(mu[:len(theta[i])], theta[i]) })
	stage("max", func(i int, e *models.Example) { e.Max.Max(e.Truth[:0:0], theta[i]) })
	sparse := &models.Sparse{}
	stage("adjoint", func(i int, e *models.Example) { e.Features.(models.SparseMap).Adjoint(sparse, theta[i]) })
	g := make([]float64, task.Dim())
	stage("add adjoint", func(i int, e *models.Example) { e.Features.AddAdjoint(g, 1e-9, theta[i]) })
	p := examples.RiskOf(b, task, models.LogLoss(), 1)
	b.Run("gradient", func(b *testing.B) {
		for b.Loop() {
			p.Gradient(g, w)
		}
		b.ReportMetric(float64(parts)*float64(b.N)/b.Elapsed().Seconds(), "parts/s")
	})
}
