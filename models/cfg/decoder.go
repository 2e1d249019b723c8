package cfg

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// deepest is the largest number of unary rules in a row that a vocabulary may have.
const deepest = 1000

// vocabulary is the grammar as it is stored in a file: rules as indices of labels, symbols and words.
type vocabulary struct {
	Labels   []string   `json:"labels"`
	Phrases  int        `json:"phrases"` // number of phrase labels, which come first in Labels
	Roots    []int32    `json:"roots"`
	Unaries  int        `json:"unaries"`  // largest number of unary rules in a row
	Prefixes [][2]int32 `json:"prefixes"` // for each prefix symbol: the prefix without its last label, and this label
	Rules    [][3]int32 `json:"rules"`    // for each phrase rule: the prefix of children (−1: none), last child, parent
	Words    []string   `json:"words"`
	Tags     [][2]int32 `json:"tags"` // for each lexical rule: index of the word, index of the tag in Labels
}

func newVocabulary(g *grammar) vocabulary {
	v := vocabulary{Labels: g.names, Phrases: g.phrases, Roots: g.roots, Unaries: g.steps,
		Prefixes: make([][2]int32, g.symbols-g.labels()), Rules: make([][3]int32, g.rules),
		Words: make([]string, len(g.words))}
	for _, r := range g.binary {
		if r.part < 0 {
			v.Prefixes[int(r.parent)-g.labels()] = [2]int32{r.left, r.right}
		} else {
			v.Rules[r.part] = [3]int32{r.left, r.right, r.parent}
		}
	}
	for x, d := range g.down {
		for i, part := range d.part {
			v.Rules[part] = [3]int32{-1, d.label[i], int32(x)}
		}
	}
	for word, n := range g.words {
		v.Words[n] = word
		for _, tag := range g.tagsOf[g.wordTags[n]:g.wordTags[n+1]] {
			v.Tags = append(v.Tags, [2]int32{n, tag})
		}
	}
	slices.SortFunc(v.Tags, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	return v
}

// grammar rebuilds the grammar. All symbols, parts and weights have the indices that they had in training.
func (v *vocabulary) grammar() (*grammar, error) {
	labels, symbols := len(v.Labels), len(v.Labels)+len(v.Prefixes)
	g := &grammar{names: v.Labels, phrases: v.Phrases, symbols: symbols, roots: v.Roots, steps: v.Unaries,
		words: make(map[string]int32, len(v.Words)), down: make([]unaryRules, labels), up: make([]unaryRules, labels)}
	below := func(x int32, n int) bool { return x >= 0 && int(x) < n }
	sound := v.Phrases >= 0 && v.Phrases <= labels && v.Unaries >= 0 && v.Unaries <= deepest &&
		len(v.Roots) > 0
	for _, x := range v.Roots {
		sound = sound && below(x, labels)
	}
	for i, p := range v.Prefixes {
		sound = sound && below(p[0], labels+i) && below(p[1], labels)
		g.binary = append(g.binary, binaryRule{p[0], p[1], int32(labels + i), -1})
	}
	for _, r := range v.Rules {
		if sound = sound && below(r[0]+1, symbols+1) && below(r[1], labels) && below(r[2], v.Phrases); sound {
			g.add(r)
		}
	}
	for n, word := range v.Words {
		g.words[word] = int32(n)
	}
	for _, p := range v.Tags {
		sound = sound && below(p[0], len(v.Words)) && below(p[1], labels)
	}
	if !sound || len(g.words) != len(v.Words) {
		return nil, errors.New("labels, rules or words have indices out of range, or a word occurs twice")
	}
	g.indexRules()
	g.indexWords(slices.Clone(v.Tags))
	g.order()
	return g, nil
}

// decoder parses sentences by a grammar.
type decoder struct {
	g         *grammar
	out       datasets.Treebank
	sentences int
	without   int // number of sentences for which the grammar has no tree
}

// Dim implements models.Decoder.
func (d *decoder) Dim() int { return d.g.weights() }

// Target implements models.Decoder.
func (*decoder) Target() string { return "" }

// Example implements models.Decoder. It uses only the words of the tree.
func (d *decoder) Example(data datasets.Data) (models.Example, error) {
	bank, ok := data.(*datasets.Treebank)
	if !ok || len(bank.Trees) != 1 {
		return models.Example{}, fmt.Errorf("model cfg parses one sentence at a time, not %d %s", data.Len(), data.Kind())
	}
	f := newFeatures(d.g, bank.Trees[0], true)
	return models.Example{Features: f, Max: &oracle{features: f, parts: f.Parts()}}, nil
}

// Output implements models.Decoder. The tree is nil if the grammar has no tree for the sentence.
func (d *decoder) Output(_ datasets.Data, e models.Example, y models.Vertex) datasets.Data {
	tree := e.Features.(*features).Tree(y)
	d.sentences++
	if tree == nil {
		d.without++
	}
	d.out.Trees = append(d.out.Trees[:0], tree)
	return &d.out
}

// Warnings implements models.Decoder.
func (d *decoder) Warnings() []string {
	without, sentences := d.without, d.sentences
	d.without, d.sentences = 0, 0
	if without == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the grammar has no tree for %d of %d sentences", without, sentences)}
}
