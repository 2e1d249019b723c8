package energy

import (
	"fmt"
	"math"
	"slices"

	"github.com/gaplab/gaplab/internal/scratch"
)

// Vocabulary is a list of known words, given as sequences of labels. Counts and Words compare marginals with these
// words. The energies of all examples share one Vocabulary.
type Vocabulary struct {
	labels int
	words  map[int][][]int // for each length: the different words, in the order of the input
	counts [][]float64     // the vectors u_i of label counts of the words, each different vector once
	pool   scratch.Pool[[]float64]
}

// NewVocabulary returns the vocabulary of the given words. Each word is a sequence of labels, and labels is the number
// of different labels. A word may be repeated.
func NewVocabulary(labels int, words [][]int) (*Vocabulary, error) {
	if labels < 1 {
		return nil, fmt.Errorf("energy: a vocabulary over %d labels: want at least 1", labels)
	}
	v := &Vocabulary{labels: labels, words: map[int][][]int{}}
	for i, word := range words {
		count := make([]float64, labels)
		for t, y := range word {
			if y < 0 || y >= labels {
				return nil, fmt.Errorf("energy: word %d of the vocabulary has label %d at position %d: want 0 to %d", i, y, t,
					labels-1)
			}
			count[y]++
		}
		if len(word) == 0 {
			return nil, fmt.Errorf("energy: word %d of the vocabulary is empty", i)
		}
		of := v.words[len(word)]
		if slices.ContainsFunc(of, func(w []int) bool { return slices.Equal(w, word) }) {
			continue
		}
		v.words[len(word)] = append(of, slices.Clone(word))
		if !slices.ContainsFunc(v.counts, func(u []float64) bool { return slices.Equal(u, count) }) {
			v.counts = append(v.counts, count)
		}
	}
	return v, nil
}

// Size returns the number of different words and the number of different vectors of label counts.
func (v *Vocabulary) Size() (words, counts int) {
	for _, w := range v.words {
		words += len(w)
	}
	return words, len(v.counts)
}

// total returns the expected label counts U(μ) = Σ_t μ_t, the sum of the marginals over the positions.
func (v *Vocabulary) total(dst, mu []float64, length int) []float64 {
	k := v.labels
	checkLeast(len(mu), length*k)
	dst = scratch.Grow(dst, k)
	clear(dst)
	for t := range length {
		add(dst, mu[t*k:(t+1)*k])
	}
	return dst
}

// nearestCounts returns the vector u_i of a word's label counts with the smallest distance |u_i − U|₁ from U, the
// argument total. It also returns the distance. Of equally near u_i it returns the first. It returns nil if the
// vocabulary is empty.
func (v *Vocabulary) nearestCounts(total []float64) (nearest []float64, distance float64) {
	distance = math.Inf(1)
	for _, u := range v.counts {
		var d float64
		for y, x := range u {
			d += math.Abs(x - total[y])
		}
		if d < distance {
			nearest, distance = u, d
		}
	}
	return nearest, distance
}

// nearestWord returns the word of this length with the smallest distance |w_i − μ|₁, and the distance. The vector w_i
// is 1 at the labels of word i and 0 elsewhere, and mu contains the marginals μ of positions. Of equally near words it
// returns the first. It returns nil if there is no word of this length. Since w_i has a single 1 at each position, the
// cost is one pass over μ and one over the letters of the words.
func (v *Vocabulary) nearestWord(mu []float64, length int) (nearest []int, distance float64) {
	k := v.labels
	checkLeast(len(mu), length*k)
	words := v.words[length]
	if len(words) == 0 {
		return nil, 0
	}
	var all float64 // |0 − μ|₁, the distance of the marginals from 0
	for _, m := range mu[:length*k] {
		all += math.Abs(m)
	}
	distance = math.Inf(1)
	for _, w := range words {
		d := all
		for t, y := range w {
			m := mu[t*k+y]
			d += math.Abs(1-m) - math.Abs(m)
		}
		if d < distance {
			nearest, distance = w, d
		}
	}
	return nearest, distance
}
