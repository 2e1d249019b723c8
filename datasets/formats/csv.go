package formats

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// CSV reads the user's own tables of comma-separated values (RFC 4180), plain, .gz or .bz2. The first line has the
// names of the columns, and each other line is a row with a label:
//
//	colour,size,"price, in €",species
//	red,1.5,20,a
//
// A column is numeric if all its values in the training file are finite decimal numbers; it is then one feature. Any
// other column is categorical, and has a feature for each value in the training file, which is 1 in the rows with this
// value. Missing values are refused. As in LIBSVM, classes are sorted by value if all labels are numbers, and otherwise
// as text. Kinds of columns, values and classes are those of the whole training file, even if Train limits the number
// of rows. Zeros are not stored, so rows are sparse.
type CSV struct {
	// training file; a relative path starts from the folder of the spec
	Path string `yaml:"path" jsonschema:"required,minLength=1"`
	// name of the column with the classes; empty: the last column
	Label string `yaml:"label"`
	// the character between two fields
	Delimiter string `yaml:"delimiter" jsonschema:"enum=comma,enum=tab,enum=semicolon" settings:"optional"`
	// path of a validation file, or a number such as 0.2: the fraction of the rows of the training file that become
	// validation data, drawn at random; empty: no validation data
	Validation Held `yaml:"validation"`
	// seed of the random choice of these validation rows
	Seed uint64 `yaml:"seed"`
	// number of training rows to use, from the start of the training file; 0: all
	Train int `yaml:"train" jsonschema:"minimum=0"`
	// scaling of the labelled rows; unit: each row is divided by its Euclidean norm; max: each feature is divided by its
	// largest absolute value in the training rows
	Scale string `yaml:"scale" jsonschema:"enum=none,enum=unit,enum=max" settings:"optional"`
	// IANA name of the encoding of the files, such as ISO-8859-1, windows-1252 or UTF-16; empty: UTF-8
	Encoding string `yaml:"encoding"`
}

// CSVEntry returns the catalogue entry of CSV.
func CSVEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "csv",
		Title:    "a table of your own in CSV, with the names of the columns in its first line",
		About: "a feature for a numeric column, and for each value of a categorical one; keys: path, label (a column; " +
			"default: the last), delimiter (comma, tab or semicolon), validation (a file, or a fraction such as 0.2, with " +
			"seed), train (first rows), scale (unit or max), encoding",
		Licence: "your own",
		Format:  true,
		New:     func() datasets.Loader { return &CSV{Delimiter: "comma", Seed: 1, Scale: datasets.ScaleNone} },
	}
}

// own returns the settings that all formats have.
func (c CSV) own() ownFiles {
	return ownFiles{c.Path, c.Validation, c.Seed, c.Train, c.Encoding, "rows"}
}

// comma returns the character between two fields.
func (c CSV) comma() rune {
	switch c.Delimiter {
	case "tab":
		return '\t'
	case "semicolon":
		return ';'
	}
	return ','
}

// Paths implements datasets.Owned.
func (c CSV) Paths() []string { return c.own().paths() }

// Validate implements Validator.
func (c CSV) Validate() error { return c.own().check("CSV", c) }

// Load implements Loader.
func (c CSV) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	own := c.own()
	set := &datasets.Set{Name: c.Path, Files: map[string]string{}}
	part := func(key, path string) parse.RowFiles {
		return func(parse func(string, io.Reader) error) error { return own.read(ctx, src, set, key, path, parse) }
	}
	limit := math.MaxInt
	if c.Train > 0 && c.Validation.fraction() == 0 {
		limit = c.Train
	}
	rows, table, total, doubts, err := parse.ReadTable(part("path", c.Path), parse.CSVForm{Comma: c.comma(),
		Label: c.Label}, limit)
	if err != nil {
		return nil, unwrapped(err)
	}
	set.Table, set.Warnings = table, doubts
	train := rows
	switch {
	case c.Validation.file() != "":
		file := part("validation", c.Validation.file())
		validation, doubts, err := parse.ReadTableValidation(file, c.comma(), rows, table)
		if err != nil {
			return nil, err
		}
		set.Validation = validation
		for _, doubt := range doubts {
			set.Warnings = append(set.Warnings, c.Validation.file()+": "+doubt)
		}
	case c.Validation.fraction() > 0:
		keep, held, err := own.holdOut(total)
		if err != nil {
			return nil, err
		}
		train, set.Validation = rows.Pick(keep), rows.Pick(held)
		total = len(keep)
	}
	if err := check.Limit("train", c.Train, total, "training rows of "+c.Path); err != nil {
		return nil, err
	}
	if c.Train > 0 && train.Len() > c.Train {
		train = train.Pick(parse.Between(0, c.Train))
	}
	set.Train = train
	set.Warnings = append(set.Warnings, parse.Doubts(train)...)
	set.Checksum = own.identity(set, "csv", table.Label, fmt.Sprintf("%c", c.comma()))
	return set, set.Scale(c.Scale)
}

// unwrapped removes the key of a file from the error of a setting that the content of the file contradicts. This error
// already has the key of the setting. Other errors are returned unchanged.
func unwrapped(err error) error {
	var setting *datasets.SettingError
	if errors.As(err, &setting) {
		return setting
	}
	return err
}

// Form implements datasets.Tabular, for rows with or without labels.
func (c CSV) Form(table datasets.Table) datasets.Form { return csvForm{c, table} }

// csvForm is the form of rows with the columns of a table.
type csvForm struct {
	csv   CSV
	table datasets.Table
}

// Stream implements datasets.Form.
func (f csvForm) Stream(path string, r io.Reader, _ string) (datasets.Stream, error) {
	texts := f.csv.own().texts()
	return texts.Encode(parse.NewCSVStream(path, texts.Decode(r), f.csv.comma(), f.table)), nil
}
