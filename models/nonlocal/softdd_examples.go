package nonlocal

import "github.com/gaplab/gaplab/models"

// softFeatures is the feature map A_i of SoftConstraints. The part scores are the constant scores of the chain, then w.
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

// softMax is the max-oracle of a sequence of l positions. A labelling has the part of a constraint once for each unit
// of violation. If strip is true, labellings omit these parts.
type softMax struct {
	*softDecomposition
	base  models.MaxOracle
	l     int
	strip bool
}

var _ models.Certifier = (*softMax)(nil)

// Max implements models.MaxOracle. It returns the best labelling that it finds, and its value. Among labellings with
// the same value it returns the first one found.
func (o *softMax) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	dst, value, _ := o.MaxCertified(dst, theta)
	return dst, value
}

// MaxCertified implements models.Certifier. The bound of dual decomposition certifies a labelling.
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

// appendViolations appends the part of each constraint once for each unit of violation. first is the part of the first
// constraint.
func appendViolations(dst models.Vertex, excess []int, first int) models.Vertex {
	for j, z := range excess {
		for range z {
			dst = append(dst, first+j)
		}
	}
	return dst
}

// examples returns examples for prediction. Their labellings have only the parts of the chain.
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

// learning returns examples for training the penalties. Their labellings, including the truth, have the parts of the
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
