package cgm

import "slices"

// minimumDegree returns an order of elimination of a symmetric matrix that keeps the factor sparse. The next variable
// is always one of least degree in the remaining graph. The graph is stored as a quotient graph: the variables, and the
// cliques (elements) that result from eliminated variables. Degrees are the upper bounds of Amestoy, Davis and Duff
// 1996,
//
//	d_i = |A_i| + |L_p \ i| + Σ_{e ∈ E_i} |L_e \ L_p|   for the last eliminated p next to i
//
// where A_i are the neighbours and E_i the elements of variable i, and L_e are the variables of element e. Degrees are
// computed only after all variables of least degree without an eliminated neighbour have been eliminated (Liu 1985). In
// the Newton system of SparseInterior, these variables are the edges of the chain, and each neighbour of an edge has
// degree k. Entry q of the matrix is in row rows[q] and column cols[q]. Each pair occurs once, in either order. Entries
// on the diagonal are ignored.
func minimumDegree(n int, rows, cols []int32) []int32 {
	g := newQuotient(n, rows, cols)
	order := make([]int32, 0, n)
	for len(order) < n {
		for g.head[g.least] == none {
			g.least++
		}
		from := len(order)
		for g.head[g.least] != none {
			p := g.head[g.least]
			g.remove(p)
			g.eliminate(p)
			order = append(order, p)
		}
		// update(p) discards elements whose variables are all in element p. With this reverse order, all elements that were
		// eliminated after p have been updated before one of them can be discarded.
		for _, p := range slices.Backward(order[from:]) {
			if g.current[p] > 0 {
				g.update(p)
			}
		}
	}
	return order
}

// quotient is the quotient graph of minimumDegree, which defines A_i, E_i, L_e and p. In all lists, −1 means none.
type quotient struct {
	// near is A_i, the variables adjacent to variable i. elements is E_i, the elements adjacent to variable i. members is
	// L_e, the variables of element e. Element e has the index of the variable whose elimination made it.
	near, elements, members [][]int32
	// For each element e, size[e] is |L_e|, or 0 if e was merged into another element; stamp[e] is the last p for which
	// outside[e] = |L_e \ L_p| was computed. For each variable i, mark[i] is the last p whose L_p was found to contain i.
	// If variable p is eliminated, mark[p] = p, so that L_p does not get p itself.
	size, outside, stamp, mark []int32
	degree                     []int32 // degree of each variable; −1 if it is eliminated
	head, next, prev           []int32 // linked lists of the variables of each degree
	least                      int     // the lists of all degrees below least are empty
	last                       []int32 // for each variable whose degree must be computed: its last eliminated neighbour p
	current                    []int32 // for each p: the number of variables i with last[i] = p
	clique                     []int32 // working memory of eliminate
}

const none = int32(-1)

func newQuotient(n int, rows, cols []int32) *quotient {
	zero := func() []int32 { return make([]int32, n) }
	fill := func() []int32 { return slices.Repeat([]int32{none}, n) }
	g := &quotient{near: make([][]int32, n), elements: make([][]int32, n), members: make([][]int32, n), size: zero(),
		outside: zero(),
		stamp:   fill(), mark: fill(), degree: zero(), head: fill(), next: fill(), prev: fill(), last: fill(),
		current: zero()}
	for q, i := range rows {
		if j := cols[q]; i != j {
			g.degree[i]++
			g.degree[j]++
		}
	}
	all := make([]int32, 2*len(rows))
	for i, d := range g.degree {
		g.near[i], all = all[:0:d], all[d:]
	}
	for q, i := range rows {
		if j := cols[q]; i != j {
			g.near[i], g.near[j] = append(g.near[i], j), append(g.near[j], i)
		}
	}
	for i := n - 1; i >= 0; i-- {
		g.insert(int32(i))
	}
	return g
}

// insert adds a variable to the list of its degree.
func (g *quotient) insert(i int32) {
	d := g.degree[i]
	g.prev[i], g.next[i] = none, g.head[d]
	if g.head[d] != none {
		g.prev[g.head[d]] = i
	}
	g.head[d] = i
	g.least = min(g.least, int(d))
}

// remove removes a variable from the list of its degree.
func (g *quotient) remove(i int32) {
	if g.prev[i] == none {
		g.head[g.degree[i]] = g.next[i]
	} else {
		g.next[g.prev[i]] = g.next[i]
	}
	if g.next[i] != none {
		g.prev[g.next[i]] = g.prev[i]
	}
}

// eliminate replaces variable p by the element p, which absorbs the elements that contained p. The variables of element
// p are removed from the lists, since their degrees must be computed again.
func (g *quotient) eliminate(p int32) {
	g.mark[p], g.degree[p] = p, -1
	g.clique = g.clique[:0]
	g.collect(g.near[p], p)
	for _, e := range g.elements[p] {
		g.collect(g.members[e], p)
		g.members[e], g.size[e] = nil, 0
	}
	g.near[p], g.elements[p], g.members[p], g.size[p] = nil, nil, slices.Clone(g.clique), int32(len(g.clique))
	for _, i := range g.clique {
		if g.last[i] == none {
			g.remove(i)
		} else {
			g.current[g.last[i]]--
		}
		g.last[i] = p
		g.current[p]++
		g.elements[i] = append(g.elements[i], p)
	}
}

// collect adds the variables in list to the clique of the eliminated variable p, except those that the clique already
// has.
func (g *quotient) collect(list []int32, p int32) {
	for _, i := range list {
		if g.mark[i] != p {
			g.mark[i] = p
			g.clique = append(g.clique, i)
		}
	}
}

// update computes the degrees of the variables whose last eliminated neighbour is p.
func (g *quotient) update(p int32) {
	for _, i := range g.members[p] {
		g.mark[i] = p
		for _, e := range g.elements[i] {
			if g.stamp[e] != p {
				g.stamp[e], g.outside[e] = p, g.size[e]
			}
			g.outside[e]--
		}
	}
	for _, i := range g.members[p] {
		if g.last[i] != p {
			continue
		}
		g.last[i] = none
		degree := len(g.members[p]) - 1
		elements := g.elements[i][:0]
		for _, e := range g.elements[i] {
			switch {
			case g.outside[e] > 0:
				elements = append(elements, e)
				degree += int(g.outside[e])
			case e != p: // element e was merged into another before, or all its variables are in element p
				g.members[e], g.size[e] = nil, 0
			}
		}
		near := g.near[i][:0]
		for _, j := range g.near[i] {
			if g.mark[j] != p && g.degree[j] >= 0 { // drop j if it is eliminated, or is in element p as i is
				near = append(near, j)
			}
		}
		g.elements[i], g.near[i] = append(elements, p), near
		g.degree[i] = int32(min(degree+len(near), len(g.degree)-1))
		g.insert(i)
	}
}
