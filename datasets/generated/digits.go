package generated

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/shape"
)

// Digits generates images of handwritten digits in the format of MNIST: 28x28 grey pixels, divided by 255 and stored
// sparse, in ten classes. At smoke scale these data replace MNIST. They must never be presented as MNIST.
//
// Each class has a few styles of writing the digit. A style is a list of pen strokes. For each image, the style, the
// control points, slant, rotation, width, position and pen radius are drawn at random. Their standard deviations were
// chosen so that multinomial logistic regression behaves as on the same number of MNIST images: the error is near 10 %
// and smallest for C from 1 to 100, and the mean of |x|² is near 90.
//
// The same seed gives the same images. A smaller set consists of the first images of a larger one, and validation
// images do not depend on Train.
type Digits struct {
	// number of training examples
	Train int `yaml:"train" jsonschema:"minimum=1,maximum=1000000"`
	// number of validation examples; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0,maximum=1000000"`
	// seed of the generator
	Seed uint64 `yaml:"seed"`
	// scaling of the labelled rows; unit: each row is divided by its Euclidean norm; max: each column is divided by its
	// largest absolute value in the training rows
	Scale string `yaml:"scale" jsonschema:"enum=none,enum=unit,enum=max" settings:"optional"`
}

const (
	digitsVersion = "1" // must be raised when the same seed gives other images
	digitsSide    = 28  // width and height of an image, in pixels
)

// DigitsEntry returns the catalogue entry of Digits.
func DigitsEntry() datasets.Entry {
	return datasets.Entry{
		Revision:  1,
		Name:      "digits",
		Title:     "Generated digits in the shape of MNIST",
		About:     "seeded generator of drawn digits, 28x28 pixels in [0, 1], ten classes: a substitute for real data",
		Licence:   "generated: no rights reserved",
		Synthetic: true,
		Expect:    datasets.Counts{Train: 1000, Validation: 500, Features: 784, Classes: 10},
		New: func() datasets.Loader {
			return &Digits{Train: 1000, Validation: 500, Seed: 1, Scale: datasets.ScaleNone}
		},
	}
}

// Validate implements Validator.
func (d Digits) Validate() error { return check.Settings(d) }

// Load implements Loader. It draws about 50,000 images a second.
func (d Digits) Load(ctx context.Context, _ datasets.Source) (*datasets.Set, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	train, err := d.draw(ctx, 1, d.Train)
	if err != nil {
		return nil, err
	}
	set := &datasets.Set{
		Name:      "digits",
		Synthetic: true,
		Train:     train,
		Checksum: datasets.Checksum("digits", digitsVersion,
			strconv.Itoa(d.Train), strconv.Itoa(d.Validation), strconv.FormatUint(d.Seed, 10)),
	}
	if d.Validation > 0 {
		validation, err := d.draw(ctx, 2, d.Validation)
		if err != nil {
			return nil, err
		}
		set.Validation = validation
	}
	return set, set.Scale(d.Scale)
}

// draw generates n images from a stream of random numbers. For each seed there is one stream for training and one for
// validation.
func (d Digits) draw(ctx context.Context, stream uint64, n int) (*datasets.Labelled, error) {
	rng := rand.New(rand.NewPCG(d.Seed, stream))
	styles := digitStyles()
	pixels := make([]byte, n*digitsSide*digitsSide)
	classes := make([]byte, n)
	for i := range classes {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("digits: %w", ctx.Err())
		}
		class := rng.IntN(len(styles))
		classes[i] = byte(class)
		style := styles[class][rng.IntN(len(styles[class]))]
		drawDigit(canvas(pixels[i*digitsSide*digitsSide:][:digitsSide*digitsSide]), style, rng)
	}
	return shape.PixelRows(pixels, classes, digitsSide*digitsSide), nil
}
