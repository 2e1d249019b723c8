package generative

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
)

// TestDivergences checks the terms f_i: slopes and curvatures against finite differences, convexity, and the limits of
// the slopes.
func TestDivergences(t *testing.T) {
	prior := []float64{0.5, 0.3, 0.2}
	for name, f := range map[string]models.Convex{"chi-squared": newChiSquared(prior), "squared": newSquaredLog(prior)} {
		const h = 1e-4
		for j := range prior {
			for x := -6.0; x < 0; x += 0.25 {
				v, slope, curvature := f.At(j, x)
				up, slopeUp, _ := f.At(j, x+h)
				down, slopeDown, _ := f.At(j, x-h)
				if math.Abs((up-down)/(2*h)-slope) > 1e-6*(1+math.Abs(slope)) ||
					math.Abs((slopeUp-slopeDown)/(2*h)-curvature) > 1e-6*(1+curvature) || curvature <= 0 {
					t.Errorf("%s at %v: value = %v, slope = %v, curvature = %v, want finite differences, and curvature > 0",
						name, x, v, slope, curvature)
				}
			}
			if !math.IsInf(f.Tail(j), -1) {
				t.Errorf("%s: limit of the slope = %v, want −∞", name, f.Tail(j))
			}
		}
	}
	// The terms of chi-squared are f = c²/q. For distributions c and q, Σ f + Σ q − 2 is Σ (c − q)²/q.
	q, sum, want := []float64{0.2, 0.2, 0.6}, -1.0, 0.0
	for j, c := range prior {
		v, _, _ := newChiSquared(prior).At(j, math.Log(q[j]))
		sum += v
		want += (c - q[j]) * (c - q[j]) / q[j]
	}
	if math.Abs(sum-want) > 1e-12 {
		t.Errorf("divergence = %v, want %v", sum, want)
	}
	zero := newChiSquared([]float64{0, 1})
	if v, s, c := zero.At(0, math.Inf(-1)); v != 0 || s != 0 || c != 0 || zero.Tail(0) != 0 {
		t.Errorf("component with prior 0: value = %v, slope = %v, curvature = %v, want 0", v, s, c)
	}
}

// TestSmallerPrior checks the prior of the smaller model: transitions of HMM do not depend on the previous state, and
// tables of BayesNet depend on the class alone.
func TestSmallerPrior(t *testing.T) {
	set, err := generated.Tracking{Train: 30, Length: 12, States: 4, Observations: 3, P: 0.3, Q: 0.3, Seed: 2}.
		Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	task, err := HMM{LabelLoss: lossRing, Eta: 1, Prior: priorSmaller}.Build(set.Train, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := set.Train.(*datasets.Sequences)
	after := make([]float64, 4)
	for i := range 30 {
		for _, y := range d.Y[d.Start[i]+1 : d.Start[i+1]] {
			after[y]++
		}
	}
	for s := range 4 {
		for y := range 4 {
			if got, want := distributions(task).Prior[4+4*s+y], (after[y]+0.1)/(30*11+0.4); math.Abs(got-want) > 1e-12 {
				t.Errorf("prior of the transition from %d to %d = %v, want %v", s, y, got, want)
			}
		}
	}
	rows := network(t, 4, 200, 5)
	net, err := BayesNet{Nodes: 5, Structure: structureTAN, LossScale: 1, Eta: 1, Prior: priorSmaller}.Build(rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	naive, err := BayesNet{Nodes: 5, Structure: structureNaive, LossScale: 1, Eta: 1, Prior: priorSmoothed}.
		Build(rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 { // under the prior "smaller", rows have the same log-likelihoods as in naive Bayes
		if a, b := rowScore(net, i), rowScore(naive, i); math.Abs(a-b) > 1e-9 {
			t.Fatalf("log-likelihood of row %d = %v, want %v as in naive Bayes", i, a, b)
		}
	}
}

// rowScore returns the log-likelihood of row i and its class, with the prior as the probabilities.
func rowScore(task *models.Task, i int) (sum float64) {
	log := make([]float64, task.Dim())
	for j, c := range distributions(task).Prior {
		log[j] = math.Log(c)
	}
	scores := make([]float64, task.Train[i].Features.Parts())
	task.Train[i].Features.Score(scores, log)
	return task.Train[i].Truth.Dot(scores)
}

// TestHiddenAlternates checks by enumeration that Max returns the best labelling that has the given states. The given
// states are the second, fourth, ... in the first sequence, and the first, third, ... in the next.
func TestHiddenAlternates(t *testing.T) {
	set, err := generated.Tracking{Train: 4, Validation: 2, Length: 5, States: 3, Observations: 2, P: 0.5, Q: 0.5,
		Seed: 3}.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	task, err := HMM{LabelLoss: lossHamming, Eta: 1, Hidden: hiddenAlternate}.Build(set.Train, set.Validation)
	if err != nil {
		t.Fatal(err)
	}
	theta := make([]float64, task.Dim())
	for j := range theta {
		theta[j] = math.Sin(float64(3*j)) - 2
	}
	for i := range task.Train {
		e := &task.Train[i]
		scores := make([]float64, e.Features.Parts())
		e.Features.Score(scores, theta)
		best := math.Inf(-1)
		for code := range 243 {
			y, c, agrees := make(models.Vertex, 5), code, true
			for p := range y {
				y[p] = 3*p + c%3
				c /= 3
				agrees = agrees && (y[p] == e.Truth[p] || (p+i)%2 == 0)
			}
			if agrees {
				best = max(best, task.Validation[0].Max.(interface {
					Transitions(models.Vertex) models.Vertex
				}).Transitions(y).Dot(scores))
			}
		}
		y, value := e.Max.Max(nil, scores)
		if math.Abs(value-best) > 1e-12 || math.Abs(y.Dot(scores)-best) > 1e-12 {
			t.Errorf("sequence %d: Max = %v with value %v, want value %v", i, y, value, best)
		}
		if e.Exp != nil || e.Slack != nil || e.Second != nil {
			t.Errorf("sequence %d: want no oracles other than Max, since they ignore the given states", i)
		}
	}
	if _, ok := task.Validation[0].Max.(*given); ok {
		t.Error("want all states of validation data to be hidden")
	}
}

// TestObjectiveRefuses checks that the divergence "squared" needs a positive prior, and that the setting penalty:
// quadratic reaches the task's Distributions.
func TestObjectiveRefuses(t *testing.T) {
	d := table(3, map[string]int{"000": 3, "110": 2, "011": 2})
	_, err := BayesNet{Nodes: 3, Structure: structureNaive, LossScale: 1, Eta: 1, Prior: priorML,
		Divergence: divergenceLog}.Build(d, nil)
	if err == nil || !strings.Contains(err.Error(), "needs a prior without zeros") {
		t.Errorf("squared divergence with frequencies of 0: error = %v, want \"needs a prior without zeros\"", err)
	}
	task, err := BayesNet{Nodes: 3, Structure: structureNaive, LossScale: 1, Eta: 1, Penalty: penaltyQuadratic}.
		Build(d, nil)
	if err != nil || !distributions(task).Quadratic {
		t.Errorf("quadratic penalty: error = %v, want none, and Quadratic = true", err)
	}
}

// distributions returns the unknowns of a task that has log-probabilities.
func distributions(task *models.Task) *models.Distributions {
	return task.Unknowns.(*models.Distributions)
}
