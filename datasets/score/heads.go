package score

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
)

// heads compares heads, of all tokens and of those that are not punctuation alone.
func (s *Score) heads(truth, predicted *datasets.Sentences) {
	s.Unit = "heads"
	word, err := truth.Column("word")
	for t, head := range truth.Heads {
		right := head == predicted.Heads[t]
		s.count(right)
		if err != nil || datasets.Punctuation(word.Text[word.ID[t]]) {
			continue
		}
		s.words++
		if !right {
			s.wrongWords++
		}
	}
}

func (s *Score) headLines() []string {
	return []string{
		fmt.Sprintf("unlabelled attachment: %6.2f%%; %d of %d heads are wrong", percent(s.Labels-s.Wrong, s.Labels), s.Wrong,
			s.Labels),
		fmt.Sprintf("without punctuation:   %6.2f%%; %d of %d heads are wrong", percent(s.words-s.wrongWords, s.words),
			s.wrongWords, s.words),
	}
}
