package real

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// CoNLL2000 is the chunking task of CoNLL-2000: sentences of the Wall Street Journal with the columns word, pos (44
// tags) and chunk (22 labels such as B-NP, I-NP and O). Training data are sections 15 to 18 of the Penn Treebank,
// validation data are section 20. A tagger assigned the tags, not annotators.
type CoNLL2000 struct {
	// number of training sentences to use, from the start of the training file
	Train int `yaml:"train" jsonschema:"minimum=1,maximum=8936"`
	// number of validation sentences; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0,maximum=2012"`
	// if true, the validation sentences are those that follow the training sentences in the training file; this allows
	// choosing settings without the test file
	HeldOut bool `yaml:"held_out"`
}

// Sizes of the CoNLL-2000 files, in sentences.
const (
	conll2000Train      = 8936
	conll2000Validation = 2012
)

// CoNLL2000Entry returns the catalogue entry of CoNLL2000.
func CoNLL2000Entry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "conll2000",
		Title:    "CoNLL-2000 chunking",
		About: "sentences of the Wall Street Journal with columns word, pos and chunk; sections 15-18 to train on, " +
			"section 20 to validate on",
		Licence: "none stated by the shared task; text of the Wall Street Journal, copyright LDC",
		Files:   conll2000Files(),
		Expect: datasets.Counts{Train: conll2000Train, Validation: conll2000Validation, Tokens: 211727,
			ValidationTokens: 47377},
		New: func() datasets.Loader { return &CoNLL2000{Train: conll2000Train, Validation: conll2000Validation} },
	}
}

func conll2000Files() []datasets.File {
	file := func(name string, bytes int64, sum string) datasets.File {
		return datasets.File{
			Name:   "conll2000/" + name + ".gz",
			URLs:   []string{"https://www.clips.uantwerpen.be/conll2000/chunking/" + name + ".gz"},
			Bytes:  bytes,
			SHA256: sum,
		}
	}
	return []datasets.File{
		file("train.txt", 2842164, "82033cd7a72b209923a98007793e8f9de3abc1c8b79d646c50648eb949b87cea"),
		file("test.txt", 639396, "73b7b1e565fa75a1e22fe52ecdf41b6624d6f59dacb591d44252bf4d692b1628"),
	}
}

func conll2000Fields() []string { return []string{"word", "pos", "chunk"} }

// Stream implements datasets.Streamer, for files in the same format.
func (CoNLL2000) Stream(path string, r io.Reader, target string) (datasets.Stream, error) {
	return parse.NewSentenceStream(path, r, conll2000Fields(), false, false, target)
}

// Validate implements Validator.
func (c CoNLL2000) Validate() error {
	if err := check.Settings(c); err != nil {
		return err
	}
	if c.HeldOut {
		return errors.Join(check.HeldOut("train", c.Train, conll2000Train), check.Limit("validation", c.Validation,
			conll2000Train-c.Train, "sentences after the training sentences in their file"))
	}
	return nil
}

// Load implements Loader. In these files a line that begins with # is a token, not a comment.
func (c CoNLL2000) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	files, total := conll2000Files(), conll2000Train+conll2000Validation
	held := parse.Between(conll2000Train, conll2000Train+c.Validation)
	settings := []string{strconv.Itoa(c.Train), strconv.Itoa(c.Validation)}
	if c.HeldOut {
		held, settings = parse.Between(c.Train, c.Train+c.Validation), append(settings, "held out")
	}
	if c.Validation == 0 || c.HeldOut {
		files, total = files[:1], conll2000Train
	}
	set := &datasets.Set{Name: "conll2000", Files: map[string]string{}}
	reader := parse.NewSentenceReader(conll2000Fields(), false)
	if err := set.ReadFiles(ctx, src, files, settings, reader.Read); err != nil {
		return nil, err
	}
	if n := reader.All.Len(); n != total {
		return nil, fmt.Errorf("conll2000: %d sentences: want %d", n, total)
	}
	err := parse.FillSentences(set, &reader.All, parse.SentenceParts{
		Train:      parse.Between(0, conll2000Train),
		Validation: held,
		Limit:      c.Train,
	})
	if err != nil {
		return nil, err
	}
	return set, nil
}
