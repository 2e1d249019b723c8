package generative

import (
	"math"
	"slices"

	"github.com/gaplab/gaplab/datasets"
)

const (
	climbParents = 3       // largest number of parents of a variable
	climbCells   = 1 << 20 // largest number of cells of a table
)

// climb searches greedily for a network over the chosen variables and the class. It starts without arcs. Each step
// adds, removes or reverses the one arc that improves the score most, until no step improves it. The score is the
// criterion of Schwarz (1978), a sum over families,
//
//	BIC = Σ_v Σ_{p, x} n_vpx log(n_vpx/n_vp) − ½ log N Σ_v P_v (values_v − 1),
//
// where n_vpx is the number of the N rows in which v has the value x and its parents have the values p, and n_vp is the
// number of rows in which the parents have the values p. values_v is the number of values of v, and P_v the number of
// combinations of values of its parents. Among changes that improve the score equally, climb chooses the first in the
// order of arcs (u, v), and prefers removing an arc to reversing it. climb returns the parents of each column of the
// data in increasing order, nil for columns that are not chosen.
//
// The result is a local optimum and may not be the best network. Only enumeration is sure to find the best network, and
// it is feasible for a few variables only. Cost: one pass over the rows for each family that is scored: n² families for
// the first step, about 3n for each further step.
func climb(d *datasets.Discrete, chosen []int) [][]int {
	nodes := slices.Sorted(slices.Values(append([]int{d.Class}, chosen...)))
	c := &climber{d: d, parents: make([][]int, len(d.Variables)), known: map[string]float64{}}
	for {
		best, move := 1e-9, func() {} // a smaller gain may be a rounding error
		try := func(gain float64, change func()) {
			if gain > best {
				best, move = gain, change
			}
		}
		for _, u := range nodes {
			for _, v := range nodes {
				if u == v {
					continue
				}
				without, with := drop(c.parents[v], u), insert(c.parents[v], u)
				switch {
				case !slices.Contains(c.parents[v], u):
					if !slices.Contains(c.parents[u], v) && !c.reaches(v, u) {
						try(c.score(v, with)-c.score(v, c.parents[v]), func() { c.parents[v] = with })
					}
				default:
					taken := c.score(v, without) - c.score(v, c.parents[v])
					try(taken, func() { c.parents[v] = without })
					turned := insert(c.parents[u], v)
					if gain := c.score(u, turned) - c.score(u, c.parents[u]); taken+gain > best && !c.reachesBesides(u, v) {
						try(taken+gain, func() { c.parents[v], c.parents[u] = without, turned })
					}
				}
			}
		}
		if best <= 1e-9 {
			return c.parents
		}
		move()
	}
}

// climber is the current network and a cache of the scores of families.
type climber struct {
	d       *datasets.Discrete
	parents [][]int
	known   map[string]float64
}

// score returns the term of a family in the criterion BIC (see climb). It returns −∞ if the family has too many parents
// or its table has too many cells.
func (c *climber) score(v int, parents []int) float64 {
	if len(parents) > climbParents {
		return math.Inf(-1)
	}
	key := string([]rune{rune(v)})
	for _, p := range parents {
		key += string([]rune{rune(p)})
	}
	value, ok := c.known[key]
	if !ok {
		value = familyScore(c.d, v, parents)
		c.known[key] = value
	}
	return value
}

// familyScore computes the term of a family in the criterion BIC (see climb).
func familyScore(d *datasets.Discrete, v int, parents []int) float64 {
	values, cells := len(d.Variables[v].Values), len(d.Variables[v].Values)
	for _, p := range parents {
		if cells *= len(d.Variables[p].Values); cells > climbCells {
			return math.Inf(-1)
		}
	}
	count := make([]int, cells)
	for i := range d.Len() {
		row, at := d.Row(i), 0
		for _, p := range parents {
			at = at*len(d.Variables[p].Values) + int(row[p])
		}
		count[at*values+int(row[v])]++
	}
	score := -math.Log(float64(d.Len())) / 2 * float64(cells/values*(values-1))
	for ; len(count) > 0; count = count[values:] {
		all := 0
		for _, n := range count[:values] {
			all += n
		}
		for _, n := range count[:values] {
			if n > 0 {
				score += float64(n) * math.Log(float64(n)/float64(all))
			}
		}
	}
	return score
}

// reaches reports whether there is a path of arcs from u to v.
func (c *climber) reaches(u, v int) bool { return c.from(u, c.parents[v]) }

// reachesBesides reports whether there is a path from u to v other than the arc from u to v.
func (c *climber) reachesBesides(u, v int) bool { return c.from(u, drop(c.parents[v], u)) }

// from reports whether u is in a list of variables, or an ancestor of one of them.
func (c *climber) from(u int, list []int) bool {
	seen := make([]bool, len(c.parents))
	list = slices.Clone(list)
	for len(list) > 0 {
		v := list[len(list)-1]
		list = list[:len(list)-1]
		if v == u {
			return true
		}
		if !seen[v] {
			seen[v] = true
			list = append(list, c.parents[v]...)
		}
	}
	return false
}

// insert returns a copy of a sorted list with x inserted. drop returns a copy without x.
func insert(list []int, x int) []int {
	at, _ := slices.BinarySearch(list, x)
	return slices.Insert(slices.Clone(list), at, x)
}

func drop(list []int, x int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(y int) bool { return y == x })
}

// blanket returns the families of a network whose tables depend on the class: the family of the class, and the families
// of its children in order.
func blanket(d *datasets.Discrete, parents [][]int) []family {
	out := []family{{variable: d.Class, parents: parents[d.Class]}}
	for v, p := range parents {
		if v != d.Class && slices.Contains(p, d.Class) {
			out = append(out, family{v, drop(p, d.Class)})
		}
	}
	return out
}
