package cfg

import (
	"github.com/gaplab/gaplab/internal/scratch"
)

// chart is the working memory of the parser. The parser builds the forest of a sentence of l words in three passes over
// its spans.
//
//  1. From short to long (Cocke, Younger, Kasami): which symbols can be derived over each span, and by which rules.
//  2. From long to short: which of these symbols occur in a tree over the whole sentence.
//  3. From short to long: the nodes and edges of the symbols that pass 2 marked.
//
// At most U unary rules are applied in a row. V_0 is the set of symbols that a tag of a word or a binary rule derives
// over a span, and
//
//	V_r = V_0 ∪ {x : x → y, y ∈ V_{r−1}},
//
// is the set of symbols that can be derived with at most r unary rules on top. The children of binary rules and the
// root are taken from V_U. If no unary rule derives x, then x has the same node in V_r as in V_0.
//
// Cost: about l³/6 splits times the number of symbols over the words before the split, plus the rules that apply. One
// comparison of bit sets excludes most of the symbols. Memory: 4 bytes for each of the l(l+1)/2 spans and each symbol,
// plus the rules that apply.
type chart struct {
	g     *grammar
	s     *features
	l     int
	sets  int     // length of a set of labels, in 64-bit words
	off   []int32 // the span of the words with the indices from .. to−1 has the index off[to−from] + from
	found []int32 // symbols found so far over the current span
	stamp []int32 // for each symbol: the value of now when the symbol was last found
	now   int32   // number of the current span, counted over all calls
	place []int32 // for each symbol: the index at which emitRules writes the next edge of the symbol's node

	hits             []hit   // ways to derive a symbol over a span without unary rules, span by span
	hitStart, hitEnd []int32 // for each span: its range in hits; pass 2 removes unneeded hits and lowers the end
	lefts            []int32 // symbols over each span that can be a left child
	leftEnd          []int32 // lefts[leftEnd[s]:leftEnd[s+1]] belongs to span s

	base  bitSet // for each span: the labels that are derived without unary rules (V_0, see chart)
	made  bitSet // for each span and r = 1 .. U: the labels that a unary rule derives from V_{r−1} (see chart)
	whole bitSet // for each span: the symbols that are derived with at most U unary rules (V_U, see chart)

	wantWhole bitSet  // for each span: the symbols in whole that occur in a tree over the whole sentence
	wantMade  bitSet  // for each span and r: the labels in made that occur in a tree over the whole sentence
	wantBase  bitSet  // for the current span: the symbols of V_0 (see chart) that occur in a tree over the whole sentence
	wholeNode []int32 // for each span: the nodes of the symbols in wantWhole
	madeNode  []int32 // for the current span and each r and label in wantMade: its node
	baseNode  []int32 // for the current span and each symbol in wantBase: its node
}

// hit is one way to derive a symbol over a span: a binary rule and the word at which it splits the span, or a lexical
// part with split 0.
type hit struct{ rule, split int32 }

// parse writes the forest of the sentence into f.
func (c *chart) parse(f *parseForest, s *features) {
	c.grow(s)
	c.fill()
	f.nodes, f.edges = append(f.nodes[:0], forestNode{bracket: -1}), f.edges[:0]
	if c.need() {
		c.emit(f)
	}
}

func (c *chart) grow(s *features) {
	g := s.g
	c.g, c.s, c.l, c.sets = g, s, s.words(), g.setWords()
	c.off = scratch.Grow(c.off, c.l+1)
	for width := 1; width <= c.l; width++ {
		c.off[width] = int32(spanIndex(c.l, 0, width))
	}
	spans := c.l * (c.l + 1) / 2
	c.hitStart, c.hitEnd = scratch.Grow(c.hitStart, spans), scratch.Grow(c.hitEnd, spans)
	c.leftEnd = scratch.Grow(c.leftEnd, spans+1)
	c.base, c.whole = zeros(c.base, spans*c.sets), zeros(c.whole, spans*c.sets)
	c.made, c.wantMade = zeros(c.made, spans*g.steps*c.sets), zeros(c.wantMade, spans*g.steps*c.sets)
	c.wantWhole = zeros(c.wantWhole, spans*g.symbolWords())
	c.wholeNode = scratch.Grow(c.wholeNode, spans*g.symbols)
	c.wantBase, c.baseNode = scratch.Grow(c.wantBase, g.symbolWords()), scratch.Grow(c.baseNode, g.symbols)
	c.madeNode = scratch.Grow(c.madeNode, g.steps*g.labels())
	if len(c.stamp) < g.symbols || c.now > 1<<30 {
		c.stamp, c.now = make([]int32, g.symbols), 0
		c.place = make([]int32, g.symbols)
	}
}

func zeros(v bitSet, n int) bitSet {
	v = scratch.Grow(v, n)
	clear(v)
	return v
}

func (c *chart) span(from, to int) int { return int(c.off[to-from]) + from }

// of returns the set of a span from sets, which has one set of labels for each span. step returns the set of a span and
// a number r of unary rules from sets, which has one set for each span and each r.
func (c *chart) of(sets bitSet, span int) bitSet { return sets[span*c.sets:][:c.sets] }
func (c *chart) step(sets bitSet, span, r int) bitSet {
	return sets[(span*c.g.steps+r-1)*c.sets:][:c.sets]
}

// fill runs pass 1: it finds the symbols over each span.
func (c *chart) fill() {
	c.hits, c.lefts = c.hits[:0], c.lefts[:0]
	c.leftEnd[0] = 0
	span := 0
	for width := 1; width <= c.l; width++ {
		for from := 0; from+width <= c.l; from++ {
			c.found = c.found[:0]
			c.now++
			c.hitStart[span] = int32(len(c.hits))
			if width == 1 {
				for r := c.s.start[from]; r < c.s.start[from+1]; r++ {
					c.hits = append(c.hits, hit{r, 0})
					c.find(c.s.tag[r])
				}
			}
			for split := from + 1; split < from+width; split++ {
				c.join(from, split, from+width)
			}
			c.hitEnd[span] = int32(len(c.hits))
			c.close(span)
			c.leftEnd[span+1] = int32(len(c.lefts))
			span++
		}
	}
}

// find adds a symbol to the symbols found over the current span.
func (c *chart) find(symbol int32) {
	if c.stamp[symbol] != c.now {
		c.stamp[symbol] = c.now
		c.found = append(c.found, symbol)
	}
}

// join applies the binary rules to the span of the words with the indices from .. to−1. The left child has the words up
// to split−1, and the right child has the others.
func (c *chart) join(from, split, to int) {
	g := c.g
	left, right := c.span(from, split), c.of(c.whole, c.span(split, to))
	for _, b := range c.lefts[c.leftEnd[left]:c.leftEnd[left+1]] {
		if !g.follow[int(b)*c.sets:][:c.sets].meets(right) {
			continue
		}
		for i := g.byLeft[b]; i < g.byLeft[b+1]; i++ {
			if rule := &g.binary[i]; right.has(rule.right) {
				c.hits = append(c.hits, hit{i, int32(split)})
				c.find(rule.parent)
			}
		}
	}
}

// close applies the unary rules over a span, and lists the symbols that can be left children.
func (c *chart) close(span int) {
	g, base, whole := c.g, c.of(c.base, span), c.of(c.whole, span)
	for _, x := range c.found {
		if int(x) < g.labels() {
			base.add(x)
		} else {
			c.lefts = append(c.lefts, x) // a prefix symbol occurs only as a left child
		}
	}
	copy(whole, base)
	for r := 1; r <= g.steps; r++ {
		made := c.step(c.made, span, r)
		for y := range whole.all() {
			for _, x := range g.up[y].label {
				made.add(x)
			}
		}
		for i := range whole {
			whole[i] = base[i] | made[i]
		}
	}
	for x := range whole.all() {
		if g.byLeft[x] < g.byLeft[x+1] {
			c.lefts = append(c.lefts, x)
		}
	}
}
