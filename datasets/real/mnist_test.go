package real

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/datasets/internal/storetest"
)

// fixture writes a file of a data set in the folder dir, and returns the File that describes it.
func fixture(t *testing.T, dir, name, content string) datasets.File {
	t.Helper()
	storetest.Write(t, dir, name, storetest.Gzip(content))
	sum := sha256.Sum256([]byte(content))
	return datasets.File{Name: name, Bytes: int64(len(content)), SHA256: hex.EncodeToString(sum[:])}
}

// idx returns an IDX file of unsigned bytes (see parse.ReadIDX) with the given dimensions.
func idx(content []byte, shape ...byte) string {
	out := []byte{0, 0, 8, byte(len(shape))}
	for _, n := range shape {
		out = append(out, 0, 0, 0, n)
	}
	return string(append(out, content...))
}

// tinyMNIST writes files with 6 training and 4 test images. Each image has one pixel that is not 0, with the grey value
// 51 = 255/5: pixel i in training image i, and pixel 100 + i in test image i.
func tinyMNIST(t *testing.T) (datasets.Source, []datasets.File) {
	t.Helper()
	dir := t.TempDir()
	images := func(n, first int) string {
		pixels := make([]byte, n*mnistSide*mnistSide)
		for i := range n {
			pixels[i*mnistSide*mnistSide+first+i] = 51
		}
		return idx(pixels, byte(n), mnistSide, mnistSide)
	}
	return datasets.Source{Data: dir, Offline: true}, []datasets.File{
		fixture(t, dir, "mnist/train-images.gz", images(6, 0)),
		fixture(t, dir, "mnist/train-labels.gz", idx([]byte{5, 0, 4, 1, 9, 2}, 6)),
		fixture(t, dir, "mnist/test-images.gz", images(4, 100)),
		fixture(t, dir, "mnist/test-labels.gz", idx([]byte{7, 2, 1, 0}, 4)),
	}
}

// TestTinyMNISTScaled checks that the setting scale is applied: the only pixel of an image becomes 1.
func TestTinyMNISTScaled(t *testing.T) {
	src, files := tinyMNIST(t)
	for scale, want := range map[string]float64{"": .2, "none": .2, "unit": 1, "max": 1} {
		set, err := MNIST{Train: 3, Validation: 2, Scale: scale}.load(context.Background(), src, files, 6, 4)
		if err != nil {
			t.Fatal(err)
		}
		if _, value := set.Train.(*datasets.Labelled).X.Row(0); !slices.Equal(value, []float64{want}) {
			t.Errorf("scale %q: the pixel is %v, want %v", scale, value, want)
		}
	}
}

// TestTinyMNIST checks which images become training and validation images, and which labels they have. It also checks
// that the checksum depends on the settings.
func TestTinyMNIST(t *testing.T) {
	src, files := tinyMNIST(t)
	sums := map[string]bool{}
	for _, c := range []struct {
		settings          MNIST
		train, validation string // PIXEL:DIGIT for each image
		files             int
	}{
		{MNIST{Train: 6}, "[0:5 1:0 2:4 3:1 4:9 5:2]", "[]", 2},
		{MNIST{Train: 3, Validation: 2}, "[0:5 1:0 2:4]", "[100:7 101:2]", 4},
		{MNIST{Train: 3, Validation: 2, HeldOut: true}, "[0:5 1:0 2:4]", "[3:1 4:9]", 2},
		{MNIST{Train: 3, Validation: 3, HeldOut: true}, "[0:5 1:0 2:4]", "[3:1 4:9 5:2]", 2},
		{MNIST{Train: 2, Validation: 3, HeldOut: true}, "[0:5 1:0]", "[2:4 3:1 4:9]", 2},
		{MNIST{Train: 2, Validation: 3}, "[0:5 1:0]", "[100:7 101:2 102:1]", 4},
		{MNIST{Train: 3}, "[0:5 1:0 2:4]", "[]", 2},
		{MNIST{Train: 3, HeldOut: true}, "[0:5 1:0 2:4]", "[]", 2},
	} {
		set, err := c.settings.load(context.Background(), src, files, 6, 4)
		if err != nil {
			t.Fatal(err)
		}
		datasettest.CheckSet(t, set)
		shown := func(d datasets.Data) string {
			out := []string{}
			if d == nil {
				return fmt.Sprint(out)
			}
			l := d.(*datasets.Labelled)
			for i, y := range l.Y {
				index, value := l.X.Row(i)
				if !slices.Equal(value, []float64{0.2}) {
					t.Errorf("%+v: the values of image %d are %v, want 51/255", c.settings, i, value)
				}
				out = append(out, fmt.Sprint(index[0], ":", l.Classes[y]))
			}
			return fmt.Sprint(out)
		}
		if train, validation := shown(set.Train), shown(set.Validation); train != c.train || validation != c.validation ||
			len(set.Files) != c.files || (set.Validation == nil) != (c.validation == "[]") {
			t.Errorf("%+v: training images %s, validation images %s, %d files; want %s, %s, %d", c.settings, train, validation,
				len(set.Files), c.train, c.validation, c.files)
		}
		if sums[set.Checksum] {
			t.Errorf("%+v: other settings have the same checksum", c.settings)
		}
		sums[set.Checksum] = true
	}
}

// TestTinyMNISTFaults checks that a label that is not a digit is an error, and that a file of the wrong length is an
// error.
func TestTinyMNISTFaults(t *testing.T) {
	src, files := tinyMNIST(t)
	other := slices.Clone(files)
	other[1] = fixture(t, src.Data, "mnist/no-digits.gz", idx([]byte{5, 0, 10, 1, 9, 2}, 6))
	if _, err := (MNIST{Train: 6}).load(context.Background(), src, other, 6, 4); err == nil {
		t.Error("a label of 10 is read, want an error")
	}
	if _, err := (MNIST{Train: 6}).load(context.Background(), src, files, 7, 4); err == nil {
		t.Error("a file of 6 images is read as one of 7, want an error")
	}
}
