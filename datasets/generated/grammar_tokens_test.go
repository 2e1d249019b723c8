package generated

import (
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

func TestChunksAreConsistent(t *testing.T) {
	train, _ := sample[*datasets.Sentences](t, GrammarSentences{Train: 2000, MaxWords: 25, Seed: 6})
	chunk, pos := datasettest.Texts(t, train, "chunk"), datasettest.Texts(t, train, "pos")
	for i := range train.Len() {
		last := outside
		for k := train.Start[i]; k < train.Start[i+1]; k++ {
			if kind, inside := strings.CutPrefix(chunk[k], "I-"); inside && last != "B-"+kind && last != "I-"+kind {
				t.Fatalf("sentence %d: label %s follows %s, want it after a label of the same chunk", i, chunk[k], last)
			}
			last = chunk[k]
			switch pos[k] {
			case ".":
				if last != outside {
					t.Fatalf("sentence %d: label of the final punctuation mark = %s, want O", i, last)
				}
			case "DT", "NN", "NNS", "NNP", "PRP":
				if !strings.HasSuffix(last, "-NP") {
					t.Fatalf("sentence %d: label of a token with tag %s = %s, want a label of an NP", i, pos[k], last)
				}
			case "MD", "VBZ", "VBP":
				if last != "B-VP" {
					t.Fatalf("sentence %d: label of a token with tag %s = %s, want B-VP", i, pos[k], last)
				}
			}
		}
	}
}

// TestChunksOfASentence checks the chunks and heads of one sentence against a manual annotation. The sentence has a
// verb group over two VPs, an NP with a compound, and conjunctions within and between NPs.
func TestChunksOfASentence(t *testing.T) {
	leaf := func(tag, word string) *node { return &node{label: tag, word: word} }
	phrase := func(label string, head int, children ...*node) *node {
		return &node{label: label, head: head, children: children}
	}
	a := newAnnotator(newTokenTexts(sentenceGrammar()))
	a.add(phrase("S", 1,
		phrase("NP", 0,
			phrase("NP", 2, leaf("NNS", "workers"), leaf("CC", "and"), leaf("NNS", "farmers")),
			phrase("PP", 0, leaf("IN", "in"), phrase("NP", 0, leaf("NNP", "Oslo")))),
		phrase("VP", 2, leaf("MD", "will"), leaf("RB", "not"), phrase("VP", 0, leaf("VB", "sell"),
			phrase("NP", 0,
				phrase("NP", 2, leaf("DT", "a"), phrase("NX", 1, leaf("JJ", "public"), leaf("NN", "office")),
					leaf("NN", "building")),
				leaf("CC", "or"),
				phrase("NP", 0, leaf("NNS", "houses"))))),
		leaf(".", ".")))
	want := "B-NP I-NP I-NP B-PP B-NP B-VP I-VP I-VP B-NP I-NP I-NP I-NP O B-NP O"
	if got := strings.Join(datasettest.Texts(t, a.to, "chunk"), " "); got != want {
		t.Errorf("chunks %s, want %s", got, want)
	}
	if want := []int32{3, 3, 8, 3, 4, 8, 8, 0, 12, 11, 12, 8, 12, 12, 8}; !slices.Equal(a.to.Heads, want) {
		t.Errorf("heads %v, want %v", a.to.Heads, want)
	}
}
