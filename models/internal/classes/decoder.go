package classes

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// Vocabulary is what predictions of classes need of the training rows.
type Vocabulary struct {
	Features int      `json:"features"` // of a row
	Classes  []string `json:"classes"`
}

// NewVocabulary returns a function that makes the vocabulary of rows, for Task.Vocabulary.
func NewVocabulary(rows *datasets.Labelled) func() any {
	return func() any { return Vocabulary{rows.X.Dim, rows.Classes} }
}

// ReadVocabulary reads a vocabulary. It must have at least one feature and two classes.
func ReadVocabulary(text []byte) (v Vocabulary, err error) {
	if err := json.Unmarshal(text, &v); err != nil {
		return v, err
	}
	return v, CheckVocabulary(v.Features, len(v.Classes), "classes")
}

// CheckVocabulary returns an error unless there are features of rows and at least two classes or labels.
func CheckVocabulary(features, n int, what string) error {
	if features <= 0 || features > math.MaxInt32 || n < 2 {
		return fmt.Errorf("%d features and %d %s: want 1 to %d features of rows and at least 2 %s", features, n, what,
			math.MaxInt32, what)
	}
	return nil
}

// Decoder predicts the classes of rows. Features that the vocabulary does not have are left out.
type Decoder struct {
	Vocabulary
	Weights int                                      // length of w
	Map     func(x *datasets.Rows) models.FeatureMap // of one sparse row, whose features are those of the vocabulary

	row  datasets.Labelled
	out  datasets.Labelled
	more Beyond
}

// Dim implements models.Decoder.
func (d *Decoder) Dim() int { return d.Weights }

// Target implements models.Decoder: each row has one class.
func (*Decoder) Target() string { return "" }

// Example implements models.Decoder.
func (d *Decoder) Example(data datasets.Data) (models.Example, error) {
	rows, ok := data.(*datasets.Labelled)
	if !ok || rows.X.N != 1 {
		return models.Example{}, fmt.Errorf("want one labelled row at a time, not %d %s", data.Len(), data.Kind())
	}
	d.row.X = d.more.LeaveOut(&rows.X, d.Features)
	return Example(d.Map(&d.row.X), nil, nil), nil
}

// Output implements models.Decoder.
func (d *Decoder) Output(_ datasets.Data, _ models.Example, y models.Vertex) datasets.Data {
	d.out = datasets.Labelled{X: d.row.X, Y: append(d.out.Y[:0], y[0]), Classes: d.Classes}
	return &d.out
}

// Warnings implements models.Decoder.
func (d *Decoder) Warnings() []string { return d.more.Warnings() }

// Beyond leaves out features that the training rows did not have.
type Beyond struct{ features int }

// LeaveOut returns the rows without the features from this number on.
func (b *Beyond) LeaveOut(x *datasets.Rows, features int) datasets.Rows {
	if x.Dim <= features {
		return *x
	}
	b.features = features
	return x.Narrow(features)
}

// Warnings returns a warning if features were left out.
func (b *Beyond) Warnings() []string {
	if b.features == 0 {
		return nil
	}
	return []string{fmt.Sprintf("features beyond the %d of the training rows are unknown to the weights and left out",
		b.features)}
}
