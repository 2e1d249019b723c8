package nonlocal

import "github.com/gaplab/gaplab/models"

// softFeatures is A_i of SoftConstraints: the scores of the chain, which stay as they are, then w.
type softFeatures struct {
	*softDecomposition
	base   models.FeatureMap
	scores []float64
}

var _ models.Layered = (*softFeatures)(nil)

// Base implements models.Layered.
func (f *softFeatures) Base() models.FeatureMap { return f.base }

func (f *softFeatures) Parts() int { return len(f.scores) + len(f.constraints) }

func (f *softFeatures) Score(theta, w []float64) {
	f.check(theta, w)
	copy(theta[copy(theta, f.scores):], w)
}

func (f *softFeatures) AddAdjoint(w []float64, c float64, mu []float64) {
	f.check(mu, w)
	for j, m := range mu[len(f.scores):] {
		w[j] += c * m
	}
}

func (f *softFeatures) check(parts, w []float64) {
	if len(parts) != f.Parts() {
		panic("nonlocal: len(theta) != Parts()")
	}
	if len(w) != len(f.constraints) {
		panic("nonlocal: len(w) != Dim")
	}
}

// softMax is the max-oracle of a sequence of l positions. The parts of the constraints are in a labelling as many
// times as it violates them; strip leaves them out.
type softMax struct {
	*softDecomposition
	base  models.MaxOracle
	l     int
	strip bool
}

var _ models.Certifier = (*softMax)(nil)

// Max returns the best labelling that is found, the first one of several, and its value.
func (o *softMax) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	dst, value, _ := o.MaxCertified(dst, theta)
	return dst, value
}

// MaxCertified implements models.Certifier: by the bound of dual decomposition.
func (o *softMax) MaxCertified(dst models.Vertex, theta []float64) (y models.Vertex, value float64, certified bool) {
	s := o.pool.Get()
	defer o.pool.Put(s)
	value, bound := o.solve(s, o.base, theta, o.l)
	dst = append(dst[:0], s.best...)
	if !o.strip {
		dst = appendViolations(dst, s.bestExcess, len(theta)-len(o.constraints))
	}
	return dst, value, met(value, bound)
}

// appendViolations appends the part of each constraint as many times as it is violated; first is that of the first one.
func appendViolations(dst models.Vertex, excess []int, first int) models.Vertex {
	for j, z := range excess {
		for range z {
			dst = append(dst, first+j)
		}
	}
	return dst
}

// examples returns examples to predict. Their labellings are those of the chain.
func (d *softDecomposition) examples(below []models.Example, w []float64) []models.Example {
	list := make([]models.Example, len(below))
	for i, e := range below {
		f := &softFeatures{softDecomposition: d, base: e.Features, scores: make([]float64, e.Features.Parts())}
		f.base.Score(f.scores, w)
		l, _ := shape(&e)
		list[i] = models.Example{Features: f, Max: &softMax{d, e.Max, l, true}, Truth: e.Truth, Cost: e.Cost}
	}
	return list
}

// learning returns examples to learn penalties from. Their labellings, including the true ones, have the parts of the
// constraints.
func (d *softDecomposition) learning(below []models.Example, w []float64, cost bool) []models.Example {
	list := d.examples(below, w)
	s := new(softScratch)
	for i := range list {
		e := &list[i]
		l, _ := shape(e)
		e.Max.(*softMax).strip = false
		d.measure(s, e.Truth[:l], e.Cost)
		n := len(e.Truth)
		e.Truth = appendViolations(e.Truth[:n:n], s.excess, e.Features.Parts()-len(d.constraints))
		if !cost {
			e.Cost = nil
		}
	}
	return list
}
