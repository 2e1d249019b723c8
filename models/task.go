package models

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
)

// Task is a model applied to a data set: the training and validation examples, the unknowns that a solver has to find,
// and the metrics of predictions.
type Task struct {
	Model      string
	Unknowns   Unknowns
	Train      []Example
	Validation []Example
	Metrics    []Metric
	Classes    []string           // names of the classes, for predictions; nil if the labels are not classes
	Facts      map[string]float64 // quantities of the model, such as its number of rules; they are columns of every row
	// Examples turns other data into examples with the features of the training data, for a model that extends this one
	// (Extender). It is nil if the model cannot be extended.
	Examples func(datasets.Data) ([]Example, error)
	// Vocabulary returns the vocabulary, which is written as JSON for Restorer.Restore. It is nil if the task cannot be
	// restored.
	Vocabulary func() any
	// Posterior means that predictions use the distribution P(y) ∝ exp(θ·1_y) over labellings (see Decoding). Weights must
	// then be trained with a loss whose scores are log-probabilities.
	Posterior bool
	Warnings  []string
	About     string // what is predicted from what, for users to read: "chunk from pos, word: 22 labels"; may be empty
}

// Dim returns the length of w or of the log-probabilities θ. For marginals it is 0.
func (t *Task) Dim() int { return t.Unknowns.dim() }

// Objective returns the objective on the training examples: a *Risk for Weights, a *Generative for *Distributions, or
// an *Inference for Marginals. The objective shares the examples with the task. Only a Risk uses lambda. An Inference
// ignores loss, too.
func (t *Task) Objective(loss Loss, lambda float64) Objective {
	return t.Unknowns.objective(t.Train, loss, lambda)
}

// Risk returns the Objective of a task whose unknowns are Weights. For other tasks it returns an error.
func (t *Task) Risk(loss Loss, lambda float64) (*Risk, error) {
	p := t.Objective(loss, lambda)
	if risk, ok := p.(*Risk); ok {
		return risk, nil
	}
	return nil, fmt.Errorf("model %s has no regularised risk: its objective is a %T", t.Model, p)
}

// Metric is a score of predictions on held-out examples: Σ num / Σ den over the examples, where Of returns num and den
// of one example.
type Metric struct {
	Name string // name of its column in the trace, such as "validation_error"
	Of   func(prediction Vertex, e *Example) (num, den float64)
	// Certified means that the score is the share of predictions that are known to be best. Then Of is not used, and each
	// Max must be a Certifier.
	Certified bool
}

// ZeroOneLoss is a function for Metric.Of that returns the 0/1 loss of a prediction. The metric is then the share of
// examples that are not predicted exactly.
func ZeroOneLoss(prediction Vertex, e *Example) (num, den float64) {
	if prediction.Equal(e.Truth) {
		return 0, 1
	}
	return 1, 1
}

// Evaluate returns the metrics on the validation examples, by name. The prediction for example i is that of
// Example.Predict at the part scores A_i w.
func (t *Task) Evaluate(w []float64, workers int) map[string]float64 {
	if len(t.Validation) == 0 || len(t.Metrics) == 0 {
		return nil
	}
	return t.Counts(t.Scores(w), workers).Metrics()
}

// Scores returns a function that computes the part scores A_i w of validation example i, for Counts.
func (t *Task) Scores(w []float64) func(theta []float64, i int) []float64 {
	return func(theta []float64, i int) []float64 {
		t.Validation[i].Features.Score(theta, w)
		return theta
	}
}

// Counts has the numerators and denominators of each metric for each validation example.
type Counts struct {
	Names    []string    // names of the metrics
	Num, Den [][]float64 // Num[m][i] belongs to metric m and example i
}

// Counts predicts each validation example at the given part scores (Example.Predict), and evaluates the metrics.
// scores may write the part scores of example i to theta and return theta, or return another slice. The function scores
// is called from several goroutines. If there are no validation examples, the result is empty.
func (t *Task) Counts(scores func(theta []float64, i int) []float64, workers int) Counts {
	var c Counts
	n := len(t.Validation)
	if n == 0 {
		return c
	}
	for _, m := range t.Metrics {
		c.Names = append(c.Names, m.Name)
		c.Num, c.Den = append(c.Num, make([]float64, n)), append(c.Den, make([]float64, n))
	}
	InBlocks(n, valueBlocks, workers, func(b, lo, hi int) {
		var x workspace
		for i := lo; i < hi; i++ {
			e := &t.Validation[i]
			x.theta = Resize(x.theta, e.Features.Parts())
			theta, certified := scores(x.theta, i), 0.0
			if oracle, ok := e.Max.(Certifier); ok && e.Decoding == nil {
				var best bool
				if x.y, _, best = oracle.MaxCertified(x.y, theta); best {
					certified = 1
				}
			} else {
				x.y, _ = e.Predict(x.y, theta)
			}
			for m, metric := range t.Metrics {
				if metric.Certified {
					c.Num[m][i], c.Den[m][i] = certified, 1
					continue
				}
				c.Num[m][i], c.Den[m][i] = metric.Of(x.y, e)
			}
		}
	})
	return c
}

// Metrics returns each metric, Σ Num / Σ Den over the examples, by name.
func (c Counts) Metrics() map[string]float64 {
	out := make(map[string]float64, len(c.Names))
	for m, name := range c.Names {
		out[name] = total(c.Num[m]) / total(c.Den[m])
	}
	return out
}
