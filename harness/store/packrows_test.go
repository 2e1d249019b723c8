package store_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestEveryBitOfAPack checks that a pack with a flipped bit, or a shortened one, is refused as damaged, whether it is
// compressed or not. A changed format may also be refused as unknown. A flipped bit in the header of a compressed file
// may be ignored, if the runs are the same.
func TestEveryBitOfAPack(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test reads a pack once for each bit")
	}
	dir := t.TempDir()
	k := store.Keep(dir)
	changed, err := k.Write("p/a", "smoke", []*trace.File{kept("p/a", "k1", 0, 2, 1), kept("p/a", "k2", 1, 3, 1)}, true)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(changed[0])
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, at int, path string, damaged []byte) {
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		files, err := k.Read("p/a", "smoke")
		switch {
		case err == nil && (filepath.Ext(path) != ".gz" || at >= 10):
			t.Errorf("%s %d of %s: read %d runs, want an error", what, at, path, len(files))
		case err != nil && !errors.Is(err, trace.ErrDamaged) && !errors.Is(err, trace.ErrFormat):
			t.Errorf("%s %d of %s: error %v, want one that says that the pack is damaged", what, at, path, err)
		}
	}
	for i := 0; i < len(text); i += 5 {
		flipped := bytes.Clone(text)
		flipped[i] ^= 1 << (i % 8)
		refused("a bit of byte", i, changed[0], flipped)
		refused("cut at", i, changed[0], text[:i])
	}
	var short bytes.Buffer
	z := gzip.NewWriter(&short)
	_, err = z.Write(text)
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	for i := range short.Len() {
		if i%4 > 0 && i < short.Len()-12 || i == short.Len()-9 { // the last bits before the checksum are not used
			continue
		}
		flipped := bytes.Clone(short.Bytes())
		flipped[i] ^= 1 << (i % 8)
		refused("a bit of byte", i, changed[0]+".gz", flipped)
		refused("cut at", i, changed[0]+".gz", short.Bytes()[:i])
	}
	if err := os.Remove(changed[0] + ".gz"); err != nil {
		t.Fatal(err)
	}
	later := strings.Replace(string(text), "gaplab-pack/1", "gaplab-pack/2", 1)
	if err := os.WriteFile(changed[0], []byte(later), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Read("p/a", "smoke"); err == nil || !strings.Contains(err.Error(), "not a layout") {
		t.Errorf("error for the later format gaplab-pack/2: %v, want \"not a layout\"", err)
	}
}

// TestPackedRows checks that rows with any finite values are read back with the same bits.
func TestPackedRows(t *testing.T) {
	k := store.Keep(t.TempDir())
	names := rapid.SampledFrom([]string{"a", "b", "primal", "seconds"})
	value := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 5e-324, 1e21, 1e-7}))
	rapid.Check(t, func(t *rapid.T) {
		f := kept("p/a", "k1", 0, 0, 1)
		for range rapid.IntRange(0, 5).Draw(t, "rows") {
			values := rapid.MapOfN(names, value, 1, 4).Draw(t, "values")
			f.Rows = append(f.Rows, trace.Row{Values: maps.Clone(values)})
		}
		if _, err := k.Write("p/a", "paper", []*trace.File{f}, false); err != nil {
			t.Fatal(err)
		}
		files, err := k.Read("p/a", "paper")
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(f.Rows, files[0].Rows, bitwise()); d != "" {
			t.Fatal(d)
		}
	})
}

// TestAlmostConstantColumns checks for all columns of three rows with the values 0, −0, 1 or none that a pack keeps
// the bits of each value.
func TestAlmostConstantColumns(t *testing.T) {
	k := store.Keep(t.TempDir())
	values := []float64{0, math.Copysign(0, -1), 1}
	var files []*trace.File
	for code := range 64 {
		f := kept("p/a", fmt.Sprint("k", code), code, 0, 1)
		for range 3 {
			row := trace.Row{Values: map[string]float64{"passes": float64(len(f.Rows))}}
			if v := code % 4; v < len(values) {
				row.Values["a"] = values[v]
			}
			f.Rows, code = append(f.Rows, row), code/4
		}
		files = append(files, f)
	}
	if _, err := k.Write("p/a", "paper", files, false); err != nil {
		t.Fatal(err)
	}
	got, err := k.Read("p/a", "paper")
	if err != nil || len(got) != len(files) {
		t.Fatalf("%d runs are read, error %v; want %d", len(got), err, len(files))
	}
	for i, f := range files {
		if d := cmp.Diff(f.Rows, got[i].Rows, bitwise()); d != "" {
			t.Errorf("rows of run %d: %s", i, d)
		}
	}
}
