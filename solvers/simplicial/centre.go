package simplicial

import "math"

// rsdCentre decides when the centre θⁿ of the proximal term moves to θˢ, the feasible point that the last master
// problem gives (see RSD). The centre moves if
//
//	(i)   P(θˢ) ≤ P(θⁿ) − δ̄, or
//	(ii)  Lc · sup {∇_λ Q·(λ′ − λ): λ′ ≥ 0, |λ′ − λ| ≤ 1} + G ≤ δ_m.
//
// P is the objective, Q is the dual function Q_n of rsdProximal, and λ are the multipliers in Q. G is the first-order
// ascent of Q: the largest increase of its linearisation over the polyhedron D of rsdPoint. Lc and δ̄ are settings of
// RSD. δ_m is a tolerance, which each change by rule (ii) multiplies by the setting Decay.
type rsdCentre struct {
	lc, delta float64 // the settings Lc and δ̄
	tolerance float64 // δ_m, the present tolerance of rule (ii)
	decay     float64 // factor by which δ_m is multiplied after a change by rule (ii)
	least     float64 // least value of δ_m, the size of rounding errors
	value     float64 // the objective P at the centre θⁿ; online variant: its estimate from the working set
	descents  int     // number of centre changes by rule (i)
	optima    int     // number of centre changes by rule (ii)
}

// moves reports whether the centre moves to θˢ, and counts the change (see rsdCentre). value is the objective P at θˢ,
// g is the first-order ascent G, and inLambda is the supremum in rule (ii).
func (c *rsdCentre) moves(value, g, inLambda float64) bool {
	switch {
	case value <= c.value-c.delta:
		c.descents++
	case c.lc*inLambda+g <= c.tolerance:
		c.optima++
		c.tolerance = max(c.least, c.tolerance*c.decay)
	default:
		return false
	}
	c.value = value
	return true
}

// changes returns the number of centre changes by both rules.
func (c *rsdCentre) changes() int { return c.descents + c.optima }

// rsdAscent returns sup {g·d: λ + d ≥ 0, |d| ≤ 1} over vectors d, the supremum of rule (ii) of rsdCentre. The maximiser
// is d = max(τ g, −λ) in each component. τ is chosen such that |d| = 1, if such a τ exists.
func rsdAscent(g, lambda []float64) float64 {
	at := func(tau float64) (value, norm float64) {
		for i, x := range g {
			d := max(-lambda[i], tau*x)
			value += x * d
			norm += d * d
		}
		return value, norm
	}
	var size float64
	for _, x := range g {
		size += x * x
	}
	if size == 0 {
		return 0
	}
	lo, hi := 0.0, 1/math.Sqrt(size)
	for range 60 { // double τ until |d| ≥ 1, or until g·d no longer grows
		value, norm := at(hi)
		if norm >= 1 {
			break
		}
		if further, _ := at(2 * hi); !(further > value) {
			return value
		}
		lo, hi = hi, 2*hi
	}
	for range rsdBisections {
		middle := lo + (hi-lo)/2
		if _, norm := at(middle); norm > 1 {
			hi = middle
		} else {
			lo = middle
		}
	}
	value, _ := at(hi)
	return value
}
