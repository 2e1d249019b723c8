package chain

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gaplab/gaplab/datasets"
)

// attributeReach is the largest offset of a template, in tokens. The values of an attribute have numbers from
// attributeValues on. Smaller numbers mean tokens outside the sentence, at a distance of 1 to attributeReach before or
// after the sentence, as in CRF++.
const (
	attributeReach  = 99
	attributeValues = 2 * attributeReach
)

// attribute is a function of the text of a column. Its value is, for example, the text itself or the suffix of the
// text. The values are numbered, so tokens with the same value have the same number.
type attribute struct {
	column string
	number []int32                  // for each text of the column: the number of its value
	of     func(text string) string // returns the value of a text
	values map[string]int32         // number of each value
}

// wordAttributes lists the attributes that are functions of the column word, for messages.
func wordAttributes() string {
	return "lower, length, shape, and prefixN and suffixN for N = 1 to 9"
}

// attributeOf returns the attribute with this name. The attribute is a column of the sentences if a column has this
// name, otherwise a function of the column word, which may be one of the user's.
func attributeOf(name string, s *datasets.Sentences, o own) (*attribute, error) {
	if column, err := s.Column(name); err == nil {
		return numberTexts(column, func(text string) string { return text }), nil
	}
	of := wordAttribute(name)
	if of == nil {
		of = o.attribute(name)
	}
	if of == nil && name == lexiconName {
		return nil, errors.New(`the attribute "lexicon" needs a word list: want the setting "lexicon" with its file`)
	}
	if of == nil {
		var names []string
		for i := range s.Columns {
			names = append(names, s.Columns[i].Name)
		}
		list := strings.Join(append(slices.Clone(names), o.names()...), ", ")
		if !slices.Contains(names, "word") {
			return nil, fmt.Errorf("there is no attribute %q; accepted: a column (%s); if a column has the name \"word\", "+
				"also %s", name, list, wordAttributes())
		}
		return nil, fmt.Errorf("there is no attribute %q; accepted: a column (%s), or a function of the column \"word\" (%s)",
			name, list, wordAttributes())
	}
	column, err := s.Column("word")
	if err != nil {
		return nil, fmt.Errorf("%q is a function of the column \"word\": %w", name, err)
	}
	return numberTexts(column, of), nil
}

// numberTexts returns an attribute of the texts of a column. The parameter named of is the function that returns the
// value of a text. Texts with the same value get the same number.
func numberTexts(column *datasets.Column, of func(string) string) *attribute {
	a := &attribute{column: column.Name, number: make([]int32, 0, len(column.Text)), of: of,
		values: make(map[string]int32)}
	a.extend(column.Text)
	return a
}

// extend adds the value numbers of new texts. texts has all texts of the column, the new ones last.
func (a *attribute) extend(texts []string) {
	for _, text := range texts[len(a.number):] {
		value := a.of(text)
		n, ok := a.values[value]
		if !ok {
			n = int32(attributeValues + len(a.values))
			a.values[strings.Clone(value)] = n
		}
		a.number = append(a.number, n)
	}
}

// wordAttribute returns the function of a word with this name, or nil if there is none.
func wordAttribute(name string) func(string) string {
	switch name {
	case "lower":
		return strings.ToLower
	case "length":
		return func(word string) string { return strconv.Itoa(utf8.RuneCountInString(word)) }
	case "shape":
		return wordShape
	}
	for i, of := range []func(string, int) string{wordPrefix, wordSuffix} {
		digits, ok := strings.CutPrefix(name, []string{"prefix", "suffix"}[i])
		if ok && len(digits) == 1 && digits[0] >= '1' && digits[0] <= '9' {
			return func(word string) string { return of(word, int(digits[0]-'0')) }
		}
	}
	return nil
}

// wordPrefix returns the first n characters of a word, or the whole word if it is shorter.
func wordPrefix(word string, n int) string {
	end := 0
	for ; n > 0 && end < len(word); n-- {
		_, size := utf8.DecodeRuneInString(word[end:])
		end += size
	}
	return word[:end]
}

// wordSuffix returns the last n characters of a word, or the whole word if it is shorter.
func wordSuffix(word string, n int) string {
	begin := len(word)
	for ; n > 0 && begin > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(word[:begin])
		begin -= size
	}
	return word[begin:]
}

// wordShape replaces each capital letter by X, each other letter by x and each digit by 0, and then repeated characters
// by one: McDonald-97 becomes XxXx-0.
func wordShape(word string) string {
	shape := make([]rune, 0, len(word))
	for _, r := range word {
		switch {
		case unicode.IsUpper(r):
			r = 'X'
		case unicode.IsLetter(r):
			r = 'x'
		case unicode.IsDigit(r):
			r = '0'
		}
		shape = append(shape, r)
	}
	return string(slices.Compact(shape))
}
