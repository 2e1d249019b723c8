package sequence

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestDecodeMinimisesTheExpectedLoss compares Decode with enumeration: no labelling has a smaller expected loss under
// P(y) ∝ exp(θ·1_y). The loss is not symmetric, and some scores are −∞, as log-probabilities of 0 are.
func TestDecodeMinimisesTheExpectedLoss(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	other := 0
	for trial := range 200 {
		k, l, untied := 2+rng.IntN(3), 1+rng.IntN(4), trial%2 == 1
		c, n := NewOracle(k, untied), chainParts(l, k, untied)
		theta := examples.Normals(rng, n, 2)
		if trial%4 > 1 {
			for range n / 4 {
				theta[rng.IntN(n)] = math.Inf(-1)
			}
		}
		loss := make([]float64, k*k)
		for i := range loss {
			if i%(k+1) != 0 {
				loss[i] = rng.Float64()
			}
		}
		labellings := examples.Chains(k, untied)(&models.Example{Truth: make(models.Vertex, 2*l-1)})
		for _, name := range []string{Marginal, Risk} {
			of := loss
			if name == Marginal {
				of = make([]float64, k*k)
				for i := range of {
					if i%(k+1) != 0 {
						of[i] = 1
					}
				}
			}
			expected := func(answer models.Vertex) (risk, total float64) {
				for _, y := range labellings {
					p := math.Exp(y.Dot(theta))
					total += p
					for t, s := range y[:l] {
						risk += p * of[(s-t*k)*k+answer[t]-t*k]
					}
				}
				return risk / total, total
			}
			d, err := c.Decoding(name, loss)
			if err != nil {
				t.Fatal(err)
			}
			got := d.Decode(models.Vertex{9}, theta)
			risk, total := expected(got)
			best, _ := c.Max(nil, theta)
			if total == 0 {
				if !got.Equal(best) {
					t.Errorf("no labelling has a positive probability: Decode returns %v, want %v of Max", got, best)
				}
				continue
			}
			if !got.Equal(c.Transitions(slices.Clone(got[:l]))) {
				t.Errorf("the transitions of %v do not fit its labels", got)
			}
			for _, y := range labellings {
				if r, _ := expected(y); r < risk-1e-9 {
					t.Fatalf("trial %d, %s: Decode returns %v with expected loss %v, but %v has %v", trial, name, got, risk, y, r)
				}
			}
			if !got.Equal(best) {
				other++
			}
		}
	}
	if other < 40 {
		t.Errorf("Decode differs from Max in %d cases: want a test that tells them apart", other)
	}
}

// TestDecodingNames checks that Viterbi needs no Decoding, and that an unknown name is refused.
func TestDecodingNames(t *testing.T) {
	c := NewOracle(2, false)
	for _, name := range []string{"", Viterbi} {
		if d, err := c.Decoding(name, nil); d != nil || err != nil {
			t.Errorf("Decoding(%q) = %v, %v; want nil", name, d, err)
		}
	}
	if _, err := c.Decoding("beam", nil); err == nil {
		t.Error("Decoding accepts the name beam")
	}
}

// TestLogSumWithImpossibleLabels compares LogSum with enumeration where scores are −∞.
func TestLogSumWithImpossibleLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	possible := 0
	for trial := range 200 {
		k, l, untied := 2+rng.IntN(2), 1+rng.IntN(4), trial%2 == 1
		c, n := NewOracle(k, untied), chainParts(l, k, untied)
		theta := examples.Normals(rng, n, 1)
		for range 1 + n/5 {
			theta[rng.IntN(n)] = math.Inf(-1)
		}
		want, total := make([]float64, n), 0.0
		for _, y := range examples.Chains(k, untied)(&models.Example{Truth: make(models.Vertex, 2*l-1)}) {
			p := math.Exp(y.Dot(theta))
			total += p
			for _, r := range y {
				want[r] += p
			}
		}
		mu := make([]float64, n)
		value := c.LogSum(mu, theta)
		if total == 0 {
			if value > math.Inf(-1) {
				t.Errorf("all labellings have the score −∞: LogSum = %v, want −∞ or NaN", value)
			}
			continue
		}
		possible++
		if math.Abs(value-math.Log(total)) > 1e-12 {
			t.Fatalf("trial %d: LogSum = %v, want %v", trial, value, math.Log(total))
		}
		for r := range mu {
			if math.Abs(mu[r]-want[r]/total) > 1e-12 {
				t.Fatalf("trial %d: marginal %d = %v, want %v", trial, r, mu[r], want[r]/total)
			}
		}
	}
	if possible < 100 {
		t.Errorf("only %d trials have possible labellings", possible)
	}
}
