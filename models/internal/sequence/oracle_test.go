package sequence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// everyLabelling lists the labellings of l positions with k labels in lexicographic order.
func everyLabelling(l, k int, untied bool) []models.Vertex {
	n := 1
	for range l {
		n *= k
	}
	var all []models.Vertex
	for code := range n {
		y := make(models.Vertex, l)
		for t := l - 1; t >= 0; t-- {
			y[t] = t*k + code%k
			code /= k
		}
		for t := range l - 1 {
			edge := l*k + y[t]%k*k + y[t+1]%k
			if untied {
				edge += t * k * k
			}
			y = append(y, edge)
		}
		slices.Sort(y[l:])
		all = append(all, y)
	}
	return all
}

func chainParts(l, k int, untied bool) int {
	if untied {
		return l*k + (l-1)*k*k
	}
	return l*k + k*k
}

// TestChainAgainstEnumeration checks every oracle against enumeration, on thousands of chains of all small sizes, with
// scores of several sizes and with ties.
func TestChainAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, untied := range []bool{false, true} {
		for k := 1; k <= 4; k++ {
			c := NewOracle(k, untied)
			for l := 1; l <= 5; l++ {
				all := everyLabelling(l, k, untied)
				for trial := range 60 {
					theta := make([]float64, chainParts(l, k, untied))
					scale := []float64{1, 0.1, 5, 70, 1e4}[trial%5]
					for r := range theta {
						theta[r] = scale * rng.NormFloat64()
						if trial%6 == 5 {
							theta[r] = float64(rng.IntN(3)) // ties
						}
					}
					if err := compareChain(c, rng, theta, all, l); err != nil {
						t.Fatalf("l = %d, k = %d, untied %v, trial %d: %v", l, k, untied, trial, err)
					}
				}
			}
		}
	}
}

func compareChain(c *Oracle, rng *rand.Rand, theta []float64, all []models.Vertex, l int) error {
	best, second, not := -1, -1, rng.IntN(len(all))
	for i, y := range all {
		if best < 0 || y.Dot(theta) > all[best].Dot(theta) {
			best = i
		}
	}
	if rng.IntN(2) == 0 {
		not = best
	}
	for i, y := range all {
		if i != not && (second < 0 || y.Dot(theta) > all[second].Dot(theta)) {
			second = i
		}
	}
	scale := 1 + math.Abs(all[best].Dot(theta))
	off := func(a, b float64) bool { return !(math.Abs(a-b) <= 1e-12*scale*float64(l)) }
	y, v := c.Max(nil, theta)
	if off(v, all[best].Dot(theta)) || off(y.Dot(theta), v) || theta[0] == math.Trunc(theta[0]) && !y.Equal(all[best]) {
		return fmt.Errorf("Max is %v with %v: want %v with %v", y, v, all[best], all[best].Dot(theta))
	}
	y, v = c.Second(y, theta, all[not])
	if second < 0 {
		if len(y) != 0 || !math.IsInf(v, -1) {
			return fmt.Errorf("Second of the only labelling is %v with %v", y, v)
		}
	} else if off(v, all[second].Dot(theta)) || off(y.Dot(theta), v) || y.Equal(all[not]) ||
		!slices.ContainsFunc(all, y.Equal) {
		return fmt.Errorf("Second other than %v is %v with %v: want %v with %v", all[not], y, v, all[second],
			all[second].Dot(theta))
	}
	if err := compareSlack(c, rng, theta, all, l, off); err != nil {
		return err
	}
	return compareLogSum(c, theta, all, all[best].Dot(theta), scale)
}

// compareSlack uses random whole costs, for which the truth need not cost nothing.
func compareSlack(c *Oracle, rng *rand.Rand, theta []float64, all []models.Vertex, l int,
	off func(a, b float64) bool) error {
	cost, truth := make([]float64, l*c.k), all[rng.IntN(len(all))]
	for r := range cost {
		cost[r] = float64(rng.IntN(3))
	}
	of := func(y models.Vertex) float64 {
		return y[:l].Dot(cost) * (1 + y.Dot(theta) - truth.Dot(theta))
	}
	top := math.Inf(-1)
	for _, y := range all {
		top = max(top, of(y))
	}
	y, v := c.MaxSlack(nil, theta, cost, truth)
	if n := float64(8 * l); off(v/n, top/n) || off(of(y)/n, v/n) || !slices.ContainsFunc(all, y.Equal) {
		return fmt.Errorf("MaxSlack is %v with %v, by its parts %v: want %v", y, v, of(y), top)
	}
	return nil
}

func compareLogSum(c *Oracle, theta []float64, all []models.Vertex, top, scale float64) error {
	want, mu := make([]float64, len(theta)), make([]float64, len(theta))
	var z float64
	for _, y := range all {
		p := math.Exp(y.Dot(theta) - top)
		z += p
		for _, r := range y {
			want[r] += p
		}
	}
	v := c.LogSum(mu, theta)
	if !(math.Abs(v-top-math.Log(z)) <= 1e-13*scale*8) {
		return fmt.Errorf("LogSum is %v: want %v", v, top+math.Log(z))
	}
	for r := range mu {
		if !(math.Abs(mu[r]-want[r]/z) <= 1e-14*scale+1e-11) {
			return fmt.Errorf("marginal %d is %v: want %v", r, mu[r], want[r]/z)
		}
	}
	if u := c.LogSum(nil, theta); u != v {
		return fmt.Errorf("LogSum is %v with marginals and %v without", v, u)
	}
	if l := len(all[0])/2 + 1; c.untied || l < 3 { // else the marginals do not determine it
		if h := v - vec.Dot(mu, theta); !(math.Abs(c.Entropy(mu)-h) <= 1e-12*scale*8) {
			return fmt.Errorf("Entropy is %v: log Z − μ·θ is %v", c.Entropy(mu), h)
		}
	}
	return nil
}

// TestChainScratch checks that what a call leaves in scratch memory does not affect the next call, for long and short
// sequences, with tied and untied scores.
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
		for range 2 { // numbers that are none must not stay behind either: everywhere, then at the positions only
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
						c.pool.Put(new(working)) // memory that no call has used, in any order
					}
					if got := chainCall(c, thetas[i], call); got != want[i][call] {
						t.Errorf("untied %v: call %d of scores %d gives\n%s\nwith memory that other calls have used, and\n%s\nalone",
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

// chainCall makes one of the calls and prints all bits of what it gives.
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
		{"parts", func() { tied.Max(nil, theta[:7]) }, "7 part scores are those of no sequence with 2 labels"},
		{"no position", func() { tied.Max(nil, theta[:4]) }, "4 part scores"},
		{"parts, untied", func() { untied.Max(nil, theta[:7]) }, "7 part scores"},
		{"no part", func() { untied.LogSum(nil, nil) }, "0 part scores"},
		{"marginals", func() { tied.LogSum(theta[:6], theta) }, "len(mu) != len(theta)"},
		{"labelling", func() { tied.Second(nil, theta, models.Vertex{0, 2}) }, "has 2 parts: want 3"},
		{"label", func() { tied.Second(nil, theta, models.Vertex{0, 1, 4}) }, "part 1 of a labelling is 1"},
		{"costs", func() { tied.MaxSlack(nil, theta, theta, models.Vertex{0, 2, 4}) },
			"8 costs for 2 positions with 2 labels"},
		{"half a cost", func() { tied.MaxSlack(nil, theta, []float64{0, 0.5, 0, 1}, models.Vertex{0, 2, 4}) },
			"cost of part 1 is 0.5"},
		{"entropy", func() { models.ChainEntropy(theta[:6], 2) }, "6 marginals"},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer func() {
				got := fmt.Sprint(recover())
				if !strings.HasPrefix(got, "sequence: ") && !strings.HasPrefix(got, "models: ") || !strings.Contains(got, c.want) {
					t.Errorf("panic %q: want one that begins with sequence: and has %q", got, c.want)
				}
			}()
			c.call()
		})
	}
}
