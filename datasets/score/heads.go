package score

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
)

// heads counts predicted heads and wrong heads: all and wrong for all tokens, words and wrongWords for words only.
// Words are tokens that are not punctuation.
type heads struct{ all, wrong, words, wrongWords int }

func (h *heads) add(truth, predicted *datasets.Sentences) {
	word, err := truth.Column("word")
	for t, head := range truth.Heads {
		right := head == predicted.Heads[t]
		h.all++
		if !right {
			h.wrong++
		}
		if err != nil || datasets.Punctuation(word.Text[word.ID[t]]) {
			continue
		}
		h.words++
		if !right {
			h.wrongWords++
		}
	}
}

func (h *heads) lines() []string {
	return []string{
		fmt.Sprintf("unlabelled attachment: %6.2f%%; %d of %d heads are wrong", percent(h.all-h.wrong, h.all), h.wrong,
			h.all),
		fmt.Sprintf("without punctuation:   %6.2f%%; %d of %d heads are wrong", percent(h.words-h.wrongWords, h.words),
			h.wrongWords, h.words),
	}
}
