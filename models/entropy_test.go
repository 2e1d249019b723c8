package models_test

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models/chain"
)

// TestChainEntropyOfPolytope checks that the entropy of a chain's own marginals is log Z − μ·θ, in each layout of
// transitions in which it is known.
func TestChainEntropyOfPolytope(t *testing.T) {
	for _, edges := range []string{"tied", "untied"} {
		data := &datasets.Sequences{Start: []int{0, 1, 3, 7}, Y: make([]int, 7), Labels: make([]string, 3)}
		data.X = datasets.Rows{N: 7, Dim: 1, Value: make([]float64, 7)}
		task, err := chain.Model{Edges: edges}.Build(data, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range task.Train {
			h, ok := e.Polytope.(interface{ Entropy(mu []float64) float64 })
			if ok != (edges == "untied" || i < 2) {
				t.Errorf("%s, sequence %d: an entropy of any marginals: %v", edges, i, ok)
			}
			if !ok {
				continue
			}
			theta, mu := make([]float64, e.Features.Parts()), make([]float64, e.Features.Parts())
			for r := range theta {
				theta[r] = math.Sin(float64(3 * r))
			}
			want := e.Exp.LogSum(mu, theta)
			for r, m := range mu {
				want -= m * theta[r]
			}
			if got := h.Entropy(mu); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s, sequence %d: the entropy is %v: want %v", edges, i, got, want)
			}
		}
	}
}
