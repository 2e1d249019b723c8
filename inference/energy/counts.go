package energy

// Counts penalises the distance of the expected label counts from the counts of the nearest word of a vocabulary. The
// word may have any length:
//
//	L(μ) = ψ min_i |u_i − U(μ)|₁,   U(μ) = Σ_t μ_t,
//
// where ψ is the Strength and u_i are the label counts of word i (Vilnis et al. 2015, equation 21). L is not convex. It
// has a kink where U(μ) and the nearest u_i have the same count of a label. At the kink, AddGradient uses 0 as the
// derivative by this count. The first l·k parts of the example must be the labels at its l positions, as in a chain
// with k labels.
type Counts struct {
	Vocabulary *Vocabulary
	Length     int // l, the number of positions
	Strength   Strength
}

var (
	_ Leading    = Counts{}
	_ Parametric = Counts{}
	_ Kinked     = Counts{}
)

// Value implements Energy.
func (e Counts) Value(mu []float64) float64 {
	psi := e.Strength.Value()
	if psi == 0 || len(e.Vocabulary.counts) == 0 {
		return 0
	}
	u := e.Vocabulary.pool.Get()
	defer e.Vocabulary.pool.Put(u)
	*u = e.Vocabulary.total(*u, mu, e.Length)
	_, d := e.Vocabulary.nearestCounts(*u)
	return psi * d
}

// AddGradient implements Energy. For the nearest word i, the gradient is −ψ sign(u_i − U(μ)) at every position (see
// Counts).
func (e Counts) AddGradient(g, mu []float64, c float64) {
	if c *= e.Strength.Value(); c == 0 {
		return
	}
	u := e.Vocabulary.pool.Get()
	defer e.Vocabulary.pool.Put(u)
	*u = e.direction(*u, mu)
	k := e.Vocabulary.labels
	for t := range e.Length {
		for y, d := range *u {
			g[t*k+y] += c * d
		}
	}
}

// direction returns sign(U(μ) − u_i), where U(μ) are the expected label counts and u_i are the label counts of the
// nearest word i.
func (e Counts) direction(dst, mu []float64) []float64 {
	dst = e.Vocabulary.total(dst, mu, e.Length)
	nearest, _ := e.Vocabulary.nearestCounts(dst)
	if nearest == nil {
		clear(dst)
	}
	for y, n := range nearest {
		dst[y] = sign(dst[y] - n)
	}
	return dst
}

// SubgradientDistance implements Kinked for ψ|u_i − U(μ)|₁, where i is the nearest word. The kinks are where an
// expected count, a component of U(μ), equals the count of the word in u_i.
func (e Counts) SubgradientDistance(mu, g []float64) float64 {
	psi, k := e.Strength.Value(), e.Vocabulary.labels
	u := e.Vocabulary.pool.Get()
	defer e.Vocabulary.pool.Put(u)
	*u = e.Vocabulary.total(*u, mu, e.Length)
	nearest, _ := e.Vocabulary.nearestCounts(*u)
	if nearest == nil {
		psi, nearest = 0, *u
	}
	var worst float64
	for t := range e.Length {
		for y, n := range nearest {
			worst = max(worst, absDistance(psi, (*u)[y]-n, g[t*k+y]))
		}
	}
	return worst
}

// Convex implements Energy.
func (e Counts) Convex() bool { return false }

// Leading implements the interface Leading. The energy depends only on the marginals of positions.
func (e Counts) Leading() int { return e.Length * e.Vocabulary.labels }

// Parameters implements Parametric. The energy has the parameters of its Strength.
func (e Counts) Parameters() int { return e.Strength.Parameters() }

// AddParameterGradient implements Parametric.
func (e Counts) AddParameterGradient(dpsi, mu, s []float64) {
	u := e.Vocabulary.pool.Get()
	defer e.Vocabulary.pool.Put(u)
	*u = e.direction(*u, mu)
	var along float64
	for r := range e.Leading() {
		along += (*u)[r%e.Vocabulary.labels] * (s[r] - mu[r])
	}
	e.Strength.addGradient(dpsi, -along)
}
