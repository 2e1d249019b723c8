package multiclass_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/models/multiclass"
)

func BenchmarkMulticlass(b *testing.B) {
	for _, kind := range []string{"sparse", "dense"} {
		task, err := multiclass.Model{}.Build(examples.Digits(5000, kind == "dense"), nil)
		if err != nil {
			b.Fatal(err)
		}
		w := make([]float64, task.Dim())
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
