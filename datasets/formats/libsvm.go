package formats

import (
	"context"
	"io"
	"math"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// LIBSVM reads the user's own files in LIBSVM (SVM-light) format, plain, .gz or .bz2:
//
//	label index:value index:value ...   # comment
//
// If all labels are numbers, classes are sorted by value, and 1, +1 and 1.0 are one class. Otherwise labels are names,
// sorted as text. Training and validation data have the classes and features of the whole training file, even if Train
// limits the number of rows. Indices count from 1. Rows stay sparse.
type LIBSVM struct {
	// training file; a relative path starts from the folder of the spec
	Path string `yaml:"path" jsonschema:"required,minLength=1"`
	// path of a validation file, or a number such as 0.2: the fraction of the rows of the training file that become
	// validation data, drawn at random; empty: no validation data
	Validation Held `yaml:"validation"`
	// seed of the random choice of these validation rows
	Seed uint64 `yaml:"seed"`
	// number of training rows to use, from the start of the training file; 0: all
	Train int `yaml:"train" jsonschema:"minimum=0"`
	// if true, indices count from 0, not from 1
	ZeroBased bool `yaml:"zero_based"`
	// scaling of the labelled rows; unit: each row is divided by its Euclidean norm; max: each column is divided by its
	// largest absolute value in the training rows
	Scale string `yaml:"scale" jsonschema:"enum=none,enum=unit,enum=max" settings:"optional"`
	// IANA name of the encoding of the files, such as ISO-8859-1, windows-1252 or UTF-16; empty: UTF-8
	Encoding string `yaml:"encoding"`
}

// LIBSVMEntry returns the catalogue entry of LIBSVM.
func LIBSVMEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "libsvm",
		Title:    "a file of your own in LIBSVM (SVM-light) format",
		About: "rows `label index:value ...`; keys: path, validation (a file, or a fraction such as 0.2, with " +
			"seed), train (first rows), zero_based, scale (unit or max), encoding",
		Licence: "your own",
		Format:  true,
		New:     func() datasets.Loader { return &LIBSVM{Seed: 1, Scale: datasets.ScaleNone} },
	}
}

// ClassFinder returns a function that returns the class of a label. If all classes are numbers, labels that are equal
// as numbers, such as 1 and +1, belong to one class.
func ClassFinder(classes []string) func(label string) (class int, ok bool) {
	find := parse.ClassFinder(classes)
	return func(label string) (int, bool) { return find([]byte(label)) }
}

// own returns the settings that all formats have.
func (l LIBSVM) own() ownFiles {
	return ownFiles{l.Path, l.Validation, l.Seed, l.Train, l.Encoding, "rows"}
}

// Paths implements datasets.Owned.
func (l LIBSVM) Paths() []string { return l.own().paths() }

// Validate implements Validator.
func (l LIBSVM) Validate() error { return l.own().check("LIBSVM", l) }

// Load implements Loader.
func (l LIBSVM) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	own := l.own()
	set := &datasets.Set{Name: l.Path, Files: map[string]string{}}
	part := func(key, path string) parse.RowFiles {
		return func(parse func(string, io.Reader) error) error { return own.read(ctx, src, set, key, path, parse) }
	}
	limit := math.MaxInt
	if l.Train > 0 && l.Validation.fraction() == 0 {
		limit = l.Train
	}
	rows, total, err := parse.ReadTraining(part("path", l.Path), limit, l.ZeroBased)
	if err != nil {
		return nil, err
	}
	train := rows
	switch {
	case l.Validation.file() != "":
		file := part("validation", l.Validation.file())
		validation, doubts, err := parse.ReadValidation(file, rows, math.MaxInt, l.ZeroBased)
		if err != nil {
			return nil, err
		}
		set.Validation = validation
		for _, doubt := range doubts {
			set.Warnings = append(set.Warnings, l.Validation.file()+": "+doubt)
		}
	case l.Validation.fraction() > 0:
		keep, held, err := own.holdOut(total)
		if err != nil {
			return nil, err
		}
		train, set.Validation = rows.Pick(keep), rows.Pick(held)
		total = len(keep)
	}
	if err := check.Limit("train", l.Train, total, "training rows of "+l.Path); err != nil {
		return nil, err
	}
	if l.Train > 0 && train.Len() > l.Train {
		train = train.Pick(parse.Between(0, l.Train))
	}
	set.Train = train
	set.Warnings = append(set.Warnings, parse.Doubts(train)...)
	set.Checksum = own.identity(set, "libsvm", strconv.FormatBool(l.ZeroBased))
	return set, set.Scale(l.Scale)
}

// Stream implements datasets.Streamer, for rows with or without labels.
func (l LIBSVM) Stream(path string, r io.Reader, _ string) (datasets.Stream, error) {
	texts := l.own().texts()
	return texts.Encode(parse.NewRowStream(path, texts.Decode(r), l.ZeroBased)), nil
}
