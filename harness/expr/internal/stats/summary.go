// Package stats computes the statistics that expressions offer: summaries of a list, rank correlation, least-squares
// lines and the paired bootstrap. It does not depend on the expression language.
package stats

import (
	"cmp"
	"math"
	"slices"
)

// Sum returns the sum of x.
func Sum(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total
}

// Mean returns the arithmetic mean of x.
func Mean(x []float64) float64 { return Sum(x) / float64(len(x)) }

// Median returns the median of x: the middle value, or the mean of the two middle values. x must not be empty.
func Median(x []float64) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	n := len(x)
	return (x[(n-1)/2] + x[n/2]) / 2
}

// Std returns the standard deviation of x with divisor n − 1, and 0 for fewer than two elements.
func Std(x []float64) float64 {
	if len(x) < 2 {
		return 0
	}
	m, squares := Mean(x), 0.0
	for _, v := range x {
		squares += (v - m) * (v - m)
	}
	return math.Sqrt(squares / float64(len(x)-1))
}

// Spearman returns the rank correlation of x and y. It is NaN if x or y is constant or empty.
func Spearman(x, y []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	x, y = ranks(x), ranks(y)
	mx, my := Mean(x), Mean(y)
	var sxx, sxy, syy float64
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		sxx += dx * dx
		sxy += dx * dy
		syy += dy * dy
	}
	if sxx == 0 || syy == 0 {
		return math.NaN()
	}
	return sxy / math.Sqrt(sxx*syy)
}

// ranks returns the ranks of the elements by size, from 1. Ties get their mean rank.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	out := make([]float64, len(x))
	for start := 0; start < len(order); {
		end := start + 1
		for end < len(order) && x[order[end]] == x[order[start]] {
			end++
		}
		for _, i := range order[start:end] {
			out[i] = float64(start+end+1) / 2
		}
		start = end
	}
	return out
}
