package figure

import (
	"math"
	"slices"
	"sort"
)

// averaged draws repetitions of a run as their mean with the band from the smallest to the largest, at every x at
// which one of them has a record and all of them have begun and none has ended. Between its records a run is where its
// own line would be: on the straight line from one to the next.
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
			values[i] = t.value(at)
		}
		x = append(x, at)
		mean, low, high = spread(values, mean, low, high)
	}
	return x, mean, low, high
}

// value is y at x, which is neither before the first record nor after the last.
func (t track) value(x float64) float64 {
	next := sort.Search(len(t.x), func(i int) bool { return t.x[i] > x })
	at := next - 1
	if t.x[at] == x || next == len(t.x) || math.IsInf(t.y[at], 0) || math.IsInf(t.y[next], 0) {
		return t.y[at]
	}
	share := (x - t.x[at]) / (t.x[next] - t.x[at])
	y := t.y[at] + share*(t.y[next]-t.y[at])
	return min(max(y, min(t.y[at], t.y[next])), max(t.y[at], t.y[next])) // rounding keeps it between them
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
