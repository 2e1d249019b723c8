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

// CoNLL reads the user's own files of sentences in columns, as in the CoNLL shared tasks. A file is plain, .gz or .bz2.
// Each line has one token, and a blank line follows each sentence. Columns are separated by white space, or only by
// tabs if the line has a tab.
//
// Columns holds the names of the columns, from left to right. The column `head` has the position of each token's head
// in the sentence, from 1, or 0 for the root. It is read into Sentences.Heads. The column `id` has the position of the
// token itself; the loader checks this number. A column `_` is not read. Any other column is read into
// Sentences.Columns. For the files of CoNLL-X:
//
//	columns: id word lemma cpos pos feats head deprel _ _
type CoNLL struct {
	// training file; a relative path starts from the folder of the spec
	Path string `yaml:"path" jsonschema:"required,minLength=1"`
	// names of the columns, such as: word pos chunk; head, id and _ (not read) are special
	Columns string `yaml:"columns" jsonschema:"required,minLength=1"`
	// if true, lines that begin with # are comments and not tokens
	Comments bool `yaml:"comments"`
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

// CoNLLEntry returns the catalogue entry of CoNLL.
func CoNLLEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 2,
		Name:     "conll",
		Title:    "a file of your own with sentences in columns (CoNLL)",
		About: "one token per line, blank lines between sentences; keys: path, columns (such as `word pos chunk`), " +
			"comments, projective, validation (a file, or a fraction such as 0.2, with seed), train (first sentences), " +
			"encoding",
		Licence: "your own",
		Format:  true,
		New:     func() datasets.Loader { return &CoNLL{Seed: 1} },
	}
}

func (c CoNLL) own() ownFiles {
	return ownFiles{c.Path, c.Validation, c.Seed, c.Train, c.Encoding, "sentences"}
}

// Paths implements datasets.Owned.
func (c CoNLL) Paths() []string { return c.own().paths() }

// Validate implements Validator.
func (c CoNLL) Validate() error { return errors.Join(c.own().check("CoNLL", c), c.checkColumns()) }

func (c CoNLL) checkColumns() error {
	names := strings.Fields(c.Columns)
	named := 0
	for i, name := range names {
		if name != parse.FieldSkip && slices.Contains(names[:i], name) {
			return check.Refuse("columns", c.Columns, name+" only once, and _ for columns that are not read")
		}
		if name != parse.FieldSkip && name != parse.FieldID && name != parse.FieldHead {
			named++
		}
	}
	if named == 0 {
		return check.Refuse("columns", c.Columns, "the names of the columns, such as: word pos chunk")
	}
	if c.Projective && !slices.Contains(names, parse.FieldHead) {
		return check.Refuse("projective", true, "false, or a column named head")
	}
	return nil
}

// Load implements Loader. It reads about 2 million tokens a second.
func (c CoNLL) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	names := strings.Fields(c.Columns)
	set, err := loadSentences(ctx, src, c.own(), parse.NewSentenceReader(names, c.Comments), c.Projective)
	if err != nil {
		return nil, err
	}
	set.Checksum = c.own().identity(set, "conll", strings.Join(names, " "), strconv.FormatBool(c.Comments),
		strconv.FormatBool(c.Projective))
	return set, nil
}

// Stream implements datasets.Streamer. The stream writes a predicted label in an additional column. A predicted head
// replaces the head in the file.
func (c CoNLL) Stream(path string, r io.Reader, target string) (datasets.Stream, error) {
	return sentenceStream(path, r, c.own(), strings.Fields(c.Columns), c.Comments, false, target)
}

// sentenceStream returns a stream of sentences that reads and writes in the encoding of the user's files.
func sentenceStream(path string, r io.Reader, own ownFiles, names []string, comments, inPlace bool,
	target string) (datasets.Stream, error) {
	s, err := parse.NewSentenceStream(path, own.texts().Decode(r), names, comments, inPlace, target)
	if err != nil {
		return nil, err
	}
	return own.texts().Encode(s), nil
}

// loadSentences reads the user's files with the given reader, and returns their sentences as a data set.
func loadSentences(ctx context.Context, src datasets.Source, own ownFiles, reader *parse.SentenceReader,
	projective bool) (*datasets.Set, error) {
	set := &datasets.Set{Name: own.path, Files: map[string]string{}}
	train, validation, err := own.parts(ctx, src, set, reader.Read, reader.All.Len)
	if err != nil {
		return nil, err
	}
	parts := parse.SentenceParts{Train: train, Validation: validation, Limit: own.train, Projective: projective}
	if err := parse.FillSentences(set, &reader.All, parts); err != nil {
		return nil, err
	}
	return set, nil
}
