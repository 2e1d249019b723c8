package shape_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/shape"
)

// denseRow returns row i of sparse rows as a dense vector. The indices must rise, and no stored value may be 0.
func denseRow(t *testing.T, d *datasets.Labelled, i int) []float64 {
	t.Helper()
	out := make([]float64, d.X.Dim)
	index, value := d.X.Row(i)
	for k, j := range index {
		if value[k] == 0 || k > 0 && j <= index[k-1] {
			t.Errorf("row %d has the indices %v and the values %v, want rising indices and no zeros", i, index, value)
		}
		out[j] = value[k]
	}
	return out
}

// TestCover compares rows of Covertype with dense vectors that are built by definition.
func TestCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var rows []shape.CoverRow
	scale := shape.CoverScale{}
	for j := range scale.Low {
		scale.Low[j], scale.High[j] = int16(-3*j), int16(-3*j+j%4*50) // some quantities have one value only
	}
	for range 30 {
		r := shape.CoverRow{Area: uint8(rng.IntN(shape.CoverAreas)), Soil: uint8(rng.IntN(shape.CoverSoils)),
			Class: uint8(rng.IntN(shape.CoverClasses))}
		for j := range r.Quantity {
			r.Quantity[j] = scale.Low[j] + int16(rng.IntN(int(scale.High[j]-scale.Low[j])+1))
		}
		rows = append(rows, r)
	}
	for _, unit := range []bool{false, true} {
		for _, binary := range []bool{false, true} {
			scale.Unit = unit
			d := shape.LabelledCover(rows, scale, binary)
			if d.Len() != len(rows) || d.X.Dim != 54 {
				t.Fatalf("%d rows of %d features, want %d of 54", d.Len(), d.X.Dim, len(rows))
			}
			for i, r := range rows {
				want := make([]float64, 54)
				for j, q := range r.Quantity {
					if want[j] = float64(q); unit {
						want[j] = 0
						if width := float64(scale.High[j]) - float64(scale.Low[j]); width > 0 {
							want[j] = (float64(q) - float64(scale.Low[j])) / width
						}
					}
				}
				want[10+r.Area]++
				want[14+r.Soil]++
				if got := denseRow(t, d, i); !slices.Equal(got, want) {
					t.Errorf("unit %v: row %d = %v, want %v", unit, i, got, want)
				}
				class := strconv.Itoa(int(r.Class) + 1)
				if binary && class == "1" {
					class = "+1"
				} else if binary {
					class = "-1"
				}
				if got := d.Classes[d.Y[i]]; got != class {
					t.Errorf("binary %v: row %d has the class %s, want %s", binary, i, got, class)
				}
			}
		}
	}
}

// TestPixels compares rows of images with their pixels.
func TestPixels(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n, dim = 12, 5
	var pixels, digits []byte
	for range n {
		digits = append(digits, byte(rng.IntN(10)))
		for range dim {
			pixels = append(pixels, byte(max(0, rng.IntN(400)-145)))
		}
	}
	d := shape.PixelRows(pixels, digits, dim)
	if d.Len() != n || d.X.Dim != dim || len(d.Classes) != 10 {
		t.Fatalf("%d rows of %d pixels with %d classes, want %d of %d with 10", d.Len(), d.X.Dim, len(d.Classes), n, dim)
	}
	for i, digit := range digits {
		want := make([]float64, dim)
		for j := range want {
			want[j] = float64(pixels[i*dim+j]) / 255
		}
		if got := denseRow(t, d, i); !slices.Equal(got, want) {
			t.Errorf("row %d = %v, want %v", i, got, want)
		}
		if got := d.Classes[d.Y[i]]; got != string('0'+digit) {
			t.Errorf("row %d has the class %s, want %c", i, got, '0'+digit)
		}
	}
}
