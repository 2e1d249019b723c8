package real

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/parse"
	"github.com/gaplab/gaplab/datasets/internal/shape"
)

// MNIST is the data set of handwritten digits of LeCun and Cortes, as the exponentiated-gradient paper uses it. The
// training data are the first Train of the 60,000 training images. The validation data are the first Validation of the
// 10,000 test images. A row has the 784 pixels divided by 255, stored sparse (19 % are not 0), without a bias feature.
type MNIST struct {
	// number of training images to use, from the start of the training files
	Train int `yaml:"train" jsonschema:"minimum=1,maximum=60000"`
	// number of validation images; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0,maximum=10000"`
	// if true, the validation images are those that follow the training images in the training files; this allows choosing
	// settings without the test files
	HeldOut bool `yaml:"held_out"`
	// scaling of the labelled rows; unit: each row is divided by its Euclidean norm; max: each column is divided by its
	// largest absolute value in the training rows
	Scale string `yaml:"scale" jsonschema:"enum=none,enum=unit,enum=max" settings:"optional"`
}

// Sizes of the images in pixels, and numbers of images in the MNIST files.
const (
	mnistTrain      = 60000
	mnistValidation = 10000
	mnistSide       = 28
)

// MNISTEntry returns the catalogue entry of MNIST.
func MNISTEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "mnist",
		Title:    "MNIST handwritten digits",
		About: "28x28 grey images of the ten digits, pixels/255, no bias; 59,000 of the training images to train on, " +
			"the 10,000 test images to validate on",
		Licence: "commonly given as CC BY-SA 3.0 (LeCun, Cortes); the source page states none",
		Files:   mnistFiles(),
		Expect:  datasets.Counts{Train: 59000, Validation: 10000, Features: 784, Classes: 10, NonZeros: 8835667},
		New:     func() datasets.Loader { return &MNIST{Train: 59000, Validation: 10000, Scale: datasets.ScaleNone} },
	}
}

// mnistFiles lists training images, training labels, test images, test labels.
func mnistFiles() []datasets.File {
	file := func(name string, bytes int64, sum string) datasets.File {
		return datasets.File{
			Name: "mnist/" + name + ".gz",
			URLs: []string{
				"https://ossci-datasets.s3.amazonaws.com/mnist/" + name + ".gz",
				"https://storage.googleapis.com/cvdf-datasets/mnist/" + name + ".gz",
			},
			Bytes:  bytes,
			SHA256: sum,
		}
	}
	return []datasets.File{
		file("train-images-idx3-ubyte", 47040016, "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"),
		file("train-labels-idx1-ubyte", 60008, "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"),
		file("t10k-images-idx3-ubyte", 7840016, "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"),
		file("t10k-labels-idx1-ubyte", 10008, "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"),
	}
}

// Validate implements Validator.
func (m MNIST) Validate() error {
	if err := check.Settings(m); err != nil {
		return err
	}
	if m.HeldOut {
		return errors.Join(check.HeldOut("train", m.Train, mnistTrain), check.Limit("validation", m.Validation,
			mnistTrain-m.Train, "images after the training images in their files"))
	}
	return nil
}

// Load implements Loader. It takes about a second. A row has about 150 non-zeros, and each takes 12 bytes.
func (m MNIST) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return m.load(ctx, src, mnistFiles(), mnistTrain, mnistValidation)
}

// load reads the files f (see mnistFiles), which have the given numbers of training and test images.
func (m MNIST) load(ctx context.Context, src datasets.Source, f []datasets.File, train, test int) (*datasets.Set,
	error) {
	set := &datasets.Set{Name: "mnist", Files: map[string]string{}}
	identity := []string{"mnist", strconv.Itoa(m.Train), strconv.Itoa(m.Validation)}
	keep, used := m.Train, f[:2]
	if m.HeldOut {
		keep += m.Validation
		identity = append(identity, "held out")
	}
	rows, err := readMNIST(ctx, src, f[0], f[1], train, keep)
	if err != nil {
		return nil, err
	}
	switch set.Train = rows; {
	case keep > m.Train:
		set.Train, set.Validation = rows.Pick(parse.Between(0, m.Train)), rows.Pick(parse.Between(m.Train, keep))
	case m.Validation > 0:
		validation, err := readMNIST(ctx, src, f[2], f[3], test, m.Validation)
		if err != nil {
			return nil, err
		}
		set.Validation = validation
		used = f
	}
	for _, file := range used {
		set.Files[file.Name] = file.SHA256
		identity = append(identity, file.SHA256)
	}
	set.Checksum = datasets.Checksum(identity...)
	return set, set.Scale(m.Scale)
}

// readMNIST reads a file of n images and the file of their labels. It returns the first keep images with their labels.
func readMNIST(ctx context.Context, src datasets.Source, images, labels datasets.File, n, keep int) (*datasets.Labelled,
	error) {
	var pixels, classes []byte
	err := src.Read(ctx, "mnist", images, func(path string, r io.Reader) (err error) {
		pixels, err = parse.ReadIDX(path, r, keep, n, mnistSide, mnistSide)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = src.Read(ctx, "mnist", labels, func(path string, r io.Reader) (err error) {
		if classes, err = parse.ReadIDX(path, r, keep, n); err != nil {
			return err
		}
		for i, c := range classes {
			if c > 9 {
				return fmt.Errorf("%s: label %d is %d: want 0 to 9", path, i, c)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return shape.PixelRows(pixels, classes, mnistSide*mnistSide), nil
}
