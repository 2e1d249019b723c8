package cfg

import "slices"

// need runs pass 2: it marks the symbols that occur in a tree over the whole sentence. It reports whether there is such
// a tree.
func (c *chart) need() bool {
	symbols := c.g.symbolWords()
	span := c.l*(c.l+1)/2 - 1
	parsed := false
	for _, x := range c.g.roots {
		if c.of(c.whole, span).has(x) {
			c.wantWhole[span*symbols:].add(x)
			parsed = true
		}
	}
	if !parsed {
		return false
	}
	for width := c.l; width >= 1; width-- {
		for from := c.l - width; from >= 0; from-- {
			copy(c.wantBase, c.wantWhole[span*symbols:])
			c.needUnary(span)
			if width == 1 {
				c.keepTags(span)
			} else {
				c.keepRules(span, from, from+width)
			}
			span--
		}
	}
	return true
}

// needUnary follows the unary rules from the needed symbols of V_U down to the symbols of V_0 (see chart).
func (c *chart) needUnary(span int) {
	g := c.g
	if g.steps == 0 {
		return
	}
	for i, x := range c.step(c.made, span, g.steps) {
		c.step(c.wantMade, span, g.steps)[i] = c.wantBase[i] & x
		c.wantBase[i] &^= x
	}
	base := c.of(c.base, span)
	for r := g.steps; r >= 1; r-- {
		for x := range c.step(c.wantMade, span, r).all() {
			if base.has(x) {
				c.wantBase.add(x)
			}
			for _, y := range g.down[x].label {
				switch {
				case c.unary(span, r-1, y):
					c.step(c.wantMade, span, r-1).add(y)
				case base.has(y):
					c.wantBase.add(y)
				}
			}
		}
	}
}

// unary reports whether unary rules derive label x in V_r, the symbols with at most r unary rules (see chart). If so, x
// has different nodes in V_r and in V_0.
func (c *chart) unary(span, r int, x int32) bool {
	return r > 0 && c.step(c.made, span, r).has(x)
}

func (c *chart) keepTags(span int) {
	end := c.hitStart[span]
	for _, h := range c.hits[end:c.hitEnd[span]] {
		if c.wantBase.has(c.s.tag[h.rule]) {
			c.hits[end] = h
			end++
		}
	}
	c.hitEnd[span] = end
}

func (c *chart) keepRules(span, from, to int) {
	symbols, binary := c.g.symbolWords(), c.g.binary
	end, split := c.hitStart[span], int32(0)
	var left, right bitSet
	for _, h := range c.hits[end:c.hitEnd[span]] {
		rule := &binary[h.rule]
		if !c.wantBase.has(rule.parent) {
			continue
		}
		if h.split != split {
			split = h.split
			left, right = c.wantWhole[c.span(from, int(split))*symbols:], c.wantWhole[c.span(int(split), to)*symbols:]
		}
		left.add(rule.left)
		right.add(rule.right)
		c.hits[end] = h
		end++
	}
	c.hitEnd[span] = end
}

// emit runs pass 3: it writes the nodes and edges of the forest.
func (c *chart) emit(f *parseForest) {
	g := c.g
	span := 0
	for width := 1; width <= c.l; width++ {
		for from := 0; from+width <= c.l; from++ {
			hits := c.hits[c.hitStart[span]:c.hitEnd[span]]
			if width == 1 {
				c.emitTags(f, span, hits)
			} else {
				c.emitRules(f, span, from, from+width, hits)
			}
			for r := 1; r <= g.steps; r++ {
				for x := range c.step(c.wantMade, span, r).all() {
					c.emitUnary(f, span, r, x)
				}
			}
			span++
		}
	}
	span--
	for _, x := range g.roots {
		if c.of(c.whole, span).has(x) {
			f.edges = append(f.edges, forestEdge{part: -1, left: c.wholeNode[span*g.symbols+int(x)]})
		}
	}
	f.nodes = append(f.nodes, forestNode{end: int32(len(f.edges)), bracket: -1})
}

// emitTags adds the nodes of the tags of a word.
func (c *chart) emitTags(f *parseForest, span int, hits []hit) {
	for _, h := range hits {
		f.edges = append(f.edges, forestEdge{part: int32(c.g.rules) + h.rule})
		c.emitBase(f, span, c.s.tag[h.rule], forestNode{end: int32(len(f.edges)), bracket: -1})
	}
}

// emitRules adds the nodes of V_0 over a span of several words (see chart): one node for each symbol, with an edge for
// each hit.
func (c *chart) emitRules(f *parseForest, span, from, to int, hits []hit) {
	g := c.g
	c.found = c.found[:0]
	c.now++
	for _, h := range hits {
		x := g.binary[h.rule].parent
		if c.stamp[x] != c.now {
			c.place[x] = 0
		}
		c.find(x)
		c.place[x]++
	}
	end := int32(len(f.edges))
	for _, x := range c.found {
		end, c.place[x] = end+c.place[x], end
		node := forestNode{end: end, bracket: -1}
		if int(x) < g.phrases && c.s.brackets {
			node.bracket = int32(c.s.bracket(span, x, -1))
		}
		c.emitBase(f, span, x, node)
	}
	f.edges = slices.Grow(f.edges, len(hits))[:end]
	split := int32(0)
	var left, right []int32
	for _, h := range hits {
		if h.split != split {
			split = h.split
			left, right = c.wholeNode[c.span(from, int(split))*g.symbols:], c.wholeNode[c.span(int(split), to)*g.symbols:]
		}
		rule := &g.binary[h.rule]
		place := &c.place[rule.parent]
		f.edges[*place] = forestEdge{rule.part, left[rule.left], right[rule.right]}
		*place++
	}
}

// emitBase adds the node of a symbol in V_0, which needs no unary rule (see chart). The same node represents the symbol
// in V_U, until emitUnary replaces it there.
func (c *chart) emitBase(f *parseForest, span int, x int32, node forestNode) {
	c.baseNode[x] = int32(len(f.nodes))
	c.wholeNode[span*c.g.symbols+int(x)] = int32(len(f.nodes))
	f.nodes = append(f.nodes, node)
}

// emitUnary adds the node of a label that unary rules derive in V_r (see chart).
func (c *chart) emitUnary(f *parseForest, span, r int, x int32) {
	g, base := c.g, c.of(c.base, span)
	for i, y := range g.down[x].label {
		part := g.down[x].part[i]
		switch {
		case c.unary(span, r-1, y):
			f.edges = append(f.edges, forestEdge{part: part, left: c.madeNode[(r-2)*g.labels()+int(y)]})
		case base.has(y):
			f.edges = append(f.edges, forestEdge{part: part, left: c.baseNode[y]})
		}
	}
	node := forestNode{end: int32(len(f.edges)), bracket: -1}
	if base.has(x) {
		node.base = c.baseNode[x]
	}
	if c.s.brackets {
		node.bracket = int32(c.s.bracket(span, x, g.steps-r))
	}
	c.madeNode[(r-1)*g.labels()+int(x)] = int32(len(f.nodes))
	if r == g.steps {
		c.wholeNode[span*g.symbols+int(x)] = int32(len(f.nodes))
	}
	f.nodes = append(f.nodes, node)
}
