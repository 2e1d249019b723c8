package models_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// digitLike makes n rows of 784 features with a fifth of them non-zero, 10 classes.
func digitLike(n int, dense bool) *datasets.Labelled {
	rng := rand.New(rand.NewPCG(1, 1))
	d := &datasets.Labelled{X: datasets.Rows{N: n, Dim: 784}, Classes: make([]string, 10)}
	d.X.Start = append(d.X.Start, 0)
	for range n {
		for j := range 784 {
			on := rng.Float64() < 0.19
			switch {
			case dense && on:
				d.X.Value = append(d.X.Value, rng.Float64())
			case dense:
				d.X.Value = append(d.X.Value, 0)
			case on:
				d.X.Value = append(d.X.Value, rng.Float64())
				d.X.Index = append(d.X.Index, int32(j))
			}
		}
		d.X.Start = append(d.X.Start, len(d.X.Value))
		d.Y = append(d.Y, rng.IntN(10))
	}
	return d
}

func BenchmarkMulticlass(b *testing.B) {
	for _, kind := range []string{"sparse", "dense"} {
		task, err := models.Multiclass{}.Build(digitLike(5000, kind == "dense"), nil)
		if err != nil {
			b.Fatal(err)
		}
		w := make([]float64, task.Dim)
		rng := rand.New(rand.NewPCG(2, 2))
		for j := range w {
			w[j] = rng.NormFloat64()
		}
		theta, mu := make([]float64, 10), make([]float64, 10)
		b.Run("score/"+kind, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				task.Train[i%5000].Features.Score(theta, w)
			}
		})
		b.Run("adjoint/"+kind, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				task.Train[i%5000].Features.AddAdjoint(w, 1e-9, theta)
			}
		})
		b.Run("marginals/"+kind, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				task.Train[i%5000].Exp.LogSum(mu, theta)
			}
		})
	}
}
