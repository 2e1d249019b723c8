package plots

import (
	"errors"
	"fmt"
	"math"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots/internal/axis"
)

// largest is the largest absolute value that can be drawn. It is so small that the difference of two such values is
// finite.
const largest = 1e300

// checkPanel returns an error if a panel cannot be drawn.
func checkPanel(p figure.Panel) error {
	if len(p.Lines) == 0 {
		return errors.New("no lines to draw; a panel needs at least one")
	}
	if err := checkAxis(p.X); err != nil {
		return fmt.Errorf("x axis: %w", err)
	}
	if err := checkAxis(p.Y); err != nil {
		return fmt.Errorf("y axis: %w", err)
	}
	for i, l := range p.Lines {
		if err := checkLine(l); err != nil {
			name := fmt.Sprintf("line %d", i+1)
			if l.Label != "" {
				name += fmt.Sprintf(" (%q)", l.Label)
			}
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// checkAxis returns an error if the limits of an axis are not valid.
func checkAxis(a figure.Axis) error {
	for _, limit := range []struct {
		name  string
		value *float64
	}{{"min", a.Min}, {"max", a.Max}} {
		switch v := limit.value; {
		case v == nil:
		case !drawable(*v):
			return fmt.Errorf("%s is %g; it must be a finite number within ±%g", limit.name, *v, largest)
		case a.Log && *v < axis.Smallest:
			return fmt.Errorf("%s is %g on a log axis; it must be positive (at least %g)", limit.name, *v,
				axis.Smallest)
		}
	}
	if a.Min != nil && a.Max != nil && *a.Min >= *a.Max {
		return fmt.Errorf("min %g is not below max %g", *a.Min, *a.Max)
	}
	return nil
}

// checkLine returns an error if the columns of a line have different lengths or contain values that cannot be drawn.
func checkLine(l figure.Line) error {
	if len(l.X) == 0 {
		return errors.New("no points to draw; a line needs at least one")
	}
	if len(l.X) != len(l.Y) {
		return fmt.Errorf("%d values of x but %d of y", len(l.X), len(l.Y))
	}
	if l.Stopped != nil && len(l.Stopped) != len(l.X) {
		return fmt.Errorf("%d values of x but %d entries in Stopped", len(l.X), len(l.Stopped))
	}
	if (l.Low == nil) != (l.High == nil) {
		return errors.New("one edge of the band is missing; give both Low and High, or neither")
	}
	if l.Low != nil && (len(l.Low) != len(l.X) || len(l.High) != len(l.X)) {
		return fmt.Errorf("%d values of x but %d of Low and %d of High", len(l.X), len(l.Low), len(l.High))
	}
	if l.Range != nil && (len(l.X) != 1 || len(l.Range) != 2) {
		return fmt.Errorf("%d values of x and %d of Range; only a line of one point has a Range, which has two values",
			len(l.X), len(l.Range))
	}
	for _, column := range []struct {
		name   string
		values []float64
	}{{"x", l.X}, {"y", l.Y}, {"low", l.Low}, {"high", l.High}, {"range", l.Range}} {
		for i, v := range column.values {
			if !drawable(v) {
				return fmt.Errorf("%s of point %d is %g; only finite numbers within ±%g can be drawn", column.name, i+1, v,
					largest)
			}
		}
	}
	return nil
}

// drawable reports whether a value can be drawn. It returns false for NaN.
func drawable(v float64) bool { return math.Abs(v) <= largest }
