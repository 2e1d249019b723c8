package generated

import (
	"context"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

func loadDigits(t testing.TB, d Digits) (train, validation *datasets.Labelled, set *datasets.Set) {
	t.Helper()
	set, err := d.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	validation, _ = set.Validation.(*datasets.Labelled)
	return set.Train.(*datasets.Labelled), validation, set
}

// TestDigitsBits checks the bits of some images, which are part of the gate's reference curves. A change of these bits
// needs a new digitsVersion.
func TestDigitsBits(t *testing.T) {
	train, validation, _ := loadDigits(t, Digits{Train: 300, Validation: 100, Seed: 1})
	if got, want := datasettest.Fingerprint(train)+" "+datasettest.Fingerprint(validation),
		"ec41fef943d01487 b1af66de7427c990"; got != want {
		t.Errorf("the images of seed 1 have fingerprints %s: want %s", got, want)
	}
}

func TestDigitsDependOnTheirSeedOnly(t *testing.T) {
	train, validation, set := loadDigits(t, Digits{Train: 200, Validation: 50, Seed: 7})
	longer, same, other := loadDigits(t, Digits{Train: 400, Validation: 50, Seed: 7})
	if datasettest.Fingerprint(validation) != datasettest.Fingerprint(same) {
		t.Error("validation images change with the number of training images")
	}
	if datasettest.Fingerprint(longer.Pick(parse.Between(0, 200))) != datasettest.Fingerprint(train) {
		t.Error("the first 200 of 400 images are not the 200 images")
	}
	if datasettest.Fingerprint(train.Pick(parse.Between(0, 50))) == datasettest.Fingerprint(validation) {
		t.Error("training and validation images are the same")
	}
	if set.Checksum == other.Checksum {
		t.Error("the checksum does not tell 200 from 400 images")
	}
	reseeded, _, _ := loadDigits(t, Digits{Train: 200, Seed: 8})
	if datasettest.Fingerprint(reseeded) == datasettest.Fingerprint(train) {
		t.Error("seeds 7 and 8 give the same images")
	}
}

// TestDigitsResembleMNIST checks the properties that make the digits similar to MNIST: its shape, its share of
// non-zeros (MNIST: 19 %), its mean |x|² (MNIST: 87), classes of about one size.
func TestDigitsResembleMNIST(t *testing.T) {
	train, _, set := loadDigits(t, Digits{Train: 2000, Seed: 1})
	datasettest.CheckLabelled(t, train)
	if !set.Synthetic || set.Validation != nil {
		t.Errorf("synthetic = %v, validation = %v: want true, nil", set.Synthetic, set.Validation)
	}
	if train.X.Dim != 784 || len(train.Classes) != 10 {
		t.Errorf("%d features, %d classes: want 784, 10", train.X.Dim, len(train.Classes))
	}
	square := 0.0
	for _, v := range train.X.Value {
		if v <= 0 || v > 1 {
			t.Fatalf("stored value %v: want in (0, 1]", v)
		}
		square += v * v
	}
	n := float64(train.Len())
	if m := square / n; m < 75 || m > 105 {
		t.Errorf("mean |x|² = %.1f: want 75 to 105", m)
	}
	if share := float64(len(train.X.Value)) / (784 * n); share < .17 || share > .23 {
		t.Errorf("share of non-zeros %.3f: want 0.17 to 0.23", share)
	}
	count := make([]int, 10)
	for _, y := range train.Y {
		count[y]++
	}
	if slices.Min(count) < 150 || slices.Max(count) > 250 {
		t.Errorf("images per class %v: want 150 to 250 each", count)
	}
}

func TestDigitsStopWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Digits{Train: 1000, Seed: 1}).Load(ctx, datasets.Source{}); err == nil {
		t.Error("no error under a cancelled context")
	}
}

func BenchmarkDigits(b *testing.B) {
	for b.Loop() {
		loadDigits(b, Digits{Train: 1000, Validation: 500, Seed: 1})
	}
}
