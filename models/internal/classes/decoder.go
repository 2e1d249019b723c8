package classes

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// Vocabulary is what predictions need from the training rows besides the weights.
type Vocabulary struct {
	Features int      `json:"features"` // number of features of a row
	Classes  []string `json:"classes"`
}

// NewVocabulary returns a function for Task.Vocabulary that returns the vocabulary of rows.
func NewVocabulary(rows *datasets.Labelled) func() any {
	return func() any { return Vocabulary{rows.X.Dim, rows.Classes} }
}

// ReadVocabulary reads a vocabulary from JSON. The vocabulary must have at least one feature and two classes.
func ReadVocabulary(text []byte) (v Vocabulary, err error) {
	if err := json.Unmarshal(text, &v); err != nil {
		return v, err
	}
	return v, CheckVocabulary(v.Features, len(v.Classes), "classes")
}

// CheckVocabulary returns an error if there are no features or fewer than two classes. Messages use the argument what
// as the name of the classes.
func CheckVocabulary(features, n int, what string) error {
	if features <= 0 || features > math.MaxInt32 || n < 2 {
		return fmt.Errorf("the vocabulary has %d features and %d %s: want 1 to %d features and at least 2 %s", features, n,
			what, math.MaxInt32, what)
	}
	return nil
}

// Decoder predicts the classes of rows. It ignores features that are not in the vocabulary.
type Decoder struct {
	Vocabulary
	Weights int // length of w
	// Map returns the feature map of one sparse row, which has only features of the vocabulary.
	Map func(x *datasets.Rows) models.FeatureMap

	row  datasets.Labelled
	out  datasets.Labelled
	more Beyond
}

// Dim implements models.Decoder.
func (d *Decoder) Dim() int { return d.Weights }

// Target implements models.Decoder. It returns an empty name, since each row has one class.
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

// Choices implements models.Chooser.
func (d *Decoder) Choices(models.Example) models.Choices { return Choices(d.Classes) }

// Choices returns the choices of a model whose parts are the classes.
func Choices(names []string) models.Choices {
	return models.Choices{Places: 1, Labels: names, Part: func(_, label int) int { return label },
		Scores: func(to, theta []float64) []float64 { return append(to[:0], theta...) }}
}

// Warnings implements models.Decoder.
func (d *Decoder) Warnings() []string { return d.more.Warnings() }

// Beyond removes features that are not in the training rows, and stores whether there were any.
type Beyond struct{ features int }

// LeaveOut returns the rows without the features whose index is at least the argument features.
func (b *Beyond) LeaveOut(x *datasets.Rows, features int) datasets.Rows {
	if x.Dim <= features {
		return *x
	}
	b.features = features
	return x.Narrow(features)
}

// Warnings returns a warning if features were removed since the last call.
func (b *Beyond) Warnings() []string {
	features := b.features
	b.features = 0
	if features == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the data have features beyond the %d of the training rows; they have no weights and are "+
		"ignored", features)}
}
