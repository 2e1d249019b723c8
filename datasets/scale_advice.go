package datasets

import (
	"fmt"
	"math"
)

// Limits beyond which ScaleAdvice proposes to scale the rows. Rows that were scaled by their publishers stay below.
const (
	columnRatio   = 1e3 // ratio of the largest absolute values of two columns
	largestValue  = 30  // absolute value
	largestSquare = 100 // mean of |x|²
)

// ScaleAdvice returns a sentence about the training rows if they are not scaled and many solvers are slow on such rows:
// if the largest absolute values of two columns differ by a factor above columnRatio, or if a value is above
// largestValue and the mean of |x|² is above largestSquare. Columns of zeros do not count, and neither do the
// differences between columns if all rows have the same norm, as in texts. It returns "" for all other data, and for
// data sets that have no setting to scale their rows. It takes two passes over the values.
func (set *Set) ScaleAdvice() string {
	rows, ok := set.Train.(*Labelled)
	if !ok || set.Scaling.Kind != ScaleNone || rows.X.N == 0 {
		return ""
	}
	columns := rows.X.largest()
	low, high := -1, -1 // the columns whose largest absolute values are the smallest and the largest
	for j, x := range columns {
		if x > 0 && (low < 0 || x < columns[low]) {
			low = j
		}
		if x > 0 && (high < 0 || x > columns[high]) {
			high = j
		}
	}
	const remedy = "many solvers are slow on such rows; `scale: max` in dataset divides each column by its largest " +
		"absolute value (then choose C or λ anew)"
	mean, equal := rows.X.squares()
	switch {
	case low >= 0 && !equal && columns[high]/columns[low] > columnRatio:
		return fmt.Sprintf("the largest absolute value is %.3g in column %d and %.3g in column %d; %s", columns[high], high+1,
			columns[low], low+1, remedy)
	case high >= 0 && columns[high] > largestValue && mean > largestSquare:
		return fmt.Sprintf("values go up to %.3g (column %d), and the mean of |x|² is %.3g; %s", columns[high], high+1, mean,
			remedy)
	}
	return ""
}

// squares returns the mean of |x|² over the rows. It also reports whether all rows that are not zero have the same norm
// within 0.5 %.
func (r *Rows) squares() (mean float64, equal bool) {
	low, high := math.Inf(1), 0.0
	for i := range r.N {
		_, value := r.Row(i)
		square := 0.0
		for _, x := range value {
			square += x * x
		}
		mean += square / float64(r.N)
		if square > 0 {
			low, high = min(low, square), max(high, square)
		}
	}
	return mean, high <= 1.01*low
}
