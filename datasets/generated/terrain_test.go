package generated

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// TestTerrainResemblesCovertype checks that rows are like Covertype's: 54 features, quantities within their ranges, one
// area, one soil, and the same class frequencies.
func TestTerrainResemblesCovertype(t *testing.T) {
	raw, _ := sample[*datasets.Labelled](t, Terrain{Train: 10000, Scale: "raw", Seed: 2})
	unit, _ := sample[*datasets.Labelled](t, Terrain{Train: 10000, Scale: "unit", Seed: 2})
	if raw.X.Dim != 54 || len(raw.Classes) != 7 || !slices.Equal(raw.Y, unit.Y) {
		t.Fatalf("features = %d, classes = %q; want 54, 7 classes, and the same labels with both scales",
			raw.X.Dim, raw.Classes)
	}
	ranges := terrainRanges()
	for i := range raw.X.N {
		index, value := raw.X.Row(i)
		for k, j := range index[:len(index)-2] {
			if v := value[k]; v != math.Trunc(v) || v < float64(ranges.Low[j]) || v > float64(ranges.High[j]) {
				t.Fatalf("row %d: quantity %d = %v, want a whole number in its range", i, j, v)
			}
		}
		area, soil := index[len(index)-2], index[len(index)-1]
		if area < 10 || area > 13 || soil < 14 {
			t.Fatalf("row %d: indicators that are 1 = %d and %d; want an area from 10 to 13 and a soil from 14 on",
				i, area, soil)
		}
	}
	if low, high := slices.Min(unit.X.Value), slices.Max(unit.X.Value); low <= 0 || high > 1 {
		t.Errorf("unit values from %v to %v; want them in (0, 1]", low, high)
	}
	count := make([]float64, 7)
	for _, y := range raw.Y {
		count[y]++
	}
	for c, covertype := range []float64{211840, 283301, 35754, 2747, 9493, 17367, 20510} {
		if want := covertype / 581012 * 10000; math.Abs(count[c]-want) > 5*math.Sqrt(want) {
			t.Errorf("%v rows of class %d, want about %.0f", count[c], c+1, want)
		}
	}
}

// TestTerrainIsLearnable checks that the error of a linear classifier on validation rows is 25 to 35 %: the classes
// overlap, but can be learned.
func TestTerrainIsLearnable(t *testing.T) {
	train, validation := sample[*datasets.Labelled](t, Terrain{Train: 6000, Validation: 3000, Scale: "unit", Seed: 1})
	if got := linearError(train, validation, .1, 8); got < .25 || got > .35 {
		t.Errorf("the error of a linear classifier is %.1f %%, want 25 to 35", 100*got)
	}
}

// linearError returns the validation error of multinomial logistic regression after the given number of passes of
// stochastic gradient steps over the training rows. The step size in pass k, from 1, is rate/k.
func linearError(train, validation *datasets.Labelled, rate float64, passes int) float64 {
	k, d := len(train.Classes), train.X.Dim
	w, score := make([]float64, k*d), make([]float64, k)
	scores := func(x *datasets.Rows, i int) (best int) {
		index, value := x.Row(i)
		for c := range score {
			score[c] = 0
			for t, j := range index {
				score[c] += w[c*d+int(j)] * value[t]
			}
			if score[c] > score[best] {
				best = c
			}
		}
		return best
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for pass := range passes {
		for range train.Len() {
			i := rng.IntN(train.Len())
			top, sum := score[scores(&train.X, i)], 0.0
			for c := range score {
				score[c] = math.Exp(score[c] - top)
				sum += score[c]
			}
			index, value := train.X.Row(i)
			for c := range score {
				g := score[c] / sum
				if c == train.Y[i] {
					g--
				}
				for t, j := range index {
					w[c*d+int(j)] -= rate / float64(1+pass) * g * value[t]
				}
			}
		}
	}
	wrong := 0
	for i, y := range validation.Y {
		if scores(&validation.X, i) != y {
			wrong++
		}
	}
	return float64(wrong) / float64(validation.Len())
}
