package real

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// PTBSample is the sample of the Penn Treebank in the Natural Language Toolkit: the 3,914 trees of the files wsj_0001
// to wsj_0199, without traces and function tags (45 tags, 26 phrase labels). Trees with more than MaxWords words are
// omitted. Of the other trees, the last Validation are the validation data. Of the trees before these, the first Train
// are the training data.
//
// The cutting-plane paper uses sentences of at most 15 words; the sample has 922 of these.
type PTBSample struct {
	// training and validation sentences with more words are omitted; 0: no limit
	MaxWords int `yaml:"max_words" jsonschema:"minimum=0"`
	// number of training trees to use: the first that max_words does not omit; 0: all but the validation trees
	Train int `yaml:"train" jsonschema:"minimum=0,maximum=3914"`
	// number of validation trees to use: the last that max_words does not omit; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0,maximum=3913"`
}

const (
	ptbSampleTrees      = 3914
	ptbSampleValidation = 400
)

// PTBSampleEntry returns the catalogue entry of PTBSample.
func PTBSampleEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "ptb-sample",
		Title:    "Penn Treebank sample (3,914 trees)",
		About:    "the trees of wsj_0001 to wsj_0199 without traces and functions; the last 400 to validate on",
		Licence:  "made available under fair use, for non-commercial use only (copyright LDC 1995)",
		Files:    ptbSampleFiles(),
		Expect: datasets.Counts{Train: ptbSampleTrees - ptbSampleValidation, Validation: ptbSampleValidation, Tokens: 84750,
			ValidationTokens: 9334},
		New: func() datasets.Loader { return &PTBSample{Validation: ptbSampleValidation} },
	}
}

// ptbSampleFiles returns one file: the members combined/wsj_0001.mrg to wsj_0199.mrg of NLTK's archive, concatenated.
func ptbSampleFiles() []datasets.File {
	return []datasets.File{{
		Name:   "ptb-sample/wsj_0001-0199.mrg.gz",
		URLs:   []string{"https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/corpora/treebank.zip"},
		Member: "*/combined/wsj_*.mrg",
		Bytes:  2733426,
		SHA256: "f018900543fbff4571439fd5e5ebdae00ba53dfdd6543e48491230d76d0e06a1",
	}}
}

// Validate implements Validator.
func (p PTBSample) Validate() error { return check.Settings(p) }

// Load implements Loader.
func (p PTBSample) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	set := &datasets.Set{Name: "ptb-sample", Files: map[string]string{}}
	reader := parse.NewTreeReader(p.MaxWords, parse.TreeForm{})
	settings := []string{strconv.Itoa(p.MaxWords), strconv.Itoa(p.Train), strconv.Itoa(p.Validation)}
	if err := set.ReadFiles(ctx, src, ptbSampleFiles(), settings, reader.Read); err != nil {
		return nil, err
	}
	left := reader.Count()
	if n := left + reader.Longer; n != ptbSampleTrees {
		return nil, fmt.Errorf("ptb-sample: %d trees: want %d", n, ptbSampleTrees)
	}
	if p.Validation >= left {
		return nil, check.Refuse("validation", p.Validation,
			fmt.Sprintf("fewer than the %d trees of at most %d words", left, p.MaxWords))

	}
	cut := left - p.Validation
	if err := parse.FillTrees(set, reader, parse.Between(0, cut), parse.Between(cut, left), p.Train); err != nil {
		return nil, err
	}
	return set, nil
}

// Stream implements datasets.Streamer, for bracketed trees and for lines of words.
func (PTBSample) Stream(path string, r io.Reader, _ string) (datasets.Stream, error) {
	return parse.NewTreeStream(path, r, parse.TreeForm{}), nil
}
