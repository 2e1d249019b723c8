package real

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// UMassCitations is the UMass citation field extraction data set (Anzaroot and McCallum 2013) with flat labels. It has
// bibliographic references of arXiv papers, as tokens with the columns word and label. A label is O, or B- or I- with
// one of 20 fields as in BibTeX: author (one person), title, journal, year and so on. Punctuation between fields and
// words such as "pp" have the label O. Markers such as "[12]" were removed.
//
// There are three subsets: train, dev and test, with 1,454, 651 and 367 references. UMassNested has a few more
// references, which the authors of the flat version omitted. The first label of a segment may have I- and not B- (twice
// in dev, once in test), as CoNLL's evaluation allows.
type UMassCitations struct {
	// subset to train on; dev-1 and dev-2 are the halves of dev
	TrainOn string `yaml:"train_on" jsonschema:"enum=train,enum=dev,enum=train+dev,enum=dev-1,enum=dev-2"`
	// subset to validate on
	Validation string `yaml:"validation" jsonschema:"enum=dev,enum=test,enum=dev-1,enum=dev-2"`
	// number of training references to use, from the start of the subset; 0: all
	TrainSentences int `yaml:"train_sentences" jsonschema:"minimum=0,maximum=2105"`
	// number of validation references to use, from the start of the subset; 0: all
	ValidationSentences int `yaml:"validation_sentences" jsonschema:"minimum=0,maximum=651"`
}

// umassSizes returns the numbers of references of train, dev and test in the flat version.
func umassSizes() [3]int { return [3]int{1454, 651, 367} }

// umassLicence states the known terms of use of UMassCitations and UMassNested.
const umassLicence = "none stated; the authors ask to cite Anzaroot and McCallum (2013)"

// UMassCitationsEntry returns the catalogue entry of UMassCitations.
func UMassCitationsEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "umass-citations",
		Title:    "UMass citation field extraction, flat labels",
		About: "references of arXiv papers as tokens with columns word and label (20 fields in BIO form); subsets " +
			"train, dev and test",
		Licence: umassLicence,
		Files:   umassCitationsFiles(),
		Expect:  datasets.Counts{Train: 1454, Validation: 367, Tokens: 40532, ValidationTokens: 9512},
		New:     func() datasets.Loader { return &UMassCitations{TrainOn: "train", Validation: "test"} },
	}
}

func umassCitationsFiles() []datasets.File {
	file := func(name string, bytes int64, sum string) datasets.File {
		return datasets.File{
			Name:   "citations/umass-bio/" + name + ".gz",
			URLs:   []string{"https://raw.githubusercontent.com/iesl/bibtex-fields-extraction/35b5b7e31e7c9ef55f255a9ed132c26049feb3cf/data-raw/bibtex-ner-umass/" + name},
			Bytes:  bytes,
			SHA256: sum,
		}
	}
	return []datasets.File{
		file("train.txt", 456882, "7b010a6171ad2ad30a09e72fb49fcda1b853c8d340ce9713a650a1cb992b9305"),
		file("dev.txt", 188566, "05eabd9fb3268b3300c69af7c7eeb71e82ae2938931bd42b402f090fc6e41ecb"),
		file("test.txt", 108488, "bc4fc320ac43dcb885de747c9c5dd6b26462ab33a3310c525659a7ef33ef1ade"),
	}
}

func (u UMassCitations) parts() citationParts {
	return citationParts{u.TrainOn, u.Validation, u.TrainSentences, u.ValidationSentences, umassSizes()}
}

// Validate implements Validator.
func (u UMassCitations) Validate() error { return u.parts().check(u) }

// Load implements Loader.
func (u UMassCitations) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	if err := u.Validate(); err != nil {
		return nil, err
	}
	set := &datasets.Set{Name: "umass-citations", Files: map[string]string{}}
	reader := parse.NewSentenceReader([]string{"word", "label"}, false)
	if err := u.parts().load(ctx, src, set, umassCitationsFiles(), nil, reader.Read, &reader.All); err != nil {
		return nil, err
	}
	return set, nil
}

// citationParts holds the settings that select training and validation references.
type citationParts struct {
	trainOn, validation string
	train, held         int    // largest numbers of training and validation references; 0: all
	sizes               [3]int // numbers of references of train, dev and test
}

// of returns the indices of the references in the named subsets, in the order train, dev, test. The argument parts has
// names of subsets, joined by +. The subsets dev-1 and dev-2 are the halves of dev: one can be used for training and
// the other for choosing settings.
func (c citationParts) of(parts string) (list []int) {
	names := strings.Split(parts, "+")
	dev, test := c.sizes[0], c.sizes[0]+c.sizes[1]
	for _, part := range []struct {
		name   string
		lo, hi int
	}{{"train", 0, dev}, {"dev", dev, test}, {"dev-1", dev, (dev + test) / 2}, {"dev-2", (dev + test) / 2, test},
		{"test", test, test + c.sizes[2]}} {
		if slices.Contains(names, part.name) {
			list = append(list, parse.Between(part.lo, part.hi)...)
		}
	}
	return list
}

// check returns an error for settings of the loader that are out of range or that conflict.
func (c citationParts) check(loader any) error {
	if err := check.Settings(loader); err != nil {
		return err
	}
	train, held := c.of(c.trainOn), c.of(c.validation)
	if slices.ContainsFunc(held, func(i int) bool { return slices.Contains(train, i) }) {
		return check.Refuse("validation", c.validation, "a subset that is not in train_on, such as test")
	}
	return errors.Join(check.Limit("train_sentences", c.train, len(train), "training references"),
		check.Limit("validation_sentences", c.held, len(held), "validation references"))
}

// load reads the three files with the function read, which must append the references to all. Then it fills the data
// set. The argument more lists further settings for the checksum.
func (c citationParts) load(ctx context.Context, src datasets.Source, set *datasets.Set, files []datasets.File,
	more []string,
	read func(string, io.Reader) error, all *datasets.Sentences) error {
	settings := append([]string{c.trainOn, c.validation, strconv.Itoa(c.train), strconv.Itoa(c.held)}, more...)
	if err := set.ReadFiles(ctx, src, files, settings, read); err != nil {
		return err
	}
	if want := c.sizes[0] + c.sizes[1] + c.sizes[2]; all.Len() != want {
		return fmt.Errorf("%s: %d references: want %d", set.Name, all.Len(), want)
	}
	held := c.of(c.validation)
	if c.held > 0 {
		held = held[:c.held]
	}
	return parse.FillSentences(set, all, parse.SentenceParts{Train: c.of(c.trainOn), Validation: held, Limit: c.train})
}
