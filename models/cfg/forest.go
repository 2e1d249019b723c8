package cfg

import (
	"slices"

	"github.com/gaplab/gaplab/models"
)

// parseForest is every tree of the grammar over a sentence, shared: an acyclic hypergraph (Klein and Manning 2001). A
// node is a symbol over a span, an edge one way to make it,
//
//	value(node) = (⊕ over edges: bracket ⊗ part ⊗ value(left) ⊗ value(right)) ⊕ value(base),
//
// where ⊗ adds scores, ⊕ is max or log Σ exp, and base is the same label over the same span before unary rules. Node 0
// is empty and has the value 0; children come before their parents; the last node is the sentence. Only nodes that are
// part of some tree are there, which are few of those that a chart holds.
//
// The nodes and edges depend on the words alone, not on the scores: an oracle is one pass over the edges. A forest
// takes 12 bytes per edge and 12 per node.
type parseForest struct {
	nodes []forestNode
	edges []forestEdge
}

type forestNode struct {
	end     int32 // its edges end here, and begin where those of the node before end
	bracket int32 // part of all its edges, or −1
	base    int32 // node, 0 if none
}

type forestEdge struct {
	part        int32 // phrase rule or lexical part, or −1
	left, right int32 // nodes, 0 if none
}

// parsed reports whether the grammar has a tree for the sentence.
func (f *parseForest) parsed() bool { return len(f.nodes) > 1 }

// bytes returns the memory of the nodes and edges.
func (f *parseForest) bytes() int { return 12 * (len(f.nodes) + len(f.edges)) }

// clone copies a forest out of working memory.
func (f *parseForest) clone() *parseForest {
	return &parseForest{nodes: slices.Clone(f.nodes), edges: slices.Clone(f.edges)}
}

// oracle holds the oracles of one sentence: Max is the algorithm of Cocke, Younger and Kasami, LogSum the
// inside-outside algorithm.
//
// If the grammar has no tree over a sentence, which happens in validation only, Max returns a labelling without parts
// and the value −∞. So does Second where there is no other tree.
type oracle struct {
	features *features
	forest   *parseForest // nil: each call parses the sentence, in working memory
	parts    int
}

var (
	_ models.MaxOracle    = (*oracle)(nil)
	_ models.ExpOracle    = (*oracle)(nil)
	_ models.SecondOracle = (*oracle)(nil)
)

// working is the working memory of one call.
type working struct {
	chart  chart
	parsed parseForest
	best   best
	two    twoBest
	inside inside
}

// begin takes working memory, and the forest of the sentence.
func (o *oracle) begin(theta []float64) (*working, *parseForest) {
	if len(theta) != o.parts {
		panic("cfg: len(theta) != Parts()")
	}
	s := o.features.g.pool.Get()
	if o.forest != nil {
		return s, o.forest
	}
	s.chart.parse(&s.parsed, o.features)
	return s, &s.parsed
}

func (o *oracle) end(s *working) { o.features.g.pool.Put(s) }

// best is the working memory of Max: the value of each node, and the edge that attains it, or −1 for its base.
type best struct {
	value []float64
	edge  []int32
	stack []int32
}

// inside is the working memory of LogSum: the inside value of each node (or its logarithm), the outside probability,
// and the share that each edge, and each base, has in its node.
type inside struct {
	weight  []float64 // exp of the scores of rules and lexical parts, from place 1; place 0 is no part
	inside  []float64
	outside []float64
	share   []float64
	base    []float64
}

// twoBest is the working memory of Second: the two best derivations of each node.
type twoBest struct {
	best  [][2]derivation
	stack []chosen
}

// derivation is one way to make a node: its score, the edge (−1: the base), and which derivation of either child, the
// best (0) or the second best (1). The base is a left child.
type derivation struct {
	value       float64
	edge        int32
	left, right uint8
}

// chosen is a derivation of a node.
type chosen struct {
	node  int32
	which uint8
}
