package deptree_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/deptree"
)

func BenchmarkEisner(b *testing.B) {
	oracle := deptree.NewEisner(false)
	for _, l := range []int{10, 25, 50, 100} {
		rng := rand.New(rand.NewPCG(1, uint64(l)))
		theta, large, mu := treeScores(rng, l, 1), treeScores(rng, l, 1000), make([]float64, l*l)
		var y models.Vertex
		truth, _ := oracle.Max(nil, treeScores(rng, l, 1))
		cost := slices.Repeat([]float64{1}, l*l)
		for _, r := range truth {
			cost[r] = 0
		}
		for _, c := range []struct {
			name string
			call func()
		}{
			{"marginals", func() { oracle.LogSum(mu, theta) }},
			{"value", func() { oracle.LogSum(nil, theta) }},
			{"marginals/large scores", func() { oracle.LogSum(mu, large) }},
			{"max", func() { y, _ = oracle.Max(y, theta) }},
			{"slack", func() { y, _ = oracle.MaxSlack(y, theta, cost, truth) }},
		} {
			b.Run(fmt.Sprintf("%s/%d words", c.name, l), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					c.call()
				}
			})
		}
	}
}

// BenchmarkEisnerTreebank measures a pass over a treebank of 2,306 sentences of 25.5 words on average, 1 to 100.
func BenchmarkEisnerTreebank(b *testing.B) {
	rng := rand.New(rand.NewPCG(2, 2))
	var sentences [][]float64
	words := 0
	for range 2306 {
		l := int(math.Exp(3.1 + 0.55*rng.NormFloat64()))
		l = min(max(l, 1), 100)
		words += l
		sentences = append(sentences, treeScores(rng, l, 2))
	}
	oracle, mu := deptree.NewEisner(false), make([]float64, 100*100)
	var y models.Vertex
	for _, c := range []struct {
		name string
		call func(theta []float64)
	}{
		{"marginals", func(theta []float64) { oracle.LogSum(mu[:len(theta)], theta) }},
		{"max", func(theta []float64) { y, _ = oracle.Max(y, theta) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.ReportMetric(float64(words)/float64(len(sentences)), "words/sentence")
			for b.Loop() {
				for _, theta := range sentences {
					c.call(theta)
				}
			}
		})
	}
}
