package nonlocal

import (
	"iter"
)

// wordList has the known words of one length. Their weights begin at w[first], and the weight of feature f for word c
// is w[first + f·len(words) + c].
type wordList struct {
	words [][]int
	first int
}

// wordLists has all known words.
type wordLists struct {
	bias                 bool
	features, words, dim int     // number of features including the bias, number of words, length of w
	every                []int32 // indices 0, 1, 2, ... of the features
	ofLength             map[int]*wordList
	order                []*wordList // lists in the order of their weights
}

// classifierWords collects the different words in order of appearance.
func classifierWords(words iter.Seq[[]int], m WordClassifier) *wordLists {
	c := &wordLists{bias: m.Bias, features: m.Features, ofLength: map[int]*wordList{}}
	if m.Bias {
		c.features++
	}
	c.every = make([]int32, c.features)
	for f := range c.every {
		c.every[f] = int32(f)
	}
	for word := range words {
		list := c.ofLength[len(word)]
		if list == nil {
			list = &wordList{}
			c.ofLength[len(word)] = list
			c.order = append(c.order, list)
		}
		if _, wrong := list.nearest(word); wrong != 0 {
			list.words = append(list.words, word)
			c.words++
		}
	}
	for _, list := range c.order {
		list.first = c.dim
		c.dim += c.features * len(list.words)
	}
	return c
}

// nearest returns the index of the listed word that differs from the argument word in the fewest labels, and the number
// of these labels. Of several such words it returns the first. It returns −1, −1 if there are no words.
func (l *wordList) nearest(word []int) (best, wrong int) {
	best, wrong = -1, -1
	for c, other := range l.words {
		if n := wordDistance(word, other); best < 0 || n < wrong {
			best, wrong = c, n
		}
	}
	return best, wrong
}

// wordDistance returns the number of positions at which two words of the same length differ.
func wordDistance(a, b []int) int {
	n := 0
	for t, y := range a {
		if y != b[t] {
			n++
		}
	}
	return n
}
