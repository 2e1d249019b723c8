package cfg

import (
	"math"
	"slices"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
)

// Max implements models.MaxOracle. It finds the best tree. If several trees are best, it always returns the same one.
// Cost: two additions and a comparison per edge of the forest, plus the parse if the forest was not stored.
func (o *oracle) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	s, f := o.begin(theta)
	defer o.end(s)
	if !f.parsed() {
		return dst[:0], math.Inf(-1)
	}
	s.best.fill(f, theta)
	return s.best.vertex(dst, f), s.best.value[len(f.nodes)-1]
}

func (b *best) fill(f *parseForest, theta []float64) {
	b.value, b.edge = scratch.Grow(b.value, len(f.nodes)), scratch.Grow(b.edge, len(f.nodes))
	value := b.value
	value[0] = 0
	e := int32(0)
	for n := 1; n < len(f.nodes); n++ {
		node := &f.nodes[n]
		top, arg := math.Inf(-1), e
		for ; e < node.end; e++ {
			edge := &f.edges[e]
			v := value[edge.left] + value[edge.right]
			if edge.part >= 0 {
				v += theta[edge.part]
			}
			if v > top {
				top, arg = v, e
			}
		}
		if node.bracket >= 0 {
			top += theta[node.bracket]
		}
		if node.base != 0 && value[node.base] >= top {
			top, arg = value[node.base], -1
		}
		value[n], b.edge[n] = top, arg
	}
}

// vertex collects the parts of the best tree.
func (b *best) vertex(dst models.Vertex, f *parseForest) models.Vertex {
	dst = dst[:0]
	b.stack = append(b.stack[:0], int32(len(f.nodes)-1))
	for len(b.stack) > 0 {
		n := b.stack[len(b.stack)-1]
		b.stack = b.stack[:len(b.stack)-1]
		if n == 0 {
			continue
		}
		if b.edge[n] < 0 {
			b.stack = append(b.stack, f.nodes[n].base)
			continue
		}
		edge := &f.edges[b.edge[n]]
		dst = appendParts(dst, f.nodes[n].bracket, edge.part)
		b.stack = append(b.stack, edge.left, edge.right)
	}
	slices.Sort(dst)
	return dst
}

// appendParts appends the parts that are not −1.
func appendParts(dst models.Vertex, bracket, part int32) models.Vertex {
	if bracket >= 0 {
		dst = append(dst, int(bracket))
	}
	if part >= 0 {
		dst = append(dst, int(part))
	}
	return dst
}
