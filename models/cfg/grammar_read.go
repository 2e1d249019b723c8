package cfg

import (
	"cmp"
	"slices"

	"github.com/gaplab/gaplab/datasets"
)

// grammarReader builds a grammar.
type grammarReader struct {
	*grammar
	label    map[string]int32
	prefix   map[[2]int32]int32 // (beginning, next label): the longer beginning
	complete map[[3]int32]bool  // (beginning or −1, last label, parent) of the rules so far
	lexical  map[[2]int32]bool  // (word, tag)
	pairs    [][2]int32         // those of lexical, in order of appearance
}

// readGrammar collects the rules of trees that normalise has passed.
func readGrammar(trees []*datasets.Tree) *grammar {
	r := &grammarReader{
		grammar:  &grammar{words: map[string]int32{}},
		label:    map[string]int32{},
		prefix:   map[[2]int32]int32{},
		complete: map[[3]int32]bool{},
		lexical:  map[[2]int32]bool{},
	}
	for _, t := range trees { // phrase labels get the first numbers
		r.number(t, true)
	}
	r.phrases = len(r.names)
	for _, t := range trees {
		r.number(t, false)
	}
	r.symbols = len(r.names)
	r.down, r.up = make([]unaryRules, len(r.names)), make([]unaryRules, len(r.names))
	for _, t := range trees {
		if root := r.read(t); !slices.Contains(r.roots, root) {
			r.roots = append(r.roots, root)
		}
		r.steps = max(r.steps, longestChain(t))
	}
	r.indexRules()
	r.indexWords()
	r.order()
	return r.grammar
}

// number gives numbers to the labels of phrases, or of tags.
func (r *grammarReader) number(t *datasets.Tree, phrase bool) {
	if _, seen := r.label[t.Label]; !seen && phrase == (t.Children != nil) {
		r.label[t.Label] = int32(len(r.names))
		r.names = append(r.names, t.Label)
	}
	for _, c := range t.Children {
		r.number(c, phrase)
	}
}

// read adds the rules of a tree and returns the label of its root.
func (r *grammarReader) read(t *datasets.Tree) int32 {
	x := r.label[t.Label]
	if t.Children == nil {
		r.readWord(t.Word, x)
		return x
	}
	left, last := int32(-1), r.read(t.Children[0])
	for _, c := range t.Children[1:] {
		if left < 0 {
			left = last
		} else {
			left = r.begin(left, last)
		}
		last = r.read(c)
	}
	rule := [3]int32{left, last, x}
	if r.complete[rule] {
		return x
	}
	r.complete[rule] = true
	part := int32(r.rules)
	r.rules++
	if left >= 0 {
		r.binary = append(r.binary, binaryRule{left, last, x, part})
		return x
	}
	r.down[x] = unaryRules{append(r.down[x].label, last), append(r.down[x].part, part)}
	r.up[last] = unaryRules{append(r.up[last].label, x), append(r.up[last].part, part)}
	return x
}

func (r *grammarReader) readWord(text string, tag int32) {
	word, seen := r.words[text]
	if !seen {
		word = int32(len(r.words))
		r.words[text] = word
	}
	if pair := [2]int32{word, tag}; !r.lexical[pair] {
		r.lexical[pair] = true
		r.pairs = append(r.pairs, pair)
	}
}

// begin returns the symbol of a beginning followed by a label.
func (r *grammarReader) begin(left, label int32) int32 {
	key := [2]int32{left, label}
	p, seen := r.prefix[key]
	if !seen {
		p = int32(r.symbols)
		r.symbols++
		r.prefix[key] = p
		r.binary = append(r.binary, binaryRule{left, label, p, -1})
	}
	return p
}

// indexRules sorts the binary rules by left child.
func (r *grammarReader) indexRules() {
	slices.SortFunc(r.binary, func(a, b binaryRule) int {
		return cmp.Or(cmp.Compare(a.left, b.left), cmp.Compare(a.right, b.right), cmp.Compare(a.parent, b.parent))
	})
	r.byLeft, r.follow = make([]int32, r.symbols+1), make(bitSet, r.symbols*r.setWords())
	for _, rule := range r.binary {
		r.byLeft[rule.left+1]++
		r.follow[int(rule.left)*r.setWords():].add(rule.right)
	}
	for s := range r.symbols {
		r.byLeft[s+1] += r.byLeft[s]
	}
}

// indexWords sorts the lexical rules by word, then tag.
func (r *grammarReader) indexWords() {
	slices.SortFunc(r.pairs, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	r.wordTags = make([]int32, len(r.words)+1)
	for _, p := range r.pairs {
		r.wordTags[p[0]+1]++
		r.tagsOf = append(r.tagsOf, p[1])
	}
	for v := range len(r.words) {
		r.wordTags[v+1] += r.wordTags[v]
	}
	r.anyTag = slices.Compact(slices.Sorted(slices.Values(r.tagsOf)))
}
