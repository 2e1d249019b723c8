package figure

import (
	"math"
	"slices"
	"sort"
)

// averaged draws repetitions of a run as their mean with the band from the smallest to the largest, at every x at
// which one of them has a record and all of them have begun and none has ended. Between its records a run keeps its
// last value.
func averaged(tracks []track) (x, mean, low, high []float64) {
	first, last := math.Inf(-1), math.Inf(1)
	var all []float64
	for _, t := range tracks {
		first = math.Max(first, t.x[0])
		last = math.Min(last, t.x[len(t.x)-1])
		all = append(all, t.x...)
	}
	slices.Sort(all)
	for _, at := range slices.Compact(all) {
		if at < first || at > last {
			continue
		}
		values := make([]float64, len(tracks))
		for i, t := range tracks {
			values[i] = t.step(at)
		}
		x = append(x, at)
		mean, low, high = spread(values, mean, low, high)
	}
	return x, mean, low, high
}

// step is the last value at or before x, which is not before the first.
func (t track) step(x float64) float64 {
	return t.y[sort.Search(len(t.x), func(i int) bool { return t.x[i] > x })-1]
}

func spread(values, mean, low, high []float64) (m, l, h []float64) {
	least, most := slices.Min(values), slices.Max(values)
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	middle := math.Min(math.Max(sum/float64(len(values)), least), most) // rounding keeps it inside the band
	return append(mean, middle), append(low, least), append(high, most)
}
