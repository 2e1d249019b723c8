package generated

import (
	"slices"

	"github.com/gaplab/gaplab/datasets"
)

// Indices of the columns that annotator writes for each token.
const (
	wordColumn = iota
	cposColumn
	posColumn
	chunkColumn
	tokenColumns
)

// tokenTexts holds all texts that can occur in each column under the grammar, even those that no drawn sentence has. So
// the index of a text does not depend on the sentences that are drawn.
type tokenTexts struct {
	list [tokenColumns][]string
	id   [tokenColumns]map[string]int32
}

func newTokenTexts(g *grammar) *tokenTexts {
	t := &tokenTexts{}
	coarse := coarseTags()
	for _, s := range g.symbols {
		if s.words != nil {
			t.list[wordColumn] = append(t.list[wordColumn], s.words...)
			t.list[posColumn] = append(t.list[posColumn], s.label)
			t.list[cposColumn] = append(t.list[cposColumn], coarse[s.label])
		}
	}
	t.list[chunkColumn] = []string{
		outside, "B-NP", "I-NP", "B-VP", "I-VP", "B-PP", "B-ADVP", "I-ADVP", "B-ADJP", "I-ADJP", "B-SBAR",
	}
	for k, list := range t.list {
		slices.Sort(list)
		t.list[k] = slices.Compact(list)
		t.id[k] = map[string]int32{}
		for i, text := range t.list[k] {
			t.id[k][text] = int32(i)
		}
	}
	return t
}

// outside is the label of a token that belongs to no chunk, such as a conjunction or punctuation between phrases.
const outside = "O"

// annotator computes the columns and heads of tokens from derivations of the grammar.
type annotator struct {
	to      *datasets.Sentences // the sentences so far
	texts   *tokenTexts
	coarse  map[string]string // coarse tag of each part-of-speech tag
	phrases int               // number of phrases so far
	last    int               // number of the phrase to whose chunk the last token belongs; 0: no chunk
}

func newAnnotator(texts *tokenTexts) *annotator {
	a := &annotator{to: &datasets.Sentences{Start: []int{0}, Heads: []int32{}}, texts: texts, coarse: coarseTags()}
	for k, name := range []string{"word", "cpos", "pos", "chunk"} {
		a.to.Columns = append(a.to.Columns, datasets.Column{Name: name, Text: texts.list[k]})
	}
	return a
}

// add appends the sentence of a derivation.
func (a *annotator) add(n *node) {
	a.last = 0
	a.phrases++
	a.to.Heads[a.walk(n, a.phrases, n.label)] = 0
	a.to.Start = append(a.to.Start, len(a.to.Heads))
}

// walk appends the tokens below n and returns the index of the head token of n. The tokens among the children of a
// phrase form one chunk with the label of the phrase. A phrase shares the chunk of its parent if it is the head of the
// parent and has the same label, such as the infinitive after a modal. The arguments phrase and label are the number
// and the label of n's chunk. If phrase is 0, n belongs to no chunk.
func (a *annotator) walk(n *node, phrase int, label string) int {
	if n.children == nil {
		return a.token(n, phrase, label)
	}
	phrasal := slices.ContainsFunc(n.children, func(c *node) bool { return c.children != nil })
	var heads [8]int // no rule has more than 8 children
	for i, c := range n.children {
		inner, innerLabel := phrase, label
		if c.children != nil && c.label != "NX" && (i != n.head || c.label != n.label) {
			a.phrases++
			inner, innerLabel = a.phrases, c.label
		}
		if phrasal && (c.label == "CC" || c.label == "," || c.label == ".") {
			inner = 0
		}
		heads[i] = a.walk(c, inner, innerLabel)
	}
	head := heads[n.head]
	start := a.to.Start[len(a.to.Start)-1]
	for i := range n.children {
		if i != n.head {
			a.to.Heads[heads[i]] = int32(head - start + 1)
		}
	}
	return head
}

// token appends one token and returns its index.
func (a *annotator) token(n *node, phrase int, label string) int {
	chunk := "B-" + label
	switch phrase {
	case 0:
		chunk = outside
	case a.last:
		chunk = "I-" + label
	}
	a.last = phrase
	for k, text := range []string{n.word, a.coarse[n.label], n.label, chunk} {
		c := &a.to.Columns[k]
		c.ID = append(c.ID, a.texts.id[k][text])
	}
	a.to.Heads = append(a.to.Heads, 0)
	return len(a.to.Heads) - 1
}
