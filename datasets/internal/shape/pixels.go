package shape

import (
	"strconv"

	"github.com/gaplab/gaplab/datasets"
)

// PixelRows returns a sparse row for each image of dim grey values 0..255. Values are divided by 255. The class of a
// row is the digit of the image.
func PixelRows(pixels, digits []byte, dim int) *datasets.Labelled {
	n := len(digits)
	stored := 0
	for _, p := range pixels {
		if p != 0 {
			stored++
		}
	}
	var grey [256]float64
	for v := range grey {
		grey[v] = float64(v) / 255
	}
	l := &datasets.Labelled{
		X: datasets.Rows{N: n, Dim: dim, Start: make([]int, n+1), Index: make([]int32, 0, stored),
			Value: make([]float64, 0, stored)},
		Y:       make([]int, n),
		Classes: make([]string, 10),
	}
	for c := range l.Classes {
		l.Classes[c] = strconv.Itoa(c)
	}
	for i, digit := range digits {
		l.Y[i] = int(digit)
		for j, p := range pixels[i*dim : (i+1)*dim] {
			if p != 0 {
				l.X.Index = append(l.X.Index, int32(j))
				l.X.Value = append(l.X.Value, grey[p])
			}
		}
		l.X.Start[i+1] = len(l.X.Index)
	}
	return l
}
