package models

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
)

// Values of Chain.Edges.
const (
	edgesTied   = "tied"
	edgesUntied = "untied"
)

// Chain labels sequences: a hidden Markov model without probabilities, or a linear-chain conditional random field. For
// labels y_0 .. y_{l−1} of a sequence with feature vectors x_0 .. x_{l−1},
//
//	θ·1_y = Σ_t x_t·w_{y_t} + Σ_{t > 0} w_{y_{t−1} y_t}
//
// There is no score of the first label by itself. Weights are stored feature by label, w[f·k + y], then the k² of
// transitions. Parts are in chainOracle. The label loss is the number of wrong labels.
//
// Rows of numbers (datasets.Sequences) are taken as they are. Of sentences, features are made by templates.
type Chain struct {
	// tied: one score per pair of labels for the whole sequence; untied: one at each position, which costs
	// memory and time and is needed only where marginals of neighbours at a position are
	Edges string `yaml:"edges" jsonschema:"enum=tied,enum=untied"`
	// rows of numbers: add a feature that is always 1
	Bias bool `yaml:"bias"`
	// sentences: the column to predict; pos if empty
	Label string `yaml:"label"`
	// sentences: templates between spaces, such as word[0] word[-1]|word[0] suffix3[1] bias; a name is a column,
	// or lower, length, shape, prefixN or suffixN of the word; in brackets the offset; empty: 19 templates of
	// words and tags for the label chunk, 22 of words for others
	Features string `yaml:"features"`
	// sentences: a feature is kept if it occurs so many times in the training data
	Cutoff int `yaml:"cutoff" jsonschema:"minimum=1"`
}

func newChain() Builder { return &Chain{Edges: edgesTied, Cutoff: 1} }

// Build makes the task of labelled sequences or of sentences. The validation data may be nil; features that the
// training data do not have are left out of them.
func (m Chain) Build(train, validation datasets.Data) (*Task, error) {
	switch {
	case m.Edges != "" && m.Edges != edgesTied && m.Edges != edgesUntied:
		return nil, fmt.Errorf("model chain: edges %q; accepted: tied, untied", m.Edges)
	case m.Cutoff < 0:
		return nil, fmt.Errorf("model chain: cutoff %d: want at least 1", m.Cutoff)
	}
	switch d := train.(type) {
	case *datasets.Sequences:
		held, err := sameKind[*datasets.Sequences](validation, train)
		if err != nil {
			return nil, err
		}
		return m.sequences(d, held)
	case *datasets.Sentences:
		held, err := sameKind[*datasets.Sentences](validation, train)
		if err != nil {
			return nil, err
		}
		return m.sentences(d, held)
	}
	return nil, fmt.Errorf("model chain needs labelled sequences or sentences; the data set has %s", train.Kind())
}

// sameKind is the validation data, or nil if there are none.
func sameKind[D datasets.Data](validation, train datasets.Data) (held D, err error) {
	if validation == nil {
		return held, nil
	}
	held, ok := validation.(D)
	if !ok {
		return held, fmt.Errorf("model chain: the training data have %s, the validation data %s: want the same", train.Kind(),
			validation.Kind())
	}
	return held, nil
}

// sequences makes the task of sequences of rows.
func (m Chain) sequences(train, validation *datasets.Sequences) (*Task, error) {
	if m.Label != "" || m.Features != "" {
		return nil, fmt.Errorf("model chain: label and features are for sentences; the data set has %s, whose rows are "+
			"the features", train.Kind())
	}
	k, features := len(train.Labels), train.X.Dim
	if k < 2 {
		return nil, fmt.Errorf("model chain needs at least 2 labels; the training data have %d", k)
	}
	if err := checkSequences(train, "training"); err != nil {
		return nil, err
	}
	if m.Bias {
		features++
	}
	shape, err := newChainShape(features, k, m.Edges == edgesUntied)
	if err != nil {
		return nil, err
	}
	t := &Task{Model: "chain", Dim: shape.dim, Train: rowExamples(shape, train, m.Bias),
		Metrics: chainMetrics(train.Labels)}
	t.Examples = func(d datasets.Data) ([]Example, error) {
		more, err := sameKind[*datasets.Sequences](d, train)
		if err != nil {
			return nil, err
		}
		if err := checkSequences(more, "validation"); err != nil {
			return nil, err
		}
		if more.X.Dim > train.X.Dim || len(more.Labels) > k {
			return nil, fmt.Errorf("model chain: the validation data have %d features and %d labels; the training data %d "+
				"and %d",
				more.X.Dim, len(more.Labels), train.X.Dim, k)
		}
		return rowExamples(shape, more, m.Bias), nil
	}
	if validation != nil {
		t.Validation, err = t.Examples(validation)
	}
	return t, err
}

// checkSequences looks for what would panic later.
func checkSequences(s *datasets.Sequences, part string) error {
	n := s.Len()
	if n < 1 {
		return fmt.Errorf("model chain: there are no %s sequences", part)
	}
	for i := range n {
		if s.Start[i] >= s.Start[i+1] {
			return fmt.Errorf("model chain: %s sequence %d is empty", part, i+1)
		}
	}
	if s.Start[n] != s.X.N || len(s.Y) != s.X.N {
		return fmt.Errorf("model chain: the %s sequences have %d positions, %d rows and %d labels: want as many of each",
			part, s.Start[n], s.X.N, len(s.Y))
	}
	for t, y := range s.Y {
		if y < 0 || y >= len(s.Labels) {
			return fmt.Errorf("model chain: position %d of the %s sequences has label %d: want 0 to %d", t+1, part, y,
				len(s.Labels)-1)
		}
	}
	return nil
}

func rowExamples(shape *chainShape, s *datasets.Sequences, bias bool) []Example {
	examples := make([]Example, s.Len())
	var list []incidence
	for i := range examples {
		lo, hi := s.Start[i], s.Start[i+1]
		list = list[:0]
		for t := lo; t < hi; t++ {
			index, value := s.X.Row(t)
			for j, x := range value {
				f := int32(j)
				if index != nil {
					f = index[j]
				}
				if x != 0 {
					list = append(list, incidence{f, int32(t - lo), x})
				}
			}
			if bias {
				list = append(list, incidence{int32(shape.features - 1), int32(t - lo), 1})
			}
		}
		examples[i] = shape.example(shape.newFeatures(hi-lo, list), s.Y[lo:hi])
	}
	return examples
}

// example has the labels as its truth, and costs 1 for each wrong one.
func (s *chainShape) example(f FeatureMap, labels []int) Example {
	l, k := len(labels), s.k
	truth, cost := make(Vertex, l, 2*l-1), make([]float64, l*k)
	for i := range cost {
		cost[i] = 1
	}
	for t, y := range labels {
		truth[t] = t*k + y
		cost[t*k+y] = 0
	}
	if f, ok := f.(*chainFeatures); ok {
		for _, u := range f.unknown {
			cost[truth[u.position]] = 1
		}
	}
	o := s.oracle
	e := Example{Features: f, Max: o, Exp: o, Slack: o, Second: o, Truth: o.transitions(truth), Cost: cost}
	if o.untied || l < 3 { // else neighbours' marginals are known in sum only
		e.Polytope = o
	}
	return e
}
