package generated

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// referenceLost is the probability that a token between fields, such as a comma, is omitted.
const referenceLost = .06

// referenceWriter appends random references to a list of sentences.
type referenceWriter struct {
	rng           *rand.Rand
	parts         bool // if true, each component of a name is a segment; otherwise the whole name is one segment
	styles        []referenceStyle
	words, labels *parse.LabelTable
	to            *datasets.Sentences

	// style, capitals and title describe the current reference.
	style    *referenceStyle
	capitals bool   // if true, every long word of a title is capitalised
	title    string // label of the next title in the layout: title or booktitle
}

func (w *referenceWriter) token(word, label string) {
	for k, id := range []int{w.words.ID([]byte(word)), w.labels.ID([]byte(label))} {
		w.to.Columns[k].ID = append(w.to.Columns[k].ID, int32(id))
	}
}

// segment appends the words of one field as one segment.
func (w *referenceWriter) segment(field string, words []string) {
	prefix := "B-"
	for _, word := range words {
		w.token(word, prefix+field)
		prefix = "I-"
	}
}

func (w *referenceWriter) pick(list []string) string { return list[w.rng.IntN(len(list))] }

func (w *referenceWriter) number(low, high int) string {
	return strconv.Itoa(low + w.rng.IntN(high-low+1))
}

// persons appends a list of n names. The argument whole is the label of a name that is one segment. If w.parts is true,
// each component of a name is a segment instead, and its label begins with the argument part.
func (w *referenceWriter) persons(whole, part string, n int) {
	for i := range n {
		switch {
		case i == 0:
		case i == n-1 && w.style.and != "":
			if w.style.inverted && w.rng.Float64() < .5 {
				w.token(",", outside)
			}
			w.token(w.style.and, outside)
		case w.rng.Float64() >= referenceLost:
			w.token(",", outside)
		}
		w.person(whole, part)
	}
	if n == 1 && whole == "author" && w.rng.Float64() < .08 {
		w.token("et", outside)
		w.token("al.", outside)
	}
}

// person appends one name. whole is its label if it is one segment. If w.parts is true, each component of the name is a
// segment instead, and its label begins with part.
func (w *referenceWriter) person(whole, part string) {
	first := w.pick(referenceGivenNames())
	written := w.style.full && w.rng.Float64() < .7
	if !written {
		first = first[:1] + "."
	}
	var middle []string
	if w.rng.Float64() < .3 {
		middle = []string{string(rune('A'+w.rng.IntN(26))) + "."}
	}
	last := strings.Fields(w.pick(referenceFamilyNames()))
	names := []struct {
		part  string
		words []string
	}{{"-first", []string{first}}, {"-middle", middle}, {"-last", last}}
	comma := false
	if w.style.inverted {
		names[0], names[1], names[2] = names[2], names[0], names[1]
		comma = w.rng.Float64() < .8
	}
	prefix := "B-"
	for i, n := range names {
		if w.parts {
			w.segment(part+n.part, n.words)
		}
		for _, word := range n.words {
			if !w.parts {
				w.token(word, prefix+whole)
			}
			prefix = "I-"
		}
		if i == 0 && comma {
			if w.parts {
				w.token(",", outside)
			} else {
				w.token(",", prefix+whole)
			}
		}
	}
}

// fill returns the words of a template. It replaces # by a random subject, @ by an adjective, ~ by a family name, ^ by
// a place, % by a number, and $ by a year.
func (w *referenceWriter) fill(template string) (words []string) {
	for word := range strings.FieldsSeq(template) {
		switch word {
		case "#":
			words = append(words, strings.Fields(w.pick(referenceSubjects()))...)
		case "@":
			words = append(words, w.pick(referenceAdjectives()))
		case "~":
			words = append(words, strings.Fields(w.pick(referenceFamilyNames()))...)
		case "^":
			words = append(words, w.pick(referencePlaces()))
		case "%":
			words = append(words, w.number(2, 30))
		case "$":
			words = append(words, w.number(1950, 2015))
		default:
			words = append(words, word)
		}
	}
	return words
}

func (w *referenceWriter) titleWords() []string {
	words := w.fill(w.pick(referenceTitles()))
	for i, word := range words {
		if i == 0 || w.capitals && len(word) > 3 {
			words[i] = capitalised(word)
		}
	}
	return words
}

// journal returns the name of a journal, in full or abbreviated.
func (w *referenceWriter) journal() []string {
	return w.named(w.pick(referenceJournals()), w.rng.Float64() < .5)
}

func (w *referenceWriter) proceedings() []string {
	return w.named(w.pick(referenceProceedings()), w.rng.Float64() < .4)
}

// named returns the capitalised words of a template. If short is true, long words are abbreviated with a dot.
func (w *referenceWriter) named(template string, short bool) (words []string) {
	for _, word := range w.fill(template) {
		small := len(word) <= 3
		switch {
		case short && small && word == strings.ToLower(word) && unicode.IsLetter(rune(word[0])):
		case short && len(word) > 5 && unicode.IsLetter(rune(word[0])):
			words = append(words, capitalised(word)[:3+w.rng.IntN(2)], ".")
		case small:
			words = append(words, word)
		default:
			words = append(words, capitalised(word))
		}
	}
	return words
}

// pages returns one page, or a range in one of two notations.
func (w *referenceWriter) pages() []string {
	first := 1 + w.rng.IntN(900)
	if w.rng.Float64() < .15 { // some page numbers look like years
		first = 1900 + w.rng.IntN(120)
	}
	from, to := strconv.Itoa(first), strconv.Itoa(first+3+w.rng.IntN(30))
	switch at := w.rng.Float64(); {
	case at < .3:
		return []string{from}
	case at < .6:
		return []string{from + "-" + to}
	}
	return []string{from, "--", to}
}

func capitalised(word string) string {
	r, n := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(r)) + word[n:]
}
