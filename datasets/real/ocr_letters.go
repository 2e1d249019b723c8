package real

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// OCRLetters is the data set of handwritten words of R. Kassel, as B. Taskar prepared it: 6,877 words in 10 folds,
// without their first letters, which were capitals. A position is one letter: a black-and-white image of 16x8 pixels
// (128 features, which are 1 or not stored, no bias feature), with a label from a to z.
//
// Papers use a fold in one of two ways. Some train on the nine other folds and validate on the fold (max-margin Markov
// networks). Others train on the fold and validate on the nine other folds.
type OCRLetters struct {
	// number of the fold that is used alone, for validation or for training (see train_on)
	Fold int `yaml:"fold" jsonschema:"minimum=0,maximum=9"`
	// others: train on the nine other folds and validate on this fold; fold: train on this fold and validate on the others
	TrainOn string `yaml:"train_on" jsonschema:"enum=others,enum=fold"`
	// number of training words to use, from the start of the training folds; 0: all
	TrainWords int `yaml:"train_words" jsonschema:"minimum=0"`
	// number of validation words to use, from the start of the validation folds; 0: all
	ValidationWords int `yaml:"validation_words" jsonschema:"minimum=0"`
	// if true, the validation words are those that follow the first train_words in the training folds; this allows
	// choosing settings without the other folds
	HeldOut bool `yaml:"held_out"`
	// if true, the validation words whose spelling occurs among the training words are left out, after validation_words
	// has been applied; the data set has only 55 different spellings
	Unseen bool `yaml:"unseen" settings:"optional"`
}

const ocrPixels = 128

// ocrWords returns the number of words of each fold.
func ocrWords() [10]int { return [10]int{626, 704, 684, 698, 693, 651, 739, 717, 690, 675} }

// OCRLettersEntry returns the catalogue entry of OCRLetters.
func OCRLettersEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "ocr-letters",
		Title:    "Handwritten words (OCR letters)",
		About: "6,877 words in ten folds, a letter an image of 16x8 black and white pixels; nine folds to train on and " +
			"one to validate on, or the reverse",
		Licence: "none stated; collected by Rob Kassel at the MIT Spoken Language Systems Group, offered for research",
		Files:   ocrFiles(),
		Expect: datasets.Counts{Train: 6251, Validation: 626, Features: ocrPixels, Classes: 26, NonZeros: 1337051,
			Tokens:           47535,
			ValidationTokens: 4617},
		New: func() datasets.Loader { return &OCRLetters{TrainOn: "others"} },
	}
}

func ocrFiles() []datasets.File {
	return []datasets.File{{
		Name:   "ocr-letters/letter.data.gz",
		URLs:   []string{"https://ai.stanford.edu/~btaskar/ocr/letter.data.gz"},
		Bytes:  14557249,
		SHA256: "535363d0b7bc34246b1f8731719540f526b6807b12dda5d430d011d160bc7882",
	}}
}

// Validate implements Validator.
func (o OCRLetters) Validate() error {
	if err := check.Settings(o); err != nil {
		return err
	}
	train, validation := o.sizes()
	if o.HeldOut {
		if err := check.HeldOut("train_words", o.TrainWords, train); err != nil {
			return err
		}
		validation = train - o.TrainWords
	}
	return errors.Join(check.Limit("train_words", o.TrainWords, train, "training words"),
		check.Limit("validation_words", o.ValidationWords, validation, "validation words"))
}

// sizes returns the numbers of words in the training folds and in the validation folds.
func (o OCRLetters) sizes() (train, validation int) {
	words := ocrWords()
	for _, n := range words {
		train += n
	}
	train, validation = train-words[o.Fold], words[o.Fold]
	if o.TrainOn == "fold" {
		return validation, train
	}
	return train, validation
}

// Load implements Loader.
func (o OCRLetters) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	train, test := o.sizes()
	return o.load(ctx, src, ocrFiles(), train, test)
}

// load reads a file that must have wantTrain words in the training folds and wantTest words in the validation folds.
func (o OCRLetters) load(ctx context.Context, src datasets.Source, files []datasets.File, wantTrain, wantTest int) (
	*datasets.Set, error) {
	train, validation := newOCRPart(o.TrainWords), newOCRPart(o.ValidationWords)
	test, settings := validation, []string{strconv.Itoa(o.Fold), o.TrainOn, strconv.Itoa(o.TrainWords),
		strconv.Itoa(o.ValidationWords)}
	if o.HeldOut {
		test, settings = &ocrPart{}, append(settings, "held out") // test stores no words, since its limit is 0
	}
	if o.Unseen {
		settings = append(settings, "unseen")
	}
	of := func(fold int) *ocrPart {
		switch {
		case (fold == o.Fold) != (o.TrainOn == "fold"):
			return test
		case o.HeldOut && train.words == o.TrainWords:
			return validation
		}
		return train
	}
	set := &datasets.Set{Name: "ocr-letters", Files: map[string]string{}, Train: &train.Sequences,
		Validation: &validation.Sequences}
	err := set.ReadFiles(ctx, src, files, settings,
		func(path string, r io.Reader) error { return readOCR(path, r, of) })
	if err != nil {
		return nil, err
	}
	trained := train.words
	if test != validation {
		trained += validation.words
	}
	if trained != wantTrain || test.words != wantTest {
		return nil, fmt.Errorf("ocr-letters: %d training and %d test words: want %d and %d", trained, test.words,
			wantTrain, wantTest)
	}
	if o.Unseen {
		if validation.leaveOut(&train.Sequences); validation.Len() == 0 {
			return nil, errors.New("ocr-letters: unseen: every validation word is also a training word; use more validation " +
				"words or fewer training words")
		}
	}
	return set, nil
}

// ocrPart holds the words of the training data or of the validation data.
type ocrPart struct {
	datasets.Sequences
	limit int // largest number of words to store
	words int // number of words read so far
}

func newOCRPart(limit int) *ocrPart {
	p := &ocrPart{limit: limit}
	if limit == 0 {
		p.limit = math.MaxInt
	}
	p.X = datasets.Rows{Dim: ocrPixels, Start: []int{0}, Index: []int32{}, Value: []float64{}}
	p.Start = []int{0}
	for c := 'a'; c <= 'z'; c++ {
		p.Labels = append(p.Labels, string(c))
	}
	return p
}

// leaveOut removes the words whose spelling occurs among other words.
func (p *ocrPart) leaveOut(other *datasets.Sequences) {
	spelling := func(s *datasets.Sequences, word int) string {
		var b strings.Builder
		for _, y := range s.Y[s.Start[word]:s.Start[word+1]] {
			b.WriteByte(byte('a' + y))
		}
		return b.String()
	}
	known := map[string]bool{}
	for word := range other.Len() {
		known[spelling(other, word)] = true
	}
	out := newOCRPart(0)
	for word := range p.Len() {
		if known[spelling(&p.Sequences, word)] {
			continue
		}
		for at := p.Start[word]; at < p.Start[word+1]; at++ {
			index, value := p.X.Row(at)
			out.X.Index, out.X.Value = append(out.X.Index, index...), append(out.X.Value, value...)
			out.X.Start = append(out.X.Start, len(out.X.Index))
			out.X.N++
			out.Y = append(out.Y, p.Y[at])
		}
		out.Start = append(out.Start, out.X.N)
	}
	p.Sequences = out.Sequences
}

// readOCR appends each word of a file to the ocrPart that the function of returns for the fold of the word.
func readOCR(path string, r io.Reader, of func(fold int) *ocrPart) error {
	in := ocrReader{Lines: parse.NewLines(path, r)}
	for {
		err := in.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		part := of(int(in.fold - '0'))
		if part.words < part.limit {
			if err := part.letter(&in.Lines, in.letter, in.pixels, in.at); err != nil {
				return err
			}
		}
		if !in.inside {
			if part.words < part.limit {
				part.Start = append(part.Start, part.X.N)
			}
			part.words++
		}
	}
}

// ocrReader reads lines of fields. Each field is followed by a tab. The fields are the number of the line, the letter,
// the number of the line of the word's next letter or −1, the word, the position, the fold, and 128 pixels row by row.
type ocrReader struct {
	parse.Lines
	unknown bool // if true, a letter may be _, which means unknown

	letter, fold byte   // letter and fold of the current line
	pixels       []byte // text of the pixels of the current line
	at           int    // byte of the line at which the pixels begin
	inside       bool   // if true, more letters of the word follow
}

// next reads the next letter. It returns io.EOF after the last word.
func (o *ocrReader) next() error {
	line, err := o.ReadText()
	if errors.Is(err, io.EOF) && o.inside {
		return fmt.Errorf("%s: the last word is not complete: want -1 in column 3 of its last letter", o.Path)
	}
	if err != nil {
		return err
	}
	head := bytes.SplitN(line, []byte{'\t'}, 7)
	if len(head) < 7 || len(head[1]) != 1 || (head[1][0] < 'a' || head[1][0] > 'z') && !(o.unknown && head[1][0] == '_') ||
		len(head[5]) != 1 || head[5][0] < '0' || head[5][0] > '9' {
		return o.Fault(0, "want number, letter from a to z, next, word, position, fold from 0 to 9 and 128 pixels "+
			"between tabs")
	}
	fold := head[5][0]
	if o.inside && fold != o.fold {
		return o.Fault(0, "fold %c inside a word of fold %c", fold, o.fold)
	}
	o.letter, o.fold, o.pixels, o.at = head[1][0], fold, head[6], len(line)-len(head[6])
	o.inside = string(head[2]) != "-1"
	return nil
}

// letter appends a letter. The pixels of the letter, each followed by a tab, begin at byte at of the line.
func (p *ocrPart) letter(in *parse.Lines, letter byte, pixels []byte, at int) error {
	for j := range ocrPixels {
		if 2*j >= len(pixels) || pixels[2*j] != '0' && pixels[2*j] != '1' || 2*j+1 < len(pixels) && pixels[2*j+1] != '\t' {
			return in.Fault(at+2*j, "want 0 or 1 and then a tab for pixel %d", j+1)
		}
		if pixels[2*j] == '1' {
			p.X.Index = append(p.X.Index, int32(j))
			p.X.Value = append(p.X.Value, 1)
		}
	}
	if len(pixels) > 2*ocrPixels {
		return in.Fault(at+2*ocrPixels, "more than 128 pixels")
	}
	p.X.N++
	p.X.Start = append(p.X.Start, len(p.X.Index))
	p.Y = append(p.Y, int(letter-'a'))
	return nil
}
