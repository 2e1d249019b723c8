package coordinate

import (
	"math"

	"github.com/gaplab/gaplab/internal/explog"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// Prepare implements dualspace.Visitor. It computes the direction of the step on example i, which is μ̂ − μ_i at the
// present w (see SDCA), and the values of sdcaVisit from which Step computes the length of the step.
func (st *sdcaState) Prepare(slot, i int) {
	e, loss, v := &st.examples[i], st.p.Loss, st.slots[slot]
	mu, h := st.marginals(i), st.entropy[i]
	score, to, diff := v.score[:len(mu)], v.to[:len(mu)], v.diff[:len(mu)]
	e.Score(score, st.w)
	several := len(st.slots) > 1
	if several {
		copy(v.mixed, score)
	}
	loss.Augment(score, e.cost)
	v.logZ = e.exp.LogSum(to, score)
	var here, there float64 // expected scores s·μ_i at the old marginals and s·μ̂ at the new ones
	for r, s := range score {
		here += s * mu[r]
		there += s * to[r]
		diff[r] = to[r] - mu[r]
	}
	if several {
		v.product = dualspace.Dot(v.mixed[:len(mu)], diff)
	}
	v.at, v.there, v.slope, v.gap = st.moves, there, there-here, loss.Temp*(v.logZ-here-h)
	v.q = e.NormSq(&v.adjoint, diff) / (st.lambda * float64(len(st.examples)))
	v.c = e.parts.curvature(mu, to)
}

// Step implements dualspace.Visitor. It computes the best step length γ, makes the step, and updates the marginals, the
// bound h_i on the entropy and the weights w.
func (st *sdcaState) Step(slot, i, _ int) {
	e, loss, v, n := &st.examples[i], st.p.Loss, st.slots[slot], float64(len(st.examples))
	mu := st.marginals(i)
	diff := v.diff[:len(mu)]
	if v.at != st.moves {
		shift := e.Product(&v.adjoint, diff, st.w, v.mixed[:len(mu)]) - v.product
		v.gap += shift
		v.slope += shift / loss.Temp
	} else {
		v.gap = max(0, v.gap)
	}
	v.step = 1
	if rise, bend := v.gap+loss.Temp*v.c/2, loss.Temp*v.c+v.q; rise < bend {
		v.step = max(0, rise/bend)
	}
	if e.parts == sdcaLabellings {
		v.step = v.newton(mu, diff, v.slope, v.q/loss.Temp, v.step)
	}
	to, step := v.to[:len(mu)], v.step
	for r, t := range to { // in this form, marginals stay ≥ 0 in spite of rounding
		mu[r] = (1-step)*mu[r] + step*t
	}
	if e.parts == sdcaLabellings {
		st.entropy[i] = sdcaEntropy(mu, v.log)
	} else {
		st.entropy[i] = (1-step)*st.entropy[i] + step*(v.logZ-v.there) + step*(1-step)*v.c/2
	}
	if st.cost != nil {
		st.cost[i] = (1-step)*st.cost[i] + step*loss.Margin*dualspace.Dot(e.cost, to)
	}
	e.AddTo(&v.adjoint, st.w, -step/(st.lambda*n), diff)
	st.moves++
}

// visit makes the best step on example i. It returns the length γ of the step, and the gap G_i before the step.
func (st *sdcaState) visit(i int) (step, gap float64) {
	st.Prepare(0, i)
	st.Step(0, i, 0)
	return st.step, st.gap
}

// curvature returns a c for which H((1 − γ)α + γα̂) ≥ (1 − γ) H(α) + γ H(α̂) + γ(1 − γ) c/2 for all γ in [0, 1],
// computed from the marginals p of α and q of α̂. The excess H((1 − γ)α + γα̂) − (1 − γ) H(α) − γ H(α̂) is a mean of
// Kullback-Leibler divergences. So the excess does not increase if α and α̂ are replaced by the distributions that a
// function of the labelling, such as the indicator of a part, has under α and under α̂. For the indicator of a part,
// the entropy is f(x), where x is the probability of the part. If each labelling is one part, H is the sum of f(x) over
// the probabilities x of the parts. For a probability x that moves from p to q, c is valid if −f″(x) ≥ c/(p − q)² for
// all x between p and q:
//
//	f(x) = −x log x − (1−x) log(1−x)   c = (p − q)²/max x(1−x), x from p to q, for the part with the largest c;
//	                                   this is at least 4(p − q)², the c of Pinsker's inequality;
//	f(x) = −x log x                    c = (p − q)²/max(p, q), summed over the parts, if each labelling is one part.
func (parts sdcaParts) curvature(p, q []float64) (c float64) {
	switch parts {
	case sdcaIndicators:
		for r, x := range p {
			low, high := min(x, q[r]), max(x, q[r])
			middle := min(high, max(low, 0.5))
			if d, v := high-low, middle*(1-middle); d*d > c*v && v > 0 {
				c = d * d / v
			}
		}
	case sdcaLabellings:
		for r, x := range p {
			if d := q[r] - x; d != 0 {
				c += d * d / max(x, q[r])
			}
		}
	}
	return c
}

const (
	sdcaClose  = 1e-3 // relative tolerance of newton; an error of 1/1000 in γ loses about a millionth of the gain
	sdcaTrials = 30   // largest number of iterations of sdcaVisit.newton
)

// newton maximises the concave function f(γ) = H(μ + γd) + γ slope − γ² bend/2 over [0, 1], where H is the entropy of
// the probabilities. It uses Newton's method from guess, within an interval that contains the maximiser and shrinks. f″
// may be infinite at both ends of [0, 1]. So if a step would leave the interval, newton tries the interval's midpoint,
// or 1 if no point with f′ < 0 is known yet. The tolerance is relative to the distance from the nearer end of [0, 1].
func (st *sdcaVisit) newton(mu, d []float64, slope, bend, guess float64) float64 {
	mixed, log := st.mixed[:len(mu)], st.log[:len(mu)]
	low, high, step := 0.0, math.Inf(1), min(guess, 1-sdcaClose)
	for range sdcaTrials {
		first, second := slope-step*bend, -bend
		for r, m := range mu {
			mixed[r] = m + step*d[r]
		}
		explog.Log(log, mixed)
		for r, x := range mixed {
			if d[r] != 0 {
				first -= d[r] * log[r]
				second -= d[r] * d[r] / x
			}
		}
		if first >= 0 {
			low = step
		} else {
			high = step
		}
		if low == 1 {
			return 1
		}
		next := step - first/second
		switch {
		case next >= 1 && high > 1:
			next = 1
		case !(next > low && next < high): // next is outside the interval or NaN
			next = (low + min(high, 1)) / 2
		}
		if math.Abs(next-step) <= sdcaClose*min(step, max(1-step, sdcaClose*step)) {
			return next
		}
		step = next
	}
	return low
}

// sdcaEntropy returns −Σ p log p, with 0 log 0 = 0. It overwrites log.
func sdcaEntropy(p, log []float64) (h float64) {
	log = log[:len(p)]
	explog.Log(log, p)
	for r, x := range p {
		if x > 0 {
			h -= x * log[r]
		}
	}
	return h
}
