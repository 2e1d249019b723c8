package examples

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/gaplab/gaplab/datasets"
)

// Sentences reads sentences such as "the/DT dog/NN". The columns of a token are separated by slashes.
func Sentences(names []string, text ...string) *datasets.Sentences {
	s := &datasets.Sentences{Start: []int{0}}
	numbers := make([]map[string]int32, len(names))
	for i, name := range names {
		s.Columns = append(s.Columns, datasets.Column{Name: name})
		numbers[i] = map[string]int32{}
	}
	for _, line := range text {
		for _, token := range strings.Fields(line) {
			for i, field := range strings.Split(token, "/") {
				c := &s.Columns[i]
				if _, ok := numbers[i][field]; !ok {
					numbers[i][field] = int32(len(c.Text))
					c.Text = append(c.Text, field)
				}
				c.ID = append(c.ID, numbers[i][field])
			}
		}
		s.Start = append(s.Start, len(s.Columns[0].ID))
	}
	return s
}

// Split returns the first n sentences as training data and the others as validation data. Both use the same numbers for
// the texts of their columns.
func Split(s *datasets.Sentences, n int) (train, validation *datasets.Sentences) {
	var list []int
	for i := range s.Len() {
		list = append(list, i)
	}
	return s.Pick(list[:n]), s.Pick(list[n:])
}

// Generated returns sentences in which the frequencies of words approximately follow Zipf's law, and most labels are
// determined by the words.
func Generated(n, l, k, words int) *datasets.Sentences {
	rng := rand.New(rand.NewPCG(3, 3))
	zipf := rand.NewZipf(rng, 1.3, 3, uint64(words-1))
	s := &datasets.Sentences{Start: []int{0}, Columns: []datasets.Column{{Name: "word"}, {Name: "pos"}}}
	word, pos := &s.Columns[0], &s.Columns[1]
	for range words {
		letters := make([]byte, 2+rng.IntN(8))
		for i := range letters {
			letters[i] = byte('a' + rng.IntN(26))
		}
		word.Text = append(word.Text, string(letters))
	}
	for y := range k {
		pos.Text = append(pos.Text, fmt.Sprint("T", y))
	}
	for range n {
		for range l {
			id := int32(zipf.Uint64())
			y := id % int32(k)
			if rng.IntN(5) == 0 {
				y = int32(rng.IntN(k))
			}
			word.ID, pos.ID = append(word.ID, id), append(pos.ID, y)
		}
		s.Start = append(s.Start, len(word.ID))
	}
	return s
}
