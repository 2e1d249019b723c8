// Package chain has the linear chain over labelled sequences: sequences of rows of numbers, whose features are given,
// or sentences of text, whose features are made by templates.
//
//	task, err := chain.New().Build(train, validation)
//
// Its feature maps and oracles are those of package models/internal/sequence, which other models of sequences share.
package chain

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/sequence"
)

// Model labels sequences: a hidden Markov model without probabilities, or a linear-chain conditional random field. For
// labels y_0 .. y_{l−1} of a sequence with feature vectors x_0 .. x_{l−1},
//
//	θ·1_y = Σ_t x_t·w_{y_t} + Σ_{t > 0} w_{y_{t−1} y_t}
//
// There is no score of the first label by itself. Weights are stored feature by label, w[f·k + y], then the k² of
// transitions. Parts are in Oracle. The label loss is the number of wrong labels.
//
// Rows of numbers (datasets.Sequences) are taken as they are. Of sentences, features are made by templates.
type Model struct {
	// tied: one score per pair of labels for the whole sequence; untied: one at each position, which costs memory and
	// time, for methods that need the marginals of neighbours at each position
	Edges string `yaml:"edges" jsonschema:"enum=tied,enum=untied" settings:"optional"`
	// rows of numbers: add a feature that is always 1
	Bias bool `yaml:"bias"`
	// sentences: the column to predict; pos if empty
	Label string `yaml:"label"`
	// sentences: templates between spaces, such as word[0] word[-1]|word[0] suffix3[1] bias; a name is a column,
	// or lower, length, shape, prefixN or suffixN of the word; in brackets the offset; empty: 19 templates of
	// words and tags for the label chunk, 22 of words for others
	Features string `yaml:"features"`
	// sentences: a feature is kept if it occurs at least this often in the training data
	Cutoff int `yaml:"cutoff" jsonschema:"minimum=1"`
}

// New returns the model with its default settings.
func New() *Model { return &Model{Edges: sequence.Tied, Cutoff: 1} }

// Build makes the task of labelled sequences or of sentences. The validation data may be nil; features that the
// training data do not have are left out of them.
func (m Model) Build(train, validation datasets.Data) (*models.Task, error) {
	switch {
	case m.Edges != "" && m.Edges != sequence.Tied && m.Edges != sequence.Untied:
		return nil, fmt.Errorf("model chain: edges %q; accepted: tied, untied", m.Edges)
	case m.Cutoff < 0:
		return nil, fmt.Errorf("model chain: cutoff %d: want at least 1", m.Cutoff)
	}
	switch d := train.(type) {
	case *datasets.Sequences:
		held, err := sequence.SameKind[*datasets.Sequences](validation, train)
		if err != nil {
			return nil, fmt.Errorf("model chain: %w", err)
		}
		return m.sequences(d, held)
	case *datasets.Sentences:
		held, err := sequence.SameKind[*datasets.Sentences](validation, train)
		if err != nil {
			return nil, fmt.Errorf("model chain: %w", err)
		}
		return m.sentences(d, held)
	}
	return nil, fmt.Errorf("model chain needs labelled sequences or sentences; the data set has %s", train.Kind())
}

// sequences makes the task of sequences of rows.
func (m Model) sequences(train, validation *datasets.Sequences) (*models.Task, error) {
	if m.Label != "" || m.Features != "" {
		return nil, fmt.Errorf("model chain: label and features are for sentences; the data set has %s, whose rows are "+
			"the features", train.Kind())
	}
	k, features := len(train.Labels), train.X.Dim
	if k < 2 {
		return nil, fmt.Errorf("model chain needs at least 2 labels; the training data have %d", k)
	}
	if err := sequence.Check(train, "training"); err != nil {
		return nil, fmt.Errorf("model chain: %w", err)
	}
	if m.Bias {
		features++
	}
	shape, err := sequence.NewShape(features, k, m.Edges == sequence.Untied)
	if err != nil {
		return nil, fmt.Errorf("model chain: %w", err)
	}
	t := &models.Task{Model: "chain", Unknowns: models.Weights{Dim: shape.Dim}, Train: rowExamples(shape, train, m.Bias),
		Metrics: sequence.Metrics(train.Labels), Vocabulary: func() any { return sequence.NewVocabulary(train) }}
	t.Examples = func(d datasets.Data) ([]models.Example, error) {
		more, err := sequence.SameKind[*datasets.Sequences](d, train)
		if err != nil {
			return nil, fmt.Errorf("model chain: %w", err)
		}
		if err := sequence.Check(more, "validation"); err != nil {
			return nil, fmt.Errorf("model chain: %w", err)
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

func rowExamples(shape *sequence.Shape, s *datasets.Sequences, bias bool) []models.Example {
	examples := make([]models.Example, s.Len())
	var list []sequence.Incidence
	for i := range examples {
		lo, hi := s.Start[i], s.Start[i+1]
		list = rowIncidences(list[:0], shape, s, lo, hi, bias)
		examples[i] = shape.Example(shape.NewFeatures(hi-lo, list), s.Y[lo:hi])
	}
	return examples
}

// rowIncidences appends the features of the positions lo to hi − 1.
func rowIncidences(list []sequence.Incidence, shape *sequence.Shape, s *datasets.Sequences, lo, hi int,
	bias bool) []sequence.Incidence {
	for t := lo; t < hi; t++ {
		index, value := s.X.Row(t)
		for j, x := range value {
			f := int32(j)
			if index != nil {
				f = index[j]
			}
			if x != 0 {
				list = append(list, sequence.Incidence{Feature: f, Position: int32(t - lo), Value: x})
			}
		}
		if bias {
			list = append(list, sequence.Incidence{Feature: int32(shape.Features - 1), Position: int32(t - lo), Value: 1})
		}
	}
	return list
}

// restoreRows reads the vocabulary of sequences of rows.
func (m Model) restoreRows(text []byte) (models.Decoder, error) {
	v, err := sequence.ReadVocabulary(text)
	if err != nil {
		return nil, err
	}
	features := v.Features
	if m.Bias {
		features++
	}
	shape, err := sequence.NewShape(features, len(v.Labels), m.Edges == sequence.Untied)
	if err != nil {
		return nil, err
	}
	var list []sequence.Incidence
	var feature, at []int32
	var value []float64
	return &sequence.Decoder{Vocabulary: v, Weights: shape.Dim, Of: func(s *datasets.Sequences) (models.Example, error) {
		list = rowIncidences(list[:0], shape, s, 0, s.X.N, m.Bias)
		feature, at, value = feature[:0], at[:0], value[:0]
		for _, x := range list {
			feature, at, value = append(feature, x.Feature), append(at, x.Position), append(value, x.Value)
		}
		return models.Example{Features: shape.NewPairs(s.X.N, feature, at, value), Max: shape.Oracle, Exp: shape.Oracle}, nil
	}}, nil
}
