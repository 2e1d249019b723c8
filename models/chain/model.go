// Package chain implements the linear chain over labelled sequences. These are sequences of rows of numbers, which are
// the features, or sentences of text, whose features are built from templates.
//
//	task, err := chain.New().Build(train, validation)
//
// The feature maps and oracles are in package models/internal/sequence, which other models of sequences use too.
package chain

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/sequence"
)

// Model is the linear chain. With the log loss it is a linear-chain conditional random field; with a hinge it is a
// hidden Markov support vector machine. For labels y_0 .. y_{l−1} of a sequence with feature vectors x_0 .. x_{l−1},
//
//	θ·1_y = Σ_t x_t·w_{y_t} + Σ_{t > 0} w_{y_{t−1} y_t}
//
// There is no separate score for starting with a label. w has the weights w[f·k + y] of feature f with label y, then
// the k² weights of transitions. sequence.Oracle lists the parts. The label loss is the number of wrong labels.
//
// The features of datasets.Sequences are their rows of numbers. The features of datasets.Sentences are built from
// templates.
type Model struct {
	// tied: one score per pair of labels for the whole sequence; untied: one per pair of labels at each position, which
	// costs memory and time, for methods that need the marginals of neighbours at each position
	Edges string `yaml:"edges" jsonschema:"enum=tied,enum=untied" settings:"optional"`
	// how labels are predicted; viterbi: the labelling with the largest score; marginal: at each position the label with
	// the largest marginal; risk: the labelling with the smallest expected label loss, here the same as marginal. marginal
	// and risk need the loss log
	Decode string `yaml:"decode" jsonschema:"enum=viterbi,enum=marginal,enum=risk" settings:"optional"`
	// for rows of numbers: add a feature that is always 1
	Bias bool `yaml:"bias"`
	// for sentences: the column to predict; empty: the last column, or pos if the sentences have heads
	Label string `yaml:"label"`
	// for sentences: templates separated by spaces, such as word[0] word[-1]|word[0] suffix3[1] bias; a name is a column,
	// or lower, length, shape, prefixN or suffixN of the word, or a name in patterns, or lexicon; number:COLUMN is the
	// number in a column; the number in brackets is the offset of the token; empty: 19 templates of words and tags for the
	// label chunk beside a column pos, otherwise 22 templates of words
	Features string `yaml:"features"`
	// for sentences: regular expressions by name, such as {year: '^(19|20)\d\d$'}; the template year[0] then has the value
	// yes if a part of the word matches, otherwise no
	Patterns map[string]string `yaml:"patterns"`
	// for sentences: file of a word list, with a word and optionally its class on each line; a relative path starts from
	// the folder of the spec; the template lexicon[0] then has the class of the word as its value (yes if it has none), or
	// no if neither the word nor its form in lower case is in the list
	Lexicon string `yaml:"lexicon"`
	// for sentences: keep the features that occur at least this often in the training data
	Cutoff int `yaml:"cutoff" jsonschema:"minimum=1"`

	words lexicon // content of the file Lexicon
}

// New returns the model with its default settings.
func New() *Model { return &Model{Edges: sequence.Tied, Decode: sequence.Viterbi, Cutoff: 1} }

// Build implements models.Builder for labelled sequences and for sentences. The validation data may be nil. Features of
// validation data that are not in the training data are ignored.
func (m Model) Build(train, validation datasets.Data) (*models.Task, error) {
	switch {
	case m.Edges != "" && m.Edges != sequence.Tied && m.Edges != sequence.Untied:
		return nil, fmt.Errorf("model chain: edges is %q; accepted: tied, untied", m.Edges)
	case m.Cutoff < 0:
		return nil, fmt.Errorf("model chain: cutoff is %d: want at least 1", m.Cutoff)
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

// shape returns the sizes, oracles and the rule of prediction for a number of features and k labels.
func (m Model) shape(features, k int) (*sequence.Shape, error) {
	s, err := sequence.NewShape(features, k, m.Edges == sequence.Untied)
	if err != nil {
		return nil, err
	}
	s.Decoding, err = s.Oracle.Decoding(m.Decode, nil)
	return s, err
}

// sequences returns the task of sequences of rows.
func (m Model) sequences(train, validation *datasets.Sequences) (*models.Task, error) {
	if m.Label != "" || m.Features != "" || len(m.Patterns) > 0 || m.Lexicon != "" {
		return nil, fmt.Errorf(`model chain: the settings "label", "features", "patterns" and "lexicon" are for sentences; `+
			"the data set has %s, whose rows are the features", train.Kind())
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
	shape, err := m.shape(features, k)
	if err != nil {
		return nil, fmt.Errorf("model chain: %w", err)
	}
	t := &models.Task{Model: "chain", Unknowns: models.Weights{Dim: shape.Dim}, Train: rowExamples(shape, train, m.Bias),
		Posterior: shape.Decoding != nil, Metrics: sequence.Metrics(train.Labels),
		Vocabulary: func() any { return sequence.NewVocabulary(train) }}
	t.Examples = func(d datasets.Data) ([]models.Example, error) {
		more, err := sequence.SameKind[*datasets.Sequences](d, train)
		if err != nil {
			return nil, fmt.Errorf("model chain: %w", err)
		}
		if err := sequence.Check(more, "validation"); err != nil {
			return nil, fmt.Errorf("model chain: %w", err)
		}
		if more.X.Dim > train.X.Dim || len(more.Labels) > k {
			return nil, fmt.Errorf("model chain: the validation data have %d features and %d labels: want at most %d and %d, "+
				"as in the training data",
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

// rowIncidences appends the features of the rows lo to hi − 1, with positions from 0.
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

// restoreRows restores a decoder from the vocabulary of sequences of rows.
func (m Model) restoreRows(text []byte) (models.Decoder, error) {
	v, err := sequence.ReadVocabulary(text)
	if err != nil {
		return nil, err
	}
	features := v.Features
	if m.Bias {
		features++
	}
	shape, err := m.shape(features, len(v.Labels))
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
		return models.Example{Features: shape.NewPairs(s.X.N, feature, at, value), Max: shape.Oracle, Exp: shape.Oracle,
			Decoding: shape.Decoding}, nil
	}}, nil
}
