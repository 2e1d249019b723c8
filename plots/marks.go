package plots

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
)

// Limits for markers. Distances are in points.
const (
	mostMarkers             = 9   // approximate largest number of markers on a curve
	markerSpacing vg.Length = 48  // smallest distance between markers of one curve
	markerClear   vg.Length = 5   // smallest distance between markers of two curves
	coincident    vg.Length = 1   // distance below which points appear to coincide
	nesting       vg.Length = 1.1 // increase of the radius for each point that coincides
)

// marks draws the markers, triangles and arrows of a panel's lines after all lines, so that no line hides a marker of
// another line. Curves that coincide remain visible, because a curve has no marker where an earlier curve has one. If
// points coincide, their markers are nested: the marker of the first line is the largest.
type marks []*curve

var _ plot.Plotter = marks(nil)

func (m marks) Plot(c draw.Canvas, p *plot.Plot) {
	placed := m.place(c, p)
	for i, l := range m {
		for _, s := range placed[i] {
			s.marker.draw(&c, s.at)
		}
		values := l.project(c, p).marks
		l.drawTriangles(&c, values)
		l.drawStopped(&c, values)
	}
}

// placedMarker is a marker with its position on the canvas.
type placedMarker struct {
	marker marker
	at     vg.Point
}

// place chooses the positions of each line's markers, for a canvas of any size.
func (m marks) place(c draw.Canvas, p *plot.Plot) [][]placedMarker {
	out := make([][]placedMarker, len(m))
	var taken []vg.Point // positions of markers of earlier curves
	for i, l := range m {
		if l.look.marker == nil {
			continue
		}
		for _, at := range l.markerPlaces(l.project(c, p).marks, taken) {
			if l.Style != figure.Points {
				taken = append(taken, at)
			}
			out[i] = append(out[i], placedMarker{*l.look.marker, at})
		}
	}
	for i, l := range m {
		for k := range out[i] {
			for j := i + 1; j < len(m) && l.Style == figure.Points; j++ {
				if m[j].Style == figure.Points && standsAt(out[j], out[i][k].at) {
					out[i][k].marker.radius += nesting
				}
			}
		}
	}
	return out
}

// standsAt reports whether one of the markers in list is at the point at.
func standsAt(list []placedMarker, at vg.Point) bool {
	for _, s := range list {
		if distance(s.at, at) < coincident {
			return true
		}
	}
	return false
}

// markerPlaces returns the positions of a line's markers. A line of type Points has a marker at each value. A curve has
// a few markers, which keep a distance from the positions in taken. The first marker is at a different place for each
// hue. Each line has at least one marker.
func (l *curve) markerPlaces(values []mark, taken []vg.Point) []vg.Point {
	var seen []vg.Point
	for i, m := range values {
		if m.visible && !m.underX && !m.underY && !l.stoppedAt(i) {
			seen = append(seen, m.at)
		}
	}
	if len(seen) == 0 || l.Style == figure.Points {
		return seen
	}
	length := vg.Length(0)
	for i := 1; i < len(seen); i++ {
		length += distance(seen[i], seen[i-1])
	}
	free := func(at vg.Point) bool {
		for _, q := range taken {
			if distance(q, at) < markerClear {
				return false
			}
		}
		return true
	}
	spacing := max(markerSpacing, length/mostMarkers)
	_, start := math.Modf(0.3 + 0.382*float64(wrapIndex(l.Hue, 1000)))
	wait := spacing * vg.Length(start)
	var out []vg.Point
	for i, at := range seen {
		if i > 0 {
			wait -= distance(at, seen[i-1])
		}
		if wait <= 0 && free(at) {
			out = append(out, at)
			wait = spacing
		}
	}
	if len(out) > 0 {
		return out
	}
	middle := seen[len(seen)/2]
	for i := 0; i < len(seen) && !free(middle); i++ {
		if free(seen[i]) {
			middle = seen[i]
		}
	}
	return []vg.Point{middle}
}
