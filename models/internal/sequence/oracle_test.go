package sequence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/vec"
	"github.com/gaplab/gaplab/models/modeltest"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// chainParts returns the number of parts of a sequence of l positions with k labels.
func chainParts(l, k int, untied bool) int {
	if untied {
		return l*k + (l-1)*k*k
	}
	return l*k + k*k
}

// TestChainAgainstEnumeration checks the oracles of small chains against enumeration. It also checks that Entropy is
// log Z − μ·θ if the marginals determine the entropy.
func TestChainAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, untied := range []bool{false, true} {
		for _, size := range [][2]int{{1, 1}, {4, 1}, {1, 2}, {3, 2}, {2, 3}, {3, 3}, {4, 3}, {2, 5}, {3, 5}} {
			k, l := size[0], size[1]
			t.Run(fmt.Sprintf("%d labels, %d positions, untied %v", k, l, untied), func(t *testing.T) {
				c, n := NewOracle(k, untied), chainParts(l, k, untied)
				all := examples.Chains(k, untied)(&models.Example{Truth: make(models.Vertex, 2*l-1)})
				e := models.Example{Max: c, Exp: c, Slack: c, Second: c}
				if k == 1 { // for k = 1, the suite's wrong number of costs is a correct number
					e.Slack = nil
				}
				task := examples.OfParts(e, n, l*k, all)
				modeltest.Check(t, task, func(*models.Example) []models.Vertex { return all }, modeltest.CountCosts())
				if l > 2 && !untied { // the marginals do not determine the entropy
					return
				}
				theta, mu := examples.Normals(rng, n, 5), make([]float64, n)
				if h := c.LogSum(mu, theta) - vec.Dot(mu, theta); !(math.Abs(c.Entropy(mu)-h) <= 1e-11) {
					t.Errorf("entropy = %v, want log Z − μ·θ = %v", c.Entropy(mu), h)
				}
			})
		}
	}
	if y, v := NewOracle(1, false).Second(nil, make([]float64, 4), models.Vertex{0, 1, 2, 3, 3}); len(y) != 0 ||
		!math.IsInf(v, -1) {
		t.Errorf("Second of the only labelling = %v with score %v, want no parts and −∞", y, v)
	}
}

// TestChainScratch checks that the contents of scratch memory after a call do not affect later calls, for long and
// short sequences, with tied and untied scores.
func TestChainScratch(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, untied := range []bool{false, true} {
		c := NewOracle(3, untied)
		var thetas [][]float64
		var want [][]string
		for i := range 12 {
			l := 1 + i%5
			theta := make([]float64, chainParts(l, 3, untied))
			for r := range theta {
				theta[r] = []float64{1, 1e3}[i%2] * rng.NormFloat64()
			}
			if i%3 > 0 && !untied {
				last := thetas[i-1]
				copy(theta[len(theta)-9:], last[len(last)-9:])
			}
			thetas = append(thetas, theta)
			var alone []string
			for call := range chainCalls {
				alone = append(alone, chainCall(NewOracle(3, untied), theta, call))
			}
			want = append(want, alone)
		}
		nothing := slices.Repeat([]float64{math.NaN()}, chainParts(6, 3, untied))
		// NaN scores must not affect later calls either. First all scores are NaN, then only the scores of the positions.
		for range 2 {
			c.LogSum(make([]float64, len(nothing)), nothing)
			c.Max(nil, nothing)
			clear(nothing[6*3:])
		}
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Go(func() {
				rng := rand.New(rand.NewPCG(4, uint64(g)))
				for range 500 {
					i, call := rng.IntN(len(thetas)), rng.IntN(chainCalls)
					if rng.IntN(10) == 0 {
						c.pool.Put(new(working)) // adds new working memory to the pool
					}
					if got := chainCall(c, thetas[i], call); got != want[i][call] {
						t.Errorf("untied %v: call %d with scores %d after other calls =\n%s\nwant, with fresh memory,\n%s",
							untied, call, i, got, want[i][call])
						return
					}
				}
			})
		}
		wg.Wait()
	}
}

const chainCalls = 5

// chainCall makes one of the calls and returns its results as text, with all digits.
func chainCall(c *Oracle, theta []float64, call int) string {
	first := NewOracle(c.k, c.untied)
	y, _ := first.Max(nil, theta)
	cost := make([]float64, c.length(len(theta))*c.k)
	for r := range cost {
		cost[r] = float64(r % 2)
	}
	mu := make([]float64, len(theta))
	switch call {
	case 0:
		return fmt.Sprint(c.Max(nil, theta))
	case 1:
		return fmt.Sprint(c.Second(nil, theta, y))
	case 2:
		return fmt.Sprint(c.MaxSlack(nil, theta, cost, y))
	case 3:
		return fmt.Sprint(c.LogSum(nil, theta))
	}
	return fmt.Sprint(c.LogSum(mu, theta), mu)
}

func TestChainMisuse(t *testing.T) {
	tied, untied := NewOracle(2, false), NewOracle(2, true)
	theta := make([]float64, 8) // 2 positions
	for _, c := range []struct {
		name string
		call func()
		want string
	}{
		{"parts", func() { tied.Max(nil, theta[:7]) }, "no sequence with 2 labels has 7 part scores"},
		{"no position", func() { tied.Max(nil, theta[:4]) }, "4 part scores"},
		{"parts, untied", func() { untied.Max(nil, theta[:7]) }, "7 part scores"},
		{"no part", func() { untied.LogSum(nil, nil) }, "0 part scores"},
		{"marginals", func() { tied.LogSum(theta[:6], theta) }, "len(mu) != len(theta)"},
		{"labelling", func() { tied.Second(nil, theta, models.Vertex{0, 2}) }, "has 2 parts: want 3"},
		{"label", func() { tied.Second(nil, theta, models.Vertex{0, 1, 4}) }, "part 1 of a labelling is 1"},
		{"costs", func() { tied.MaxSlack(nil, theta, theta, models.Vertex{0, 2, 4}) },
			"8 costs for 2 positions with 2 labels"},
		{"a cost of 0.5", func() { tied.MaxSlack(nil, theta, []float64{0, 0.5, 0, 1}, models.Vertex{0, 2, 4}) },
			"cost of part 1 is 0.5"},
		{"entropy", func() { models.ChainEntropy(theta[:6], 2) }, "6 marginals"},
	} {
		prefix := "sequence: "
		if c.name == "entropy" {
			prefix = "models: "
		}
		examples.Panics(t, c.name, prefix, c.want, c.call)
	}
}
