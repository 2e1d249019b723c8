package real

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// CAST3LB is the Spanish treebank of the CoNLL-X shared task on dependency parsing. The loader rebuilds this treebank
// from the files of the CoNLL 2007 corpus, which have the same sentences in another split. The columns are word, lemma,
// cpos, pos, feats and deprel, with heads, as in CoNLL-X. Every sentence has one root.
//
// In the order esp.test, esp.train, the first 206 sentences are the test set of CoNLL-X. The other 3,306 sentences are
// the training set of CoNLL-X. The split conllx validates on the test set and trains on the training set. The split eg
// is that of the exponentiated-gradient paper. It validates on the 1,000 sentences after the test set and trains on the
// last 2,306 sentences.
//
// A projective parser cannot learn from a tree that is not projective. With the setting Projective, training sentences
// that are not projective are omitted (39 of 2,306, or 57 of 3,306) before the first Train sentences are selected.
// Validation sentences that are not projective (18 of 1,000, or 3 of 206) are not omitted.
type CAST3LB struct {
	// eg: 2,306 training and 1,000 validation sentences; conllx: 3,306 training and 206 validation sentences
	Split string `yaml:"split" jsonschema:"enum=eg,enum=conllx"`
	// if true, omits training sentences whose dependency trees are not projective
	Projective bool `yaml:"projective"`
	// number of training sentences to use: the first that are not omitted; 0: all
	Train int `yaml:"train" jsonschema:"minimum=0"`
	// largest number of validation sentences to use, from the start of the split's validation data; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0,maximum=1000"`
}

// Numbers of sentences of the treebank and of its subsets.
const (
	cast3lbTest       = 206  // test set of CoNLL-X
	cast3lbValidation = 1000 // validation sentences of the split eg
	cast3lbAll        = 3512 // whole treebank
)

// CAST3LBEntry returns the catalogue entry of CAST3LB.
func CAST3LBEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "cast3lb",
		Title:    "Spanish treebank CAST3LB (CoNLL-X)",
		About:    "sentences with heads; 2,306 sentences (less 39 not projective) to train on and 1,000 to validate on",
		Licence:  "Creative Commons Attribution-NonCommercial-NoDerivativeWorks (README.conll2007)",
		Files:    cast3lbFiles(),
		Expect:   datasets.Counts{Train: 2267, Validation: cast3lbValidation, Tokens: 57357, ValidationTokens: 30563},
		New:      func() datasets.Loader { return &CAST3LB{Split: "eg", Projective: true, Validation: cast3lbValidation} },
	}
}

// cast3lbFiles lists the files in the order in which their sentences are counted. NLTK publishes them in one archive.
func cast3lbFiles() []datasets.File {
	file := func(name string, bytes int64, sum string) datasets.File {
		return datasets.File{
			Name:   "spanish-cast3lb/" + name + ".gz",
			URLs:   []string{"https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/corpora/conll2007.zip"},
			Member: "*/" + name,
			Bytes:  bytes,
			SHA256: sum,
		}
	}
	return []datasets.File{
		file("esp.test", 769065, "02bb01813f86abdd607c35ef5404100b63dd4f7fe73beecf296cdbc591c79ec3"),
		file("esp.train", 3001334, "fa9f74741b5a03698511058c6f1b0d4061e3c1091018c5ecdba2e0ef7304a86f"),
	}
}

// conllxFields returns the names of the fields of a CoNLL-X line. The fields named _ are not read.
func conllxFields() []string { return strings.Fields("id word lemma cpos pos feats head deprel _ _") }

// Stream implements datasets.Streamer, for files in the same format.
func (CAST3LB) Stream(path string, r io.Reader, target string) (datasets.Stream, error) {
	return parse.NewSentenceStream(path, r, conllxFields(), false, true, target)
}

// Validate implements Validator.
func (c CAST3LB) Validate() error {
	if err := check.Settings(c); err != nil {
		return err
	}
	most := cast3lbAll - cast3lbTest
	if c.Split == "eg" {
		most -= cast3lbValidation
	}
	return check.Limit("train", c.Train, most, "training sentences of split "+c.Split)
}

// Load implements Loader.
func (c CAST3LB) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	set := &datasets.Set{Name: "cast3lb", Files: map[string]string{}}
	reader := parse.NewSentenceReader(conllxFields(), false)
	settings := []string{c.Split, strconv.FormatBool(c.Projective), strconv.Itoa(c.Train), strconv.Itoa(c.Validation)}
	if err := set.ReadFiles(ctx, src, cast3lbFiles(), settings, reader.Read); err != nil {
		return nil, err
	}
	if n := reader.All.Len(); n != cast3lbAll {
		return nil, fmt.Errorf("cast3lb: %d sentences: want %d", n, cast3lbAll)
	}
	train, validation := parse.Between(cast3lbTest+cast3lbValidation, cast3lbAll),
		parse.Between(cast3lbTest, cast3lbTest+cast3lbValidation)
	if c.Split == "conllx" {
		train, validation = parse.Between(cast3lbTest, cast3lbAll), parse.Between(0, cast3lbTest)
	}
	err := parse.FillSentences(set, &reader.All, parse.SentenceParts{
		Train:      train,
		Validation: validation[:min(c.Validation, len(validation))],
		Limit:      c.Train,
		Projective: c.Projective,
	})
	if err != nil {
		return nil, err
	}
	return set, nil
}
