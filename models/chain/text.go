package chain

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/sequence"
)

// textBuild builds the examples of sentences.
type textBuild struct {
	mu        sync.Mutex // locks the fields while Task.Examples adds numbers for new texts
	shape     *sequence.Shape
	templates []*template
	own       own               // the user's attributes
	patterns  map[string]string // the texts of own.patterns
	// feature[j][n] is the feature of template j for the combination of values that has the number n (see
	// template.numbers), or −1 if there is no such feature.
	feature [][]int32
	label   []int32  // for each text of the label column: the label, or −1 if it is not in the training data
	column  string   // name of the label column
	labels  []string // names of the labels
	most    int32    // number of occurrences of the most frequent feature
}

// sentences returns the task of sentences of text.
func (m Model) sentences(train, validation *datasets.Sentences) (*models.Task, error) {
	if m.Bias {
		return nil, errors.New(`model chain: the setting "bias" is for rows of numbers; for sentences add the template ` +
			`"bias" to the setting "features"`)
	}
	column, err := m.labelColumn(train)
	if err != nil {
		return nil, err
	}
	b := &textBuild{column: column}
	texts := train
	if err := checkSentences(train, "training"); err != nil {
		return nil, err
	}
	if validation != nil {
		if err := checkSentences(validation, "validation"); err != nil {
			return nil, err
		}
		if texts, err = longerTexts(train, validation); err != nil {
			return nil, err
		}
	}
	if err := b.numberLabels(texts, train); err != nil {
		return nil, err
	}
	features := m.Features
	if features == "" {
		features = wordTemplates()
		if _, err := train.Column("pos"); err == nil && b.column == "chunk" {
			features = chunkTemplates()
		}
	}
	if b.own, err = compile(m.Patterns, m.words); err != nil {
		return nil, fmt.Errorf("model chain: %w", err)
	}
	b.patterns = m.Patterns
	if b.templates, err = parseTemplates(features, b.column, texts, b.own); err != nil {
		return nil, fmt.Errorf("model chain: %w", err)
	}
	numbers := b.numbers(train)
	if err := b.alphabet(m, numbers); err != nil {
		return nil, err
	}
	t := &models.Task{Model: "chain", Posterior: b.shape.Decoding != nil, Unknowns: models.Weights{Dim: b.shape.Dim},
		Train:   b.examples(train, numbers),
		Metrics: sequence.Metrics(b.labels), About: b.about()}
	if b.shape.Features == 0 { // no feature is left, but the weights of transitions can still be trained
		t.Warnings = append(t.Warnings,
			fmt.Sprintf("model chain: cutoff is %d, but the most frequent feature of the tokens occurs %d times, so no "+
				"feature is kept: reduce cutoff", m.Cutoff, b.most))
	}
	t.Vocabulary = func() any { return b.vocabulary(strings.Fields(features), train) }
	if validation != nil {
		t.Validation = b.examples(validation, b.numbers(validation))
		t.Warnings = append(t.Warnings, unknownLabels(t.Validation)...)
	}
	own := *texts // a copy, since Examples adds new texts to its columns
	own.Columns = slices.Clone(texts.Columns)
	t.Examples = func(d datasets.Data) ([]models.Example, error) {
		more, err := sequence.SameKind[*datasets.Sentences](d, train)
		if err != nil {
			return nil, fmt.Errorf("model chain: %w", err)
		}
		if err := checkSentences(more, "validation"); err != nil {
			return nil, err
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		if more, err = b.known(&own, more); err != nil {
			return nil, err
		}
		return b.examples(more, b.numbers(more)), nil
	}
	return t, nil
}

// labelColumn returns the name of the column to predict: the setting label, or by default the last column. The last
// column of a treebank is rarely what a chain should predict, so for a treebank the default is pos.
func (m Model) labelColumn(train *datasets.Sentences) (string, error) {
	switch {
	case m.Label != "":
		return m.Label, nil
	case len(train.Columns) == 0:
		return "", errors.New("model chain: the sentences have no columns")
	case train.Heads == nil:
		return train.Columns[len(train.Columns)-1].Name, nil
	}
	if _, err := train.Column("pos"); err != nil {
		return "", fmt.Errorf(`model chain: the setting "label" is not set, and its default for sentences with heads is `+
			"\"pos\": %w; set it to one of these", err)
	}
	return "pos", nil
}

// about describes what is predicted from what, for example "chunk from pos, word: 22 labels, F1 of spans".
func (b *textBuild) about() string {
	var from []string
	for _, t := range b.templates {
		for _, p := range t.places {
			from = append(from, p.attribute.column)
		}
		for _, w := range t.weights {
			from = append(from, w.quantity.column)
		}
	}
	slices.Sort(from)
	from = slices.Compact(from)
	if len(from) == 0 {
		from = []string{"no column"}
	}
	text := fmt.Sprintf("%s from %s: %s", b.column, strings.Join(from, ", "), amount.Count(len(b.labels), "label"))
	if sequence.MarkSpans(b.labels) {
		text += ", F1 of spans"
	}
	return text
}

// known returns a copy of the sentences in more, in which each text has the same number as in the argument texts. New
// texts get the next free numbers and are added to texts.
func (b *textBuild) known(texts, more *datasets.Sentences) (*datasets.Sentences, error) {
	out := *more
	out.Columns = nil
	for i := range texts.Columns {
		own := &texts.Columns[i]
		column, err := more.Column(own.Name)
		if err != nil {
			return nil, fmt.Errorf("model chain: data for a model that extends this one: %w", err)
		}
		number := make(map[string]int32, len(own.Text))
		for id, text := range own.Text {
			number[text] = int32(id)
		}
		own.Text = slices.Clip(own.Text) // so that append copies the slice, which is shared
		ids := make([]int32, len(column.ID))
		for t, id := range column.ID {
			text := column.Text[id]
			if _, ok := number[text]; !ok {
				number[text] = int32(len(own.Text))
				own.Text = append(own.Text, text)
			}
			ids[t] = number[text]
		}
		out.Columns = append(out.Columns, datasets.Column{Name: own.Name, ID: ids, Text: own.Text})
		if own.Name == b.column {
			for len(b.label) < len(own.Text) {
				b.label = append(b.label, -1)
			}
		}
	}
	for _, t := range b.templates {
		for _, p := range t.places {
			column, _ := out.Column(p.attribute.column)
			p.attribute.extend(column.Text)
		}
		for _, w := range t.weights {
			column, _ := out.Column(w.quantity.column)
			if err := w.quantity.extend(column.Text); err != nil {
				return nil, fmt.Errorf("model chain: %w", err)
			}
		}
	}
	return &out, nil
}

// checkSentences returns an error if the sentences are empty or have wrong indices.
func checkSentences(s *datasets.Sentences, part string) error {
	n := s.Len()
	if n < 1 {
		return fmt.Errorf("model chain: there are no %s sentences", part)
	}
	for i := range n {
		if s.Start[i] >= s.Start[i+1] {
			return fmt.Errorf("model chain: %s sentence %d is empty", part, i+1)
		}
	}
	for i := range s.Columns {
		c := &s.Columns[i]
		if len(c.ID) != s.Start[n] {
			return fmt.Errorf("model chain: column %s of the %s sentences has %d tokens: want %d", c.Name, part, len(c.ID),
				s.Start[n])
		}
		for t, id := range c.ID {
			if id < 0 || int(id) >= len(c.Text) {
				return fmt.Errorf("model chain: column %s of the %s sentences has the text index %d at token %d: want 0 to %d",
					c.Name, part,
					id, t+1, len(c.Text)-1)
			}
		}
	}
	return nil
}

// longerTexts returns a copy of the training sentences. The columns of the copy list the texts of both training and
// validation data. If a text has different numbers in training and validation data, longerTexts returns an error.
func longerTexts(train, validation *datasets.Sentences) (*datasets.Sentences, error) {
	out := *train
	out.Columns = slices.Clone(train.Columns)
	for i := range out.Columns {
		c := &out.Columns[i]
		held, err := validation.Column(c.Name)
		if err != nil {
			return nil, fmt.Errorf("model chain: validation data: %w", err)
		}
		n := min(len(c.Text), len(held.Text))
		if !slices.Equal(c.Text[:n], held.Text[:n]) {
			return nil, fmt.Errorf("model chain: column %s: the validation sentences number its texts in another order than "+
				"the training sentences", c.Name)
		}
		if len(held.Text) > n {
			c.Text = held.Text
		}
	}
	return &out, nil
}

// numberLabels numbers the labels that occur in the training sentences.
func (b *textBuild) numberLabels(texts, train *datasets.Sentences) error {
	column, err := texts.Column(b.column)
	if err != nil {
		return fmt.Errorf("model chain: label: %w", err)
	}
	b.label = slices.Repeat([]int32{-1}, len(column.Text))
	used := make([]bool, len(column.Text))
	column, _ = train.Column(b.column)
	for _, id := range column.ID {
		used[id] = true
	}
	for id, in := range used {
		if in {
			b.label[id] = int32(len(b.labels))
			b.labels = append(b.labels, column.Text[id])
		}
	}
	if len(b.labels) < 2 {
		return fmt.Errorf("model chain needs at least 2 labels; the training sentences have %d in column %s", len(b.labels),
			b.column)
	}
	return nil
}

// tokens has, for each template and token, the number of the combination of values at the token (see template.numbers),
// and the value of the feature.
type tokens struct {
	numbers [][]int32
	values  [][]float64 // nil for a template whose features have the value 1
}

// numbers returns the numbers and the values of the templates at the tokens of s.
func (b *textBuild) numbers(s *datasets.Sentences) tokens {
	out := tokens{make([][]int32, len(b.templates)), make([][]float64, len(b.templates))}
	for i, t := range b.templates {
		out.numbers[i] = make([]int32, s.Start[s.Len()])
		t.numbers(out.numbers[i], s)
		if t.numeric() {
			out.values[i] = t.values(out.numbers[i], s)
		}
	}
	return out
}

// alphabet numbers the features that occur at least m.Cutoff times, one template after the other. Within a template,
// the features are numbered in the order in which they appear in the data. Frequent features usually appear early, so
// their weights are near each other in memory.
func (b *textBuild) alphabet(m Model, of tokens) error {
	features := 0
	for _, list := range of.numbers {
		count := make([]int32, max(slices.Max(list), 0)+1)
		for _, n := range list {
			if n >= 0 {
				count[n]++
			}
		}
		b.most = max(b.most, slices.Max(count))
		for n, c := range count {
			count[n] = -1
			if c > 0 && int(c) >= m.Cutoff {
				count[n] = int32(features)
				features++
			}
		}
		b.feature = append(b.feature, count)
	}
	var err error
	if b.shape, err = m.shape(features, len(b.labels)); err != nil {
		return fmt.Errorf("model chain: %w", err)
	}
	return nil
}

// examples returns the examples of the sentences s. The argument of is the result of b.numbers(s).
func (b *textBuild) examples(s *datasets.Sentences, of tokens) []models.Example {
	column, err := s.Column(b.column)
	if err != nil {
		panic("chain: " + err.Error()) // cannot happen: the method sentences has checked it
	}
	examples := make([]models.Example, s.Len())
	var list []sequence.Incidence
	var labels []int
	for i := range examples {
		lo, hi := s.Start[i], s.Start[i+1]
		labels = labels[:0]
		list = b.incidences(list[:0], of, lo, hi)
		f := b.shape.NewFeatures(hi-lo, list)
		for t, id := range column.ID[lo:hi] {
			y := int(b.label[id])
			if y < 0 {
				f.Unknown = append(f.Unknown, sequence.Unknown{Position: t, Name: column.Text[id]})
				y = 0
			}
			labels = append(labels, y)
		}
		examples[i] = b.shape.Example(f, labels)
	}
	return examples
}

// incidences appends the features of the tokens lo to hi − 1. The argument of is the result of textBuild.numbers.
func (b *textBuild) incidences(list []sequence.Incidence, of tokens, lo, hi int) []sequence.Incidence {
	for j, feature := range b.feature {
		begin := len(list)
		values := of.values[j]
		for t, n := range of.numbers[j][lo:hi] {
			// a combination without a feature occurs only in validation, or is below the cutoff
			if n >= 0 && int(n) < len(feature) && feature[n] >= 0 {
				x := sequence.Incidence{Feature: feature[n], Position: int32(t), Value: 1}
				if values != nil {
					x.Value = values[lo+t]
				}
				list = append(list, x)
			}
		}
		sequence.Sort(list[begin:]) // each template is sorted separately: features of later templates have larger numbers
	}
	return list
}

// unknownLabels returns warnings about validation labels that are not in the training data.
func unknownLabels(examples []models.Example) []string {
	var unknown datasets.Unknown
	for i := range examples {
		for _, u := range examples[i].Features.(*sequence.Features).Unknown {
			unknown.Add(u.Name)
		}
	}
	return unknown.Doubts("validation ", "token")
}
