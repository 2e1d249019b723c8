package plots

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// Tolerances of simplification, in points. For comparison, a line is 1.3 points wide.
const (
	columnWidth = 0.5
	deviation   = 0.06
)

// simplify removes points of a polyline if this changes nothing visible. In each narrow vertical column it keeps only
// the first, lowest, highest and last point. Of these it removes the points that are within the tolerance of the
// remaining line. So the size of the file depends on the width of the drawing, not on the number of rows.
func simplify(line []vg.Point) []vg.Point {
	return straighten(thinColumns(line))
}

// thinColumns keeps the first, lowest, highest and last point in each column.
func thinColumns(line []vg.Point) []vg.Point {
	var out []vg.Point
	for i := 0; i < len(line); {
		column := math.Floor(float64(line[i].X) / columnWidth)
		low, high, j := i, i, i+1
		for ; j < len(line) && math.Floor(float64(line[j].X)/columnWidth) == column; j++ {
			if line[j].Y < line[low].Y {
				low = j
			}
			if line[j].Y > line[high].Y {
				high = j
			}
		}
		last := i - 1
		for _, k := range []int{i, min(low, high), max(low, high), j - 1} {
			if k > last {
				out = append(out, line[k])
				last = k
			}
		}
		i = j
	}
	return out
}

// straighten removes points that are close to the remaining line, with the algorithm of Ramer, Douglas and Peucker.
func straighten(line []vg.Point) []vg.Point {
	if len(line) < 3 {
		return line
	}
	keep := make([]bool, len(line))
	keep[0], keep[len(line)-1] = true, true
	todo := [][2]int{{0, len(line) - 1}}
	for len(todo) > 0 {
		a, b := todo[len(todo)-1][0], todo[len(todo)-1][1]
		todo = todo[:len(todo)-1]
		furthest, distance := 0, vg.Length(deviation)
		for k := a + 1; k < b; k++ {
			if d := distanceTo(line[k], line[a], line[b]); d > distance {
				furthest, distance = k, d
			}
		}
		if furthest > 0 {
			keep[furthest] = true
			todo = append(todo, [2]int{a, furthest}, [2]int{furthest, b})
		}
	}
	var out []vg.Point
	for k, p := range line {
		if keep[k] {
			out = append(out, p)
		}
	}
	return out
}

// distanceTo returns the distance between p and the segment from a to b.
func distanceTo(p, a, b vg.Point) vg.Length {
	d := b.Sub(a)
	t := vg.Length(0)
	if n := d.Dot(d); n > 0 {
		t = max(0, min(1, p.Sub(a).Dot(d)/n))
	}
	r := p.Sub(a.Add(d.Scale(t)))
	return vg.Length(math.Hypot(float64(r.X), float64(r.Y)))
}
