package chain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gaplab/gaplab/datasets"
)

// attributeReach is the largest offset of a template. The first numbers of an attribute are for tokens outside the
// sentence, 1 to attributeReach before it or behind it, as in CRF++; those of its values begin at attributeValues.
const (
	attributeReach  = 99
	attributeValues = 2 * attributeReach
)

// attribute numbers what a template sees of a token: a column's text, or something made of it. Tokens whose texts
// give the same share a number.
type attribute struct {
	column string
	number []int32 // of each text of the column
	of     func(text string) string
	values map[string]int32 // numbers by of(text)
}

// wordAttributes lists the attributes that are computed from the column word, for messages.
func wordAttributes() string {
	return "lower, length, shape, and prefixN and suffixN for N = 1 to 9"
}

// attributeOf makes the attribute with a name: a column, or else a function of the words.
func attributeOf(name string, s *datasets.Sentences) (*attribute, error) {
	if column, err := s.Column(name); err == nil {
		return numberTexts(column, func(text string) string { return text }), nil
	}
	of := wordAttribute(name)
	if of == nil {
		var names []string
		for i := range s.Columns {
			names = append(names, s.Columns[i].Name)
		}
		list := strings.Join(names, ", ")
		if !slices.Contains(names, "word") {
			return nil, fmt.Errorf("there is no %q: want a column: %s; call that of the words word, and there are %s as well",
				name, list, wordAttributes())
		}
		return nil, fmt.Errorf("there is no %q: want a column, %s, or of the column word: %s", name, list, wordAttributes())
	}
	column, err := s.Column("word")
	if err != nil {
		return nil, fmt.Errorf("%s is made of words: %w", name, err)
	}
	return numberTexts(column, of), nil
}

func numberTexts(column *datasets.Column, of func(string) string) *attribute {
	a := &attribute{column: column.Name, number: make([]int32, 0, len(column.Text)), of: of,
		values: make(map[string]int32)}
	a.extend(column.Text)
	return a
}

// extend numbers the texts of the column that have no numbers yet.
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

// wordAttribute returns the function of a word that has this name, or nil.
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

// wordPrefix returns the first n characters, or the word if it is shorter.
func wordPrefix(word string, n int) string {
	end := 0
	for ; n > 0 && end < len(word); n-- {
		_, size := utf8.DecodeRuneInString(word[end:])
		end += size
	}
	return word[:end]
}

// wordSuffix returns the last n characters, or the word if it is shorter.
func wordSuffix(word string, n int) string {
	begin := len(word)
	for ; n > 0 && begin > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(word[:begin])
		begin -= size
	}
	return word[begin:]
}

// wordShape writes X for a capital, x for another letter and 0 for a digit, and runs of the same once: McDonald-97 is
// XxXx-0.
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
