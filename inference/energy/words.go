package energy

// Words penalises the distance of the marginals of positions from the nearest word of a vocabulary that has the length
// of the example:
//
//	L(μ) = ψ min_i |w_i − μ|₁
//
// where ψ is the Strength, w_i is 1 at the labels of word i and 0 elsewhere, and μ are the marginals of positions
// (Vilnis et al. 2015, equation 22). L is not convex. For 0 < μ < 1 it is linear wherever the nearest word stays the
// same. If the vocabulary has no word of this length, L is zero. The first l·k parts of the example must be the labels
// at its l positions, as in a chain with k labels.
type Words struct {
	Vocabulary *Vocabulary
	Length     int // l, the number of positions
	Strength   Strength
}

var (
	_ Leading    = Words{}
	_ Parametric = Words{}
	_ Kinked     = Words{}
)

// Value implements Energy.
func (e Words) Value(mu []float64) float64 {
	psi := e.Strength.Value()
	if psi == 0 {
		return 0
	}
	_, d := e.Vocabulary.nearestWord(mu, e.Length)
	return psi * d
}

// AddGradient implements Energy. For the nearest word i, the gradient is −ψ sign(w_i − μ) (see Words).
func (e Words) AddGradient(g, mu []float64, c float64) {
	if c *= e.Strength.Value(); c == 0 {
		return
	}
	word, _ := e.Vocabulary.nearestWord(mu, e.Length)
	if word == nil {
		return
	}
	for r, m := range mu[:e.Leading()] {
		g[r] += c * sign(m)
	}
	for t, y := range word {
		r := t*e.Vocabulary.labels + y
		g[r] += c * (sign(mu[r]-1) - sign(mu[r]))
	}
}

// SubgradientDistance implements Kinked for ψ|w_i − μ|₁, where i is the nearest word. The kinks are where a marginal in
// μ equals the number, 0 or 1, in w_i.
func (e Words) SubgradientDistance(mu, g []float64) float64 {
	psi, k := e.Strength.Value(), e.Vocabulary.labels
	word, _ := e.Vocabulary.nearestWord(mu, e.Length)
	if word == nil {
		psi = 0
	}
	var worst float64
	for r, m := range mu[:e.Leading()] {
		if word != nil && word[r/k] == r%k {
			m--
		}
		worst = max(worst, absDistance(psi, m, g[r]))
	}
	return worst
}

// Convex implements Energy.
func (e Words) Convex() bool { return false }

// Leading implements the interface Leading. The energy depends only on the marginals of positions.
func (e Words) Leading() int { return e.Length * e.Vocabulary.labels }

// Parameters implements Parametric. The energy has the parameters of its Strength.
func (e Words) Parameters() int { return e.Strength.Parameters() }

// AddParameterGradient implements Parametric.
func (e Words) AddParameterGradient(dpsi, mu, s []float64) {
	word, _ := e.Vocabulary.nearestWord(mu, e.Length)
	var along float64
	if word != nil {
		for r, m := range mu[:e.Leading()] {
			along += sign(m) * (s[r] - m)
		}
		for t, y := range word {
			r := t*e.Vocabulary.labels + y
			along += (sign(mu[r]-1) - sign(mu[r])) * (s[r] - mu[r])
		}
	}
	e.Strength.addGradient(dpsi, -along)
}
