package generated

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/shape"
)

// Terrain generates rows in the format of Covertype, each a patch of forest with 10 quantities, one of 4 areas and one
// of 40 types of soil, in seven classes. At smoke scale these data replace Covertype. They must never be presented as
// Covertype.
//
// Classes are drawn with the class frequencies of Covertype. Given the class, the quantities, the area and the soil are
// independent. Each quantity and the number of the soil are Gaussian, rounded, and clipped to their ranges. Means and
// standard deviations are those of Covertype's classes, so the classes overlap: the error of a linear classifier is
// about 30 %, and 28 % on Covertype.
//
// If Scale is unit, quantities are scaled to [0, 1] by their ranges, which are the same for every set.
//
// The same seed gives the same rows. A smaller set consists of the first examples of a larger one, and validation rows
// do not depend on Train.
type Terrain struct {
	// number of training rows
	Train int `yaml:"train" jsonschema:"minimum=1,maximum=1000000"`
	// number of validation rows; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0,maximum=1000000"`
	// unit: each quantity is scaled to [0, 1] by its range; raw: quantities are in metres and degrees
	Scale string `yaml:"scale" jsonschema:"enum=raw,enum=unit"`
	// seed of the generator
	Seed uint64 `yaml:"seed"`
}

const terrainVersion = "1" // must be raised when the same seed gives other rows

// TerrainEntry returns the catalogue entry of Terrain.
func TerrainEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "terrain",
		Title:    "Generated patches of forest in the shape of Covertype",
		About: "seeded generator of 10 quantities, 4 areas and 40 types of soil in seven overlapping classes: a " +
			"substitute for real data",
		Licence:   "generated: no rights reserved",
		Synthetic: true,
		Expect:    datasets.Counts{Train: 2000, Validation: 1000, Features: shape.CoverFeatures, Classes: shape.CoverClasses},
		New:       func() datasets.Loader { return &Terrain{Train: 2000, Validation: 1000, Scale: "unit", Seed: 1} },
	}
}

// Validate implements Validator.
func (t Terrain) Validate() error { return check.Settings(t) }

// Load implements Loader. It draws about 3 million rows a second.
func (t Terrain) Load(ctx context.Context, _ datasets.Source) (*datasets.Set, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	g := generator{
		name: "terrain", version: terrainVersion,
		train: t.Train, validation: t.Validation, seed: t.Seed,
		shape: []any{t.Scale},
	}
	scale := terrainRanges()
	scale.Unit = t.Scale == "unit"
	classes := terrainClasses()
	return g.load(ctx, func(ctx context.Context, rng *rand.Rand, n int) (datasets.Data, error) {
		rows := make([]shape.CoverRow, n)
		for i := range rows {
			if err := stopped(ctx, i); err != nil {
				return nil, err
			}
			rows[i] = drawTerrain(&classes, &scale, rng)
		}
		return shape.LabelledCover(rows, scale, false), nil
	})
}

func drawTerrain(classes *[shape.CoverClasses]terrainClass, ranges *shape.CoverScale, rng *rand.Rand) shape.CoverRow {
	var row shape.CoverRow
	row.Class = pickWeighted(rng, shape.CoverClasses, func(c int) float64 { return classes[c].rows })
	class := &classes[row.Class]
	for j := range row.Quantity {
		q := math.Round(class.mean[j] + class.spread[j]*rng.NormFloat64())
		row.Quantity[j] = int16(min(max(q, float64(ranges.Low[j])), float64(ranges.High[j])))
	}
	row.Area = pickWeighted(rng, shape.CoverAreas, func(a int) float64 { return class.areas[a] })
	soil := math.Round(class.soil + class.soilSpread*rng.NormFloat64())
	row.Soil = uint8(min(max(soil, 1), shape.CoverSoils)) - 1
	return row
}

// pickWeighted draws one of 0 .. n−1 with probability proportional to its weight.
func pickWeighted(rng *rand.Rand, n int, weight func(int) float64) uint8 {
	sum := 0.0
	for k := range n {
		sum += weight(k)
	}
	u := rng.Float64() * sum
	for k := range n - 1 {
		if u -= weight(k); u < 0 {
			return uint8(k)
		}
	}
	return uint8(n - 1)
}

// terrainClass describes the distribution of the rows of a class.
type terrainClass struct {
	rows             float64                        // frequency of the class, per thousand rows
	mean, spread     [shape.CoverQuantities]float64 // mean and standard deviation of each quantity
	areas            [shape.CoverAreas]float64      // frequency of each area, in per cent of the class
	soil, soilSpread float64                        // mean and standard deviation of the number of the soil type
}

// terrainClasses returns the rounded frequencies, means and standard deviations of Covertype's classes. The quantities
// are elevation, aspect and slope; the horizontal and vertical distance to water and the distance to roads; the
// sunlight at 9, 12 and 15 h; and the distance to fire points. Distances are in metres, angles in degrees, light from 0
// to 254. Soils are numbered by climate, from low and dry to alpine.
func terrainClasses() [shape.CoverClasses]terrainClass {
	type ten = [shape.CoverQuantities]float64
	return [shape.CoverClasses]terrainClass{
		{365, ten{3129, 156, 13, 271, 42, 2615, 212, 223, 144, 2009}, ten{158, 117, 7, 217, 57, 1498, 25, 18, 36, 1235},
			[4]float64{50, 9, 41, 0}, 28, 6},
		{488, ten{2921, 152, 14, 280, 46, 2430, 214, 225, 143, 2168}, ten{187, 108, 7, 210, 57, 1619, 25, 19, 36, 1424},
			[4]float64{52, 3, 44, 1}, 24, 8},
		{61, ten{2395, 176, 21, 210, 62, 944, 202, 216, 140, 911}, ten{197, 108, 9, 142, 59, 615, 41, 28, 52, 527},
			[4]float64{0, 0, 40, 60}, 6, 4},
		{5, ten{2224, 137, 19, 107, 41, 914, 228, 217, 111, 859}, ten{103, 87, 9, 140, 59, 366, 24, 21, 49, 481},
			[4]float64{0, 0, 0, 100}, 7, 6},
		{16, ten{2787, 139, 17, 212, 51, 1350, 223, 219, 122, 1578}, ten{97, 92, 8, 179, 58, 1045, 23, 25, 49, 996},
			[4]float64{40, 0, 60, 0}, 22, 10},
		{30, ten{2419, 181, 19, 160, 45, 1037, 193, 210, 148, 1055}, ten{189, 134, 8, 124, 47, 571, 34, 24, 45, 576},
			[4]float64{0, 0, 44, 56}, 10, 7},
		{35, ten{3362, 153, 14, 357, 69, 2738, 217, 222, 135, 2070}, ten{107, 111, 7, 295, 80, 1201, 23, 20, 39, 1087},
			[4]float64{25, 11, 64, 0}, 37, 5},
	}
}

// terrainRanges returns the ranges of Covertype's quantities.
func terrainRanges() shape.CoverScale {
	return shape.CoverScale{
		Low:  [shape.CoverQuantities]int16{1859, 0, 0, 0, -173, 0, 0, 0, 0, 0},
		High: [shape.CoverQuantities]int16{3858, 360, 66, 1397, 601, 7117, 254, 254, 254, 7173},
	}
}
