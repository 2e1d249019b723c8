package formats

import (
	"context"
	"encoding/base64"
	"errors"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/datasets/internal/storetest"
)

// bzip2OfRows is "b 1:1 3:2\na 2:5\n" compressed by bzip2, in base64. The standard library cannot compress by bzip2.
const bzip2OfRows = "QlpoOTFBWSZTWcmNOv0AAAfZAAAQQAA6EDAAIAAiGgbUIMmIvQ4aUKhkeLuSKcKEhkxp1+g="

func TestLIBSVM(t *testing.T) {
	dir := t.TempDir()
	unbz, err := base64.StdEncoding.DecodeString(bzip2OfRows)
	if err != nil {
		t.Fatal(err)
	}
	rows := "b 1:1 3:2\na 2:5\n"
	storetest.Write(t, dir, "plain", rows)
	storetest.Write(t, dir, "packed.gz", storetest.Gzip(rows[:10])+storetest.Gzip(rows[10:])) // a file of two gzip members
	storetest.Write(t, dir, "misnamed.txt", string(unbz))
	src := datasets.Source{Dir: dir}
	plain, err := LIBSVM{Path: "plain"}.Load(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	train := plain.Train.(*datasets.Labelled)
	datasettest.CheckLabelled(t, train)
	if !slices.Equal(train.Classes, []string{"a", "b"}) || !slices.Equal(train.Y, []int{1, 0}) || train.X.Dim != 3 ||
		!slices.Equal(train.X.Index, []int32{0, 2, 1}) || !slices.Equal(train.X.Value, []float64{1, 2, 5}) {
		t.Errorf("train = %+v, want the two rows of the file", train)
	}
	if plain.Name != "plain" || plain.Validation != nil || plain.Synthetic || len(plain.Files["plain"]) != 64 {
		t.Errorf("set = %+v, want the name plain, no validation data and the checksum of the file", plain)
	}
	for _, name := range []string{"packed.gz", "misnamed.txt"} {
		set, err := LIBSVM{Path: name}.Load(context.Background(), src)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if datasettest.Fingerprint(set.Train, set.Train.Len()) != datasettest.Fingerprint(train, train.Len()) ||
			set.Checksum != plain.Checksum {
			t.Errorf("%s: rows or checksum differ from those of the plain file", name)
		}
	}
	absolute, err := LIBSVM{Path: filepath.Join(dir, "plain")}.Load(context.Background(),
		datasets.Source{Dir: "elsewhere"})
	if err != nil || absolute.Checksum != plain.Checksum {
		t.Errorf("error of an absolute path = %v, want nil", err)
	}
}

func TestLIBSVMClasses(t *testing.T) {
	for _, c := range []struct {
		name, text string
		classes    []string
		y          []int
	}{
		{"numbers sort by value", "10\n9\n-1\n", []string{"-1", "9", "10"}, []int{2, 1, 0}},
		{"equal numbers are one class", "+1\n1\n-1.0\n1.0\n-1\n", []string{"-1.0", "+1"}, []int{1, 1, 0, 1, 0}},
		{"names sort as text", "10\n9\nx\n+9\n", []string{"+9", "10", "9", "x"}, []int{1, 2, 3, 0}},
		{"nan is a name", "nan\n1\n", []string{"1", "nan"}, []int{1, 0}},
	} {
		dir := t.TempDir()
		storetest.Write(t, dir, "f", c.text)
		set, err := LIBSVM{Path: "f", Validation: "f"}.Load(context.Background(), datasets.Source{Dir: dir})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		train, validation := set.Train.(*datasets.Labelled), set.Validation.(*datasets.Labelled)
		if !slices.Equal(train.Classes, c.classes) || !slices.Equal(train.Y, c.y) || !slices.Equal(validation.Y, c.y) {
			t.Errorf("%s: classes %q, y %v, validation y %v; want %q, %v", c.name, train.Classes, train.Y, validation.Y,
				c.classes, c.y)
		}
	}
}

func TestLIBSVMValidationFile(t *testing.T) {
	dir := t.TempDir()
	storetest.Write(t, dir, "train", "1 1:1\n2 2:1\n3 3:0\n")
	storetest.Write(t, dir, "test", "+2.0 1:1 3:1 4:7 9:7\n1 5:1\n")
	storetest.Write(t, dir, "new", "1 1:1\n\n 7 1:1\n2.0 1:1\nx 2:1\n")
	src := datasets.Source{Dir: dir}
	set, err := LIBSVM{Path: "train", Validation: "test", Train: 2}.Load(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	train, validation := set.Train.(*datasets.Labelled), set.Validation.(*datasets.Labelled)
	datasettest.CheckLabelled(t, validation)
	if train.Len() != 2 || train.X.Dim != 3 || len(train.Classes) != 3 {
		t.Errorf("train has %d rows, %d features, classes %q; want 2 rows, and the features and classes of the whole file",
			train.Len(), train.X.Dim, train.Classes)
	}
	if !slices.Equal(validation.Y, []int{1, 0}) || !slices.Equal(validation.X.Index, []int32{0, 2}) ||
		validation.X.Dim != 3 {
		t.Errorf("validation = %+v, want the two rows of the file test without features beyond 3", validation)
	}
	warned := strings.Join(set.Warnings, "\n")
	if !strings.Contains(warned, "test: dropped 3 values of features beyond the 3") ||
		!strings.Contains(warned, "no training rows of class 3") {
		t.Errorf("warnings %q, want one of dropped values and one of class 3", set.Warnings)
	}
	set, err = LIBSVM{Path: "train", Validation: "new"}.Load(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	if y := set.Validation.(*datasets.Labelled).Y; !slices.Equal(y, []int{0, 3, 1, 3}) || !slices.Equal(set.Warnings,
		[]string{"new: 2 validation rows have labels that no training row has, and count as errors: 7, x"}) {
		t.Errorf("new classes in the validation file: classes %v, warnings %q; want class 3 for 7 and x", y, set.Warnings)
	}
}

func TestLIBSVMValidationFraction(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	for i := range 100 {
		text.WriteString([]string{"a", "b"}[i/50])
		text.WriteString(" 1:" + strings.Repeat("1", 1+i%3) + "\n")
	}
	storetest.Write(t, dir, "f", text.String())
	load := func(l LIBSVM) (train, validation *datasets.Labelled) {
		l.Path = "f"
		set, err := l.Load(context.Background(), datasets.Source{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		return set.Train.(*datasets.Labelled), set.Validation.(*datasets.Labelled)
	}
	train, validation := load(LIBSVM{Validation: "0.3", Seed: 1})
	datasettest.CheckLabelled(t, train)
	datasettest.CheckLabelled(t, validation)
	if train.Len() != 70 || validation.Len() != 30 || !slices.IsSorted(train.Y) || !slices.IsSorted(validation.Y) {
		t.Errorf("%d training rows, %d validation rows; want 70 and 30, in the order of the file", train.Len(),
			validation.Len())
	}
	if validation.Y[0] == validation.Y[29] {
		t.Error("all rows that are held out have the same class, as if they had not been drawn at random")
	}
	few, same := load(LIBSVM{Validation: "0.3", Seed: 1, Train: 10})
	if datasettest.Fingerprint(same, same.Len()) != datasettest.Fingerprint(validation, validation.Len()) ||
		datasettest.Fingerprint(few, 10) != datasettest.Fingerprint(train, 10) {
		t.Error("train: 10 does not give the first 10 training rows and the same validation rows")
	}
	if _, other := load(LIBSVM{Validation: "0.3", Seed: 2}); datasettest.Fingerprint(
		other, other.Len()) == datasettest.Fingerprint(validation, validation.Len()) {
		t.Error("another seed draws the same validation rows, want others")
	}
	var setting *datasets.SettingError
	for _, l := range []LIBSVM{{Validation: "0.001"}, {Validation: "0.3", Train: 71}, {Train: 101}} {
		l.Path = "f"
		if _, err := l.Load(context.Background(), datasets.Source{Dir: dir}); !errors.As(err, &setting) {
			t.Errorf("%+v: error %v, want a SettingError", l, err)
		}
	}
}

func TestLIBSVMFileErrors(t *testing.T) {
	dir := t.TempDir()
	storetest.Write(t, dir, "empty", "# nothing\n")
	storetest.Write(t, dir, "bad", "1 1:1\n1 1:x\n")
	storetest.Write(t, dir, "several", "1 1:1\n1,3 1:1\n")
	storetest.Write(t, dir, "cut.gz", storetest.Gzip(strings.Repeat("1 1:1 2:3\n2 3:4\n", 500))[:60])
	storetest.Write(t, dir, "f.xz", "\xfd7zXZ\x00rest")
	storetest.Write(t, dir, "ok", "1 1:1\n")
	for _, c := range []struct {
		loader LIBSVM
		want   string
		is     error
	}{
		{LIBSVM{Path: "absent"}, "dataset: path: data not found: stat " + filepath.Join(dir, "absent"), datasets.ErrMissing},
		{LIBSVM{Path: "absent"}, "", fs.ErrNotExist},
		{LIBSVM{Path: "ok", Validation: "absent"}, "dataset: validation: data not found", datasets.ErrMissing},
		{LIBSVM{Path: "empty"}, "empty:1:1: no rows", nil},
		{LIBSVM{Path: "bad"}, "bad:2:5: value \"x\"", nil},
		{LIBSVM{Path: "several"}, "several:2:1: label \"1,3\" is a list of numbers: want one label", nil},
		{LIBSVM{Path: "cut.gz"}, "cut.gz: cannot be unpacked: unexpected EOF", datasets.ErrCorrupt},
		{LIBSVM{Path: "f.xz"}, "content is in xz format, which is not supported", nil},
		{LIBSVM{Path: "."}, "it is a folder; accepted: a file", nil},
	} {
		_, err := c.loader.Load(context.Background(), datasets.Source{Dir: dir})
		if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%+v: error %v, want %q, %v", c.loader, err, c.want, c.is)
		}
	}
}

func TestLIBSVMWarnings(t *testing.T) {
	dir := t.TempDir()
	storetest.Write(t, dir, "one", "1 1:1\n1 2:1\n")
	storetest.Write(t, dir, "real",
		strings.Repeat("0.5\n", 3)+"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n")
	storetest.Write(t, dir, "far", "1 1:1 64:1\n2 3:1\n1 3:1 2000000:1\n2 60:1\n")
	for name, want := range map[string]string{"one": "all rows are of one class, 1", "real": "18 classes in 20 rows",
		"far": "training row 3 has feature 2000000, and all other rows have none above 64"} {
		set, err := LIBSVM{Path: name}.Load(context.Background(), datasets.Source{Dir: dir})
		if err != nil || len(set.Warnings) != 1 || !strings.Contains(set.Warnings[0], want) {
			t.Errorf("%s: error %v, warnings %q; want nil and %q", name, err, set.Warnings, want)
		}
	}
}

// TestLIBSVMScale checks that the columns are divided by their largest values in the training rows that are used:
// without the drawn validation rows, and without the rows that the setting train omits. Data from the cache must have
// the same factors.
func TestLIBSVMScale(t *testing.T) {
	dir := t.TempDir()
	storetest.Write(t, dir, "f", "a 1:2\nb 1:-8\na 1:16\nb 1:4\na 1:64\nb 1:-32\n")
	for _, l := range []LIBSVM{
		{Path: "f"}, {Path: "f", Train: 2}, {Path: "f", Validation: "f", Train: 3},
		{Path: "f", Validation: "0.5", Seed: 1}, {Path: "f", Validation: "0.5", Seed: 4, Train: 1},
	} {
		src := datasets.Source{Dir: dir, Parsed: datasets.Parsed{Folder: t.TempDir(), Limit: 1 << 20}}
		raw, err := src.Load(context.Background(), &l)
		l.Scale = datasets.ScaleMax
		set, err2 := src.Load(context.Background(), &l)
		again, err3 := src.Load(context.Background(), &l)
		if err := errors.Join(err, err2, err3); err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(filepath.Join(src.Parsed.Folder, "*"))
		if len(files) != 2 || !reflect.DeepEqual(set, again) {
			t.Errorf("%+v: files in the cache = %d, set from the cache = %+v; want 2, %+v", l, len(files), again, set)
		}
		factor := 0.0
		for _, x := range raw.Train.(*datasets.Labelled).X.Value {
			factor = max(factor, x, -x)
		}
		if !slices.Equal(set.Scaling.Factors, []float64{factor}) {
			t.Errorf("%+v: factors %v, want %v", l, set.Scaling.Factors, factor)
		}
		for _, part := range [][2]datasets.Data{{raw.Train, set.Train}, {raw.Validation, set.Validation}} {
			if part[0] == nil {
				continue
			}
			for k, x := range part[0].(*datasets.Labelled).X.Value {
				if got := part[1].(*datasets.Labelled).X.Value[k]; got != x/factor {
					t.Errorf("%+v: the value %v is scaled to %v, want %v", l, x, got, x/factor)
				}
			}
		}
	}
}
