package datasets

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
)

// LIBSVM reads the user's own files in LIBSVM (SVM-light) format, plain, .gz or .bz2:
//
//	label index:value index:value ...   # comment
//
// Labels are numbers, sorted by value (1, +1 and 1.0 are one class), or else names, sorted as text; both parts share
// the classes and features of the whole training file, whatever Train is. Indices count from 1. Rows stay sparse.
type LIBSVM struct {
	// training file; a relative path starts from the folder of the spec
	Path string `yaml:"path" jsonschema:"required,minLength=1"`
	// validation file; empty: none, or a fraction of path
	Validation string `yaml:"validation"`
	// instead: a share of the rows of path, drawn by seed, in file order
	ValidationFraction float64 `yaml:"validation_fraction" jsonschema:"minimum=0,exclusiveMaximum=1"`
	// of that draw
	Seed uint64 `yaml:"seed"`
	// the first so many training rows; 0: all
	Train int `yaml:"train" jsonschema:"minimum=0"`
	// indices count from 0
	ZeroBased bool `yaml:"zero_based"`
}

func libsvmEntry() Entry {
	return Entry{
		Name:  "libsvm",
		Title: "a file of your own in LIBSVM (SVM-light) format",
		About: "rows `label index:value ...`; keys: path, validation (a file) or validation_fraction with seed, train " +
			"(first rows), zero_based",
		Licence: "your own",
		Format:  true,
		New:     func() Loader { return &LIBSVM{Seed: 1} },
	}
}

// own are the keys that the formats share.
func (l LIBSVM) own() ownFiles {
	return ownFiles{l.Path, l.Validation, l.ValidationFraction, l.Seed, l.Train, "rows"}
}

// Validate implements Validator.
func (l LIBSVM) Validate() error { return l.own().check("LIBSVM") }

// Load implements Loader.
func (l LIBSVM) Load(ctx context.Context, src Source) (*Set, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	own := l.own()
	set := &Set{Name: l.Path, Files: map[string]string{}}
	part := func(key, path string) libsvmPart {
		return func(parse func(string, io.Reader) error) error { return own.read(ctx, src, set, key, path, parse) }
	}
	limit := math.MaxInt
	if l.Train > 0 && l.ValidationFraction == 0 {
		limit = l.Train
	}
	rows, total, err := readTraining(part("path", l.Path), limit, l.ZeroBased)
	if err != nil {
		return nil, err
	}
	train := rows
	switch {
	case l.Validation != "":
		validation, dropped, err := readValidation(part("validation", l.Validation), rows, math.MaxInt, l.ZeroBased)
		if err != nil {
			return nil, err
		}
		set.Validation = validation
		if dropped > 0 {
			set.Warnings = append(set.Warnings,
				fmt.Sprintf("%s: dropped %d values of features beyond the %d of the training file",
					l.Validation, dropped, rows.X.Dim))
		}
	case l.ValidationFraction > 0:
		keep, held, err := own.holdOut(total)
		if err != nil {
			return nil, err
		}
		train, set.Validation = rows.pick(keep), rows.pick(held)
		total = len(keep)
	}
	if err := checkLimit("train", l.Train, total, "training rows of "+l.Path); err != nil {
		return nil, err
	}
	if l.Train > 0 && train.Len() > l.Train {
		train = train.pick(firstRows(l.Train))
	}
	set.Train = train
	set.Warnings = append(set.Warnings, doubts(train)...)
	set.Checksum = own.identity(set, "libsvm", strconv.FormatBool(l.ZeroBased))
	return set, nil
}

// pick copies the given rows, in the given order. The rows must be sparse.
func (l *Labelled) pick(rows []int) *Labelled {
	stored := 0
	for _, i := range rows {
		stored += l.X.Start[i+1] - l.X.Start[i]
	}
	p := &Labelled{
		X: Rows{
			N: len(rows), Dim: l.X.Dim, Start: make([]int, 1, len(rows)+1),
			Index: make([]int32, 0, stored), Value: make([]float64, 0, stored),
		},
		Y:       make([]int, len(rows)),
		Classes: l.Classes,
	}
	for k, i := range rows {
		index, value := l.X.Row(i)
		p.X.Index = append(p.X.Index, index...)
		p.X.Value = append(p.X.Value, value...)
		p.X.Start = append(p.X.Start, len(p.X.Index))
		p.Y[k] = l.Y[i]
	}
	return p
}

// firstRows is 0, 1, ..., n-1.
func firstRows(n int) []int { return between(0, n) }
