package generated

import (
	"math"
	"math/rand/v2"
)

// Means and standard deviations (jitter) of the random properties of the handwriting. Where a comment gives no unit,
// the unit is the height of the box around the digit.
const (
	boxSide     = 19.0 // mean height of a digit, in pixels
	spanJitter  = .062 // standard deviation of the coordinates of each control point
	bendJitter  = .10  // standard deviation of the quadratic bending of the whole digit
	slantMean   = .10  // mean shear to the right
	slantJitter = .22  // standard deviation of the shear
	turnJitter  = .13  // standard deviation of the rotation, in radians
	widthMean   = .80  // mean ratio of width to height
	widthJitter = .13  // standard deviation of the ratio of width to height
	sizeJitter  = .07  // standard deviation of the height, relative to the mean height
	placeJitter = .80  // standard deviation of the centre, in pixels
	penLow      = .7   // smallest radius of the pen, in pixels
	penHigh     = 1.5  // largest radius of the pen, in pixels
	penEdge     = 1.1  // width of the grey edge of a line, in pixels
)

// canvas is a grey image of digitsSide² pixels, row by row.
type canvas []byte

// drawDigit draws the strokes in a random handwriting. Grey values are rounded to a byte. So rounding errors of the
// arithmetic, which can differ between machines, have no effect, and the image is the same on every machine.
func drawDigit(c canvas, strokes []stroke, rng *rand.Rand) {
	h := newHand(rng)
	for _, s := range strokes {
		at := make([]point, len(s))
		for i, p := range s {
			at[i] = h.place(point{p.x + spanJitter*rng.NormFloat64(), p.y + spanJitter*rng.NormFloat64()})
		}
		c.drawCurve(at, h.pen)
	}
}

// hand is one random handwriting. It maps the unit square, in which strokes are given, to the image, and has the radius
// of the pen.
type hand struct {
	bendX, bendY   float64 // coefficients of the quadratic bending
	xx, xy, yx, yy float64 // rows of the linear part of the map
	x0, y0         float64 // pixel coordinates of the centre of the unit square
	pen            float64 // radius of the pen, in pixels
}

func newHand(rng *rand.Rand) hand {
	size := boxSide * (1 + sizeJitter*rng.NormFloat64())
	width := size * max(.3, widthMean+widthJitter*rng.NormFloat64())
	slant := slantMean + slantJitter*rng.NormFloat64()
	sin, cos := math.Sincos(turnJitter * rng.NormFloat64())
	const centre = (digitsSide - 1) / 2.0
	h := hand{
		bendX: bendJitter * rng.NormFloat64(),
		bendY: bendJitter * rng.NormFloat64(),
		xx:    cos * width, xy: -cos*slant*size - sin*size,
		yx: sin * width, yy: cos*size - sin*slant*size,
		x0:  centre + placeJitter*rng.NormFloat64(),
		y0:  centre + placeJitter*rng.NormFloat64(),
		pen: penLow + (penHigh-penLow)*rng.Float64(),
	}
	return h
}

// place maps a point of the unit square to pixel coordinates in the image.
func (h hand) place(p point) point {
	x, y := p.x-.5, p.y-.5
	x, y = x+h.bendX*(4*y*y-.5), y+h.bendY*(4*x*x-.5)
	return point{h.x0 + h.xx*x + h.xy*y, h.y0 + h.yx*x + h.yy*y}
}

// drawCurve draws the Catmull-Rom spline through the points, in short straight pieces.
func (c canvas) drawCurve(at []point, pen float64) {
	const pieces = 4
	last := at[0]
	for i := 0; i+1 < len(at); i++ {
		p, q := at[i], at[i+1]
		before, after := at[max(i-1, 0)], at[min(i+2, len(at)-1)]
		for k := 1; k <= pieces; k++ {
			t := float64(k) / pieces
			next := point{catmullRom(before.x, p.x, q.x, after.x, t), catmullRom(before.y, p.y, q.y, after.y, t)}
			c.drawLine(last, next, pen)
			last = next
		}
	}
}

// catmullRom interpolates between b (t = 0) and c (t = 1). The neighbouring values a and d determine the slopes.
func catmullRom(a, b, c, d, t float64) float64 {
	return b + t/2*(c-a+t*(2*a-5*b+4*c-d+t*(3*(b-c)+d-a)))
}

// drawLine draws the segment from p to q: pixels within the pen's radius become dark, with a grey edge around them.
func (c canvas) drawLine(p, q point, pen float64) {
	reach := pen + penEdge/2
	x0, x1 := span(min(p.x, q.x)-reach, max(p.x, q.x)+reach)
	y0, y1 := span(min(p.y, q.y)-reach, max(p.y, q.y)+reach)
	dx, dy := q.x-p.x, q.y-p.y
	length := dx*dx + dy*dy
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			ex, ey := float64(x)-p.x, float64(y)-p.y
			if length > 0 {
				t := min(max((ex*dx+ey*dy)/length, 0), 1)
				ex, ey = ex-t*dx, ey-t*dy
			}
			grey := min((reach-math.Sqrt(ex*ex+ey*ey))/penEdge, 1)
			if v := math.Round(255 * grey); v > float64(c[y*digitsSide+x]) {
				c[y*digitsSide+x] = byte(v)
			}
		}
	}
}

// span returns the indices of the first and the last pixel between the coordinates low and high, in a row or column of
// the image.
func span(low, high float64) (first, last int) {
	return int(math.Ceil(max(low, 0))), int(math.Floor(min(high, digitsSide-1)))
}
