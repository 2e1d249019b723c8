// Package shape makes rows in the format that a published data set and its generated counterpart share: images of
// digits (MNIST and generated digits), and patches of forest (Covertype and generated terrain).
package shape

import (
	"strconv"

	"github.com/gaplab/gaplab/datasets"
)

// Numbers of quantities, of areas and soils (each one-hot encoded), and of classes in a row of Covertype.
const (
	CoverQuantities = 10
	CoverAreas      = 4
	CoverSoils      = 40
	CoverIndicators = CoverAreas + CoverSoils
	CoverFeatures   = CoverQuantities + CoverIndicators
	CoverClasses    = 7
)

// CoverRow is a row of Covertype in 24 bytes.
type CoverRow struct {
	Quantity          [CoverQuantities]int16 // metres, degrees, or light from 0 to 254
	Area, Soil, Class uint8                  // numbers of the area, the soil and the class, from 0
}

// CoverScale converts quantities to feature values.
type CoverScale struct {
	Unit      bool                   // if true, the value of a quantity q is (q−Low)/(High−Low), else q
	Low, High [CoverQuantities]int16 // the range of each quantity
}

// value returns the feature value of quantity j. With Unit, a quantity whose range is a single value has the value 0.
func (s *CoverScale) value(j int, q int16) float64 {
	if !s.Unit {
		return float64(q)
	}
	if s.Low[j] == s.High[j] {
		return 0
	}
	return float64(int(q)-int(s.Low[j])) / float64(int(s.High[j])-int(s.Low[j]))
}

// LabelledCover returns sparse rows with the classes 1 to 7. If binary is true, class 1 becomes +1 and all others -1.
func LabelledCover(rows []CoverRow, scale CoverScale, binary bool) *datasets.Labelled {
	stored := 2 * len(rows)
	for i := range rows {
		for j, q := range rows[i].Quantity {
			if scale.value(j, q) != 0 {
				stored++
			}
		}
	}
	l := &datasets.Labelled{
		X: datasets.Rows{
			N: len(rows), Dim: CoverFeatures, Start: make([]int, len(rows)+1),
			Index: make([]int32, 0, stored), Value: make([]float64, 0, stored),
		},
		Y:       make([]int, len(rows)),
		Classes: []string{"-1", "+1"},
	}
	if !binary {
		l.Classes = make([]string, CoverClasses)
		for c := range l.Classes {
			l.Classes[c] = strconv.Itoa(c + 1)
		}
	}
	x := &l.X
	for i := range rows {
		row := &rows[i]
		for j, q := range row.Quantity {
			if v := scale.value(j, q); v != 0 {
				x.Index, x.Value = append(x.Index, int32(j)), append(x.Value, v)
			}
		}
		x.Index = append(x.Index, CoverQuantities+int32(row.Area), CoverQuantities+CoverAreas+int32(row.Soil))
		x.Value = append(x.Value, 1, 1)
		x.Start[i+1] = len(x.Index)
		l.Y[i] = int(row.Class)
		if binary {
			l.Y[i] = 0
			if row.Class == 0 {
				l.Y[i] = 1
			}
		}
	}
	return l
}
