package stats

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// resamples is the number of bootstrap samples.
const resamples = 10_000

// Counts contains the numerator and the denominator of a metric in a first run, followed by those in a second run.
// These are counts of one example, or sums over examples.
type Counts [4]float64

// add adds the counts of other, each multiplied by times, to c.
func (c *Counts) add(other Counts, times float64) {
	for i, v := range other {
		c[i] += times * v
	}
}

// difference returns the metric of the first run minus the metric of the second run.
func (c Counts) difference() float64 { return c[0]/c[1] - c[2]/c[3] }

// Difference is the result of a paired bootstrap. Value is the difference of a metric between two runs, SE its standard
// error, and P the share of the samples in which the difference is not positive.
type Difference struct{ Value, SE, P float64 }

// PairedBootstrap resamples examples with replacement (Efron and Tibshirani 1993, chapter 16). It draws each example
// together with its counts in both runs.
func PairedBootstrap(examples []Counts) Difference {
	var whole Counts
	for _, c := range examples {
		whole.add(c, 1)
	}
	s := newSampler(examples)
	samples, below := make([]float64, resamples), 0
	for k := range samples {
		samples[k] = s.draw().difference()
		if !(samples[k] > 0) {
			below++
		}
	}
	return Difference{whole.difference(), Std(samples), float64(below) / resamples}
}

// many is the smallest size of a group of examples for which one binomial number is drawn for the whole group. For
// smaller groups it is faster to draw the examples one by one.
const many = 64

// sampler draws n of n examples with replacement. Examples with the same counts are interchangeable, so sampler groups
// them. If m draws remain, from M examples, then the number of draws from a group of g examples is binomial, with m
// trials of probability g/M.
type sampler struct {
	n      int
	groups []sameCounts // groups of at least 64 examples (the constant many)
	others []Counts     // counts of the examples that are drawn one by one
	rng    *rand.Rand
	source rand.Source
}

// sameCounts is a group of examples with the same counts.
type sameCounts struct {
	Counts
	size int
}

// newSampler returns a sampler of the examples.
func newSampler(examples []Counts) *sampler {
	s := &sampler{n: len(examples), source: rand.NewPCG(1, 0)}
	s.rng = rand.New(s.source)
	size := map[Counts]int{}
	for _, c := range examples {
		size[c]++
	}
	seen := map[Counts]bool{}
	for _, c := range examples {
		switch {
		case size[c] < many:
			s.others = append(s.others, c)
		case !seen[c]:
			s.groups, seen[c] = append(s.groups, sameCounts{c, size[c]}), true
		}
	}
	return s
}

// draw draws one bootstrap sample and returns the sum of its counts.
func (s *sampler) draw() (sum Counts) {
	draws, among := s.n, s.n
	for _, g := range s.groups {
		if draws == 0 {
			return sum
		}
		k := draws
		if g.size < among {
			k = int(distuv.Binomial{N: float64(draws), P: float64(g.size) / float64(among), Src: s.source}.Rand())
		}
		sum.add(g.Counts, float64(k))
		draws, among = draws-k, among-g.size
	}
	for range draws {
		sum.add(s.others[s.rng.IntN(len(s.others))], 1)
	}
	return sum
}
