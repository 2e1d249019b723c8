package sequence

import (
	"encoding/json"
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/classes"
)

// Vocabulary is what predictions need from the training sequences besides the weights.
type Vocabulary struct {
	Features int      `json:"features"` // number of features of a row
	Labels   []string `json:"labels"`
}

// NewVocabulary returns the vocabulary of sequences.
func NewVocabulary(s *datasets.Sequences) Vocabulary { return Vocabulary{s.X.Dim, s.Labels} }

// ReadVocabulary reads a vocabulary from JSON. The vocabulary must have at least one feature and two labels.
func ReadVocabulary(text []byte) (v Vocabulary, err error) {
	if err := json.Unmarshal(text, &v); err != nil {
		return v, err
	}
	return v, classes.CheckVocabulary(v.Features, len(v.Labels), "labels")
}

// Decoder predicts the labels of sequences of rows. It ignores features that are not in the vocabulary.
type Decoder struct {
	Vocabulary
	Weights int // length of w
	// Of returns the example of a sequence, with feature map and oracles. The sequence has only features of the
	// vocabulary.
	Of func(s *datasets.Sequences) (models.Example, error)
	// Read appends the labels of a labelling y to the slice to. Read may be nil if labellings have the parts of a chain
	// (see Oracle).
	Read func(to []int, e models.Example, y models.Vertex) []int

	sequence, out datasets.Sequences
	more          classes.Beyond
}

// Dim implements models.Decoder.
func (d *Decoder) Dim() int { return d.Weights }

// Target implements models.Decoder. It returns an empty name, since each position has one label.
func (*Decoder) Target() string { return "" }

// Example implements models.Decoder.
func (d *Decoder) Example(data datasets.Data) (models.Example, error) {
	s, ok := data.(*datasets.Sequences)
	if !ok || s.Len() != 1 {
		return models.Example{}, fmt.Errorf("want one labelled sequence at a time, not %d %s", data.Len(), data.Kind())
	}
	d.sequence = datasets.Sequences{X: d.more.LeaveOut(&s.X, d.Features), Start: s.Start}
	return d.Of(&d.sequence)
}

// Output implements models.Decoder.
func (d *Decoder) Output(_ datasets.Data, e models.Example, y models.Vertex) datasets.Data {
	d.out = datasets.Sequences{X: d.sequence.X, Start: d.sequence.Start, Y: d.out.Y[:0], Labels: d.Labels}
	if d.Read != nil {
		d.out.Y = d.Read(d.out.Y, e, y)
		return &d.out
	}
	for t, r := range y[:d.out.X.N] {
		d.out.Y = append(d.out.Y, r-t*len(d.Labels))
	}
	return &d.out
}

// Choices implements models.Chooser. If Read is set, the parts are not labels at positions, so the result is empty.
func (d *Decoder) Choices(e models.Example) models.Choices {
	oracle, ok := e.Max.(*Oracle)
	if !ok || d.Read != nil {
		return models.Choices{}
	}
	return oracle.Choices(d.sequence.X.N, d.Labels)
}

// Warnings implements models.Decoder.
func (d *Decoder) Warnings() []string { return d.more.Warnings() }
