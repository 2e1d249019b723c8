package record

import (
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
)

// keeper stores the weights and the metric counts (for the validation examples) of one row: the last row, or the best
// row by a column.
type keeper struct {
	rule    *lang.Keep // how the best row is found; nil: store the last row
	weights bool       // whether to store the weights
	metrics []string   // metrics whose counts are stored

	best   float64 // value of the rule's column in the best row, negated if larger is better
	since  int     // number of rows since the best row
	looked bool    // whether best has a value
	final  []float64
	counts models.Counts
}

// look copies the weights and the counts of a row into the keeper if the row is the best so far. If there is no rule,
// it copies the weights and the counts of every row. It also does so until a row has a value in the rule's column.
func (k *keeper) look(values map[string]float64, w []float64, counts models.Counts) {
	if k.rule != nil {
		v, ok := values[k.rule.By]
		if k.rule.Best == "max" {
			v = -v
		}
		if k.looked && (!ok || v >= k.best) {
			k.since++
			return
		}
		if k.looked = k.looked || ok; ok {
			k.best, k.since = v, 0
		}
	}
	if k.weights && w != nil {
		k.final = append(k.final[:0], w...)
	}
	k.counts = counts
}

// exhausted reports whether the number of rows since the best row has reached the patience of the rule.
func (k *keeper) exhausted() bool {
	return k.rule != nil && k.rule.Patience > 0 && k.since >= k.rule.Patience
}

// truths returns a hash of the true labellings of the validation examples.
func truths(examples []models.Example) string {
	var text []byte
	for i := range examples {
		text = fmt.Appendln(text, examples[i].Truth)
	}
	return trace.Digest(text)
}

// examples returns the metric counts of the stored row, by metric, for the end line of a trace.
func (k *keeper) examples(validation []models.Example) map[string]trace.Examples {
	var out map[string]trace.Examples
	for m, name := range k.counts.Names {
		if slices.Contains(k.metrics, name) {
			if out == nil {
				out = map[string]trace.Examples{}
			}
			out[name] = trace.Examples{Of: truths(validation), Num: k.counts.Num[m], Den: k.counts.Den[m]}
		}
	}
	return out
}
