package formats

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// PTB reads the user's own files of bracketed trees, in the format of the Penn Treebank, plain, .gz or .bz2. It removes
// traces and the function tags in labels, as parse.TreeReader describes.
type PTB struct {
	// training file; a relative path starts from the folder of the spec
	Path string `yaml:"path" jsonschema:"required,minLength=1"`
	// training and validation sentences with more words are omitted; 0: no limit
	MaxWords int `yaml:"max_words" jsonschema:"minimum=0"`
	// path of a validation file, or a number such as 0.2: the fraction of the trees of the training file that become
	// validation data, drawn at random after long trees have been omitted; empty: no validation data
	Validation Held `yaml:"validation"`
	// seed of the random choice of these validation trees
	Seed uint64 `yaml:"seed"`
	// number of training trees to use: the first that max_words does not omit; 0: all
	Train int `yaml:"train" jsonschema:"minimum=0"`
	// IANA name of the encoding of the files, such as ISO-8859-1, windows-1252 or UTF-16; empty: UTF-8
	Encoding string `yaml:"encoding"`
	// lines that begin with this text are comments; empty: no comments
	Comments string `yaml:"comments"`
	// names of the fields of a leaf (a word with its tag), such as: tag word lemma; tag and word must each occur once,
	// other fields are ignored; empty: tag word
	Leaf string `yaml:"leaf"`
}

// PTBEntry returns the catalogue entry of PTB.
func PTBEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "ptb",
		Title:    "bracketed trees of your own (Penn Treebank)",
		About: "trees such as (S (NP (NN x)) (VP (VB y))), without traces and function tags; keys: path, max_words, " +
			"validation (a file, or a fraction such as 0.2, with seed), train (first trees), encoding, comments, leaf (such " +
			"as " +
			"`tag word lemma`)",
		Licence: "your own",
		Format:  true,
		New:     func() datasets.Loader { return &PTB{Seed: 1} },
	}
}

func (p PTB) own() ownFiles {
	return ownFiles{p.Path, p.Validation, p.Seed, p.Train, p.Encoding, "trees"}
}

// Paths implements datasets.Owned.
func (p PTB) Paths() []string { return p.own().paths() }

// Validate implements Validator.
func (p PTB) Validate() error {
	return errors.Join(p.own().check("treebank", p), p.checkComments(), p.checkLeaf())
}

func (p PTB) checkComments() error {
	if strings.HasPrefix(p.Comments, "(") {
		return check.Refuse("comments", p.Comments, "a text that does not begin with a bracket, such as %%")
	}
	return nil
}

func (p PTB) checkLeaf() error {
	names := strings.Fields(p.Leaf)
	for _, name := range []string{parse.FieldTag, parse.FieldWord} {
		if first := slices.Index(names, name); p.Leaf != "" && (first < 0 || slices.Contains(names[first+1:], name)) {
			return check.Refuse("leaf", p.Leaf, "tag and word once each, such as: tag word lemma")
		}
	}
	return nil
}

// form returns the format of the trees for the settings of p.
func (p PTB) form() parse.TreeForm {
	form := parse.TreeForm{Comments: p.Comments}
	if p.Leaf != "" {
		form.Leaf = strings.Fields(p.Leaf)
	}
	return form
}

// Load implements Loader.
func (p PTB) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	set := &datasets.Set{Name: p.Path, Files: map[string]string{}}
	reader := parse.NewTreeReader(p.MaxWords, p.form())
	train, validation, err := p.own().parts(ctx, src, set, reader.Read, reader.Count)
	if err != nil {
		return nil, err
	}
	if err := parse.FillTrees(set, reader, train, validation, p.Train); err != nil {
		return nil, err
	}
	how := []string{strconv.Itoa(p.MaxWords)}
	if p.Comments != "" || p.Leaf != "" {
		how = append(how, p.Comments, p.Leaf)
	}
	set.Checksum = p.own().identity(set, "ptb", how...)
	return set, nil
}

// Stream implements datasets.Streamer, for bracketed trees and for lines of words.
func (p PTB) Stream(path string, r io.Reader, _ string) (datasets.Stream, error) {
	texts := p.own().texts()
	return texts.Encode(parse.NewTreeStream(path, texts.Decode(r), p.form())), nil
}
