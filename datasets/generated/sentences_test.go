package generated

import (
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

func TestSentencesAreOfTheirLength(t *testing.T) {
	for _, most := range []int{6, 10, 25, 100} {
		train, _ := sample[*datasets.Sentences](t, GrammarSentences{Train: 1000, MaxWords: most, Seed: 1})
		lengths := make([]int, train.Len())
		for i := range lengths {
			lengths[i] = train.Start[i+1] - train.Start[i]
		}
		if slices.Min(lengths) != 4 || slices.Max(lengths) > most || slices.Max(lengths) < min(most, 40) {
			t.Errorf("max_words %d: lengths from %d to %d; want 4 as the least, min(max_words, 40) to max_words as the greatest",
				most, slices.Min(lengths), slices.Max(lengths))
		}
		if mean := float64(len(train.Heads)) / 1000; most == 25 && (mean < 12 || mean > 16) {
			t.Errorf("max_words 25: mean length %.1f, want 12 to 16", mean)
		}
	}
}

// TestSentencesAreProjectiveTrees checks that heads form a projective tree with a single root, which is a finite verb
// or, in imperatives, an infinitive.
func TestSentencesAreProjectiveTrees(t *testing.T) {
	train, _ := sample[*datasets.Sentences](t, GrammarSentences{Train: 2000, MaxWords: 40, Seed: 5})
	pos := datasettest.Texts(t, train, "pos")
	left := 0
	for i := range train.Len() {
		first := train.Start[i]
		heads := train.Heads[first:train.Start[i+1]]
		roots := 0
		for m, h := range heads {
			if h == 0 {
				roots++
				if tag := pos[first+m]; !strings.HasPrefix(tag, "VB") {
					t.Fatalf("sentence %d: tag of the root = %s, want that of a verb", i, tag)
				}
			}
			if int(h) > m+1 {
				left++
			}
			// Every word between a word and its head must be a descendant of that head.
			for between := min(int(h), m+1) + 1; h != 0 && between < max(int(h), m+1); between++ {
				up := between
				for steps := 0; up != int(h); steps++ {
					if up == 0 || steps > len(heads) {
						t.Fatalf("sentence %d: word %d is not a descendant of word %d, the head of word %d", i, between, h, m+1)
					}
					up = int(heads[up-1])
				}
			}
		}
		if roots != 1 {
			t.Fatalf("sentence %d has %d roots, want 1", i, roots)
		}
	}
	if share := float64(left) / float64(len(train.Heads)); share < .3 || share > .6 {
		t.Errorf("share of words whose head is to the right = %.2f, want 0.3 to 0.6", share)
	}
}

// TestSentencesAreNotTrivial checks that no label is missing or too frequent, that enough words are ambiguous, and that
// enough validation words do not occur in the training data.
func TestSentencesAreNotTrivial(t *testing.T) {
	train, validation := sample[*datasets.Sentences](t,
		GrammarSentences{Train: 1000, Validation: 300, MaxWords: 25, Seed: 1})
	for _, c := range []struct {
		column      string
		labels      int
		least, most float64
	}{{"pos", 15, .01, .25}, {"cpos", 9, .01, .4}, {"chunk", 11, .002, .45}} {
		count := map[string]int{}
		for _, text := range datasettest.Texts(t, train, c.column) {
			count[text]++
		}
		if column, _ := train.Column(c.column); len(count) != c.labels || len(column.Text) != c.labels {
			t.Errorf("%s: %d of %d labels are used, want %d", c.column, len(count), len(column.Text), c.labels)
		}
		for label, n := range count {
			if share := float64(n) / float64(len(train.Heads)); share < c.least || share > c.most {
				t.Errorf("%s %s has a share of %.4f, want %v to %v", c.column, label, share, c.least, c.most)
			}
		}
	}
	words, pos := datasettest.Texts(t, train, "word"), datasettest.Texts(t, train, "pos")
	tags := map[string]map[string]int{}
	for k, w := range words {
		if tags[w] == nil {
			tags[w] = map[string]int{}
		}
		tags[w][pos[k]]++
	}
	rest := len(words)
	for _, of := range tags {
		top := 0
		for _, n := range of {
			top = max(top, n)
		}
		rest -= top
	}
	if share := float64(rest) / float64(len(words)); share < .03 || share > .2 {
		t.Errorf("the most frequent tag of each word is wrong for %.3f of the tokens, want 0.03 to 0.2", share)
	}
	unseen := 0
	held := datasettest.Texts(t, validation, "word")
	for _, w := range held {
		if tags[w] == nil {
			unseen++
		}
	}
	if share := float64(unseen) / float64(len(held)); share < .002 || share > .05 {
		t.Errorf("%.4f of the validation tokens are unseen words, want 0.002 to 0.05", share)
	}
}

// TestPrepositionsAttachBothWays checks that a preposition after an object depends sometimes on the verb and sometimes
// on the noun.
func TestPrepositionsAttachBothWays(t *testing.T) {
	train, _ := sample[*datasets.Sentences](t, GrammarSentences{Train: 2000, MaxWords: 25, Seed: 1})
	words, pos, coarse := datasettest.Texts(t, train, "word"), datasettest.Texts(t, train, "pos"),
		datasettest.Texts(t, train, "cpos")
	verb, noun := 0, 0
	for i := range train.Len() {
		for k := train.Start[i] + 1; k < train.Start[i+1]; k++ {
			if words[k] != "in" || coarse[k-1] != "N" || train.Heads[k] == 0 {
				continue
			}
			switch head := train.Start[i] + int(train.Heads[k]) - 1; {
			case coarse[head] == "V" && head < k:
				verb++
			case pos[head] != "IN":
				noun++
			}
		}
	}
	if share := float64(verb) / float64(verb+noun); verb+noun < 300 || share < .25 || share > .75 {
		t.Errorf("of %d prepositions after a noun, the share that depends on a verb = %.2f, want 0.25 to 0.75", verb+noun,
			share)
	}
}
