package generative

import (
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/internal/settings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/classes"
)

// Values of BayesNet.Structure.
const (
	structureNaive = "naive"
	structureTAN   = "tan"
)

// BayesNet is a discrete Bayesian network around a class variable c, which is hidden, while the other variables are
// observed: a generative model. The class is the root, every other variable x_v is its child and may have another
// parent x_p(v):
//
//	log P(c, x) = log p(c) + Σ_v log p(x_v | c, x_p(v)).
//
// The vectors of log-probabilities θ_i are that of the class, and one for each variable and values of its parents.
// All tables involve the class, so none drops out of differences between classes. The parts of an example are the k
// classes.
//
// The network has the Nodes − 1 variables that have the largest mutual information with the class in the training
// data. The structure is naive Bayes or the tree-augmented naive Bayes of Friedman, Geiger and Goldszmidt (1997). The
// label loss is LossScale·[c ≠ c_i].
type BayesNet struct {
	// variables of the network, the class among them: those with the largest mutual information with it
	Nodes int `yaml:"nodes" jsonschema:"minimum=2"`
	// naive: variables are independent given the class; tan: they form a tree, of maximum likelihood
	Structure string `yaml:"structure" jsonschema:"enum=tan,enum=naive"`
	// label loss of a wrong class
	LossScale float64 `yaml:"loss_scale" jsonschema:"exclusiveMinimum=0"`
	// weight of an example's slack against the prior
	Eta float64 `yaml:"eta" jsonschema:"exclusiveMinimum=0"`
	// distributions that the parameters are drawn to: uniform, relative frequencies of the training data (ml),
	// or these with 0.1 added to each count
	Prior string `yaml:"prior" jsonschema:"enum=uniform,enum=ml,enum=smoothed-ml" settings:"optional"`
}

// NewBayesNet returns the model with its default settings.
func NewBayesNet() *BayesNet {
	return &BayesNet{Nodes: 13, Structure: structureTAN, LossScale: 1, Eta: 0.1, Prior: priorUniform}
}

// Build learns the structure and makes the task of rows of discrete variables. The validation data may be nil.
func (m BayesNet) Build(train, validation datasets.Data) (*models.Task, error) {
	d, err := m.rows(train, "training")
	if err != nil {
		return nil, err
	}
	if err := settings.Check(m); err != nil {
		return nil, fmt.Errorf("model bayes-net: %w", err)
	}
	if n := len(d.Variables); m.Nodes > n {
		return nil, fmt.Errorf("model bayes-net: nodes is %d: want 2 to %d, the variables of the training data and the class",
			m.Nodes, n)
	}
	chosen := informative(d, m.Nodes-1)
	parent := make([]int, len(chosen)) // within chosen
	for i := range parent {
		parent[i] = -1
	}
	if m.Structure == structureTAN {
		parent = augmentingTree(d, chosen)
	}
	net, start := newBayesNetwork(d, chosen, parent)
	t := &models.Task{Model: "bayes-net", Dim: net.dim, Classes: d.Variables[d.Class].Values,
		Metrics: []models.Metric{{Name: "validation_error", Of: models.ZeroOneLoss}}}
	t.Train = m.examples(net, d)
	if validation != nil {
		held, err := m.rows(validation, "validation")
		if err != nil {
			return nil, err
		}
		if err := sameVariables(d, held); err != nil {
			return nil, err
		}
		t.Validation = m.examples(net, held)
	}
	if t.Generative, err = newObjective("bayes-net", start, t.Train, m.Prior, m.Eta); err != nil {
		return nil, err
	}
	t.Facts = map[string]float64{"vectors": float64(t.Generative.Vectors()), "dim": float64(t.Dim)}
	return t, nil
}

// rows refuses what would panic later.
func (m BayesNet) rows(data datasets.Data, part string) (*datasets.Discrete, error) {
	d, ok := data.(*datasets.Discrete)
	if !ok {
		return nil, fmt.Errorf("model bayes-net needs rows of discrete variables; the %s data have %s", part, data.Kind())
	}
	n := len(d.Variables)
	if n < 2 || d.Class < 0 || d.Class >= n || len(d.Variables[d.Class].Values) < 2 {
		return nil, fmt.Errorf("model bayes-net needs a class of at least 2 values and another variable; the %s data have "+
			"%d variables, the class number %d", part, n, d.Class)
	}
	if len(d.Value) == 0 || len(d.Value)%n != 0 {
		return nil, fmt.Errorf("model bayes-net: the %s data have %d values: want rows of %d", part, len(d.Value), n)
	}
	for i, x := range d.Value {
		if v := &d.Variables[i%n]; int(x) >= len(v.Values) {
			return nil, fmt.Errorf("model bayes-net: row %d of the %s data has the value %d of %s: want 0 to %d", i/n+1, part, x,
				v.Name, len(v.Values)-1)
		}
	}
	return d, nil
}

func sameVariables(train, held *datasets.Discrete) error {
	same := func(a, b datasets.Variable) bool { return a.Name == b.Name && slices.Equal(a.Values, b.Values) }
	if train.Class != held.Class || !slices.EqualFunc(train.Variables, held.Variables, same) {
		return fmt.Errorf("model bayes-net: the validation data have other variables than the training data, or values in " +
			"another order")
	}
	return nil
}

func (m BayesNet) examples(net *bayesNetwork, d *datasets.Discrete) []models.Example {
	truths, costs := classes.Labels(net.classes, m.LossScale)
	features, examples := make([]bayesNetFeatures, d.Len()), make([]models.Example, d.Len())
	for i := range examples {
		features[i] = bayesNetFeatures{net, d, i}
		y := d.Row(i)[d.Class]
		examples[i] = classes.Example(&features[i], truths[y], costs[y])
	}
	return examples
}
