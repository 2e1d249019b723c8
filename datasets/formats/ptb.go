package formats

import (
	"context"
	"io"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// PTB reads the user's own files of bracketed trees, in the format of the Penn Treebank, plain, .gz or .bz2. Traces
// and the functions of labels are removed, as a TreeReader says.
type PTB struct {
	// training file; a relative path starts from the folder of the spec
	Path string `yaml:"path" jsonschema:"required,minLength=1"`
	// longer sentences are left out, of training and validation data; 0: none
	MaxWords int `yaml:"max_words" jsonschema:"minimum=0"`
	// validation file; empty: none, or a fraction of path
	Validation string `yaml:"validation"`
	// instead: a share of the trees of path that are not left out, drawn by seed, in file order
	ValidationFraction float64 `yaml:"validation_fraction" jsonschema:"minimum=0,exclusiveMaximum=1"`
	// of that draw
	Seed uint64 `yaml:"seed"`
	// number of training trees, the first of those not left out; 0: all
	Train int `yaml:"train" jsonschema:"minimum=0"`
}

// PTBEntry is PTB in the list of data sets.
func PTBEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "ptb",
		Title:    "bracketed trees of your own (Penn Treebank)",
		About: "trees such as (S (NP (NN x)) (VP (VB y))), without traces and functions; keys: path, max_words, " +
			"validation (a file) or validation_fraction with seed, train (first trees)",
		Licence: "your own",
		Format:  true,
		New:     func() datasets.Loader { return &PTB{Seed: 1} },
	}
}

func (p PTB) own() ownFiles {
	return ownFiles{p.Path, p.Validation, p.ValidationFraction, p.Seed, p.Train, "trees"}
}

// Paths implements datasets.Owned.
func (p PTB) Paths() []string { return p.own().paths() }

// Validate implements Validator.
func (p PTB) Validate() error { return p.own().check("treebank", p) }

// Load implements Loader.
func (p PTB) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	set := &datasets.Set{Name: p.Path, Files: map[string]string{}}
	reader := parse.NewTreeReader(p.MaxWords)
	train, validation, err := p.own().parts(ctx, src, set, reader.Read, reader.Count)
	if err != nil {
		return nil, err
	}
	if err := parse.FillTrees(set, reader, train, validation, p.Train); err != nil {
		return nil, err
	}
	set.Checksum = p.own().identity(set, "ptb", strconv.Itoa(p.MaxWords))
	return set, nil
}

// Stream implements datasets.Streamer, for bracketed trees and for lines of words.
func (PTB) Stream(path string, r io.Reader, _ string) (datasets.Stream, error) {
	return parse.NewTreeStream(path, r), nil
}
