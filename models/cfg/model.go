// Package cfg implements a weighted context-free grammar whose rules are read from a treebank. From parse forests it
// computes best and second-best trees, log-partition functions and expected counts of rules.
//
//	task, err := cfg.New().Build(train, validation)
package cfg

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// Model is a weighted context-free grammar (paper cutting-plane, sec. 4). The score of a tree is the sum of the weights
// of its rules,
//
//	θ·1_y = Σ_rules w_rule · (number of times y uses the rule),
//
// with one weight per phrase rule (X → Y Z ..., X → Y) and one per lexical rule (tag → word). The grammar has only the
// rules of the training trees. w has the weights of the phrase rules, then the weights of the lexical rules, word by
// word. A word that is not in the training data may have any tag, and all its tags score 0. The root label of a tree
// must be the root label of some training tree. Root labels have no weight. The label loss is LossScale·[y ≠ truth].
// The default LossScale of 1 gives the 0/1 loss over trees; the paper cutting-plane uses 100.
//
// At most Unaries unary rules follow one another over a span, so that a sentence has finitely many trees. Training and
// validation trees lose the constituents that only repeat the label of their single child.
type Model struct {
	// largest number of unary rules in a row over one span; 0: as many as the training trees have
	Unaries int `yaml:"unaries" jsonschema:"minimum=0,maximum=8"`
	// label loss of a wrong tree
	LossScale float64 `yaml:"loss_scale" jsonschema:"exclusiveMinimum=0"`
	// megabytes of parse forests to keep in memory; sentences whose forest is not kept are parsed at each oracle call; 0:
	// keep none, as in the paper cutting-plane
	Forests int `yaml:"forests" jsonschema:"minimum=0,maximum=1000000"`
	// leave out the parts that distinguish trees with the same rules; saves memory, but allows the log loss only
	Compact bool `yaml:"compact"`
}

const (
	cfgMostUnaries = 8
	cfgMostForests = 1_000_000
)

// New returns the model with its default settings.
func New() *Model { return &Model{LossScale: 1, Forests: 256} }

// Build implements models.Builder for bracketed trees. The grammar derives all training trees, but not necessarily the
// validation trees.
func (m Model) Build(train, validation datasets.Data) (*models.Task, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	trees, err := cfgTrees("training", train)
	if err != nil {
		return nil, err
	}
	if len(trees) == 0 {
		return nil, errors.New("model cfg needs at least 1 training tree; the data set has none")
	}
	g := readGrammar(trees)
	if m.Unaries > 0 {
		for i, t := range trees {
			if n := longestChain(t); n > m.Unaries {
				return nil, fmt.Errorf("model cfg: unaries is %d, but training tree %d has %d unary rules in a row: want at "+
					"least %d, or 0",
					m.Unaries, i+1, n, g.steps)
			}
		}
		g.steps = m.Unaries
	}
	t := &models.Task{Model: "cfg", Unknowns: models.Weights{Dim: g.weights()},
		Metrics: []models.Metric{{Name: "validation_f1", Of: bracketF1}, {Name: "validation_error", Of: models.ZeroOneLoss}}}
	t.Facts = map[string]float64{"rules": float64(g.rules), "lexical_rules": float64(g.weights() - g.rules)}
	t.Vocabulary = func() any { return newVocabulary(g) }
	keep := m.Forests << 20
	t.Train = m.examples(g, trees, !m.Compact, &keep)
	if validation != nil {
		if trees, err = cfgTrees("validation", validation); err != nil {
			return nil, err
		}
		t.Validation = m.examples(g, trees, true, &keep)
	}
	return t, nil
}

func (m Model) check() error {
	switch {
	case m.Unaries < 0 || m.Unaries > cfgMostUnaries:
		return fmt.Errorf("model cfg: unaries is %d: want 0 to %d", m.Unaries, cfgMostUnaries)
	case !(m.LossScale > 0) || math.IsInf(m.LossScale, 1):
		return fmt.Errorf("model cfg: loss_scale is %v: want a positive finite number", m.LossScale)
	case m.Forests < 0 || m.Forests > cfgMostForests:
		return fmt.Errorf("model cfg: forests, the memory for parse forests, is %d: want 0 to %d megabytes", m.Forests,
			cfgMostForests)
	}
	return nil
}

// cfgTrees checks the trees of a data set and normalises them. part is "training" or "validation", for messages.
func cfgTrees(part string, data datasets.Data) ([]*datasets.Tree, error) {
	bank, ok := data.(*datasets.Treebank)
	if !ok {
		return nil, fmt.Errorf("model cfg needs bracketed trees; the %s data have %s", part, data.Kind())
	}
	trees := make([]*datasets.Tree, len(bank.Trees))
	for i, t := range bank.Trees {
		var err error
		if trees[i], err = normalise(t); err != nil {
			return nil, fmt.Errorf("model cfg: %s tree %d: %w", part, i+1, err)
		}
	}
	return trees, nil
}

// examples returns one example per tree. It parses the sentences and stores their forests until the forests have used
// *keep bytes.
func (m Model) examples(g *grammar, trees []*datasets.Tree, brackets bool, keep *int) []models.Example {
	s := g.pool.Get()
	defer g.pool.Put(s)
	out := make([]models.Example, len(trees))
	for i, t := range trees {
		f := newFeatures(g, t, brackets)
		o := &oracle{features: f, parts: f.Parts()}
		if *keep > 0 {
			s.chart.parse(&s.parsed, f)
			if *keep -= s.parsed.bytes(); *keep >= 0 {
				o.forest = s.parsed.clone()
			}
		}
		out[i] = models.Example{Features: f, Max: o, Exp: o, Truth: f.Vertex(t), ZeroOne: m.LossScale}
		if brackets {
			out[i].Second = o
		}
	}
	return out
}

// Restore implements models.Restorer.
func (Model) Restore(text []byte) (models.Decoder, error) {
	var v vocabulary
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	g, err := v.grammar()
	if err != nil {
		return nil, err
	}
	return &decoder{g: g}, nil
}
