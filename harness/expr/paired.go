package expr

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/harness/expr/internal/stats"
	"github.com/gaplab/gaplab/harness/trace"
)

// pairedFunctions returns the functions that use the value of a metric on each single validation example of a run.
func pairedFunctions() []function {
	return []function{{
		FuncDoc: FuncDoc{"paired", "paired(a, b, metric)", "the paired bootstrap of the difference of a metric " +
			"between a and b, which are two runs or two lists of runs. Runs of a list with different validation examples, " +
			"such as folds, are pooled. For runs with the same examples, such as seeds, each example is drawn together for " +
			"all runs. The fields are difference (the metric of a minus the metric of b), se (its standard error), p (the " +
			"share of 10,000 bootstrap samples in which the difference is not positive) and n (the number of examples). The " +
			"runs must have recorded the metric for each example (record.examples)",
			`paired(curve({C: 10}), curve({C: 100}), "validation_f1").p < 0.1`},
		least: 3, most: 3, curves: 2, column: 3, call: paired,
	}, {
		FuncDoc: FuncDoc{"spread", "spread(c, metric)", "the standard deviation of a metric over the validation examples " +
			"of one or several runs, which must have recorded it for each example (record.examples)",
			`spread(curve({C: 10}), "validation_error") < 0.5`},
		least: 2, most: 2, curves: 1, column: 2, call: spread,
	}}
}

// spread implements the function "spread" of expressions.
func spread(r *reader, args []any) (any, error) {
	all, err := r.examples(args[0], args[1])
	if err != nil {
		return nil, err
	}
	var values []float64
	for i, num := range all.Num {
		if all.Den[i] > 0 { // leave out examples with denominator 0, such as a sentence without true segments
			values = append(values, num/all.Den[i])
		}
	}
	return stats.Std(values), nil
}

// paired implements the function "paired" of expressions. A metric is the ratio of two sums over examples, Num and Den.
func paired(r *reader, args []any) (any, error) {
	a, err := r.examples(args[0], args[2])
	if err != nil {
		return nil, err
	}
	b, err := r.examples(args[1], args[2])
	if err != nil {
		return nil, err
	}
	n := len(a.Num)
	switch {
	case n != len(b.Num):
		return nil, fmt.Errorf("paired: the runs have %d and %d validation examples; accepted: runs on the same examples", n,
			len(b.Num))
	case a.Of != b.Of && a.Of != "" && b.Of != "":
		return nil, errors.New("paired: the validation examples, or the order of runs on them, differ; accepted: runs on " +
			"the same examples, in the same order")
	}
	if err := r.spend(16 * n); err != nil {
		return nil, err
	}
	// The result is cached, because the assertion of a claim and its second expression, measure, often contain the same
	// call.
	key := hashOf(a.Num, a.Den, b.Num, b.Den)
	known, ok := r.bootstraps[key]
	if !ok {
		if err := r.spend(bootstrapSteps); err != nil {
			return nil, err
		}
		if r.bootstraps == nil {
			r.bootstraps = map[[sha256.Size]byte]fields{}
		}
		rows := make([]stats.Counts, n)
		for i := range rows {
			rows[i] = stats.Counts{a.Num[i], a.Den[i], b.Num[i], b.Den[i]}
		}
		d := stats.PairedBootstrap(rows)
		known = fields{names: []string{"difference", "se", "p", "n"}, values: []any{d.Value, d.SE, d.P, float64(n)}}
		r.bootstraps[key] = known
	}
	return known, nil
}

// hashOf returns a hash of lists of numbers.
func hashOf(lists ...[]float64) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, list := range lists {
		_ = binary.Write(h, binary.LittleEndian, int64(len(list))) // writing to a hash never fails
		_ = binary.Write(h, binary.LittleEndian, list)
	}
	h.Sum(sum[:0])
	return sum
}

// examples returns the counts of a metric for each validation example of one or several runs. If several runs have the
// same examples, such as runs with different seeds, it adds up the counts of each example, so that the number of
// examples does not grow. If runs have different examples, it concatenates their lists.
func (r *reader) examples(v, name any) (trace.Examples, error) {
	var all trace.Examples
	metric, ok := name.(string)
	if !ok {
		return all, fmt.Errorf(`the metric is %s; accepted: its name in quotes, such as "validation_error"`, typeName(name))
	}
	first := map[string]int{} // for each list of examples, by its hash: where its counts begin in all
	runs, ok := elements(v)
	if !ok {
		runs = []any{v}
	}
	for _, v := range runs {
		c, _, err := r.read(v, metric)
		if err != nil {
			return all, err
		}
		if err := r.whole(c); err != nil {
			return all, err
		}
		kept, ok := c.File.End.Examples[metric]
		if !ok {
			return all, fmt.Errorf("the run %s has not recorded %s for each example; set record: {examples: [%s]}",
				r.describe(c), metric, metric)
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
