package real

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/parse"
	"github.com/gaplab/gaplab/datasets/internal/shape"
)

// Covertype is the forest cover type data set of Blackard and Dean: 581,012 patches of forest in seven classes. A row
// has 10 quantities (elevation, distances, hillshades) and indicators of 4 wilderness areas and 40 types of soil. These
// are 54 features, of which about 12 are not 0. There is no bias feature.
//
// The cutting-plane paper trains on 522,911 rows, which are 90 %, and does not state which rows. Here a random
// permutation of all rows is drawn from SplitSeed. Its first 522,911 rows are the training portion, and the others the
// validation portion. Train and Validation are the numbers of rows that are used: the first rows of each portion. So
// the rows of smaller sets are also in larger sets.
//
// If Scale is unit, a quantity x becomes (x−min)/(max−min). min and max are over the whole training portion, even if
// Train is smaller. So training values are in [0, 1], and validation values may be slightly outside.
type Covertype struct {
	// number of training rows to use, from the start of the training portion
	Train int `yaml:"train" jsonschema:"minimum=1,maximum=522911"`
	// number of validation rows to use, from the start of the validation portion; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0,maximum=58101"`
	// unit: each quantity is scaled to [0, 1] by its range in the training portion; raw: quantities are as in the file
	Scale string `yaml:"scale" jsonschema:"enum=raw,enum=unit"`
	// all: the seven classes; binary: class 1 (+1) against the others (-1)
	Classes string `yaml:"classes" jsonschema:"enum=all,enum=binary"`
	// seed of the permutation that splits the rows
	SplitSeed uint64 `yaml:"split_seed"`
}

const (
	coverTrain      = 522911
	coverValidation = 58101
)

// CovertypeEntry returns the catalogue entry of Covertype.
func CovertypeEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "covertype",
		Title:    "Forest cover types (Covertype)",
		About: "seven types of forest from 10 quantities, 4 wilderness areas and 40 types of soil; a random 90 % to " +
			"train on, the others to validate on; or class 1 against the others",
		Licence: "CC BY 4.0 (UCI); reuse unlimited with retention of the copyright notice for Jock A. Blackard and " +
			"Colorado State University",
		Files: covertypeFiles(),
		Expect: datasets.Counts{Train: coverTrain, Validation: coverValidation, Features: shape.CoverFeatures,
			Classes:  shape.CoverClasses,
			NonZeros: 6246367},
		New: func() datasets.Loader {
			return &Covertype{Train: coverTrain, Validation: coverValidation, Scale: "unit", Classes: "all", SplitSeed: 1}
		},
	}
}

func covertypeFiles() []datasets.File {
	return []datasets.File{{
		Name:   "covertype/covtype.data.gz",
		URLs:   []string{"https://archive.ics.uci.edu/ml/machine-learning-databases/covtype/covtype.data.gz"},
		Bytes:  75169317,
		SHA256: "0a9371cef7c964b5475d6053cc3e0894a5aa6f65ad1ed3ecb01c45aa96217945",
	}}
}

// Validate implements Validator.
func (c Covertype) Validate() error { return check.Settings(c) }

// Load implements Loader. It reads the whole file, stores 24 bytes for each selected row, and then makes sparse rows of
// about 160 bytes each.
func (c Covertype) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	set := &datasets.Set{Name: "covertype", Files: map[string]string{}}
	settings := []string{strconv.Itoa(c.Train), strconv.Itoa(c.Validation), c.Scale, c.Classes,
		strconv.FormatUint(c.SplitSeed, 10)}
	split := newCoverSplit(coverTrain, coverValidation, c)
	err := set.ReadFiles(ctx, src, covertypeFiles(), settings, split.read)
	if err != nil {
		return nil, err
	}
	scale := shape.CoverScale{Unit: c.Scale == "unit", Low: split.low, High: split.high}
	set.Train = shape.LabelledCover(split.train, scale, c.Classes == "binary")
	if c.Validation > 0 {
		set.Validation = shape.LabelledCover(split.validation, scale, c.Classes == "binary")
	}
	set.Warnings = parse.Doubts(set.Train.(*datasets.Labelled))
	return set, nil
}

// coverSplit divides the rows of the file into the two portions.
type coverSplit struct {
	place      []int32                      // for each row of the file: its index in the permutation
	portion    int                          // number of rows of the training portion, which come first in the permutation
	train      []shape.CoverRow             // selected training rows, in the order of the permutation
	validation []shape.CoverRow             // selected validation rows, in the order of the permutation
	low, high  [shape.CoverQuantities]int16 // range of each quantity in the training portion
}

func newCoverSplit(train, validation int, c Covertype) *coverSplit {
	s := &coverSplit{
		place:      make([]int32, train+validation),
		portion:    train,
		train:      make([]shape.CoverRow, c.Train),
		validation: make([]shape.CoverRow, c.Validation),
	}
	for place, row := range rand.New(rand.NewPCG(c.SplitSeed, 1)).Perm(len(s.place)) {
		s.place[row] = int32(place)
	}
	for j := range s.low {
		s.low[j], s.high[j] = 1<<15-1, -1<<15
	}
	return s
}

// read parses the whole file, since the ranges of the quantities are over all rows of the training portion.
func (s *coverSplit) read(path string, r io.Reader) error {
	in := parse.NewLines(path, r)
	var row shape.CoverRow
	for n, place := range s.place {
		if err := readCoverRow(&row, &in); err == io.EOF {
			return fmt.Errorf("%s: %d rows: want %d", path, n, len(s.place))
		} else if err != nil {
			return err
		}
		at := int(place)
		if at >= s.portion {
			if at -= s.portion; at < len(s.validation) {
				s.validation[at] = row
			}
			continue
		}
		if at < len(s.train) {
			s.train[at] = row
		}
		for j, q := range row.Quantity {
			s.low[j], s.high[j] = min(s.low[j], q), max(s.high[j], q)
		}
	}
	if _, err := in.ReadLine(); err == nil {
		return in.Fault(0, "more than %d rows", len(s.place))
	} else if err != io.EOF {
		return err
	}
	return nil
}
