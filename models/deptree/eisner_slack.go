package deptree

import (
	"fmt"
	"math"
	"slices"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
)

// MaxSlack implements models.SlackOracle. It finds the tree with the largest Δ(y) (1 + θ·1_y − θ·truth), where Δ(y) is
// the sum of the costs of its arcs. It is exact for costs that are whole numbers, such as the number of wrong heads. It
// panics for other costs.
//
// The product is not a sum over arcs. Its maximiser need not maximise θ·1_y + μ Δ(y) for any number μ: maximisers of
// such sums lie on the concave hull of the points (Δ(y), θ·1_y), and a tree below the hull may have a larger product.
// So the recurrences (see eisner) keep track of the cost. For every span and total cost d, a chart has the best score
// among the spans with cost d. · is the convolution (A · B)(d) = max_{a+b=d} A(a) + B(b), and e(h→m) has a single
// entry: the arc's score, at the arc's cost. Let S(d) be the best score of the trees with cost d. MaxSlack returns the
// tree with the largest d (1 + S(d) − θ·truth). Among ties MaxSlack chooses the smallest d. So if no tree violates its
// constraint, it returns a tree with cost 0, which is the truth if all other arcs have a cost.
//
// If arcs cost 0 or 1, MaxSlack takes l⁵/40 additions and 2 l³/3 floats of memory. If arcs cost up to K, it takes K²
// times as many additions and K times as much memory.
func (o *eisner) MaxSlack(dst models.Vertex, theta, cost []float64, truth models.Vertex) (models.Vertex, float64) {
	s := o.slack.Get()
	defer o.slack.Put(s)
	s.set(theta, o.multiRoot)
	s.lay(cost)
	s.fill()
	s.whole(o.multiRoot)
	gold := truth.Dot(theta)
	total, value := 0, math.Inf(-1)
	for d, score := range s.trees {
		if v := float64(d) * (1 + score - gold); !math.IsInf(score, -1) && v > value {
			total, value = d, v
		}
	}
	dst = slices.Grow(dst[:0], s.words)[:s.words]
	s.write(dst, total, o.multiRoot)
	return dst, value
}

// lay checks the costs and allocates the charts.
func (s *treeSlack) lay(cost []float64) {
	n := s.nodes
	if len(cost) != s.words*s.words {
		panic(fmt.Sprintf("deptree: %d costs for %d arcs: want one for each", len(cost), s.words*s.words))
	}
	s.cost, s.until, s.at = cost, scratch.Grow(s.until, n+1), scratch.Grow(s.at, n*n)
	s.until[0] = 0
	for m := range n {
		most := 0.0
		if word := m + s.first - 1; word >= 0 {
			for h, v := range cost[word*s.words:][:s.words] {
				if !(v >= 0 && v <= 1<<20 && v == math.Trunc(v)) {
					panic(fmt.Sprintf("deptree: the cost of part %d is %v: want a whole number for slack rescaling", word*s.words+h,
						v))
				}
				most = max(most, v)
			}
		}
		s.until[m+1] = s.until[m] + int(most)
	}
	size := 0
	for i := range n {
		for k := i; k < n; k++ {
			s.at[i*n+k] = size
			size += s.width(i, k)
		}
	}
	for _, chart := range []*[]float64{&s.r, &s.l, &s.ir, &s.il} {
		*chart = scratch.Grow(*chart, size)
		for d := range *chart {
			(*chart)[d] = math.Inf(-1)
		}
	}
	s.middle = scratch.Grow(s.middle, s.width(0, n-1))
}

// width returns the number of possible total costs of a span i..k.
func (s *treeSlack) width(i, k int) int { return s.until[k+1] - s.until[i] + 1 }

// of returns the scores of a chart for a span, by total cost.
func (s *treeSlack) of(chart []float64, i, k int) []float64 {
	return chart[s.at[i*s.nodes+k]:][:s.width(i, k)]
}

// fill runs the recurrences of eisner with costs (see MaxSlack).
func (s *treeSlack) fill() {
	n := s.nodes
	for i := n - 1; i >= 0; i-- {
		s.of(s.r, i, i)[0], s.of(s.l, i, i)[0] = 0, 0
		for k := i + 1; k < n; k++ {
			m := s.middle[:s.width(i, k)]
			for d := range m {
				m[d] = math.Inf(-1)
			}
			for q := i; q < k; q++ {
				convolve(m, s.of(s.r, i, q), s.of(s.l, q+1, k))
			}
			arc(s.of(s.ir, i, k), m, s.score[k*n+i], s.costOf(i, k))
			arc(s.of(s.il, i, k), m, s.score[i*n+k], s.costOf(k, i))
			for q := i + 1; q <= k; q++ {
				convolve(s.of(s.r, i, k), s.of(s.ir, i, q), s.of(s.r, q, k))
			}
			for q := i; q < k; q++ {
				convolve(s.of(s.l, i, k), s.of(s.l, i, q), s.of(s.il, q, k))
			}
		}
	}
}

// costOf returns the cost of the arc from node h to node m. It returns 0 if m is the root, since there is no such arc.
func (s *treeSlack) costOf(h, m int) int {
	if m+s.first == 0 {
		return 0
	}
	return int(s.cost[s.part(h, m)])
}

// whole writes the best scores of whole trees, by total cost, to s.trees.
func (s *treeSlack) whole(multiRoot bool) {
	last := s.nodes - 1
	s.trees = append(s.trees[:0], s.of(s.r, 0, last)...)
	if multiRoot {
		return
	}
	for d := range s.trees {
		s.trees[d] = math.Inf(-1)
	}
	s.pair = scratch.Grow(s.pair, len(s.trees))
	for q, score := range s.root {
		for d := range s.pair {
			s.pair[d] = math.Inf(-1)
		}
		convolve(s.pair, s.of(s.l, 0, q), s.of(s.r, q, last))
		for d, c := 0, s.rootCost(q); d+c < len(s.trees); d++ {
			s.trees[d+c] = max(s.trees[d+c], s.pair[d]+score)
		}
	}
}

func (s *treeSlack) rootCost(q int) int { return int(s.cost[q*s.words]) }

// convolve sets out(a+b) to x(a) + y(b) if this sum is larger than out(a+b), for all a and b.
func convolve(out, x, y []float64) {
	for a, u := range x {
		if math.IsInf(u, -1) {
			continue
		}
		to := out[a:]
		for b, v := range y[:min(len(y), len(to))] {
			to[b] = max(to[b], u+v)
		}
	}
}

// arc extends spans by an arc with this score and cost: out gets the scores of the results, by total cost.
func arc(out, spans []float64, score float64, cost int) {
	for d := 0; d+cost < len(out); d++ {
		out[d+cost] = spans[d] + score
	}
}

// write recomputes the best tree with a total cost from the charts and writes it to y.
func (s *treeSlack) write(y models.Vertex, total int, multiRoot bool) {
	last := s.nodes - 1
	if multiRoot {
		s.right(y, 0, last, total)
		return
	}
	root, left, best := 0, 0, math.Inf(-1)
	for q, score := range s.root {
		rest := total - s.rootCost(q)
		if a, v := split(s.of(s.l, 0, q), s.of(s.r, q, last), rest); v+score > best {
			root, left, best = q, a, v+score
		}
	}
	y[root] = root * s.words
	s.left(y, 0, root, left)
	s.right(y, root, last, total-s.rootCost(root)-left)
}

// right writes the arcs of the best complete span R[i][k] with total cost d (see eisner).
func (s *treeSlack) right(y models.Vertex, i, k, d int) {
	for i < k {
		at, cost, best := i+1, 0, math.Inf(-1)
		for q := i + 1; q <= k; q++ {
			if a, v := split(s.of(s.ir, i, q), s.of(s.r, q, k), d); v > best {
				at, cost, best = q, a, v
			}
		}
		y[at+s.first-1] = s.part(i, at)
		s.between(y, i, at, cost-s.costOf(i, at))
		i, d = at, d-cost
	}
}

// left writes the arcs of the best complete span L[i][k] with total cost d (see eisner).
func (s *treeSlack) left(y models.Vertex, i, k, d int) {
	for i < k {
		at, cost, best := i, 0, math.Inf(-1)
		for q := i; q < k; q++ {
			if b, v := split(s.of(s.il, q, k), s.of(s.l, i, q), d); v > best {
				at, cost, best = q, b, v
			}
		}
		y[at+s.first-1] = s.part(k, at)
		s.between(y, at, k, cost-s.costOf(k, at))
		k, d = at, d-cost
	}
}

// between writes the arcs of the best pair of spans M[i][k] with total cost d (see eisner).
func (s *treeSlack) between(y models.Vertex, i, k, d int) {
	at, cost, best := i, 0, math.Inf(-1)
	for q := i; q < k; q++ {
		if a, v := split(s.of(s.r, i, q), s.of(s.l, q+1, k), d); v > best {
			at, cost, best = q, a, v
		}
	}
	s.right(y, i, at, cost)
	s.left(y, at+1, k, d-cost)
}

// split returns the cost a for which x(a) + y(d−a) is largest, and this maximum.
func split(x, y []float64, d int) (at int, best float64) {
	best = math.Inf(-1)
	for a := max(0, d-len(y)+1); a < len(x) && a <= d; a++ {
		if v := x[a] + y[d-a]; v > best {
			at, best = a, v
		}
	}
	return at, best
}
