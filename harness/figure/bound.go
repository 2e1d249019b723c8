package figure

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// boundPoints is the number of points at which the line of a formula in x is evaluated.
const boundPoints = 101

// bounds returns the lines that draw a theorem's bound over the range of x of the panel. One line is enough if the
// constants of the bound are the same for all curves. Otherwise each curve has its own bound. In a sweep, where each
// run is one point, each line of the panel has its own bound; if the constants were measured or change along the line,
// each run gives one point of the bound, at the x of the run. All bounds have the same label. If there are several
// bounds, each has the name of the line that it bounds.
func (r *resolver) bounds(p lang.Panel, panel Panel, curves []*trace.Curve) ([]Line, []name, error) {
	formula, isTheorem := r.meta.Bounds[p.Bound]
	if !isTheorem {
		formula = p.Bound
	}
	b := bound{formula: formula, x: p.X, grid: panel.grid(), r: r}
	curves = unique(curves)
	var lines []Line
	var names []name
	var failed error
	for _, g := range b.groupsOf(p, curves) {
		line, err := b.draw(g)
		failed = cmp.Or(failed, err)
		if len(line.X) == 0 {
			continue
		}
		own := r.named[g.curves[0]]
		if i := slices.IndexFunc(lines, func(l Line) bool {
			return slices.Equal(l.X, line.X) && slices.Equal(l.Y, line.Y)
		}); i >= 0 {
			if names[i].run != own.run {
				lines[i].Own = false
				lines[i].Name += " and " + own.run
			}
			continue
		}
		line.Label, line.Name, line.Own = cmp.Or(p.BoundLabel, "bound"), own.run, true
		lines, names = append(lines, line), append(names, own)
	}
	if len(lines) == 1 {
		lines[0].Own, lines[0].Name = false, ""
	}
	if len(lines) == 0 {
		if failed == nil {
			failed = errors.New("the bound has no finite value in the range of the curves")
		}
		known := strings.Join(slices.Sorted(maps.Keys(r.meta.Bounds)), ", ")
		return nil, nil, fmt.Errorf("bound: %s (named bounds: %s): %w", p.Bound, known, failed)
	}
	return lines, names, nil
}

// bound is a formula and the range over which it is drawn.
type bound struct {
	formula string
	x       string    // the expression of the x axis
	grid    []float64 // the values of x for a formula whose constants are the same along a line
	sweep   bool      // whether each run is one point of a line (see isSweep)
	r       *resolver
}

// groupsOf groups the curves that share one line of the bound.
func (b *bound) groupsOf(p lang.Panel, curves []*trace.Curve) []group {
	for _, c := range curves {
		if v, err := expr.Axis(p.X, c, b.r.set); err == nil {
			b.sweep = isNumber(v)
			break
		}
	}
	if b.sweep {
		groups, _ := b.r.groupsOf(p, "", curves, true)
		return groups
	}
	var single []group
	for _, c := range curves {
		single = append(single, group{curves: []*trace.Curve{c}, among: b.r.set})
	}
	return single
}

// draw returns the bound of one group, without the points where it is not finite. The error explains why a run has no
// bound.
func (b *bound) draw(g group) (Line, error) {
	if !b.sweep || b.constant(g.curves) {
		ys, err := expr.Bound(b.formula, b.grid, g.curves[0], g.among)
		line := Line{Style: Bound}
		for i, y := range ys {
			if drawable(y) {
				line.X, line.Y = append(line.X, b.grid[i]), append(line.Y, y)
			}
		}
		return line, err
	}
	var points []point
	var failed error
	for _, c := range g.curves {
		x, err := expr.Axis(b.x, c, g.among)
		if err != nil || !isNumber(x) {
			continue // the panel does not draw this run either
		}
		ys, err := expr.Bound(b.formula, list(x), c, g.among)
		if err != nil {
			failed = err
			continue
		}
		if drawable(x.(float64)) && drawable(ys[0]) {
			points = append(points, point{x: x.(float64), y: ys[0]})
		}
	}
	line := joined(points)
	return Line{X: line.X, Y: line.Y, Style: Bound}, failed
}

// constant reports whether the formula is the same on all curves: all its names, except x, are labels with the same
// value on all curves.
func (b *bound) constant(curves []*trace.Curve) bool {
	names, err := expr.Names(b.formula)
	return err == nil && !slices.ContainsFunc(names, func(name string) bool {
		first, isLabel := curves[0].Labels[name]
		return name != "x" && (!isLabel ||
			slices.ContainsFunc(curves, func(c *trace.Curve) bool { return c.Labels[name] != first }))
	})
}

// unique returns each of the curves once.
func unique(curves []*trace.Curve) []*trace.Curve {
	var out []*trace.Curve
	for _, c := range curves {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// grid returns evenly spaced values of x over the range of the panel. On a log axis the logarithms are evenly spaced.
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
