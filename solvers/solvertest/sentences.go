package solvertest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// sentences returns twelve random sentences of one to four words with tags and heads. A word determines its tag with
// probability 3/4. A tag depends on the previous tag. Heads depend on the tags at both ends of an arc.
func sentences() *datasets.Sentences {
	const n, tags, words = 12, 3, 6
	rng := rand.New(rand.NewPCG(7, 7))
	s := &datasets.Sentences{Start: []int{0}, Columns: []datasets.Column{
		{Name: "word", Text: []string{"a", "b", "c", "d", "e", "f"}},
		{Name: "pos", Text: []string{"X", "Y", "Z"}},
	}}
	word, pos := &s.Columns[0], &s.Columns[1]
	for i := range n {
		l := 1 + i%4
		first := len(pos.ID)
		tag := rng.IntN(tags)
		for range l {
			if rng.IntN(2) == 0 {
				tag = (tag + 1) % tags
			} else {
				tag = rng.IntN(tags)
			}
			w := tag + tags*rng.IntN(words/tags)
			if rng.IntN(4) == 0 {
				w = rng.IntN(words)
			}
			word.ID, pos.ID = append(word.ID, int32(w)), append(pos.ID, int32(tag))
		}
		s.Heads = append(s.Heads, likelyHeads(rng, pos.ID[first:])...)
		s.Start = append(s.Start, len(pos.ID))
	}
	return s
}

// likelyHeads returns the heads of the tree with the largest score. The score of a tree is the sum of a random score
// for each arc, which depends on the tags at both ends, and noise.
func likelyHeads(rng *rand.Rand, tag []int32) (best []int32) {
	top := math.Inf(-1)
	for _, heads := range projectiveTrees(len(tag)) {
		score := rng.NormFloat64()
		for m, h := range heads {
			if h > 0 {
				score += []float64{0, 2, -1}[(3+tag[m]-tag[h-1])%3]
			}
		}
		if score > top {
			best, top = heads, score
		}
	}
	return best
}

// tagSequences returns all labellings of each sentence with tags. It builds them by definition, without code of the
// model. There are features of a tag with its word, of a tag alone, and of two consecutive tags. The loss is the number
// of wrong tags.
func tagSequences(s *datasets.Sentences) [][]labelling {
	word, pos := s.Columns[0], s.Columns[1]
	out := make([][]labelling, s.Len())
	for i := range out {
		lo, hi := s.Start[i], s.Start[i+1]
		of := func(tag []int32) labelling {
			y := labelling{features: map[string]float64{}}
			for t := range tag {
				y.features[fmt.Sprint("word ", word.ID[lo+t], tag[t])]++
				y.features[fmt.Sprint("tag ", tag[t])]++
				if t > 0 {
					y.features[fmt.Sprint("tags ", tag[t-1], tag[t])]++
				}
				if tag[t] != pos.ID[lo+t] {
					y.loss++
				}
			}
			return y
		}
		out[i] = []labelling{of(pos.ID[lo:hi])}
		for tag := range tuples(hi-lo, len(pos.Text)) {
			if y := of(tag); y.loss > 0 {
				out[i] = append(out[i], y)
			}
		}
	}
	return out
}

// dependencyTrees returns all dependency trees of each sentence, as labellings. The label loss is the number of wrong
// heads. The features come from the model's feature map, where each arc is a part, because there are too many feature
// templates to repeat here.
func dependencyTrees(s *datasets.Sentences, task *models.Task) [][]labelling {
	out := make([][]labelling, s.Len())
	for i := range out {
		truth := s.Heads[s.Start[i]:s.Start[i+1]]
		of := func(heads []int32) labelling {
			w, indicator := make([]float64, task.Dim()), make([]float64, len(heads)*len(heads))
			y := labelling{features: map[string]float64{}}
			for m, h := range heads { // for l words, arc h → m+1 is part m·l + h, or m·l + h − 1 if h > m+1
				r := m*len(heads) + int(h)
				if int(h) > m+1 {
					r--
				}
				indicator[r] = 1
				if h != truth[m] {
					y.loss++
				}
			}
			task.Train[i].Features.AddAdjoint(w, 1, indicator)
			for j, v := range w {
				if v != 0 {
					y.features[fmt.Sprint(j)] = v
				}
			}
			return y
		}
		out[i] = []labelling{of(truth)}
		for _, heads := range projectiveTrees(len(truth)) {
			if y := of(heads); y.loss > 0 {
				out[i] = append(out[i], y)
			}
		}
	}
	return out
}

// projectiveTrees returns the heads of all projective trees over l words with one root. It tests all (l+1)^l lists of
// heads.
func projectiveTrees(l int) (all [][]int32) {
	for heads := range tuples(l, l+1) {
		if isProjectiveTree(heads) {
			all = append(all, append([]int32(nil), heads...))
		}
	}
	return all
}

// isProjectiveTree reports whether exactly one word has head 0, the path of heads from every word leads to 0, and the
// path of every word between a word and its head leads to that head.
func isProjectiveTree(heads []int32) bool {
	leads := func(m, to int32) bool {
		for range len(heads) + 1 {
			if m == to {
				return true
			}
			if m == 0 {
				return false
			}
			m = heads[m-1]
		}
		return false
	}
	roots := 0
	for i, h := range heads {
		m := int32(i + 1)
		if h == 0 {
			roots++
		}
		if !leads(m, 0) {
			return false
		}
		for b := min(m, h) + 1; b < max(m, h); b++ {
			if !leads(b, h) {
				return false
			}
		}
	}
	return roots == 1
}
