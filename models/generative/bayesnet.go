package generative

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/internal/settings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/classes"
)

// Values of BayesNet.Structure.
const (
	structureNaive   = "naive"
	structureTAN     = "tan"
	structureChowLiu = "chow-liu"
	structureBIC     = "bic"
)

// BayesNet is a generative model: a discrete Bayesian network with a hidden class variable c. The other variables are
// observed. The model stores only the tables of c and of its children, because the other tables of the network do not
// depend on c:
//
//	log P(c, x) = log p(c | x_p(c)) + Σ_v log p(x_v | c, x_p(v)) + a term that does not depend on c.
//
// The sum is over the children v of c, and x_p(v) has the values of the parents of v other than c. For c and for each
// v, there is one vector of log-probabilities θ_i for each combination of values of the variable's parents. The parts
// of an example are the k classes.
//
// The structure is learned from the class and the Nodes − 1 variables that have the largest mutual information with the
// class in the training data. Structure determines which of these variables the model uses. naive (naive Bayes) and tan
// (the tree-augmented naive Bayes of Friedman, Geiger and Goldszmidt 1997) use all of them, as children of the class.
// chow-liu (Chow and Liu 1968) uses the neighbours of the class in a tree. bic uses the Markov blanket of the class in
// a network that a greedy search finds (see climb). The label loss is LossScale·[c ≠ c_i].
type BayesNet struct {
	// number of variables from which the structure is learned: the class, and those with the largest mutual information
	// with the class
	Nodes int `yaml:"nodes" jsonschema:"minimum=2"`
	// naive: variables are independent given the class; tan: variables form a tree given the class; chow-liu: variables
	// and class form a tree; bic: a network with at most three parents per variable, found by a greedy search
	Structure string `yaml:"structure" jsonschema:"enum=tan,enum=naive,enum=chow-liu,enum=bic"`
	// label loss of a wrong class
	LossScale float64 `yaml:"loss_scale" jsonschema:"exclusiveMinimum=0"`
	// factor η of the penalties of the slacks; the regularisation terms have the factor 1
	Eta float64 `yaml:"eta" jsonschema:"exclusiveMinimum=0"`
	// distributions c towards which the parameters are regularised; ml: relative frequencies in the training data;
	// smoothed-ml: the same with 0.1 added to each count; smaller: relative frequencies of the smaller model in which the
	// class is the only parent
	Prior string `yaml:"prior" jsonschema:"enum=uniform,enum=ml,enum=smoothed-ml,enum=smaller" settings:"optional"`
	// regularisation term of parameters θ with the prior c; kl: −c·θ; chi-squared: c²/exp(θ); squared: half of
	// (θ − log c)²
	Divergence string `yaml:"divergence" jsonschema:"enum=kl,enum=chi-squared,enum=squared" settings:"optional"`
	// penalty of a slack; linear: the slack; quadratic: half of its square
	Penalty string `yaml:"penalty" jsonschema:"enum=linear,enum=quadratic" settings:"optional"`
}

// NewBayesNet returns the model with its default settings.
func NewBayesNet() *BayesNet {
	return &BayesNet{Nodes: 13, Structure: structureTAN, LossScale: 1, Eta: 0.1, Prior: priorUniform,
		Divergence: divergenceKL, Penalty: penaltyLinear}
}

// Build implements models.Builder for rows of discrete variables. It learns the structure from the training data. The
// validation data may be nil.
func (m BayesNet) Build(train, validation datasets.Data) (*models.Task, error) {
	d, err := m.rows(train, "training")
	if err != nil {
		return nil, err
	}
	if err := settings.Check(m); err != nil {
		return nil, fmt.Errorf("model bayes-net: %w", err)
	}
	if n := len(d.Variables); m.Nodes > n {
		return nil, fmt.Errorf("model bayes-net: nodes is %d: want 2 to %d, the number of variables including the class",
			m.Nodes, n)
	}
	families := m.learn(d, informative(d, m.Nodes-1))
	net, tables := newBayesNetwork(d.Variables, d.Class, families)
	t := &models.Task{Model: "bayes-net", Classes: d.Variables[d.Class].Values,
		Metrics:    []models.Metric{{Name: "validation_error", Of: models.ZeroOneLoss}},
		Vocabulary: func() any { return newNetVocabulary(d, families) }}
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
	g, err := newObjective("bayes-net", tables, t.Train,
		regularisation{m.Prior, m.Divergence, m.Penalty, m.Eta})
	if err != nil {
		return nil, err
	}
	t.Unknowns, t.Facts = g, map[string]float64{"vectors": float64(g.Vectors()), "dim": float64(g.Dim()),
		"variables": float64(net.variables())}
	return t, nil
}

// learn learns the structure from the chosen variables. It returns the families of the class and of its children.
func (m BayesNet) learn(d *datasets.Discrete, chosen []int) []family {
	switch m.Structure {
	case structureTAN:
		return children(d, chosen, augmentingTree(d, chosen))
	case structureChowLiu:
		return children(d, neighbours(d, chosen), nil)
	case structureBIC:
		return blanket(d, climb(d, chosen))
	}
	return children(d, chosen, nil)
}

// rows returns the training or validation data as Discrete, or an error if they are not valid.
func (m BayesNet) rows(data datasets.Data, part string) (*datasets.Discrete, error) {
	d, ok := data.(*datasets.Discrete)
	if !ok {
		return nil, fmt.Errorf("model bayes-net needs rows of discrete variables; the %s data have %s", part, data.Kind())
	}
	n := len(d.Variables)
	if n < 2 || d.Class < 0 || d.Class >= n || len(d.Variables[d.Class].Values) < 2 {
		return nil, fmt.Errorf("model bayes-net needs a class with at least 2 values and another variable; the %s data have "+
			"%d variables, and the index of the class is %d", part, n, d.Class)
	}
	if len(d.Value) == 0 || len(d.Value)%n != 0 {
		return nil, fmt.Errorf("model bayes-net: the %s data have %d values: want one for each of the %d variables in each "+
			"row", part, len(d.Value), n)
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
		return fmt.Errorf("model bayes-net: the validation data have other variables or values than the training data: " +
			"want the same variables and values in the same order")
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

// Restore implements models.Restorer.
func (BayesNet) Restore(text []byte) (models.Decoder, error) {
	d := &netDecoder{}
	if err := json.Unmarshal(text, &d.names); err != nil {
		return nil, err
	}
	if err := d.names.check(); err != nil {
		return nil, err
	}
	var families []family
	for _, f := range d.names.Families {
		families = append(families, family{f.Variable, f.Parents})
	}
	d.out.Class = d.names.Class
	for _, v := range d.names.Variables {
		number := map[string]uint8{}
		for i, value := range v.Values {
			number[value] = uint8(i)
		}
		d.value = append(d.value, number)
		d.out.Variables = append(d.out.Variables, datasets.Variable(v))
	}
	d.out.Value = make([]uint8, len(d.value))
	d.net, _ = newBayesNetwork(d.out.Variables, d.out.Class, families)
	return d, nil
}
