package multiclass

import (
	"fmt"
	"math"
	"strconv"

	"github.com/gaplab/gaplab/internal/settings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/classes"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// Binary is classification into two classes, y = −1 and y = +1, with one weight vector (paper cutting-plane, sec. 5.1):
//
//	ψ(x, y) = ½ y x,   θ_y = ½ y w·x,   y ∈ {−1, +1},
//
// So the margin θ_y − θ_{−y} is y w·x, and the hinge is the loss of a support vector machine. The parts of an example
// are its two classes, in the order of the data set. If the classes are numbers, +1 is the greater one, otherwise the
// second one. The label loss is LossScale·[y ≠ y_i]. The default LossScale is 1; the paper cutting-plane uses 100.
//
// Score and AddAdjoint cost one pass over the non-zeros of x. The oracles compare two numbers.
type Binary struct {
	// label loss of a wrong class
	LossScale float64 `yaml:"loss_scale" jsonschema:"exclusiveMinimum=0"`
	// value of a constant feature that is added to every row, with a weight that is regularised like the others; 0: no
	// constant feature
	Bias float64 `yaml:"bias" jsonschema:"minimum=0"`
}

// NewBinary returns the model with its default settings.
func NewBinary() *Binary { return &Binary{LossScale: 1} }

// Build implements models.Builder for labelled rows of two classes.
func (m Binary) Build(train, validation datasets.Data) (*models.Task, error) {
	if err := settings.Check(m); err != nil {
		return nil, fmt.Errorf("model binary: %w", err)
	}
	rows, held, err := classes.Rows("binary", train, validation)
	if err != nil {
		return nil, err
	}
	if k := len(rows.Classes); k != 2 {
		return nil, fmt.Errorf("model binary needs exactly 2 classes; the training data have %d (use model multiclass for "+
			"more)", k)
	}
	dim := rows.X.Dim
	if m.Bias > 0 {
		dim++
	}
	t := &models.Task{
		Model:      "binary",
		Unknowns:   models.Weights{Dim: dim},
		Classes:    rows.Classes,
		Metrics:    []models.Metric{{Name: "validation_error", Of: models.ZeroOneLoss}},
		Vocabulary: classes.NewVocabulary(rows),
	}
	half := 0.5
	if descending(rows.Classes) {
		half = -half
	}
	t.Train = m.examples(rows, dim, half)
	if held != nil {
		t.Validation = m.examples(held, dim, half)
	}
	var radius float64 // largest |ψ(x, y) − ψ(x, −y)|² (see Binary), which is |x|²
	for i := range t.Train {
		of := t.Train[i].Features.(*binaryFeatures).norm
		if math.IsInf(of, 1) {
			return nil, tooLong("binary", i)
		}
		radius = max(radius, of)
	}
	t.Facts = map[string]float64{"radius_sq": radius}
	return t, nil
}

// descending reports whether the classes are numbers and the first one is greater.
func descending(classes []string) bool {
	first, err1 := strconv.ParseFloat(classes[0], 64)
	second, err2 := strconv.ParseFloat(classes[1], 64)
	return err1 == nil && err2 == nil && first > second
}

func (m Binary) examples(d *datasets.Labelled, dim int, half float64) []models.Example {
	truths, costs := classes.Labels(2, m.LossScale)
	features := make([]binaryFeatures, d.X.N)
	examples := make([]models.Example, d.X.N)
	for i := range examples {
		f := &features[i]
		f.x.Index, f.x.Value = d.X.Row(i)
		f.dim, f.half, f.bias, f.norm = dim, half, m.Bias, vec.NormSq(f.x.Value)+m.Bias*m.Bias
		y := d.Y[i]
		examples[i] = classes.Example(f, truths[y], costs[y])
	}
	return examples
}
