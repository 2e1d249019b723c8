package cfg

import (
	"math"
	"slices"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
)

// Second implements models.SecondOracle. The argument not is the labelling to exclude. Second returns the best tree, or
// the second-best tree if not is the labelling of the best tree. The two best derivations of a node are among those
// that combine the children's derivations
//
//	(l₀, r₀), (l₁, r₀) and (l₀, r₁)
//
// of each edge, where l₀ and l₁ are the best and the second-best derivation of the left child, and r₀ and r₁ are the
// same for the right child. Only examples with brackets have this oracle, because without brackets several trees can
// have the same labelling. Cost: about twice the cost of Max.
func (o *oracle) Second(dst models.Vertex, theta []float64, not models.Vertex) (models.Vertex, float64) {
	s, f := o.begin(theta)
	defer o.end(s)
	if !f.parsed() {
		return dst[:0], math.Inf(-1)
	}
	t := &s.two
	t.fill(f, theta)
	root := t.best[len(f.nodes)-1]
	dst = t.vertex(dst, f, 0)
	if !dst.Equal(not) {
		return dst, root[0].value
	}
	if math.IsInf(root[1].value, -1) {
		return dst[:0], math.Inf(-1)
	}
	return t.vertex(dst, f, 1), root[1].value
}

func (t *twoBest) fill(f *parseForest, theta []float64) {
	t.best = scratch.Grow(t.best, len(f.nodes))
	nothing := derivation{value: math.Inf(-1)}
	t.best[0] = [2]derivation{{value: 0}, nothing}
	e := int32(0)
	for n := 1; n < len(f.nodes); n++ {
		node := &f.nodes[n]
		two := [2]derivation{nothing, nothing}
		var bracket float64
		if node.bracket >= 0 {
			bracket = theta[node.bracket]
		}
		for ; e < node.end; e++ {
			edge := &f.edges[e]
			s := bracket
			if edge.part >= 0 {
				s += theta[edge.part]
			}
			l, r := &t.best[edge.left], &t.best[edge.right]
			v := s + (l[0].value + r[0].value)
			if v <= two[1].value {
				continue // the derivations with a second-best child are not better
			}
			offer(&two, derivation{v, e, 0, 0})
			offer(&two, derivation{s + (l[1].value + r[0].value), e, 1, 0})
			offer(&two, derivation{s + (l[0].value + r[1].value), e, 0, 1})
		}
		if node.base != 0 {
			base := &t.best[node.base]
			offer(&two, derivation{base[0].value, -1, 0, 0})
			offer(&two, derivation{base[1].value, -1, 1, 0})
		}
		t.best[n] = two
	}
}

// offer inserts a derivation into the two best if it is better than the second best.
func offer(two *[2]derivation, d derivation) {
	switch {
	case d.value > two[0].value:
		two[1], two[0] = two[0], d
	case d.value > two[1].value:
		two[1] = d
	}
}

// vertex collects the parts of the best (0) or the second best (1) tree.
func (t *twoBest) vertex(dst models.Vertex, f *parseForest, which uint8) models.Vertex {
	dst = dst[:0]
	t.stack = append(t.stack[:0], chosen{int32(len(f.nodes) - 1), which})
	for len(t.stack) > 0 {
		c := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		if c.node == 0 {
			continue
		}
		d := &t.best[c.node][c.which]
		if d.edge < 0 {
			t.stack = append(t.stack, chosen{f.nodes[c.node].base, d.left})
			continue
		}
		edge := &f.edges[d.edge]
		dst = appendParts(dst, f.nodes[c.node].bracket, edge.part)
		t.stack = append(t.stack, chosen{edge.left, d.left}, chosen{edge.right, d.right})
	}
	slices.Sort(dst)
	return dst
}
