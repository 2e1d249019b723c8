package datasets

import (
	"context"
	"errors"
	"fmt"
	"strconv"
)

// PTB reads the user's own files of bracketed trees, in the format of the Penn Treebank, plain, .gz or .bz2. Traces
// and the functions of labels are removed, as a treeReader says.
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
	// the first so many training trees of those that are not left out; 0: all
	Train int `yaml:"train" jsonschema:"minimum=0"`
}

func ptbEntry() Entry {
	return Entry{
		Name:  "ptb",
		Title: "bracketed trees of your own (Penn Treebank)",
		About: "trees such as (S (NP (NN x)) (VP (VB y))), without traces and functions; keys: path, max_words, " +
			"validation (a file) or validation_fraction with seed, train (first trees)",
		Licence: "your own",
		Format:  true,
		New:     func() Loader { return &PTB{Seed: 1} },
	}
}

func (p PTB) own() ownFiles {
	return ownFiles{p.Path, p.Validation, p.ValidationFraction, p.Seed, p.Train, "trees"}
}

// Validate implements Validator.
func (p PTB) Validate() error {
	return errors.Join(p.own().check("treebank"), checkMaxWords(p.MaxWords))
}

func checkMaxWords(n int) error {
	if n < 0 {
		return &SettingError{"max_words", n, "a count of words, or 0 for no limit"}
	}
	return nil
}

// Load implements Loader.
func (p PTB) Load(ctx context.Context, src Source) (*Set, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	set := &Set{Name: p.Path, Files: map[string]string{}}
	reader := newTreeReader(p.MaxWords)
	train, validation, err := p.own().parts(ctx, src, set, reader.read, reader.count)
	if err != nil {
		return nil, err
	}
	if err := set.trees(reader, train, validation, p.Train); err != nil {
		return nil, err
	}
	set.Checksum = p.own().identity(set, "ptb", strconv.Itoa(p.MaxWords))
	return set, nil
}

// trees fills a set with trees that were read: the first limit training trees (all, if it is 0), and the validation
// trees.
func (set *Set) trees(reader *treeReader, train, validation []int, limit int) error {
	if err := checkLimit("train", limit, len(train), "training trees of "+set.Name); err != nil {
		return err
	}
	if limit > 0 {
		train = train[:limit]
	}
	pick := func(list []int) *Treebank {
		bank := &Treebank{Trees: make([]*Tree, len(list))}
		for k, i := range list {
			bank.Trees[k] = reader.trees[i]
		}
		return bank
	}
	set.Train = pick(train)
	if len(validation) > 0 {
		set.Validation = pick(validation)
	}
	if reader.empty > 0 {
		set.Warnings = append(set.Warnings, fmt.Sprintf("left out %d trees without words", reader.empty))
	}
	return nil
}
