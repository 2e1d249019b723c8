package datasets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
)

// LIBSVM reads the user's own files in LIBSVM (SVM-light) format, plain, .gz or .bz2:
//
//	label index:value index:value ...   # comment
//
// Labels are numbers, sorted by value (1, +1 and 1.0 are one class), or else names, sorted as text; both parts share
// the classes and features of the whole training file, whatever Train is. Indices count from 1. Rows stay sparse.
type LIBSVM struct {
	Path               string  `yaml:"path" jsonschema:"required,minLength=1" jsonschema_description:"training file; a relative path starts from the folder of the spec"`
	Validation         string  `yaml:"validation" jsonschema_description:"validation file; empty: none, or a fraction of path"`
	ValidationFraction float64 `yaml:"validation_fraction" jsonschema:"minimum=0,exclusiveMaximum=1" jsonschema_description:"instead: a share of the rows of path, drawn by seed, in file order"`
	Seed               uint64  `yaml:"seed" jsonschema_description:"of that draw"`
	Train              int     `yaml:"train" jsonschema:"minimum=0" jsonschema_description:"the first so many training rows; 0: all"`
	ZeroBased          bool    `yaml:"zero_based" jsonschema_description:"indices count from 0"`
}

func libsvmEntry() Entry {
	return Entry{
		Name:    "libsvm",
		Title:   "a file of your own in LIBSVM (SVM-light) format",
		About:   "rows `label index:value ...`; keys: path, validation (a file) or validation_fraction with seed, train (first rows), zero_based",
		Licence: "your own",
		Format:  true,
		New:     func() Loader { return &LIBSVM{Seed: 1} },
	}
}

// Check implements Validator.
func (l LIBSVM) Validate() error {
	var errs []error
	if l.Path == "" {
		errs = append(errs, &SettingError{"path", l.Path, "the LIBSVM file to train on"})
	}
	if !(l.ValidationFraction >= 0 && l.ValidationFraction < 1) {
		errs = append(errs, &SettingError{"validation_fraction", l.ValidationFraction, "a fraction from 0 to below 1"})
	}
	if l.Validation != "" && l.ValidationFraction != 0 {
		errs = append(errs, &SettingError{"validation_fraction", l.ValidationFraction, "either this or a validation file, not both"})
	}
	if l.Train < 0 {
		errs = append(errs, &SettingError{"train", l.Train, "a count of rows, or 0 for all"})
	}
	return errors.Join(errs...)
}

// Load implements Loader.
func (l LIBSVM) Load(ctx context.Context, src Source) (*Set, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	set := &Set{Name: l.Path, Files: map[string]string{}}
	limit := math.MaxInt
	if l.Train > 0 && l.ValidationFraction == 0 {
		limit = l.Train
	}
	rows, total, err := readTraining(l.part(ctx, src, "path", l.Path, set), limit, l.ZeroBased)
	if err != nil {
		return nil, err
	}
	train := rows
	switch {
	case l.Validation != "":
		validation, dropped, err := readValidation(l.part(ctx, src, "validation", l.Validation, set), rows, math.MaxInt, l.ZeroBased)
		if err != nil {
			return nil, err
		}
		set.Validation = validation
		if dropped > 0 {
			set.Warnings = append(set.Warnings, fmt.Sprintf("%s: dropped %d values of features beyond the %d of the training file",
				l.Validation, dropped, rows.X.Dim))
		}
	case l.ValidationFraction > 0:
		held := int(l.ValidationFraction * float64(total))
		if held == 0 {
			return nil, &SettingError{"validation_fraction", l.ValidationFraction, fmt.Sprintf("a fraction that holds out at least one of the %d rows", total)}
		}
		var validation *Labelled
		train, validation = split(rows, held, l.Seed)
		set.Validation = validation
		total -= held
	}
	if l.Train > total {
		return nil, &SettingError{"train", l.Train, fmt.Sprintf("at most the %d training rows of %s", total, l.Path)}
	}
	if l.Train > 0 && train.Len() > l.Train {
		train = train.pick(firstRows(l.Train))
	}
	set.Train = train
	set.Warnings = append(set.Warnings, doubts(train)...)
	set.Checksum = checksum("libsvm", set.Files[l.Path], set.Files[l.Validation], strconv.Itoa(l.Train),
		strconv.FormatFloat(l.ValidationFraction, 'g', -1, 64), strconv.FormatUint(l.Seed, 10), strconv.FormatBool(l.ZeroBased))
	return set, nil
}

// part reads one file of the user's, given by key in the spec, and notes its checksum in the set.
func (l LIBSVM) part(ctx context.Context, src Source, key, path string, set *Set) libsvmPart {
	return func(parse func(string, io.Reader) error) error {
		full := path
		if !filepath.IsAbs(full) {
			full = filepath.Join(src.Dir, full)
		}
		sum, parseErr, err := readHashed(ctx, full, func(r io.Reader) error { return parse(full, r) })
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w: %w", ErrMissing, err)
		}
		if err = cmp.Or(err, parseErr); err != nil {
			return fmt.Errorf("dataset: %s: %w", key, err)
		}
		set.Files[path] = sum
		return nil
	}
}

// split holds out so many rows, drawn by the seed. Both parts keep the order of the file.
func split(rows *Labelled, held int, seed uint64) (train, validation *Labelled) {
	perm := rand.New(rand.NewPCG(seed, 0)).Perm(rows.Len())
	slices.Sort(perm[:held])
	slices.Sort(perm[held:])
	return rows.pick(perm[held:]), rows.pick(perm[:held])
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
func firstRows(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
