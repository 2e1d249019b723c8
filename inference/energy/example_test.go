package energy_test

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models/chain"
)

// about is an energy for two labels. It penalises the deviation of the expected number of positions with label 1 from
// the number times: L(μ) = weight/2 (Σ_t μ_t(1) − times)².
type about struct {
	times, weight float64
	length        int
}

func (e about) count(mu []float64) float64 {
	var n float64
	for t := range e.length {
		n += mu[2*t+1]
	}
	return n
}

func (e about) Value(mu []float64) float64 {
	d := e.count(mu) - e.times
	return e.weight / 2 * d * d
}

func (e about) AddGradient(g, mu []float64, c float64) {
	d := e.count(mu) - e.times
	for t := range e.length {
		g[2*t+1] += c * e.weight * d
	}
}

func (e about) Convex() bool { return true }

// Example shows that an energy has three methods. This energy prefers about one verb in a sentence, but does not choose
// which word is the verb. Of the four words, the second one is the most likely verb.
func Example() {
	sentence := &datasets.Sequences{
		X: datasets.Rows{N: 4, Dim: 1, Value: make([]float64, 4)}, Start: []int{0, 4}, Y: make([]int, 4),
		Labels: []string{"other", "verb"},
	}
	task, err := chain.Model{}.Build(sentence, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	chain := task.Train[0]
	p := &energy.Problem{
		Theta:  []float64{0, -3, 0, -1, 0, -2, 0, -3 /* transitions */, 0, 0, 0, 0},
		Oracle: chain.Exp,
		Energy: about{times: 1, weight: 20, length: 4},
	}
	for it := range (energy.Damped{Rho: 0.5, MaxCalls: 50, Tol: 1e-6}).Run(p) {
		if it.Step == 0 || it.Change <= 1e-6*it.Rate {
			verbs := it.Mu[1] + it.Mu[3] + it.Mu[5] + it.Mu[7]
			fmt.Printf("%.2f verbs expected, labels %v\n", verbs, it.Predict(nil, chain.Max)[:4])
		}
	}
	// Output:
	// 0.48 verbs expected, labels [0 2 4 6]
	// 0.95 verbs expected, labels [0 2 4 6]
}
