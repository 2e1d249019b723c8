package figure

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/spec"
	"github.com/gaplab/gaplab/harness/trace"
)

const boundPoints = 101

// bounds draws a theorem's bound over the range of the panel's lines: once, or once per curve where it depends on
// labels that differ.
func (r *resolver) bounds(p spec.Panel, panel Panel, curves []*trace.Curve) ([]Line, error) {
	formula, isTheorem := r.meta.Bounds[p.Bound]
	if !isTheorem {
		formula = p.Bound
	}
	xs := panel.grid()
	set := trace.Set{Curves: curves}
	var lines []Line
	var failed error
	for _, c := range curves {
		if c.Len() == 0 {
			continue
		}
		names := maps.Clone(c.Labels)
		if _, ok := names["n"]; !ok {
			names["n"] = float64(c.File.Manifest.N)
		}
		ys, err := claims.Bound(formula, xs, names)
		if err != nil {
			failed = err
			continue
		}
		line := Line{Label: "bound", Style: Bound}
		for i, y := range ys {
			if drawable(y) {
				line.X, line.Y = append(line.X, xs[i]), append(line.Y, y)
			}
		}
		if len(line.X) == 0 || slices.ContainsFunc(lines, func(l Line) bool { return slices.Equal(l.Y, line.Y) }) {
			continue
		}
		if len(lines) > 0 {
			line.Label += " (" + automatic(c, set.Varying()) + ")"
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		if failed == nil {
			failed = errors.New("it has no finite value in the range of the curves")
		}
		known := strings.Join(slices.Sorted(maps.Keys(r.meta.Bounds)), ", ")
		return nil, fmt.Errorf("bound: %s (named bounds: %s): %w", p.Bound, known, failed)
	}
	return lines, nil
}

// grid is evenly spaced x over the range of the panel, evenly in the logarithm on a log axis.
func (p Panel) grid() []float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range p.Lines {
		for _, x := range l.X {
			if p.X.Log && x <= 0 {
				continue
			}
			low, high = math.Min(low, x), math.Max(high, x)
		}
	}
	if low >= high {
		return []float64{low}
	}
	xs := make([]float64, boundPoints)
	for i := range xs {
		t := float64(i) / (boundPoints - 1)
		if p.X.Log {
			xs[i] = math.Exp((1-t)*math.Log(low) + t*math.Log(high))
		} else {
			xs[i] = (1-t)*low + t*high
		}
	}
	return xs
}
