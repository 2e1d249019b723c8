package deptree

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
)

// eisner implements the oracles of projective dependency trees over a sentence of l words. In a tree every word m in
// 1..l has a head h ≠ m, which is another word, or 0, the root. A tree is projective if all words between h and m
// descend from h. Part
//
//	(m−1)·l + h   if h < m,      (m−1)·l + h−1   if h > m
//
// is the arc h → m. So a tree has one part for each word, in increasing order, and len(θ) = l² determines l. Exactly
// one word has the root as its head. With multiRoot one or more words have the root as head.
//
// All oracles are variants of one dynamic programme over spans (Eisner, Three new probabilistic models for dependency
// parsing: an exploration, COLING 1996). A span i..k has its head at one end. R[i][k] is a complete span with the head
// i, and L[i][k] one with the head k. IR[i][k] is an incomplete span with the arc i → k between its ends, and IL[i][k]
// one with the arc k → i:
//
//	M[i][k]  = Σ_{i ≤ q < k} R[i][q] · L[q+1][k]          two heads side by side, not yet joined
//	IR[i][k] = M[i][k] · e(i→k),   IL[i][k] = M[i][k] · e(k→i)
//	R[i][k]  = Σ_{i < q ≤ k} IR[i][q] · R[q][k]
//	L[i][k]  = Σ_{i ≤ q < k} L[i][q] · IL[q][k],          R[i][i] = L[i][i] = 1
//
// with (Σ, ·) for LogSum, where e(h→m) is the exponential of the arc's score, and with (max, +) for Max, where e(h→m)
// is the score. This takes l³/2 products. The sum over multi-root trees is R[0][l]. For single-root trees the spans do
// not contain the root, and
//
//	Z = Σ_q L[1][q] · R[q][l] · e(0→q).
//
// A score of −Inf forbids an arc, as long as some tree remains. One eisner works for sentences of all lengths and for
// any number of goroutines. Each concurrent call takes memory: 13 l² floats for LogSum, 9 l² more if it needs
// logarithms, and 7 l² for Max or Second. For MaxSlack see its comment.
type eisner struct {
	multiRoot bool
	sums      scratch.Pool[treeSums]
	best      scratch.Pool[treeMax]
	slack     scratch.Pool[treeSlack]
}

func newEisner(multiRoot bool) *eisner { return &eisner{multiRoot: multiRoot} }

var (
	_ models.MaxOracle    = (*eisner)(nil)
	_ models.ExpOracle    = (*eisner)(nil)
	_ models.SecondOracle = (*eisner)(nil)
	_ models.SlackOracle  = (*eisner)(nil)
)

// arcScores has the part scores as a table with a row and a column for each node of the spans. The nodes are the l
// words. With multiRoot, the root is a node too, and comes first.
type arcScores struct {
	words, nodes int
	first        int       // the word of node 0: 1, or with multiRoot 0, which is the root
	score        []float64 // nodes × nodes, h → m at m·nodes + h; −Inf if there is no such arc
	root         []float64 // scores of the root's arcs to the nodes; empty with multiRoot
}

// set copies the part scores theta to this layout.
func (a *arcScores) set(theta []float64, multiRoot bool) {
	l := sentenceLength(len(theta))
	a.words, a.nodes, a.first = l, l, 1
	if multiRoot {
		a.nodes, a.first = l+1, 0
	}
	n := a.nodes
	a.score = scratch.Grow(a.score, n*n)
	a.root = scratch.Grow(a.root, n*a.first)
	for m := range n {
		row := a.score[m*n : m*n+n]
		if m+a.first == 0 {
			for h := range row {
				row[h] = math.Inf(-1)
			}
			continue
		}
		from := theta[(m+a.first-1)*l:][:l]
		if a.first == 1 {
			a.root[m] = from[0]
			from = from[1:]
		}
		copy(row[:m], from)
		row[m] = math.Inf(-1)
		copy(row[m+1:], from[m:])
	}
}

// part returns the part of the arc from node h to node m. m must not be the root.
func (a *arcScores) part(h, m int) int {
	p := (m+a.first-1)*a.words + h + a.first
	if h > m {
		p--
	}
	return p
}

// shift subtracts, for each node, a constant from the scores of all arcs into this node, so that the largest of these
// scores becomes 0. If there is a single root, shift does the same with all arcs from the root. The score of every tree
// decreases by the same amount, which shift returns.
func (a *arcScores) shift() float64 {
	var all float64
	for m := range a.nodes {
		row := a.score[m*a.nodes:][:a.nodes]
		c := lower(row)
		all += c
		if len(a.root) > 0 {
			a.root[m] -= c
		}
	}
	return all + lower(a.root)
}

// lower subtracts the largest element of v from all elements and returns it. If v is empty or all elements are −Inf, it
// returns 0.
func lower(v []float64) float64 {
	c := math.Inf(-1)
	for _, x := range v {
		c = max(c, x)
	}
	if math.IsInf(c, -1) {
		return 0
	}
	for i := range v {
		v[i] -= c
	}
	return c
}

// sentenceLength returns l, where parts is l². It panics if there is no such l ≥ 1.
func sentenceLength(parts int) int {
	l := int(math.Sqrt(float64(parts)))
	if l < 1 || l*l != parts {
		panic(fmt.Sprintf("deptree: len(theta) is %d: want the square of the number of words", parts))
	}
	return l
}

// treeMax is the working memory of one call of Max or Second. The comment of eisner defines the charts R, L, IR and IL.
// The charts store negated scores. n is the number of nodes.
type treeMax struct {
	arcScores
	row       []triple      // n × (n+1), at i·(n+1) + q: R[i][q−1], IR[i][q], L[i][q] (see eisner)
	column    []triple      // n × n, at k·n + q: L[q][k], R[q][k], IL[q][k] (see eisner)
	forbidden []float64     // for Second: scores with one arc forbidden
	other     models.Vertex // for Second: the best tree without this arc
}

// treeSlack is the working memory of one call of MaxSlack. The comment of eisner defines the charts R, L, IR, IL and M,
// and the comment of MaxSlack defines S. The arcs into the nodes of a span i..k cost at most width(i, k) − 1 in total.
// So a chart has width(i, k) values for the span, at the index at[i·n + k] and after, where n is the number of nodes. A
// value is −Inf if no span has this cost.
type treeSlack struct {
	arcScores
	cost        []float64 // costs of the parts
	until       []int     // until[m]: the largest total cost of the arcs into the nodes before m
	at          []int     // index of each span in the charts
	r, l        []float64 // charts R and L (see eisner)
	ir, il      []float64 // charts IR and IL (see eisner)
	middle      []float64 // M of one span (see eisner)
	trees, pair []float64 // scores of whole trees by cost (S, see MaxSlack), and the same without the root's arc
}

// treeSums is the working memory of one call of LogSum. The comment of eisner defines the charts R, L, IR, IL and M and
// the sum Z. The charts have n × n cells, where n is the number of nodes.
type treeSums struct {
	arcScores          // the part scores, which the method scaled replaces by exponentials
	row       []triple // at q, for the current left end i: R[i][q−1], IR[i][q], L[i][q] (see eisner)
	column    []triple // at k·n + q: L[q][k], R[q][k], IL[q][k] (see eisner)
	onward    []triple // at k·n + j: L[k][j], IL[k][j], R[k][j] (see eisner)
	inward    []triple // at i·n + j: L[j][i], R[j][i], IR[j][i] (see eisner)
	gRow      []triple // at j, for the current left end i: the derivatives of Z by M[i][j], L[i][j], R[i][j] (see eisner)
	gColumn   []triple // at k·n + j: the derivatives of Z by L[j][k], M[j][k], R[j][k] (see eisner)
	gLeft     []float64
	gRight    []float64
	logs      treeLogs
}

// triple has one cell of each of three charts, so that three sums over the same range are one loop over contiguous
// memory.
type triple [3]float64

// treeLogs computes sums over trees with logarithms, which do not overflow for any scores. The comment of eisner
// defines the charts. They are stored by row (at i·n + k for n nodes) or by column (at k·n + i), so that every sum
// reads contiguous memory. For each chart, a slice whose name begins with p has the posterior probabilities that the
// spans are in the tree.
//
// A term smaller than e^{−60} times the largest term of its sum is omitted. For scores with a large range these are
// most terms.
type treeLogs struct {
	rRow, rCol, lRow, lCol, irRow, ilCol []float64
	pRCol, pLCol, pILCol                 []float64
	pRRow, pLRow, pIRRow                 []float64 // probabilities of the spans with the current left end i
}
