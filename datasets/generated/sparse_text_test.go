package generated

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// smallText returns settings whose rows are drawn quickly.
func smallText() SparseText {
	return SparseText{Train: 400, Validation: 100, Features: 2000, Density: .01, Noise: .05, Seed: 7}
}

func drawnText(t testing.TB, s SparseText) (train, validation *datasets.Labelled, set *datasets.Set) {
	t.Helper()
	set, err := s.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	datasettest.CheckSet(t, set)
	validation, _ = set.Validation.(*datasets.Labelled)
	return set.Train.(*datasets.Labelled), validation, set
}

// TestSparseTextBits checks the bits of some rows. A change of these bits needs a new sparseTextVersion.
func TestSparseTextBits(t *testing.T) {
	train, validation, _ := drawnText(t, smallText())
	if got, want := datasettest.Fingerprint(train)+" "+datasettest.Fingerprint(validation),
		"ba3ada125407205b fae83c1e4a23e98b"; got != want {
		t.Errorf("the rows of seed 7 have fingerprints %s: want %s", got, want)
	}
}

func TestSparseTextDependsOnItsSeedOnly(t *testing.T) {
	s := smallText()
	train, validation, set := drawnText(t, s)
	s.Train = 700
	longer, same, other := drawnText(t, s)
	if datasettest.Fingerprint(validation) != datasettest.Fingerprint(same) {
		t.Error("validation rows change with the number of training rows")
	}
	if datasettest.Fingerprint(longer.Pick(parse.Between(0, 400))) != datasettest.Fingerprint(train) {
		t.Error("the first 400 of 700 rows are not the 400 rows")
	}
	if datasettest.Fingerprint(train.Pick(parse.Between(0, 100))) == datasettest.Fingerprint(validation) {
		t.Error("training and validation rows are the same")
	}
	s.Seed, s.Validation = 8, 0
	reseeded, none, third := drawnText(t, s)
	if datasettest.Fingerprint(reseeded) == datasettest.Fingerprint(longer) || none != nil {
		t.Error("seeds 7 and 8 give the same rows, or validation: 0 gives some")
	}
	s.Noise = .1
	_, _, fourth := drawnText(t, s)
	if set.Checksum == other.Checksum || other.Checksum == third.Checksum || third.Checksum == fourth.Checksum ||
		!set.Synthetic {
		t.Error("the checksum does not tell the settings apart, or the set is not marked as generated")
	}
}

// TestSparseTextDensity checks the properties that claims about cost rely on: the density in the settings, from one
// word a row to all words, and unit norms.
func TestSparseTextDensity(t *testing.T) {
	for _, c := range []struct {
		features int
		density  float64
		most     float64 // of the density asked for
	}{
		{10, .1, 1.8}, // a row without words is drawn again: 1/(1−e⁻¹) and some
		{50000, 1e-4, 1.1},
		{20000, .0016, 1.02},
		{2000, .05, 1.01},
		{300, .5, 1.01},
		{100, 1, 1},
	} {
		train, _, _ := drawnText(t, SparseText{Train: 4000, Features: c.features, Density: c.density, Seed: 1})
		density := float64(len(train.X.Value)) / float64(train.X.N) / float64(c.features)
		if density < .98*c.density || density > c.most*c.density {
			t.Errorf("%d features: density %.4g: want %.4g", c.features, density, c.density)
		}
		for i := range train.X.N {
			_, value := train.X.Row(i)
			square := 0.0
			for _, v := range value {
				square += v * v
			}
			if math.Abs(square-1) > 1e-12 {
				t.Fatalf("row %d has square norm %v", i, square)
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
				t.Fatalf("%v words of %d: chance %d is %v", c.words, c.features, j, x)
			}
			if last := c.features - 1; x < 1 && math.Abs(x*float64(j+11)-p[last]*float64(last+11)) > 1e-9 && p[last] < 1 {
				t.Fatalf("%v words of %d: chance %d, %v, is not in proportion to 1/(rank + 10)", c.words, c.features, j, x)
			}
		}
		if math.Abs(sum-c.words) > 1e-9*c.words {
			t.Errorf("%v words of %d: the chances sum to %v", c.words, c.features, sum)
		}
	}
}

// TestSparseTextFrequencies checks that words have the frequencies of their probabilities, and pairs of words those of
// the products.
func TestSparseTextFrequencies(t *testing.T) {
	const n = 20000
	train, _, _ := drawnText(t, SparseText{Train: n, Features: 100, Density: .2, Seed: 3})
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
			t.Errorf("word %d comes %v times: want about %.0f", j, count[j], n*p)
		}
	}
	if p := chance[20] * chance[21]; !near(both, p) {
		t.Errorf("words 20 and 21 come together %v times: want about %.0f", both, n*p)
	}
}

// TestSparseTextClasses checks that both classes are frequent, and that the hidden hyperplane separates them except for
// the noise.
func TestSparseTextClasses(t *testing.T) {
	s := SparseText{Train: 4000, Features: 2000, Density: .02, Noise: .1, Seed: 5}
	noisy, _, _ := drawnText(t, s)
	s.Noise = 0
	clean, _, _ := drawnText(t, s)
	positive, flipped := 0, 0
	for i, y := range clean.Y {
		positive += y
		if y != noisy.Y[i] {
			flipped++
		}
	}
	if positive < 1600 || positive > 2400 {
		t.Errorf("%d of 4000 rows are positive: want about half", positive)
	}
	if flipped < 300 || flipped > 500 {
		t.Errorf("noise 0.1 flips %d of 4000 classes", flipped)
	}
}

func TestSparseTextSettings(t *testing.T) {
	for key, change := range map[string]func(*SparseText){
		"train":      func(s *SparseText) { s.Train = 0 },
		"validation": func(s *SparseText) { s.Validation = -1 },
		"features":   func(s *SparseText) { s.Features = 9 },
		"density":    func(s *SparseText) { s.Density = math.NaN() },
		"noise":      func(s *SparseText) { s.Noise = .51 },
	} {
		s := smallText()
		change(&s)
		var setting *datasets.SettingError
		if _, err := s.Load(context.Background(), datasets.Source{}); !errors.As(err, &setting) || setting.Key != key {
			t.Errorf("%+v: %v: want a SettingError of %s", s, err, key)
		}
	}
	for want, s := range map[string]SparseText{
		"dataset: density is 0.0001: want at least 0.001, one of 1000 features": {
			Train: 1, Features: 1000, Density: 1e-4},
		"dataset: train is 1000: want with validation, at most 200 rows of 1000000 values: 200000000 values in all": {
			Train: 1000, Features: 1_000_000, Density: 1},
	} {
		if err := s.Validate(); err == nil || err.Error() != want {
			t.Errorf("%+v: %v: want %s", s, err, want)
		}
	}
}

func TestSparseTextStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, l := range []datasets.Loader{smallText(), Terrain{Train: 10, Scale: "raw"}} {
		if _, err := l.Load(ctx, datasets.Source{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%T: %v: want that it was cancelled", l, err)
		}
	}
}

func BenchmarkSparseText(b *testing.B) {
	for b.Loop() {
		drawnText(b, SparseText{Train: 10000, Features: 20000, Density: .002, Seed: 1})
	}
}
