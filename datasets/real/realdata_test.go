package real

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// entry returns the entry of a data set of this package.
func entry(t testing.TB, name string) datasets.Entry {
	t.Helper()
	e, err := datasets.Find(entries(), name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func entries() []datasets.Entry {
	return slices.Concat([]datasets.Entry{MNISTEntry(), OCRLettersEntry(), CoNLL2000Entry(), CAST3LBEntry(),
		PTBSampleEntry(), CovertypeEntry(), Connect4Entry(), UMassCitationsEntry(), UMassNestedEntry()}, LIBSVMSets())
}

// realSource returns a Source with the folder GAPLAB_DATA. If a file of the set is not in that folder, realSource skips
// the test, because tests never download.
func realSource(t testing.TB, set string) datasets.Source {
	t.Helper()
	if testing.Short() {
		t.Skip("the real data sets are not tested with -short")
	}
	dir := os.Getenv("GAPLAB_DATA")
	if dir == "" {
		t.Skip("GAPLAB_DATA is not set: the real data sets are not tested")
	}
	src := datasets.Source{Data: dir, Offline: true}
	for _, f := range datasets.Locate(entry(t, set), src) {
		if f.Status == datasets.Missing {
			t.Skipf("GAPLAB_DATA has no %s", f.File.Name)
		}
	}
	return src
}

// TestWarnings checks that default settings give no warnings, except for the Spanish treebank.
func TestWarnings(t *testing.T) {
	want := map[string][]string{"cast3lb": {"39 of 2306 training sentences are not projective and left out"}}
	for _, e := range entries() {
		if e.Files[0].Bytes > 20_000_000 {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			if got := loadReal(t, e.Name, e.New()).Warnings; !slices.Equal(got, want[e.Name]) {
				t.Errorf("warnings %q, want %q", got, want[e.Name])
			}
		})
	}
}

func TestMNIST(t *testing.T) {
	src := realSource(t, "mnist")
	set, err := MNIST{Train: 59000, Validation: 10000}.Load(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	train, validation := set.Train.(*datasets.Labelled), set.Validation.(*datasets.Labelled)
	for _, c := range []struct {
		part  *datasets.Labelled
		n     int
		first []int // labels of the first rows
		count []int // number of rows of each digit
		mean  float64
	}{
		{train, 59000, []int{5, 0, 4, 1, 9}, []int{5825, 6640, 5853, 6028, 5746, 5331, 5811, 6158, 5757, 5851}, .1305},
		{validation, 10000, []int{7, 2, 1, 0, 4}, []int{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009}, .1325},
	} {
		count := make([]int, 10)
		for _, y := range c.part.Y {
			count[y]++
		}
		sum := 0.0
		for _, v := range c.part.X.Value {
			sum += v
		}
		mean := sum / float64(784*c.n)
		if c.part.Len() != c.n || !slices.Equal(c.part.Y[:5], c.first) || !slices.Equal(count, c.count) ||
			mean < c.mean-1e-4 || mean > c.mean+1e-4 {
			t.Errorf("%d images, first %v, per digit %v, mean pixel %.4f; want %d, %v, %v, %.4f",
				c.part.Len(), c.part.Y[:5], count, mean, c.n, c.first, c.count, c.mean)
		}
	}
	small, err := MNIST{Train: 100}.Load(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	if datasettest.Fingerprint(small.Train, 100) != datasettest.Fingerprint(train, 100) || small.Validation != nil ||
		small.Checksum == set.Checksum {
		t.Error("Train: 100 does not give the first 100 images, no validation images and another checksum")
	}
	rest, err := MNIST{Train: 100, Validation: 50, HeldOut: true}.Load(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	if datasettest.Fingerprint(rest.Train, 100) != datasettest.Fingerprint(train, 100) ||
		datasettest.Fingerprint(rest.Validation, 50) != datasettest.Fingerprint(train.Pick(parse.Between(100, 150)), 50) {
		t.Error("with held_out, want images 0 to 99 for training and images 100 to 149 for validation")
	}
	if err := (MNIST{Train: 59000, Validation: 1001, HeldOut: true}).Validate(); err == nil {
		t.Error("Validate accepts more held-out images than the training files have left")
	}
}
