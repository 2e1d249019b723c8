package expr

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gaplab/gaplab/harness/trace"
)

// resamples is how many bootstrap samples paired draws.
const resamples = 10_000

// pairedFunctions compare runs on the same validation examples.
func pairedFunctions() []function {
	return []function{{
		FuncDoc: FuncDoc{"paired", "paired(a, b, metric)", "the paired bootstrap of the difference of a metric of a and " +
			"b, two runs or two lists of runs: different examples, as of folds, are pooled, and the same ones, as of seeds, " +
			"drawn once for all runs of a list. Its fields are difference, a less b; se, its standard error; p, the share " +
			"of 10,000 samples of the validation examples in which it is not positive; and n, the examples. The runs must " +
			"have kept the metric (record.examples)",
			`paired(curve({C: 10}), curve({C: 100}), "validation_f1").p < 0.1`},
		least: 3, most: 3, call: paired,
	}, {
		FuncDoc: FuncDoc{"spread", "spread(c, metric)", "the standard deviation of a metric over the validation examples " +
			"of a run, or of several, which must have kept it (record.examples)",
			`spread(curve({C: 10}), "validation_error") < 0.5`},
		least: 2, most: 2, call: spread,
	}}
}

func spread(e *Evaluation, args []any) (any, error) {
	metric, ok := args[1].(string)
	if !ok {
		return nil, fmt.Errorf(`the metric is %s; write its name in quotes, such as "validation_error"`, typeName(args[1]))
	}
	all, err := e.examples(args[0], metric)
	if err != nil {
		return nil, err
	}
	var values []float64
	for i, num := range all.Num {
		if all.Den[i] > 0 { // else the example counts for nothing, like a reference without a segment
			values = append(values, num/all.Den[i])
		}
	}
	return std(values), nil
}

// paired is the paired bootstrap (Efron and Tibshirani 1993, chapter 16): examples are drawn with replacement, each
// with its counts in both runs. A metric is a ratio of two sums over examples.
func paired(e *Evaluation, args []any) (any, error) {
	metric, ok := args[2].(string)
	if !ok {
		return nil, fmt.Errorf(`the metric is %s; write its name in quotes, such as "validation_error"`, typeName(args[2]))
	}
	a, err := e.examples(args[0], metric)
	if err != nil {
		return nil, err
	}
	b, err := e.examples(args[1], metric)
	if err != nil {
		return nil, err
	}
	n := len(a.Num)
	switch {
	case n != len(b.Num):
		return nil, fmt.Errorf("paired: %d and %d validation examples: want the same", n, len(b.Num))
	case a.Of != b.Of && a.Of != "" && b.Of != "":
		return nil, errors.New("paired: the runs have different validation examples, or lists of runs have them in another " +
			"order: want the same")
	}
	// A claim's measure repeats what its assertion asks.
	key := fmt.Sprintf("%v %v %v %v", a.Num, a.Den, b.Num, b.Den)
	known, ok := e.bootstraps[key]
	if !ok {
		if e.bootstraps == nil {
			e.bootstraps = map[string]fields{}
		}
		known = bootstrap(a, b)
		e.bootstraps[key] = known
	}
	return known, nil
}

// bootstrap resamples the examples of two runs, which have the same number of them.
func bootstrap(a, b trace.Examples) fields {
	n := len(a.Num)
	rows := make([]counts, n)
	for i := range rows {
		rows[i] = counts{a.Num[i], a.Den[i], b.Num[i], b.Den[i]}
	}
	var whole counts
	for _, r := range rows {
		whole.add(r, 1)
	}
	sampler := newSampler(rows)
	samples, below := make([]float64, resamples), 0
	for k := range samples {
		samples[k] = sampler.draw().difference()
		if !(samples[k] > 0) {
			below++
		}
	}
	return fields{
		names:  []string{"difference", "se", "p", "n"},
		values: []any{whole.difference(), std(samples), float64(below) / resamples, float64(n)},
	}
}

// counts are those of one example, or sums of them: numerator and denominator in one run, then in the other.
type counts [4]float64

func (c *counts) add(of counts, times float64) {
	for i, v := range of {
		c[i] += times * v
	}
}

func (c counts) difference() float64 { return c[0]/c[1] - c[2]/c[3] }

// many is how many examples have the same counts where it pays to draw their number at a time.
const many = 64

// sampler draws as many examples as there are, with replacement. Examples with the same counts are told apart by
// nobody: how many of m draws from M examples fall on a group of g is binomial, with m trials of probability g/M.
type sampler struct {
	n      int
	groups []sameCounts // of at least many examples
	others []counts     // one by one
	rng    *rand.Rand
	source rand.Source
}

type sameCounts struct {
	counts
	size int
}

func newSampler(rows []counts) *sampler {
	s := &sampler{n: len(rows), source: rand.NewPCG(1, 0)}
	s.rng = rand.New(s.source)
	size := map[counts]int{}
	for _, r := range rows {
		size[r]++
	}
	seen := map[counts]bool{}
	for _, r := range rows {
		switch {
		case size[r] < many:
			s.others = append(s.others, r)
		case !seen[r]:
			s.groups, seen[r] = append(s.groups, sameCounts{r, size[r]}), true
		}
	}
	return s
}

// draw sums the counts of one sample.
func (s *sampler) draw() (sum counts) {
	draws, among := s.n, s.n
	for _, g := range s.groups {
		if draws == 0 {
			return sum
		}
		k := draws
		if g.size < among {
			k = int(distuv.Binomial{N: float64(draws), P: float64(g.size) / float64(among), Src: s.source}.Rand())
		}
		sum.add(g.counts, float64(k))
		draws, among = draws-k, among-g.size
	}
	for range draws {
		sum.add(s.others[s.rng.IntN(len(s.others))], 1)
	}
	return sum
}

// examples are the counts that a run, or several together, kept. Those of runs on the same examples add up, example by
// example: seeds are no further examples.
func (e *Evaluation) examples(v any, metric string) (trace.Examples, error) {
	var all trace.Examples
	first := map[string]int{} // of the examples' hash: where they begin
	runs, ok := elements(v)
	if !ok {
		runs = []any{v}
	}
	for _, v := range runs {
		c, _, err := e.reading(v, metric)
		if err != nil {
			return all, err
		}
		if err := e.whole(c); err != nil {
			return all, err
		}
		kept, ok := c.File.End.Examples[metric]
		if !ok {
			return all, fmt.Errorf("the run %s has not kept %s by example; accepted: record: {examples: [%s]}", e.describe(c),
				metric, metric)
		}
		if at, ok := first[kept.Of]; ok && kept.Of != "" {
			for i := range kept.Num {
				all.Num[at+i] += kept.Num[i]
				all.Den[at+i] += kept.Den[i]
			}
			continue
		}
		first[kept.Of] = len(all.Num)
		all.Of += kept.Of
		all.Num, all.Den = slices.Concat(all.Num, kept.Num), slices.Concat(all.Den, kept.Den)
	}
	if len(all.Num) == 0 {
		return all, cannot("there are no validation examples to compare")
	}
	return all, nil
}
