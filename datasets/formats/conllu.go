package formats

import (
	"context"
	"io"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// CoNLLU reads the user's own files in CoNLL-U, the format of Universal Dependencies, plain, .gz or .bz2. It reads the
// heads and the columns word (the form), lemma, upos, xpos and deprel. It skips comments, multiword tokens (1-2) and
// empty nodes (1.1), and does not read features, enhanced dependencies and the last column.
type CoNLLU struct {
	// training file; a relative path starts from the folder of the spec
	Path string `yaml:"path" jsonschema:"required,minLength=1"`
	// if true, omits training sentences whose dependency trees are not projective
	Projective bool `yaml:"projective"`
	// path of a validation file, or a number such as 0.2: the fraction of the sentences of the training file that become
	// validation data, drawn at random; empty: no validation data
	Validation Held `yaml:"validation"`
	// seed of the random choice of these validation sentences
	Seed uint64 `yaml:"seed"`
	// number of training sentences to use, from the start of the training file; 0: all
	Train int `yaml:"train" jsonschema:"minimum=0"`
	// IANA name of the encoding of the files, such as ISO-8859-1, windows-1252 or UTF-16; empty: UTF-8
	Encoding string `yaml:"encoding"`
}

// CoNLLUEntry returns the catalogue entry of CoNLLU.
func CoNLLUEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "conllu",
		Title:    "a treebank of your own in CoNLL-U (Universal Dependencies)",
		About: "ten columns, read as word, lemma, upos, xpos, deprel and heads; keys: path, projective, validation (a " +
			"file, or a fraction such as 0.2, with seed), train (first sentences), encoding",
		Licence: "your own",
		Format:  true,
		New:     func() datasets.Loader { return &CoNLLU{Seed: 1} },
	}
}

// conlluFields returns the names of the ten fields of a line. The fields named _ are not read: features, enhanced
// dependencies and the last field.
func conlluFields() []string {
	return []string{parse.FieldID, "word", "lemma", "upos", "xpos", parse.FieldSkip, parse.FieldHead, "deprel",
		parse.FieldSkip, parse.FieldSkip}
}

func (c CoNLLU) own() ownFiles {
	return ownFiles{c.Path, c.Validation, c.Seed, c.Train, c.Encoding, "sentences"}
}

// Paths implements datasets.Owned.
func (c CoNLLU) Paths() []string { return c.own().paths() }

// Validate implements Validator.
func (c CoNLLU) Validate() error { return c.own().check("CoNLL-U", c) }

// Load implements Loader.
func (c CoNLLU) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	set, err := loadSentences(ctx, src, c.own(), parse.NewSentenceReader(conlluFields(), true), c.Projective)
	if err != nil {
		return nil, err
	}
	set.Checksum = c.own().identity(set, "conllu", strconv.FormatBool(c.Projective))
	return set, nil
}

// Stream implements datasets.Streamer. Predictions replace the text in the predicted column, so a line still has ten
// columns.
func (c CoNLLU) Stream(path string, r io.Reader, target string) (datasets.Stream, error) {
	return sentenceStream(path, r, c.own(), conlluFields(), true, true, target)
}
