package cfg

import (
	"cmp"
	"slices"

	"github.com/gaplab/gaplab/datasets"
)

// grammarReader builds a grammar from trees.
type grammarReader struct {
	*grammar
	label    map[string]int32
	prefix   map[[2]int32]int32 // from (prefix, next label) to the symbol of the prefix that is longer by this label
	complete map[[3]int32]bool  // the phrase rules read so far, as (prefix or −1, last label, parent)
	lexical  map[[2]int32]bool  // the lexical rules read so far, as (word, tag)
	pairs    [][2]int32         // the lexical rules, as (word, tag), in order of appearance
}

// readGrammar collects the rules of trees. The trees must be results of normalise.
func readGrammar(trees []*datasets.Tree) *grammar {
	r := &grammarReader{
		grammar:  &grammar{words: map[string]int32{}},
		label:    map[string]int32{},
		prefix:   map[[2]int32]int32{},
		complete: map[[3]int32]bool{},
		lexical:  map[[2]int32]bool{},
	}
	for _, t := range trees { // phrase labels get smaller numbers than tags
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
	r.indexWords(r.pairs)
	r.order()
	return r.grammar
}

// number assigns numbers to the phrase labels of a tree if phrase is true, otherwise to its tags.
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
	if rule := [3]int32{left, last, x}; !r.complete[rule] {
		r.complete[rule] = true
		r.add(rule)
	}
	return x
}

// add adds a phrase rule, given as (prefix of its children, last child, parent). The prefix is −1 for a unary rule. The
// rule gets the next free part.
func (g *grammar) add(rule [3]int32) {
	left, last, x, part := rule[0], rule[1], rule[2], int32(g.rules)
	g.rules++
	if left >= 0 {
		g.binary = append(g.binary, binaryRule{left, last, x, part})
		return
	}
	g.down[x] = unaryRules{append(g.down[x].label, last), append(g.down[x].part, part)}
	g.up[last] = unaryRules{append(g.up[last].label, x), append(g.up[last].part, part)}
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

// begin returns the symbol of a prefix that consists of the shorter prefix left and a label. It adds the symbol if it
// is new. If the prefix has two children, left is a label.
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
func (g *grammar) indexRules() {
	slices.SortFunc(g.binary, func(a, b binaryRule) int {
		return cmp.Or(cmp.Compare(a.left, b.left), cmp.Compare(a.right, b.right), cmp.Compare(a.parent, b.parent))
	})
	g.byLeft, g.follow = make([]int32, g.symbols+1), make(bitSet, g.symbols*g.setWords())
	for _, rule := range g.binary {
		g.byLeft[rule.left+1]++
		g.follow[int(rule.left)*g.setWords():].add(rule.right)
	}
	for s := range g.symbols {
		g.byLeft[s+1] += g.byLeft[s]
	}
}

// indexWords sorts the lexical rules by word, then tag.
func (g *grammar) indexWords(pairs [][2]int32) {
	slices.SortFunc(pairs, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	g.wordTags = make([]int32, len(g.words)+1)
	for _, p := range pairs {
		g.wordTags[p[0]+1]++
		g.tagsOf = append(g.tagsOf, p[1])
	}
	for v := range len(g.words) {
		g.wordTags[v+1] += g.wordTags[v]
	}
	g.anyTag = slices.Compact(slices.Sorted(slices.Values(g.tagsOf)))
}
