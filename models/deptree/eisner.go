package deptree

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
)

// eisner holds the oracles of projective dependency trees over a sentence of l words. A tree gives every word m in 1..l
// a head h ≠ m: another word, or 0, the root. Projective means that the words between h and m descend from h. Part
//
//	(m−1)·l + h   if h < m,      (m−1)·l + h−1   if h > m
//
// is the arc h → m, so a tree has one part for each word, in increasing order, and len(θ) = l² gives l. Exactly one
// word has the root as its head, or with multiRoot at least one.
//
// All oracles are variants of one dynamic programme over spans (Eisner, Three new probabilistic models for dependency
// parsing: an exploration, COLING 1996). A span i..k with its head at one end is complete, R[i][k] headed by i and
// L[i][k] headed by k, or has just got an arc between its ends, IR[i][k] with i → k and IL[i][k] with k → i:
//
//	M[i][k]  = Σ_{i ≤ q < k} R[i][q] · L[q+1][k]          two heads side by side, not yet joined
//	IR[i][k] = M[i][k] · e(i→k),   IL[i][k] = M[i][k] · e(k→i)
//	R[i][k]  = Σ_{i < q ≤ k} IR[i][q] · R[q][k]
//	L[i][k]  = Σ_{i ≤ q < k} L[i][q] · IL[q][k],          R[i][i] = L[i][i] = 1
//
// with (Σ, ·) for LogSum and (max, +) for Max: l³/2 products. Of multi-root trees the sum is R[0][l]. Single-root trees
// leave the root out of the spans, and
//
//	Z = Σ_q L[1][q] · R[q][l] · e(0→q).
//
// A score of −Inf forbids an arc, as long as some tree remains. One eisner is for sentences of all lengths and any
// number of goroutines. For each call under way it keeps 13 l² floats for LogSum, 9 l² more where logarithms are
// needed, and 7 l² for Max or Second; for MaxSlack see there.
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

// arcScores are part scores laid out by the nodes of the spans: the l words, and with multiRoot before them the root.
type arcScores struct {
	words, nodes int
	first        int       // the word of node 0: 1, or with multiRoot 0, the root
	score        []float64 // nodes × nodes: h → m at m·nodes + h; −Inf where there is no such arc
	root         []float64 // the root's arcs to the nodes where the root is not a node, else empty
}

// set lays out θ.
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

// shift subtracts a constant from all scores of the arcs into a node, and from those of the arcs out of a root that has
// just one, so that the greatest of each is 0. The score of every tree falls by the same amount, which it returns.
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

// lower subtracts the greatest of v from all of v and returns it; 0 if that is −Inf or there is none.
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

// sentenceLength returns l if parts is l² with l ≥ 1.
func sentenceLength(parts int) int {
	l := int(math.Sqrt(float64(parts)))
	if l < 1 || l*l != parts {
		panic(fmt.Sprintf("deptree: len(theta) is %d: want the square of the number of words", parts))
	}
	return l
}

// treeMax is the memory of one call of Max or Second. The charts hold negated scores.
type treeMax struct {
	arcScores
	row       []triple // nodes × (nodes+1), at i·(n+1) + q: R[i][q−1], IR[i][q], L[i][q]
	column    []triple // nodes × nodes, at k·n + q: L[q][k], R[q][k], IL[q][k]
	forbidden []float64
	other     models.Vertex
}

// treeSlack is the memory of one call of MaxSlack. The nodes of a span i..k cost at most width(i, k) − 1 together, so
// that a chart has so many values for the span, from at[i·n + k] on; −Inf where no span costs that much.
type treeSlack struct {
	arcScores
	cost        []float64 // of the parts
	until       []int     // until[m]: the most that the nodes before m cost
	at          []int
	r, l        []float64 // R and L
	ir, il      []float64 // IR and IL
	middle      []float64 // M of one span
	trees, pair []float64 // S; and without the root's arc
}

// treeSums is the memory of one call of LogSum. The charts have nodes × nodes cells.
type treeSums struct {
	arcScores          // exponentials after scaled has begun
	row       []triple // of the span's left end i: R[i][q−1], IR[i][q], L[i][q]
	column    []triple // at k·n + q: L[q][k], R[q][k], IL[q][k]
	onward    []triple // at k·n + j: L[k][j], IL[k][j], R[k][j]
	inward    []triple // at i·n + j: L[j][i], R[j][i], IR[j][i]
	gRow      []triple // of i, the derivatives of Z: by M[i][j], L[i][j], R[i][j]
	gColumn   []triple // at k·n + j: by L[j][k], M[j][k], R[j][k]
	gLeft     []float64
	gRight    []float64
	logs      treeLogs
}

// triple is a cell of three charts, so that three sums over the same range are one loop over contiguous memory.
type triple [3]float64

// treeLogs sums over trees with logarithms, which no range of scores overflows. The names are those of eisner's
// comment, by row (at i·n + k) or by column (at k·n + i), so that every sum runs over contiguous memory.
// Probabilities are posterior: p of a span is that of its being in the tree.
//
// A term less than e^{−60} of the greatest in its sum is left out, which for scores of great range is most of them.
type treeLogs struct {
	rRow, rCol, lRow, lCol, irRow, ilCol []float64
	pRCol, pLCol, pILCol                 []float64
	pRRow, pLRow, pIRRow                 []float64 // of one i
}
