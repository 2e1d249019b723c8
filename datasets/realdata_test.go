package datasets

import (
	"context"
	"os"
	"slices"
	"testing"
)

// realSource is the data folder of the machine. Without one, tests of the real data sets are skipped: they must not
// download.
func realSource(t testing.TB, set string) Source {
	t.Helper()
	if testing.Short() {
		t.Skip("the real data sets are not examined in short mode")
	}
	dir := os.Getenv("GAPLAB_DATA")
	if dir == "" {
		t.Skip("GAPLAB_DATA is not set: the real data sets are not examined")
	}
	src := Source{Data: dir, Offline: true}
	e, err := Find(set)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range e.Files {
		if _, _, ok := src.find(f); !ok {
			t.Skipf("GAPLAB_DATA has no %s", f.Name)
		}
	}
	return src
}

// The catalogue's checksums, sizes and counts are those of the files.
func TestCatalogueAgainstTheFiles(t *testing.T) {
	for _, e := range All() {
		if e.Format {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			src := Source{}
			if !e.Synthetic {
				src = realSource(t, e.Name)
			}
			statuses, err := Verify(context.Background(), e, src)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range statuses {
				if s.State != OK {
					t.Errorf("%s is %s: %v", s.File.Name, s.State, s.Err)
				}
			}
			set, err := e.New().Load(context.Background(), src)
			if err != nil {
				t.Fatal(err)
			}
			checkData(t, set)
			got := countsOf(set)
			if e.Expect.NonZeros == 0 {
				got.NonZeros = 0
			}
			if got != e.Expect {
				t.Errorf("counts %+v: want %+v", got, e.Expect)
			}
			if want := warningsOf(e.Name); !slices.Equal(set.Warnings, want) {
				t.Errorf("warnings %q: want %q", set.Warnings, want)
			}
			if len(set.Checksum) != 64 || !e.Synthetic && len(set.Files) != len(e.Files) {
				t.Errorf("checksum %q, files %v", set.Checksum, set.Files)
			}
		})
	}
}

// warningsOf are those of the default settings.
func warningsOf(set string) []string {
	if set == "cast3lb" {
		return []string{"39 of 2306 training sentences are not projective and left out"}
	}
	return nil
}

func TestMNIST(t *testing.T) {
	src := realSource(t, "mnist")
	set, err := MNIST{Train: 59000, Validation: 10000}.Load(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	train, validation := set.Train.(*Labelled), set.Validation.(*Labelled)
	for _, c := range []struct {
		part  *Labelled
		n     int
		first []int // labels
		count []int // per digit
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
			t.Errorf("%d images, first %v, per digit %v, mean pixel %.4f: want %d, %v, %v, %.4f",
				c.part.Len(), c.part.Y[:5], count, mean, c.n, c.first, c.count, c.mean)
		}
	}
	small, err := MNIST{Train: 100}.Load(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	if fingerprint(small.Train.(*Labelled)) != fingerprint(train.pick(firstRows(100))) || small.Validation != nil ||
		small.Checksum == set.Checksum {
		t.Error("train: 100 is not the first 100 images, without validation, under a checksum of its own")
	}
}

func BenchmarkMNIST(b *testing.B) {
	src := realSource(b, "mnist")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (MNIST{Train: 59000, Validation: 10000}).Load(context.Background(), src); err != nil {
			b.Fatal(err)
		}
	}
}
