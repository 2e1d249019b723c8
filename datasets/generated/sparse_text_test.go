package generated

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// TestSparseTextDensity checks that rows have the density in the settings, from one word per row to all words, and that
// they have unit norm. Claims about the time of solvers assume both.
func TestSparseTextDensity(t *testing.T) {
	for _, c := range []struct {
		features int
		density  float64
		most     float64 // largest accepted ratio of the density of the rows to the setting Density
	}{
		{10, .1, 1.8}, // rows without words are drawn again, which multiplies the density by about 1/(1−e⁻¹)
		{50000, 1e-4, 1.1},
		{20000, .0016, 1.02},
		{2000, .05, 1.01},
		{300, .5, 1.01},
		{100, 1, 1},
	} {
		train, _ := sample[*datasets.Labelled](t, SparseText{Train: 4000, Features: c.features, Density: c.density, Seed: 1})
		density := float64(len(train.X.Value)) / float64(train.X.N) / float64(c.features)
		if density < .98*c.density || density > c.most*c.density {
			t.Errorf("%d features: density %.4g, want %.4g", c.features, density, c.density)
		}
		for i := range train.X.N {
			_, value := train.X.Row(i)
			square := 0.0
			for _, v := range value {
				square += v * v
			}
			if math.Abs(square-1) > 1e-12 {
				t.Fatalf("row %d: squared norm = %v, want 1", i, square)
			}
		}
	}
}

func TestZipfChances(t *testing.T) {
	for _, c := range []struct {
		features int
		words    float64
	}{{10, 1}, {10, 9.5}, {10, 10}, {1000, 37.5}, {1000, 990}} {
		p := zipfChances(c.features, 10, c.words)
		sum := 0.0
		for j, x := range p {
			if sum += x; x <= 0 || x > 1 || j > 0 && x > p[j-1] {
				t.Fatalf("%v words of %d: probability %d = %v; want more than 0, at most 1, and at most the one before",
					c.words, c.features, j, x)
			}
			if last := c.features - 1; x < 1 && math.Abs(x*float64(j+11)-p[last]*float64(last+11)) > 1e-9 && p[last] < 1 {
				t.Fatalf("%v words of %d: probability %d = %v, want it in proportion to 1/(rank + 10)", c.words, c.features, j, x)
			}
		}
		if math.Abs(sum-c.words) > 1e-9*c.words {
			t.Errorf("%v words of %d: sum of the probabilities = %v, want the number of words", c.words, c.features, sum)
		}
	}
}

// TestSparseTextFrequencies checks that the frequency of each word is near its probability, and that the frequency of a
// pair of words in one row is near the product of their probabilities.
func TestSparseTextFrequencies(t *testing.T) {
	const n = 20000
	train, _ := sample[*datasets.Labelled](t, SparseText{Train: n, Features: 100, Density: .2, Seed: 3})
	chance := zipfChances(100, 10, 20)
	count, both := make([]float64, 100), 0.0
	for i := range n {
		index, _ := train.X.Row(i)
		first := false
		for _, j := range index {
			count[j]++
			first = first || j == 20
			if first && j == 21 {
				both++
			}
		}
	}
	near := func(got, p float64) bool { return math.Abs(got-n*p) <= 5*math.Sqrt(n*p*(1-p))+1e-9 }
	for j, p := range chance {
		if !near(count[j], p) {
			t.Errorf("rows with word %d = %v, want about %.0f", j, count[j], n*p)
		}
	}
	if p := chance[20] * chance[21]; !near(both, p) {
		t.Errorf("rows with words 20 and 21 = %v, want about %.0f", both, n*p)
	}
}

// TestSparseTextClasses checks that both classes are frequent, and that the generator's hyperplane separates them
// except for the noise.
func TestSparseTextClasses(t *testing.T) {
	s := SparseText{Train: 4000, Features: 2000, Density: .02, Noise: .1, Seed: 5}
	noisy, _ := sample[*datasets.Labelled](t, s)
	s.Noise = 0
	clean, _ := sample[*datasets.Labelled](t, s)
	positive, flipped := 0, 0
	for i, y := range clean.Y {
		positive += y
		if y != noisy.Y[i] {
			flipped++
		}
	}
	if positive < 1600 || positive > 2400 {
		t.Errorf("%d of 4000 rows are positive, want about half", positive)
	}
	if flipped < 300 || flipped > 500 {
		t.Errorf("noise 0.1 flips %d of 4000 classes, want about 400", flipped)
	}
}
