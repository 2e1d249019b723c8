package generated

import (
	"math"
	"math/rand/v2"
)

// Size of the image of a letter, in pixels. The features are the pixels, row by row from the top, each row from the
// left.
const (
	letterRows    = 16
	letterColumns = 8
	letterPixels  = letterRows * letterColumns
)

// Standard deviations of the random properties of the handwriting. The unit of lengths is the width of a cell of glyph.
const (
	writerSlant = .12 // standard deviation of the slant of a word, in columns per row
	writerSize  = .06 // standard deviation of the logarithms of the height and width of all letters of a word
	writerPen   = .06 // standard deviation of the grey value above which a pixel is black
	letterPlace = .36 // standard deviation of the coordinates of a letter's centre
	letterSize  = .08 // standard deviation of the logarithms of the height and width of a letter
	letterBend  = .27 // standard deviation of the amplitudes of two waves, along the rows and along the columns
	letterSpeck = .07 // not a standard deviation, but the probability that a pixel is inverted
)

// writer is the handwriting of one word.
type writer struct {
	slant, height, width float64
	black                float64 // grey value above which a pixel is black
}

func newWriter(rng *rand.Rand) writer {
	return writer{
		slant:  writerSlant * rng.NormFloat64(),
		height: 7.0 / letterRows * math.Exp(writerSize*rng.NormFloat64()),
		width:  5.6 / letterColumns * math.Exp(writerSize*rng.NormFloat64()),
		black:  .57 + writerPen*rng.NormFloat64(),
	}
}

// write draws one letter. Each pixel is mapped to a point of the glyph's grid, by scaling, slant, two waves and a
// shift. The pixel is black if the grey value there, interpolated between four cells, is above w.black.
func (w writer) write(g *glyph, rng *rand.Rand) (image [letterPixels]bool) {
	height := w.height * math.Exp(letterSize*rng.NormFloat64())
	width := w.width * math.Exp(letterSize*rng.NormFloat64())
	x0, y0 := 2+letterPlace*rng.NormFloat64(), 3+letterPlace*rng.NormFloat64()
	bendX, phaseX := letterBend*rng.NormFloat64(), 2*math.Pi*rng.Float64()
	bendY, phaseY := letterBend*rng.NormFloat64(), 2*math.Pi*rng.Float64()
	var waveX [letterRows]float64
	for r := range waveX {
		waveX[r] = bendX * math.Sin(phaseX+2*math.Pi*float64(r)/letterRows)
	}
	var waveY [letterColumns]float64
	for c := range waveY {
		waveY[c] = bendY * math.Sin(phaseY+2*math.Pi*float64(c)/letterColumns)
	}
	for r := range letterRows {
		for c := range letterColumns {
			v := float64(r) - (letterRows-1)/2.
			u := float64(c) - (letterColumns-1)/2.
			x := x0 + width*u + w.slant*height*v + waveX[r]
			y := y0 + height*v + waveY[c]
			image[letterColumns*r+c] = (g.grey(x, y) > w.black) != (rng.Float64() < letterSpeck)
		}
	}
	return image
}

// grey returns the grey value at a point, from 0 for white to 1 for black. The point is x columns from the left and y
// rows from the top; cell centres are at integers.
func (g *glyph) grey(x, y float64) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	x, y = x-fx, y-fy
	c, r := int(fx), int(fy)
	return (1-y)*((1-x)*g.ink(r, c)+x*g.ink(r, c+1)) + y*((1-x)*g.ink(r+1, c)+x*g.ink(r+1, c+1))
}

func (g *glyph) ink(row, column int) float64 {
	if row < 0 || row >= len(g) || column < 0 || column >= len(g[0]) || !g[row][column] {
		return 0
	}
	return 1
}
