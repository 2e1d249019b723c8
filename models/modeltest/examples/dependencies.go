package examples

import (
	"math"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// Dependencies returns sentences from texts whose tokens have the form word/tag/head.
func Dependencies(lines ...string) *datasets.Sentences {
	s := Sentences([]string{"word", "pos", "head"}, lines...)
	for _, id := range s.Columns[2].ID {
		s.Heads = append(s.Heads, int32(s.Columns[2].Text[id][0]-'0'))
	}
	s.Columns = s.Columns[:2]
	return s
}

// ProjectiveTrees lists the projective dependency trees of l words, as labellings. It tries all l^l assignments of
// heads.
func ProjectiveTrees(l int, multiRoot bool) []models.Vertex {
	var all []models.Vertex
	y, head := make(models.Vertex, l), make([]int, l+1)
	for code := range int(math.Pow(float64(l), float64(l))) {
		roots := 0
		for m := 1; m <= l; m++ {
			h := code % l
			code /= l
			y[m-1] = (m-1)*l + h
			if h >= m {
				h++
			}
			if head[m] = h; h == 0 {
				roots++
			}
		}
		if (roots == 1 || multiRoot) && projective(head) {
			all = append(all, append(models.Vertex(nil), y...))
		}
	}
	return all
}

// projective reports whether the heads form a projective tree: every word must descend from the root, and all words
// between a word and its head must descend from this head.
func projective(head []int) bool {
	under := func(m, h int) bool { // whether word m is h or a descendant of h
		for range head {
			if m == h {
				return true
			}
			m = head[m]
		}
		return m == h
	}
	for m := 1; m < len(head); m++ {
		if !under(m, 0) {
			return false
		}
		for b := min(m, head[m]) + 1; b < max(m, head[m]); b++ {
			if !under(b, head[m]) {
				return false
			}
		}
	}
	return true
}
