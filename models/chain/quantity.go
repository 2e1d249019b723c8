package chain

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/datasets"
)

// numberPrefix begins a place whose column is read as a number, such as number:price[0].
const numberPrefix = "number:"

// quantity is a column that is read as numbers.
type quantity struct {
	column string
	value  []float64 // for each text of the column: its number
}

// weight is a quantity of the token at an offset. It multiplies the value of a template's features.
type weight struct {
	quantity *quantity
	offset   int
}

// extend adds the numbers of new texts. texts has all texts of the column, the new ones last.
func (q *quantity) extend(texts []string) error {
	for _, text := range texts[len(q.value):] {
		v, err := numberOf(text)
		if err != nil {
			return fmt.Errorf("column %q: %w", q.column, err)
		}
		q.value = append(q.value, v)
	}
	return nil
}

// numberOf returns the number that a text denotes; 0 for an underscore, which stands for a missing number.
func numberOf(text string) (float64, error) {
	if text == "_" {
		return 0, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || strings.ContainsAny(text, "xXpP_") {
		return 0, fmt.Errorf("%q is not a finite decimal number; accepted: a number, or _ if it is missing", text)
	}
	return v, nil
}

// numeric reports whether the values of the template's features are numbers of columns, and not 1.
func (t *template) numeric() bool { return len(t.weights) > 0 }

// values returns the value of the template's feature at each token of s: the product of its weights, where a token
// outside the sentence has the number 0. It sets the entry of numbers to −1 where the value is 0, since there is no
// feature.
func (t *template) values(numbers []int32, s *datasets.Sentences) []float64 {
	out := slices.Repeat([]float64{1}, len(numbers))
	for _, w := range t.weights {
		column, err := s.Column(w.quantity.column)
		if err != nil {
			panic("chain: " + err.Error()) // cannot happen: Build has checked the columns
		}
		for i := range s.Len() {
			lo, hi := s.Start[i], s.Start[i+1]
			for at := lo; at < hi; at++ {
				v := 0.
				if from := at + w.offset; from >= lo && from < hi {
					v = w.quantity.value[column.ID[from]]
				}
				out[at] *= v
			}
		}
	}
	for at, v := range out {
		if v == 0 {
			numbers[at] = -1
		}
	}
	return out
}
