package formats

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/datasets/internal/storetest"
)

// TestCSVAsLIBSVM checks that a table gives the same data as the same rows in LIBSVM format, for each way to choose
// training and validation rows.
func TestCSVAsLIBSVM(t *testing.T) {
	dir := t.TempDir()
	colours, kinds := []string{"blue", "green", "red"}, []string{"10", "9"}
	table, rows := strings.Builder{}, strings.Builder{}
	table.WriteString("size;kind;colour\n")
	for i := range 30 {
		c := i % 3
		table.WriteString(strings.Join([]string{strings.Repeat("1", 1+i%4), kinds[i/15], colours[c]}, ";") + "\n")
		rows.WriteString(kinds[i/15] + " 1:" + strings.Repeat("1", 1+i%4) + " " + string(rune('2'+c)) + ":1\n")
	}
	storetest.Write(t, dir, "table", table.String())
	storetest.Write(t, dir, "rows", rows.String())
	for _, l := range []LIBSVM{{}, {Train: 7}, {Validation: "0.3", Seed: 3}, {Validation: "0.3", Seed: 3, Train: 5},
		{Validation: "rows"}, {Validation: "rows", Train: 4}, {Validation: "0.3", Scale: datasets.ScaleMax}} {
		l.Path = "rows"
		c := CSV{Path: "table", Label: "kind", Delimiter: "semicolon", Validation: l.Validation, Seed: l.Seed, Train: l.Train,
			Scale: l.Scale}
		if l.Validation == "rows" {
			c.Validation = "table"
		}
		want, got := loadOwn(t, dir, l), loadOwn(t, dir, c)
		if datasettest.Bits(got) != datasettest.Bits(want) || !reflect.DeepEqual(got.Scaling, want.Scaling) ||
			!slices.Equal(got.Train.(*datasets.Labelled).Classes, []string{"9", "10"}) {
			t.Errorf("%+v: %+v, want the data of %+v: %+v", c, got.Train, l, want.Train)
		}
		if !reflect.DeepEqual(got.Table, datasets.Table{Label: "kind", Columns: []datasets.TableColumn{{Name: "size"},
			{Name: "colour", Values: colours}}}) {
			t.Errorf("%+v: table %+v, want the columns size and colour with the label kind", c, got.Table)
		}
	}
}

// TestCSVEncoding checks that a table in another encoding gives the same data, and a stream writes in this encoding.
func TestCSVEncoding(t *testing.T) {
	dir := t.TempDir()
	text := "tamaño,año,clase\n1,señor,sí\n2,niño,no\n"
	storetest.Write(t, dir, "plain", text)
	plain := loadOwn(t, dir, CSV{Path: "plain"})
	for name := range encodings() {
		storetest.Write(t, dir, "there", encoded(t, name, text))
		l := CSV{Path: "there", Validation: "there", Encoding: name}
		set := loadOwn(t, dir, l)
		if datasettest.Fingerprint(set.Train, 2) != datasettest.Fingerprint(plain.Train, 2) ||
			!reflect.DeepEqual(set.Table, plain.Table) || set.Checksum == plain.Checksum {
			t.Errorf("%s: %+v, %+v; want the data of the file in UTF-8 and another checksum", name, set.Train, set.Table)
		}
		s, err := l.Form(set.Table).Stream("f", strings.NewReader(encoded(t, name, text)), "")
		if err != nil {
			t.Fatal(err)
		}
		var out []byte
		for range 2 {
			data, err := s.Next()
			if err != nil {
				t.Fatal(err)
			}
			out = s.Append(out, data, datasets.Beside{})
		}
		if want := encoded(t, name, "sí\nno\n"); string(out) != want {
			t.Errorf("%s: the stream writes %q, want %q", name, out, want)
		}
	}
	storetest.Write(t, dir, "latin", encoded(t, "ISO-8859-1", text))
	_, err := CSV{Path: "latin"}.Load(context.Background(), datasets.Source{Dir: dir})
	if err == nil || !strings.Contains(err.Error(), "latin:1:1:") || !strings.Contains(err.Error(), "key encoding") {
		t.Errorf("error of a file in ISO-8859-1 = %v, want one with its first line and the key encoding", err)
	}
}

// TestCSVUnknownLabel checks that the error of a label that is not a column names the key label and the columns.
func TestCSVUnknownLabel(t *testing.T) {
	dir := t.TempDir()
	storetest.Write(t, dir, "f", "a,b\n1,2\n")
	var setting *datasets.SettingError
	_, err := CSV{Path: "f", Label: "c"}.Load(context.Background(), datasets.Source{Dir: dir})
	if !errors.As(err, &setting) || setting.Key != "label" || !strings.HasSuffix(err.Error(), ": a, b") {
		t.Errorf("error %v, want one of the setting label with the columns a, b", err)
	}
}
