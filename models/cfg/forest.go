package cfg

import (
	"slices"

	"github.com/gaplab/gaplab/models"
)

// parseForest stores all trees of the grammar over a sentence, which share their common subtrees. It is an acyclic
// hypergraph (Klein and Manning 2001). A node is a symbol over a span. An edge is one way to derive the symbol. The
// value of a node is
//
//	value(node) = (⊕ over edges: bracket ⊗ part ⊗ value(left) ⊗ value(right)) ⊕ value(base),
//
// where ⊗ adds scores, ⊕ is max or log Σ exp, and base is the node of the same label over the same span before unary
// rules. Node 0 is empty and has the value 0. Children come before their parents. The last node is the root of the
// sentence. The forest has only the nodes that occur in some tree, which are few of the nodes of a chart.
//
// The nodes and edges depend on the words alone, not on the scores, so an oracle call is one pass over the edges. A
// forest takes 12 bytes per edge and 12 per node.
type parseForest struct {
	nodes []forestNode
	edges []forestEdge
}

type forestNode struct {
	end     int32 // the edges of node n are edges[nodes[n−1].end : nodes[n].end]
	bracket int32 // the bracket part that all edges of the node share; −1: there is none
	base    int32 // the node of the same label over the same span without unary rules; 0: there is none
}

type forestEdge struct {
	part        int32 // a phrase rule or a lexical part; −1: the edge has no part
	left, right int32 // the nodes of the children; 0: there is none
}

// parsed reports whether the grammar has a tree for the sentence.
func (f *parseForest) parsed() bool { return len(f.nodes) > 1 }

// bytes returns the memory of the nodes and edges.
func (f *parseForest) bytes() int { return 12 * (len(f.nodes) + len(f.edges)) }

// clone copies a forest out of working memory.
func (f *parseForest) clone() *parseForest {
	return &parseForest{nodes: slices.Clone(f.nodes), edges: slices.Clone(f.edges)}
}

// oracle implements the oracles of one sentence. Max is the algorithm of Cocke, Younger and Kasami. LogSum is the
// inside-outside algorithm.
//
// If the grammar has no tree over a sentence, which happens in validation only, Max returns a labelling without parts
// and the value −∞. Second returns the same if there is no other tree.
type oracle struct {
	features *features
	forest   *parseForest // nil: each call of an oracle parses the sentence again
	parts    int          // features.Parts()
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

// begin returns working memory from the pool and the forest of the sentence. It parses the sentence if the forest was
// not stored. The caller must return the memory with end.
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

// best is the working memory of Max: the value of each node (see parseForest), and the edge that attains the value. The
// edge is −1 if the base of the node attains the value.
type best struct {
	value []float64
	edge  []int32
	stack []int32
}

// inside is the working memory of LogSum: the inside value of each node (or its logarithm), the outside probability of
// each node, and the share of each edge and of each base in the value of its node (see parseForest for the base).
type inside struct {
	weight  []float64 // exp of the score of part r at index r+1; index 0 is 1, for edges without a part
	inside  []float64
	outside []float64
	share   []float64 // for each edge: the probability of the edge given its node, p(edge | node)
	base    []float64 // for each node: the probability that no unary rule is applied, p(base | node); see parseForest
}

// twoBest is the working memory of Second: the two best derivations of each node.
type twoBest struct {
	best  [][2]derivation
	stack []chosen
}

// derivation is one way to derive a node: its score, its edge, and for each child whether the best (0) or the
// second-best (1) derivation of the child is used. If edge is −1, the node is derived without a unary rule, from the
// node that parseForest calls its base; then left selects the derivation of the base.
type derivation struct {
	value       float64
	edge        int32
	left, right uint8
}

// chosen selects the best (0) or the second-best (1) derivation of a node.
type chosen struct {
	node  int32
	which uint8
}
