package datasets

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"testing"
)

func loadDigits(t testing.TB, d Digits) (train, validation *Labelled, set *Set) {
	t.Helper()
	set, err := d.Load(context.Background(), Source{})
	if err != nil {
		t.Fatal(err)
	}
	validation, _ = set.Validation.(*Labelled)
	return set.Train.(*Labelled), validation, set
}

// fingerprint hashes the rows and classes, to the bit.
func fingerprint(l *Labelled) string {
	h := fnv.New64a()
	put := func(v uint64) { h.Write(binary.LittleEndian.AppendUint64(nil, v)) }
	for i := range l.Y {
		put(uint64(l.Y[i]))
		index, value := l.X.Row(i)
		for k := range index {
			put(uint64(index[k]))
			put(math.Float64bits(value[k]))
		}
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// The images of a seed are part of the gate's reference curves: a change of these bits needs a new digitsVersion.
func TestDigitsBits(t *testing.T) {
	train, validation, _ := loadDigits(t, Digits{Train: 300, Validation: 100, Seed: 1})
	if got, want := fingerprint(train)+" "+fingerprint(validation), "ec41fef943d01487 b1af66de7427c990"; got != want {
		t.Errorf("the images of seed 1 have fingerprints %s: want %s", got, want)
	}
}

func TestDigitsDependOnTheirSeedOnly(t *testing.T) {
	train, validation, set := loadDigits(t, Digits{Train: 200, Validation: 50, Seed: 7})
	longer, same, other := loadDigits(t, Digits{Train: 400, Validation: 50, Seed: 7})
	if fingerprint(validation) != fingerprint(same) {
		t.Error("validation images change with the number of training images")
	}
	if fingerprint(longer.pick(firstRows(200))) != fingerprint(train) {
		t.Error("the first 200 of 400 images are not the 200 images")
	}
	if fingerprint(train.pick(firstRows(50))) == fingerprint(validation) {
		t.Error("training and validation images are the same")
	}
	if set.Checksum == other.Checksum {
		t.Error("the checksum does not tell 200 from 400 images")
	}
	reseeded, _, _ := loadDigits(t, Digits{Train: 200, Seed: 8})
	if fingerprint(reseeded) == fingerprint(train) {
		t.Error("seeds 7 and 8 give the same images")
	}
}

// What makes the generator a stand-in for MNIST: its shape, its share of non-zeros (MNIST: 19 %), its mean |x|²
// (MNIST: 87), classes of about one size.
func TestDigitsResembleMNIST(t *testing.T) {
	train, _, set := loadDigits(t, Digits{Train: 2000, Seed: 1})
	checkLabelled(t, train)
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
	if _, err := (Digits{Train: 1000, Seed: 1}).Load(ctx, Source{}); err == nil {
		t.Error("no error under a cancelled context")
	}
}

// checkLabelled holds rows against the promises of Labelled and Rows.
func checkLabelled(t testing.TB, l *Labelled) {
	t.Helper()
	x := l.X
	if len(l.Y) != x.N || len(x.Start) != x.N+1 || x.Index == nil || len(x.Index) != len(x.Value) ||
		x.Start[0] != 0 || x.Start[x.N] != len(x.Index) {
		t.Fatalf("lengths do not agree: N %d, Y %d, Start %d, Index %d, Value %d", x.N, len(l.Y), len(x.Start), len(x.Index),
			len(x.Value))
	}
	for i := range x.N {
		if l.Y[i] < 0 || l.Y[i] >= len(l.Classes) {
			t.Fatalf("row %d: class %d of %d", i, l.Y[i], len(l.Classes))
		}
		index, value := x.Row(i)
		last := int32(-1)
		for k, j := range index {
			if j <= last || int(j) >= x.Dim {
				t.Fatalf("row %d: feature %d after %d, of %d", i, j, last, x.Dim)
			}
			if value[k] == 0 || math.IsNaN(value[k]) || math.IsInf(value[k], 0) {
				t.Fatalf("row %d: stored value %v", i, value[k])
			}
			last = j
		}
	}
}

func BenchmarkDigits(b *testing.B) {
	for b.Loop() {
		loadDigits(b, Digits{Train: 1000, Validation: 500, Seed: 1})
	}
}
