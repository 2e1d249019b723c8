package datasets

import (
	"fmt"
	"math"
)

// Limits beyond which ScaleAdvice proposes to scale the rows. Rows that their publishers have scaled stay below these
// limits.
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
	low, high := rows.X.extremes()
	const remedy = "many solvers are slow on such rows; `scale: max` in dataset divides each column by its largest " +
		"absolute value (then choose C or λ anew)"
	mean, equal := rows.X.squares()
	switch {
	case low.value > 0 && !equal && high.value/low.value > columnRatio:
		return fmt.Sprintf("the largest absolute value is %.3g in column %d and %.3g in column %d; %s", high.value,
			high.index+1, low.value, low.index+1, remedy)
	case high.value > largestValue && mean > largestSquare:
		return fmt.Sprintf("values go up to %.3g (column %d), and the mean of |x|² is %.3g; %s", high.value, high.index+1,
			mean, remedy)
	}
	return ""
}

// column is a column of rows with its largest absolute value.
type column struct {
	index int
	value float64
}

// extremes compares the largest absolute values of the columns, and returns the columns with the smallest and the
// largest of these values. It leaves out columns of zeros; if there are no other columns, both values are 0. Its memory
// is proportional to the number of values, since a single value of a sparse row can have an index of 2³¹ − 1.
func (r *Rows) extremes() (low, high column) {
	look := func(j int, x float64) {
		if x > 0 && (low.value == 0 || x < low.value || x == low.value && j < low.index) {
			low = column{j, x}
		}
		if x > high.value || x > 0 && x == high.value && j < high.index {
			high = column{j, x}
		}
	}
	if r.Dim <= 8*len(r.Value)+1<<16 {
		for j, x := range r.largest() {
			look(j, x)
		}
		return low, high
	}
	columns := map[int32]float64{}
	for i := range r.N {
		index, value := r.Row(i)
		for t, x := range value {
			columns[index[t]] = max(columns[index[t]], math.Abs(x))
		}
	}
	for j, x := range columns {
		look(int(j), x)
	}
	return low, high
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
