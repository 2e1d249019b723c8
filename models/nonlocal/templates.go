package nonlocal

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/models"
)

// Measurement is a statement about a labelling of a sequence. Let U be how often each label and each pair of
// neighbouring labels occurs in the labelling (see energy.Totals), and let a be the field Row and b the field B. Then
// a·U − b is at least 1 if the statement is true, and at most 0 if it is false. So the hinge max(0, 1 − (a·U − b)) is 0
// only if the statement is true.
type Measurement struct {
	Text string // such as "at most one year"
	Row  models.Sparse
	B    float64
	// About is the number of the given labellings to which the statement applies. Share is the share of these labellings
	// for which the statement is true.
	About int
	Share float64
}

// Templates are statements about each field of the labels or about each pair of fields. They give the measurements. Let
// n_x be the number of segments of field x, s_x the number of its tokens, and n_xy the number of times that y directly
// follows x.
//
//	at-most-one    n_x ≤ 1
//	at-least-one   n_x ≥ 1
//	excludes       n_x + n_y ≤ 1
//	no-more        n_x ≤ n_y; if both are at most 1: if x occurs, y occurs
//	same-number    n_x = n_y, two measurements
//	pair-once      n_xy ≤ 1
//	pair-never     n_xy = 0
//	longest        s_x ≤ b, b a quantile of s_x in the training labellings
//	shortest       s_x ≥ b n_x, b a quantile of s_x/n_x in the training labellings
//
// The public text of Vilnis et al. (2015) does not list the measurements of their experiments. The measurements here
// are similar to the soft constraints of Anzaroot et al. (2014).
type Templates struct {
	Names   []string // names of the templates to use; empty: all
	Support float64  // use a measurement if it is true for at least this share of the labellings to which it applies
	Occurs  int      // use a measurement if it applies to at least this number of labellings
}

// templateNames returns the names of all templates.
func templateNames() []string {
	return []string{"at-most-one", "at-least-one", "excludes", "no-more", "same-number", "pair-once", "pair-never",
		"longest", "shortest"}
}

// chooser collects the statements that the given labellings support, by the thresholds Support and Occurs.
type chooser struct {
	Templates
	k      int
	totals [][]int32
	list   []Measurement
	seen   map[string]bool
}

// Measurements returns the measurements of the templates for labels with these names. It returns only measurements that
// the labellings support.
func (t Templates) Measurements(labels []string, labellings [][]int) ([]Measurement, error) {
	for _, name := range t.Names {
		if !slices.Contains(templateNames(), name) {
			return nil, fmt.Errorf("templates: there is no template %q; accepted: %s", name, strings.Join(templateNames(), " "))
		}
	}
	c := &chooser{Templates: t, k: len(labels), seen: map[string]bool{}}
	for _, y := range labellings {
		c.totals = append(c.totals, totalsOf(y, c.k))
	}
	fields := fieldsOf(labels)
	for _, x := range fields {
		c.single(x)
	}
	for i, x := range fields {
		for j, y := range fields {
			c.pair(x, y, i < j, i == j)
		}
	}
	return c.list, nil
}

// single adds to the list the statements about the field x that the labellings support.
func (c *chooser) single(x field) {
	n := func(sign float64) combination { return constant(c.k, 0).segmentsOf(x, sign) }
	there := n(1)
	c.offer("at-most-one", "at most one "+x.name, there, constant(c.k, 2).segmentsOf(x, -1))
	c.offer("at-least-one", "at least one "+x.name, constant(c.k, 1), there)
	if !c.wants("longest") && !c.wants("shortest") {
		return
	}
	var tokens, means []float64
	for _, u := range c.totals {
		if segments := there.of(u); segments > 0 {
			s := constant(c.k, 0).tokensOf(x, 1).of(u)
			tokens, means = append(tokens, s), append(means, s/segments)
		}
	}
	if len(tokens) == 0 {
		return
	}
	most, least := quantile(tokens, c.Support), float64(int(quantile(means, 1-c.Support)))
	c.offer("longest", fmt.Sprintf("at most %v tokens of %s", most, x.name), there, constant(c.k, most+1).tokensOf(x, -1))
	if least > 1 {
		c.offer("shortest", fmt.Sprintf("at least %v tokens of each %s", least, x.name), there,
			constant(c.k, 1).tokensOf(x, 1).segmentsOf(x, -least))
	}
}

// pair adds to the list the statements about two fields x and y that the labellings support. For two different fields,
// pair is called twice: in both orders of x and y. The argument first is true in one of these two calls. The argument
// same states whether x and y are the same field.
func (c *chooser) pair(x, y field, first, same bool) {
	k := c.k
	n, m := constant(k, 0).segmentsOf(x, 1), constant(k, 0).segmentsOf(y, 1)
	next := constant(k, 0).next(x, y, 1)
	c.offer("pair-once", fmt.Sprintf("at most one %s directly after %s", y.name, x.name), next,
		constant(k, 2).next(x, y, -1))
	if c.frequent(n) && c.frequent(m) {
		c.offer("pair-never", fmt.Sprintf("no %s directly after %s", y.name, x.name), n, constant(k, 1).next(x, y, -1))
	}
	if same {
		return
	}
	noMore := func(x, y field) combination { return constant(k, 1).segmentsOf(y, 1).segmentsOf(x, -1) }
	c.offer("no-more", fmt.Sprintf("no more %s than %s", x.name, y.name), n, noMore(x, y))
	if !first {
		return
	}
	excludes := constant(k, 2).segmentsOf(x, -1).segmentsOf(y, -1)
	if c.bears(n, excludes) && c.bears(m, excludes) {
		c.offer("excludes", fmt.Sprintf("%s or %s, at most one in total", x.name, y.name), either(n, m), excludes)
	}
	if a, b := noMore(x, y), noMore(y, x); c.bears(either(n, m), a) && c.bears(either(n, m), b) {
		c.offer("same-number", fmt.Sprintf("no more %s than %s", x.name, y.name), either(n, m), a)
		c.offer("same-number", fmt.Sprintf("no more %s than %s", y.name, x.name), either(n, m), b)
	}
}

// either returns the sum of two non-negative combinations. It is positive if one of the two is positive.
func either(n, m combination) combination {
	z := combination{n.k, maps.Clone(n.a), n.b + m.b}
	for r, a := range m.a {
		z.a[r] += a
	}
	return z
}

// wants reports whether a template is in use.
func (c *chooser) wants(template string) bool {
	return len(c.Names) == 0 || slices.Contains(c.Names, template)
}

// offer adds the statement z ≥ 1 to the list if its template is in use and the labellings support the statement. The
// statement applies to the labellings for which the argument about, a combination, is at least 1.
func (c *chooser) offer(template, text string, about, z combination) {
	if !c.wants(template) || !c.bears(about, z) {
		return
	}
	m := Measurement{Text: text, B: z.b}
	for _, r := range slices.Sorted(maps.Keys(z.a)) {
		if z.a[r] != 0 {
			m.Row.Index, m.Row.Value = append(m.Row.Index, r), append(m.Row.Value, z.a[r])
		}
	}
	key := fmt.Sprint(m.Row, m.B)
	if len(m.Row.Index) == 0 || c.seen[key] {
		return
	}
	c.seen[key] = true
	m.About, m.Share = c.share(about, z)
	c.list = append(c.list, m)
}

// bears reports whether the labellings support a statement. The statement applies to the labellings for which the
// argument about, a combination, is at least 1. It is true if the combination z is at least 1. It must apply to at
// least Occurs labellings, and be true for at least the share Support of them.
func (c *chooser) bears(about, z combination) bool {
	n, share := c.share(about, z)
	return n >= max(1, c.Occurs) && share >= c.Support
}

// frequent reports whether a statement applies to at least Occurs labellings. The statement applies to the labellings
// for which the argument about, a combination, is at least 1.
func (c *chooser) frequent(about combination) bool {
	n, _ := c.share(about, about)
	return n >= max(1, c.Occurs)
}

// share evaluates two combinations at the totals of each labelling. A statement applies to the labellings with about ≥
// 1, and it is true for the labellings with both about ≥ 1 and z ≥ 1. share returns the number of labellings to which
// the statement applies, and the share of these for which it is true.
func (c *chooser) share(about, z combination) (n int, share float64) {
	holds := 0
	for _, u := range c.totals {
		if about.of(u) >= 1 {
			n++
			if z.of(u) >= 1 {
				holds++
			}
		}
	}
	return n, float64(holds) / float64(max(1, n))
}

// totalsOf returns the totals U(y) of a labelling: the counts of labels, then the counts of pairs of neighbours.
func totalsOf(y []int, k int) []int32 {
	u := make([]int32, k+k*k)
	for t, label := range y {
		u[label]++
		if t > 0 {
			u[k+y[t-1]*k+label]++
		}
	}
	return u
}

// quantile returns the q-quantile of v: a share of about q of the numbers are less than or equal to it.
func quantile(v []float64, q float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[min(len(v)-1, int(q*float64(len(v))))]
}
