package expr

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/harness/expr/internal/stats"
	"github.com/gaplab/gaplab/harness/trace"
)

// pairedFunctions returns the functions that compare runs on the same validation examples.
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

func spread(r *reader, args []any) (any, error) {
	all, err := r.examples(args[0], args[1])
	if err != nil {
		return nil, err
	}
	var values []float64
	for i, num := range all.Num {
		if all.Den[i] > 0 { // otherwise the example has no weight, such as a reference without a segment
			values = append(values, num/all.Den[i])
		}
	}
	return stats.Std(values), nil
}

// paired evaluates the paired bootstrap of two runs or lists of runs. A metric is a ratio of two sums over examples.
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
		return nil, fmt.Errorf("paired: %d and %d validation examples; accepted: runs on the same examples", n, len(b.Num))
	case a.Of != b.Of && a.Of != "" && b.Of != "":
		return nil, errors.New("paired: the validation examples or, in lists of runs, their order differ; accepted: runs " +
			"on the same examples")
	}
	// A claim's measure repeats what its assertion asks.
	key := fmt.Sprintf("%v %v %v %v", a.Num, a.Den, b.Num, b.Den)
	known, ok := r.bootstraps[key]
	if !ok {
		if r.bootstraps == nil {
			r.bootstraps = map[string]fields{}
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

// examples returns the counts that one or several runs have kept. It adds the counts of runs on the same examples,
// example by example: further seeds are not further examples.
func (r *reader) examples(v, name any) (trace.Examples, error) {
	var all trace.Examples
	metric, ok := name.(string)
	if !ok {
		return all, fmt.Errorf(`the metric is %s; accepted: its name in quotes, such as "validation_error"`, typeName(name))
	}
	first := map[string]int{} // where the examples with a hash begin
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
			return all, fmt.Errorf("the run %s has not kept %s by example; accepted: record: {examples: [%s]}", r.describe(c),
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
