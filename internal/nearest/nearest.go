// Package nearest finds the accepted word that is closest to a mistyped word, for error messages.
package nearest

import (
	"slices"
	"strconv"
	"strings"
)

// DidYouMean returns `, did you mean "x"?`, where x is the candidate that Word returns. If there is none, it returns
// "".
func DidYouMean(word string, candidates []string) string {
	return Ask(Word(word, candidates))
}

// Ask returns `, did you mean "x"?` for the words x, joined by commas and "or"; "" if there are none. It omits empty
// words.
func Ask(words ...string) string {
	var quoted []string
	for _, w := range words {
		if w != "" {
			quoted = append(quoted, strconv.Quote(w))
		}
	}
	switch n := len(quoted); n {
	case 0:
		return ""
	case 1:
		return ", did you mean " + quoted[0] + "?"
	default:
		return ", did you mean " + strings.Join(quoted[:n-1], ", ") + " or " + quoted[n-1] + "?"
	}
}

// Word returns the candidate with the same meaning as the word (see synonyms) or, if there is none, the candidate with
// the most similar spelling. If no candidate is similar, it returns "".
func Word(word string, candidates []string) string {
	for _, s := range synonyms(plain(word)) {
		if slices.Contains(candidates, s) {
			return s
		}
	}
	best, least := "", min(3, len(word)/2+1)
	for _, c := range candidates {
		d := distance(strings.ToLower(word), strings.ToLower(c))
		if d < least {
			best, least = c, d
		}
	}
	return best
}

// Names returns a text as DidYouMean does. If no candidate is similar, it names up to three candidates that contain the
// word or a part of it: `, did you mean "x", "y" or "z"?`.
func Names(word string, candidates []string) string {
	if one := DidYouMean(word, candidates); one != "" {
		return one
	}
	var found []string
	for _, c := range candidates {
		if len(found) < 3 && shared(plain(word), plain(c)) {
			found = append(found, c)
		}
	}
	return Ask(found...)
}

// shared reports whether one of two words contains a part of the other that has at least three letters. Parts are
// separated by hyphens.
func shared(a, b string) bool {
	contains := func(a, b string) bool {
		return slices.ContainsFunc(strings.Split(b, "-"), func(part string) bool {
			return len(part) >= 3 && strings.Contains(a, part)
		})
	}
	return contains(a, b) || contains(b, a)
}

// Model returns the form of a spec for a word that stands in place of a model, such as {name: chain, loss: log} for
// crf, or "" if the word is neither one of the models nor another word for one. The argument models lists the models;
// nil stands for all words.
func Model(word string, models []string) string {
	l, ok := learner(plain(word))
	switch {
	case ok && (models == nil || slices.Contains(models, l.model)):
		return "{name: " + l.model + ", loss: " + l.loss + "}"
	case models == nil || slices.Contains(models, word):
		return "{name: " + word + ", loss: ...}"
	}
	return ""
}

// plain returns a word in lower case, with hyphens in place of spaces and underscores.
func plain(word string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(word), func(r rune) bool { return r == ' ' || r == '_' }), "-")
}

// Accepted returns the end of the error message about a wrong word: the result of DidYouMean and the list of accepted
// words.
func Accepted(word string, accepted []string) string {
	return DidYouMean(word, accepted) + "; accepted: " + strings.Join(accepted, ", ")
}

// distance returns the smallest number of insertions, deletions, replacements and swaps of neighbours that turn a into
// b (optimal string alignment). It takes O(|a| |b|) time.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			replace := last[j]
			if a[i] != b[j] {
				replace++
			}
			row[j+1] = min(replace, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
