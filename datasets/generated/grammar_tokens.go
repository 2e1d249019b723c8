package generated

import (
	"slices"

	"github.com/gaplab/gaplab/datasets"
)

// The columns of annotated tokens.
const (
	wordColumn = iota
	cposColumn
	posColumn
	chunkColumn
	tokenColumns
)

// tokenTexts are the texts that the columns can hold. They are those of the grammar, not those that were drawn, so ids
// do not depend on what is drawn.
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

// outside is the label of a token in no chunk: a conjunction or punctuation outside phrases.
const outside = "O"

// annotator reads the columns and heads of tokens off derivations.
type annotator struct {
	to      *datasets.Sentences
	texts   *tokenTexts
	coarse  map[string]string
	phrases int // seen so far
	last    int // number of the phrase whose chunk the last token is in; 0: none
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

// walk appends the tokens below n and returns the index of its head. The tokens that a phrase has for children make
// one chunk of its label, together with those of the phrase it is the head of, if that has the same label: the modal
// and the infinitive of a verb group. phrase and label are those of n's chunk; phrase 0 is none.
func (a *annotator) walk(n *node, phrase int, label string) int {
	if n.children == nil {
		return a.token(n, phrase, label)
	}
	phrasal := slices.ContainsFunc(n.children, func(c *node) bool { return c.children != nil })
	var heads [8]int // no rule is longer
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
