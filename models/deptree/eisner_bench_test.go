package deptree_test

import (
	"fmt"
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
