package generative_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models/generative"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestHMMDecodesForItsLoss decodes generated sequences with the parameters that generated them. For each rule and label
// loss, the mean loss of 1,000 sequences must be the mean of the expected losses Σ_t Σ_s μ_t(s) Δ(s, ŷ_t), within
// five standard errors. No rule may have a smaller mean loss than the one that minimises the expected loss.
func TestHMMDecodesForItsLoss(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test decodes thousands of sequences")
	}
	const k, m, p, q = 10, 7, 0.5, 0.65
	train, validation := tracking(t, generated.Tracking{Train: 5, Validation: 1000, Length: 50, States: k, Observations: m,
		P: p, Q: q, Seed: 4})
	theta := slices.Repeat([]float64{math.Log(1.0 / k)}, k)
	for y := range k {
		for next := range k {
			if next == (y+1)%k {
				theta = append(theta, math.Log(1-p+p/k))
			} else {
				theta = append(theta, math.Log(p/k))
			}
		}
	}
	for y := range k {
		for o := range m {
			switch {
			case y >= m:
				theta = append(theta, math.Log(1.0/m))
			case o == y:
				theta = append(theta, math.Log(1-q+q/m))
			default:
				theta = append(theta, math.Log(q/m))
			}
		}
	}
	for _, label := range []string{"ring", "hamming"} {
		mean := map[string]float64{}
		for _, rule := range []string{"viterbi", "marginal", "risk"} {
			task := examples.Build(t, generative.HMM{LabelLoss: label, Decode: rule, Eta: 0.1}, train, validation)
			if task.Posterior != (rule != "viterbi") {
				t.Errorf("decode %s: Posterior is %v", rule, task.Posterior)
			}
			var sum, square float64
			for i := range task.Validation {
				e := &task.Validation[i]
				scores := make([]float64, e.Features.Parts())
				e.Features.Score(scores, theta)
				y, value := e.Predict(nil, scores)
				if math.Abs(value-y.Dot(scores)) > 1e-9 {
					t.Fatalf("score of the prediction = %v, want %v", value, y.Dot(scores))
				}
				mu, expected := make([]float64, len(scores)), 0.0
				e.Exp.LogSum(mu, scores)
				for at, r := range y[:50] {
					for s := range k {
						d := float64(min((r-at*k-s+k)%k, (s-r+at*k+k)%k))
						if label == "hamming" {
							d = min(d, 1)
						}
						expected += mu[at*k+s] * d
					}
				}
				loss := e.LabelLoss(y)
				mean[rule] += loss / 1000
				sum += loss - expected
				square += (loss - expected) * (loss - expected)
			}
			if math.Abs(sum) > 5*math.Sqrt(square) {
				t.Errorf("%s, decode %s: mean loss %v, which is %v more than expected; the standard error is %v", label, rule,
					mean[rule], sum/1000, math.Sqrt(square)/1000)
			}
			w := task.Evaluate(theta, 1)["validation_loss"]
			if math.Abs(w-mean[rule]) > 1e-9 {
				t.Errorf("%s, decode %s: validation_loss = %v, want %v", label, rule, w, mean[rule])
			}
		}
		for rule, loss := range mean {
			if mean["risk"] > loss || label == "hamming" && mean["marginal"] != mean["risk"] {
				t.Errorf("%s: mean loss %v of risk, %v of %s", label, mean["risk"], loss, rule)
			}
		}
		if mean["viterbi"] < mean["risk"]+1 {
			t.Errorf("%s: mean losses %v; want viterbi far behind at this level of noise", label, mean)
		}
		t.Log(label, mean)
	}
}
