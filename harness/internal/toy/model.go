package toy

import (
	"errors"
	"math"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// Classifier is multinomial classification of dense rows: the score of class c for a row x is θ_c = x·w_c, where w_c
// are the weights of the class.
type Classifier struct{}

// Build implements models.Builder.
func (Classifier) Build(train, validation datasets.Data) (*models.Task, error) {
	rows, ok := train.(*datasets.Labelled)
	if !ok {
		return nil, errors.New("model classifier needs labelled rows")
	}
	t := &models.Task{Model: "classifier", Unknowns: models.Weights{Dim: rows.X.Dim * len(rows.Classes)},
		Classes: rows.Classes,
		Train:   examples(rows),
		Metrics: []models.Metric{{Name: "validation_error", Of: models.ZeroOneLoss}},
		Examples: func(d datasets.Data) ([]models.Example, error) {
			return examples(d.(*datasets.Labelled)), nil
		}}
	if held, ok := validation.(*datasets.Labelled); ok {
		t.Validation = examples(held)
	}
	return t, nil
}

// examples returns the examples of the classifier.
func examples(d *datasets.Labelled) []models.Example {
	k := len(d.Classes)
	out := make([]models.Example, d.X.N)
	for i := range out {
		_, x := d.X.Row(i)
		cost := make([]float64, k)
		for c := range cost {
			if c != d.Y[i] {
				cost[c] = 1
			}
		}
		out[i] = models.Example{Features: &row{x, k}, Max: oracle{}, Exp: oracle{}, Slack: oracle{}, Second: oracle{},
			Truth: models.Vertex{d.Y[i]}, Cost: cost}
	}
	return out
}

// row is the feature map of a row x of numbers. The weights of class c are w[c·len(x) : (c+1)·len(x)].
type row struct {
	x []float64
	k int
}

func (r *row) Parts() int { return r.k }

func (r *row) Score(theta, w []float64) {
	for c := range theta {
		theta[c] = 0
		for j, x := range r.x {
			theta[c] += x * w[c*len(r.x)+j]
		}
	}
}

func (r *row) AddAdjoint(w []float64, c float64, mu []float64) {
	for k, m := range mu {
		for j, x := range r.x {
			w[k*len(r.x)+j] += c * m * x
		}
	}
}

// oracle implements all kinds of oracles for an example whose labelling is one class.
type oracle struct{}

func (oracle) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	return best(dst, len(theta), func(c int) float64 { return theta[c] })
}

func (oracle) MaxSlack(dst models.Vertex, theta, cost []float64, truth models.Vertex) (models.Vertex, float64) {
	return best(dst, len(theta), func(c int) float64 { return cost[c] * (1 + theta[c] - theta[truth[0]]) })
}

func (oracle) Second(dst models.Vertex, theta []float64, truth models.Vertex) (models.Vertex, float64) {
	return best(dst, len(theta), func(c int) float64 {
		if c == truth[0] {
			return math.Inf(-1)
		}
		return theta[c]
	})
}

// best returns the class with the largest value among k classes, as the only part of a labelling, and this value.
func best(dst models.Vertex, k int, value func(c int) float64) (models.Vertex, float64) {
	found := 0
	for c := range k {
		if value(c) > value(found) {
			found = c
		}
	}
	return append(dst[:0], found), value(found)
}

func (oracle) LogSum(mu, theta []float64) float64 {
	top, z := math.Inf(-1), 0.
	for _, s := range theta {
		top = max(top, s)
	}
	for _, s := range theta {
		z += math.Exp(s - top)
	}
	for c := range mu {
		mu[c] = math.Exp(theta[c]-top) / z
	}
	return top + math.Log(z)
}

// Shifted is a model that extends another model. It adds a weight for each class to the scores of that model.
type Shifted struct{}

// Build implements models.Builder.
func (Shifted) Build(_, _ datasets.Data) (*models.Task, error) {
	return nil, errors.New("model shifted can only extend another model")
}

// Extend implements models.Extender.
func (Shifted) Extend(base *models.Task, w []float64, train, validation datasets.Data) (*models.Task, error) {
	t := *base
	t.Model, t.Unknowns, t.Examples = "shifted", models.Weights{Dim: len(base.Classes)}, nil
	above := func(d datasets.Data) ([]models.Example, error) {
		list, err := base.Examples(d)
		for i, e := range list {
			theta := make([]float64, e.Features.Parts())
			e.Features.Score(theta, w)
			list[i].Features = shift(theta)
		}
		return list, err
	}
	var err error
	if t.Train, err = above(train); err == nil && validation != nil {
		t.Validation, err = above(validation)
	}
	return &t, err
}

// shift is the feature map that computes θ = s + w, where s contains the scores of the model that Shifted extends.
type shift []float64

func (s shift) Parts() int { return len(s) }

func (s shift) Score(theta, w []float64) {
	for c := range theta {
		theta[c] = s[c] + w[c]
	}
}

func (s shift) AddAdjoint(w []float64, c float64, mu []float64) {
	for k, m := range mu {
		w[k] += c * m
	}
}
