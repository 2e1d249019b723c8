package generated

import (
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// TestDigitsResembleMNIST checks that the digits resemble MNIST in the size of images, the share of non-zeros (MNIST:
// 19 %), the mean of |x|² (MNIST: 87), and classes of about the same size.
func TestDigitsResembleMNIST(t *testing.T) {
	train, _ := sample[*datasets.Labelled](t, Digits{Train: 2000, Seed: 1})
	if train.X.Dim != 784 || len(train.Classes) != 10 {
		t.Errorf("%d features, %d classes; want 784, 10", train.X.Dim, len(train.Classes))
	}
	square := 0.0
	for _, v := range train.X.Value {
		if v <= 0 || v > 1 {
			t.Fatalf("stored value %v, want in (0, 1]", v)
		}
		square += v * v
	}
	n := float64(train.Len())
	if m := square / n; m < 75 || m > 105 {
		t.Errorf("mean |x|² = %.1f, want 75 to 105", m)
	}
	if share := float64(len(train.X.Value)) / (784 * n); share < .17 || share > .23 {
		t.Errorf("share of non-zeros %.3f, want 0.17 to 0.23", share)
	}
	count := make([]int, 10)
	for _, y := range train.Y {
		count[y]++
	}
	if slices.Min(count) < 150 || slices.Max(count) > 250 {
		t.Errorf("images per class %v, want 150 to 250 each", count)
	}
}
