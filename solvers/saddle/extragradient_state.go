package saddle

import (
	"math"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

const (
	extragradientGrowth   = 1.25  // growth factor of an adaptive step after an iteration; 2 until a step is rejected
	extragradientRadius   = 1e-12 // least R² relative to λ P(0), used if all labellings have the same features
	extragradientRounding = 1e-12 // a negative excess may be a rounding error if its size is at most this share of P(0)
)

// extragradientPoint contains the averages w̄ and ᾱ of Extragradient, whose comment defines the symbols. ᾱ is
// represented by its expectations. α_{σ/S}(w̄) is the maximiser of the hinge smoothed with the temperature σ/S.
type extragradientPoint struct {
	sum      float64   // S, the sum of the step sizes so far
	w        []float64 // w̄, the average of the weights w_t
	features []float64 // F(ᾱ), the expected feature differences of ᾱ
	loss     float64   // ⟨l, ᾱ⟩
	norm     float64   // if steps are adaptive: mean of λ/2 |w_t|² over the iterations t, weighted by a_t
	gibbs    []float64 // F(α_{σ/S}(w̄)), the expected feature differences of the maximiser
	smoothed float64   // mean φ_{σ/S}(A_i w̄), the smoothed hinge
}

// extragradientState is the state of Extragradient, whose comment defines the symbols.
type extragradientState struct {
	e         *Extragradient
	p         *models.Risk
	logLabels float64            // mean log|Y_i|, the mean logarithm of the number of labellings
	worst     float64            // P(0), the primal value at w = 0
	radius    float64            // R, the bound on the norms of feature differences, times Scale
	c, sigma  float64            // factors of the prox terms: c = ρ/λ, and σ
	a         float64            // step size of the last iteration
	longer    float64            // if steps are adaptive: step size to try next
	y         []float64          // the weights w_k of the last iteration
	now, next extragradientPoint // the present point, and the point that an iteration computes

	epoch, rejected int // number of iterations, and number of rejected steps
}

func newExtragradientState(e *Extragradient, p *models.Risk, env solvers.Env) *extragradientState {
	s := &extragradientState{e: e, p: p, longer: 1, y: make([]float64, p.Dim)}
	for _, at := range []*extragradientPoint{&s.now, &s.next} {
		at.w, at.features, at.gibbs = make([]float64, p.Dim), make([]float64, p.Dim), make([]float64, p.Dim)
	}
	env.Enter("setup")
	defer env.Enter("")
	s.worst = p.Primal(s.now.w)
	uniform := s.infer(s.now.gibbs, s.now.w, models.LogLoss()) // at w = 0, the log loss of example i is log|Y_i|
	s.logLabels = uniform.Loss
	s.radius = e.Scale * math.Sqrt(max(dualspace.RadiusSq(p), extragradientRadius*p.Lambda*s.worst))
	s.c = max(e.Scale*math.Sqrt(2*s.logLabels), s.radius*math.Sqrt(s.logLabels/(p.Lambda*s.worst)))
	s.sigma = s.radius * s.radius / (p.Lambda * s.c)
	return s
}

// infer computes the distributions α that a loss defines at w, by a pass of the exp-oracle. It writes F(α), the mean of
// the expected differences ψ_i, into f.
func (s *extragradientState) infer(f, w []float64, loss models.Loss) models.Moments {
	clear(f)
	m := s.p.AddExpectations(f, w, loss)
	for j, x := range f {
		f[j] = -x
	}
	return m
}

// step makes one iteration of Extragradient.
func (s *extragradientState) step() {
	longest := math.Sqrt(1 + s.now.sum/s.c) // with this step, (1) in the comment of Extragradient is an equality
	switch s.e.Step {
	case "constant":
		s.advance(1)
	case "growing":
		s.advance(longest)
	case "adaptive":
		safe := s.e.Scale * longest // with this step, (1) holds for the R of Scale = 1, which suffices for (2)
		s.advance(max(safe, s.longer))
		for s.a > safe && !(s.excess(&s.next) >= -extragradientRounding*s.worst) {
			s.rejected++
			s.advance(max(safe, s.a/2))
		}
		s.longer = s.a * extragradientGrowth
		if s.rejected == 0 {
			s.longer = 2 * s.a
		}
	}
	s.now, s.next = s.next, s.now
	s.epoch++
}

// advance computes the next point with the step size a.
func (s *extragradientState) advance(a float64) {
	now, next := &s.now, &s.next
	s.a = a
	next.sum = now.sum + a
	tau := a / next.sum
	loss := models.Loss{Temp: s.sigma / next.sum, Margin: s.p.Loss.Margin}

	first := now.sum / (s.p.Lambda * (s.c + now.sum))
	for j, f := range now.features {
		next.w[j] = (1-tau)*now.w[j] + tau*first*f
	}
	m := s.infer(next.features, next.w, loss) // next.features becomes F(α_k)
	next.loss = (1-tau)*now.loss + tau*m.Cost

	second := next.sum / (s.p.Lambda * (s.c + next.sum))
	for j, f := range now.features {
		s.y[j] = second * ((1-tau)*f + tau*now.gibbs[j])
		next.w[j] = (1-tau)*now.w[j] + tau*s.y[j]
		next.features[j] = (1-tau)*f + tau*next.features[j]
	}
	if s.e.Step == "adaptive" {
		next.norm = (1-tau)*now.norm + tau*s.p.Lambda/2*s.p.NormSq(s.y)
	}
	next.smoothed = s.infer(next.gibbs, next.w, loss).Loss
}

// excess returns the right side of inequality (2) in the comment of Extragradient minus the left side. If steps are not
// adaptive, excess uses |w̄|² instead of the mean of |w_t|². The mean is at least |w̄|².
func (s *extragradientState) excess(at *extragradientPoint) float64 {
	if at.sum == 0 {
		return 0
	}
	norm := at.norm
	if s.e.Step != "adaptive" {
		norm = s.p.Lambda / 2 * s.p.NormSq(at.w)
	}
	return at.loss - at.sum/(s.c+at.sum)*s.quadratic(at) - norm - at.smoothed + s.sigma/at.sum*s.logLabels
}

// quadratic returns |F(ᾱ)|²/(2λ), the quadratic term of the dual objective, at a point.
func (s *extragradientState) quadratic(at *extragradientPoint) float64 {
	return s.p.NormSq(at.features) / (2 * s.p.Lambda)
}

// bound returns an upper bound on the duality gap: the right side of (3) in the comment of Extragradient. At the start
// it returns P(0), which is a bound because losses are not negative.
func (s *extragradientState) bound() float64 {
	if s.now.sum == 0 {
		return s.worst
	}
	return s.c/(s.c+s.now.sum)*s.quadratic(&s.now) + s.sigma/s.now.sum*s.logLabels
}

// exhausted reports whether the bound on the gap is below the rounding error of the objective, or P(0) = 0.
func (s *extragradientState) exhausted() bool { return !(s.bound() > 1e-16*s.worst) }

// iterate returns the present iterate. Before the first step, w̄ is 0 and ᾱ has all mass on the true labellings, so D =
// 0.
func (s *extragradientState) iterate() solvers.Iterate {
	at := &s.now
	return solvers.Iterate{W: at.w, Epoch: s.epoch,
		Dual: func() float64 { return at.loss - s.quadratic(at) },
		Stats: func(yield func(string, float64)) {
			yield("step", s.a)
			yield("sum_of_steps", at.sum)
			if at.sum > 0 {
				yield("mu", s.sigma/at.sum)
			}
			yield("excess", s.excess(at))
			yield("bound", s.bound())
			yield("balance", s.c)
			yield("log_labels", s.logLabels)
			yield("radius", s.radius)
			yield("rejected", float64(s.rejected))
		}}
}
