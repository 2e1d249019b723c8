package plots

import (
	"github.com/gaplab/gaplab/harness/figure"
)

// segments splits a line at each x that has only stopped runs between two others. Stopped runs are in no segment.
func segments(l figure.Line) []figure.Line {
	if l.Stopped == nil {
		return []figure.Line{l}
	}
	var out []figure.Line
	var part figure.Line
	flush := func() {
		if len(part.X) > 0 {
			out = append(out, part)
		}
		part = figure.Line{}
	}
	for i, x := range l.X {
		switch {
		case !l.Stopped[i]:
			part.X, part.Y = append(part.X, x), append(part.Y, l.Y[i])
			if l.Low != nil {
				part.Low, part.High = append(part.Low, l.Low[i]), append(part.High, l.High[i])
			}
		case len(part.X) > 0 && part.X[len(part.X)-1] != x:
			flush()
		}
	}
	flush()
	for i := range out {
		out[i].Style, out[i].Hue, out[i].Dash = l.Style, l.Hue, l.Dash
	}
	return out
}
