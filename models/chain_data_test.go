package models_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

func buildChain(tb testing.TB, m models.Chain, train, validation datasets.Data) *models.Task {
	tb.Helper()
	task, err := m.Build(train, validation)
	if err != nil {
		tb.Fatal(err)
	}
	return task
}

func normals(rng *rand.Rand, n int, scale float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = scale * rng.NormFloat64()
	}
	return v
}

// sequencesOf makes sequences of these lengths, with k labels and dim features: dense, sparse, or sparse with ones
// only.
func sequencesOf(seed uint64, kind string, k, dim int, lengths ...int) *datasets.Sequences {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := &datasets.Sequences{X: datasets.Rows{Dim: dim}, Start: []int{0}}
	for y := range k {
		s.Labels = append(s.Labels, fmt.Sprint("label", y))
	}
	if kind != "dense" {
		s.X.Start, s.X.Index = []int{0}, []int32{}
	}
	for _, l := range lengths {
		for range l {
			for j := range dim {
				v := rng.NormFloat64()
				if rng.IntN(2) == 0 {
					v = 0
				}
				switch {
				case kind == "dense":
					s.X.Value = append(s.X.Value, v)
					continue
				case v == 0:
					continue
				case kind == "ones":
					v = 1
				}
				s.X.Index, s.X.Value = append(s.X.Index, int32(j)), append(s.X.Value, v)
			}
			if kind != "dense" {
				s.X.Start = append(s.X.Start, len(s.X.Value))
			}
			s.Y = append(s.Y, rng.IntN(k))
		}
		s.Start = append(s.Start, len(s.Y))
	}
	s.X.N = len(s.Y)
	return s
}

// sentencesOf reads sentences such as "the/DT dog/NN": columns between slashes.
func sentencesOf(names []string, text ...string) *datasets.Sentences {
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

// split makes the first n sentences training data and the others validation data, which share their texts.
func split(s *datasets.Sentences, n int) (train, validation *datasets.Sentences) {
	var list []int
	for i := range s.Len() {
		list = append(list, i)
	}
	return s.Pick(list[:n]), s.Pick(list[n:])
}

// generatedSentences have words of about Zipf's frequencies, whose label mostly follows from them.
func generatedSentences(n, l, k, words int) *datasets.Sentences {
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
