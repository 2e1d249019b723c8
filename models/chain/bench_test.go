package chain_test

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/real"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// BenchmarkChainCoNLL2000 measures computing the log-likelihood and its gradient on one core, and each of the three
// steps separately. The tasks are tagging words (44 labels, 22 features per token) and chunking (22 labels, 19 features
// per token).
func BenchmarkChainCoNLL2000(b *testing.B) {
	set := realSet(b, &real.CoNLL2000{Train: 8936, Validation: 2012})
	for _, label := range []string{"pos", "chunk"} {
		b.Run(label, func(b *testing.B) { benchmarkPass(b, examples.Build(b, chain.Model{Label: label}, set.Train, nil)) })
	}
}

// BenchmarkChainLetters measures the task of handwritten words.
func BenchmarkChainLetters(b *testing.B) {
	set := realSet(b, &real.OCRLetters{TrainOn: "others"})
	benchmarkPass(b, examples.Build(b, chain.Model{}, set.Train, nil))
}

// BenchmarkChainTokens measures the tagging task on generated sentences.
func BenchmarkChainTokens(b *testing.B) {
	benchmarkPass(b, examples.Build(b, chain.Model{}, examples.Generated(1000, 24, 44, 3000), nil))
}

// BenchmarkChainOracles measures the oracles on a sentence of 24 tokens with 44 labels. Every call has new transition
// scores, as in the visits of exponentiated gradient.
func BenchmarkChainOracles(b *testing.B) {
	for _, edges := range []string{"tied", "untied"} {
		task := examples.Build(b, chain.Model{Edges: edges}, examples.Generated(20, 24, 44, 300), nil)
		e := &task.Train[0]
		rng := rand.New(rand.NewPCG(1, 1))
		theta, mu := examples.Normals(rng, e.Features.Parts(), 1), make([]float64, e.Features.Parts())
		var y models.Vertex
		for name, call := range map[string]func(){
			"max":      func() { y, _ = e.Max.Max(y, theta) },
			"second":   func() { y, _ = e.Second.Second(y, theta, e.Truth) },
			"slack":    func() { y, _ = e.Slack.MaxSlack(y, theta, e.Cost, e.Truth) },
			"logsum":   func() { e.Exp.LogSum(nil, theta) },
			"marginal": func() { e.Exp.LogSum(mu, theta) },
			"normsq":   func() { e.Features.(models.Gram).NormSq(theta) },
		} {
			b.Run(edges+"/"+name, func(b *testing.B) {
				for b.Loop() {
					theta[len(theta)-1] += 1e-9
					call()
				}
			})
		}
	}
}

// benchmarkPass measures passes over all training examples.
func benchmarkPass(b *testing.B, task *models.Task) {
	rng := rand.New(rand.NewPCG(2, 2))
	w, g := examples.Normals(rng, task.Dim(), 0.3), make([]float64, task.Dim())
	parts, widest := 0, 0
	for i := range task.Train {
		n := task.Train[i].Features.Parts()
		parts, widest = parts+n, max(widest, n)
	}
	theta := make([]float64, parts)
	mu := make([]float64, widest)
	each := func(visit func(e *models.Example, theta []float64)) func() {
		return func() {
			at := 0
			for i := range task.Train {
				e := &task.Train[i]
				n := e.Features.Parts()
				visit(e, theta[at:at+n])
				at += n
			}
		}
	}
	for _, step := range []struct {
		name  string
		visit func(e *models.Example, theta []float64)
	}{
		{"score", func(e *models.Example, theta []float64) { e.Features.Score(theta, w) }},
		{"marginals", func(e *models.Example, theta []float64) { e.Exp.LogSum(mu[:len(theta)], theta) }},
		{"adjoint", func(e *models.Example, theta []float64) { e.Features.AddAdjoint(g, 1e-9, theta) }},
		{"max", func(e *models.Example, theta []float64) { e.Max.Max(nil, theta) }},
		{"all", func(e *models.Example, theta []float64) {
			theta = mu[:len(theta)] // reuses memory that is in the processor's cache
			e.Features.Score(theta, w)
			e.Exp.LogSum(theta, theta)
			for _, r := range e.Truth {
				theta[r]--
			}
			e.Features.AddAdjoint(g, 1e-9, theta)
		}},
	} {
		b.Run(step.name, func(b *testing.B) {
			pass := each(step.visit)
			for b.Loop() {
				pass()
			}
			b.ReportMetric(float64(parts)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mparts/s")
		})
	}
}

// realSet loads a real data set. If the data are not there, it skips the test.
func realSet(tb testing.TB, loader datasets.Loader) *datasets.Set {
	tb.Helper()
	dir := os.Getenv("GAPLAB_DATA")
	if dir == "" || testing.Short() {
		tb.Skip("the real data sets need GAPLAB_DATA, and a run without -short")
	}
	set, err := loader.Load(context.Background(), datasets.Source{Data: dir, Offline: true})
	if err != nil {
		tb.Skip(err)
	}
	return set
}
