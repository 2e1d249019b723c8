package generated

import (
	"math"
	"math/rand/v2"
)

// Size of a letter's image, in pixels: the features are its rows from the top, each from the left.
const (
	letterRows    = 16
	letterColumns = 8
	letterPixels  = letterRows * letterColumns
)

// Spread of the hand, in cells of a glyph's grid or as a share. Mostly about normal: the standard deviation.
const (
	writerSlant = .12 // columns a row
	writerSize  = .06 // share of the height and width
	writerPen   = .06 // of the grey from which a pixel is black
	letterPlace = .36 // of the centre
	letterSize  = .08 // share of the height and width
	letterBend  = .27 // amplitude of a wave along the rows, and of one along the columns
	letterSpeck = .07 // chance that a pixel is turned over
)

// writer is the hand that writes one word.
type writer struct {
	slant, height, width, black float64
}

func newWriter(rng *rand.Rand) writer {
	return writer{
		slant:  writerSlant * rng.NormFloat64(),
		height: 7.0 / letterRows * math.Exp(writerSize*rng.NormFloat64()),
		width:  5.6 / letterColumns * math.Exp(writerSize*rng.NormFloat64()),
		black:  .57 + writerPen*rng.NormFloat64(),
	}
}

// write draws one letter. Each pixel is looked up in the glyph's grid, at a place that is scaled, slanted, bent and
// moved; the grey there, interpolated between four cells, makes it black or not.
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

// grey returns the ink at a place, from 0 to 1: x columns from the left and y rows from the top, cell centres at whole
// numbers.
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
