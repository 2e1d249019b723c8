package crate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gaplab/gaplab/results"
)

// small returns a crate of two short experiments, from the references of the gate.
func small(t *testing.T) *Crate {
	t.Helper()
	c, err := Make(Contents{Results: results.References, Place: "gaplab:", Scale: "smoke",
		IDs: []string{"eg/lem1", "cutting-plane/lem2"}, Licence: "https://spdx.org/licenses/BSD-3-Clause"})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// zipped writes a crate as a zip file and returns its path.
func zipped(t *testing.T, c *Crate) string {
	t.Helper()
	var out bytes.Buffer
	if err := c.Zip(&out); err != nil {
		t.Fatal(err)
	}
	return written(t, "x.zip", out.Bytes())
}

// written writes a file into a new folder and returns its path.
func written(t *testing.T, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// opened opens a crate until the end of the test.
func opened(t *testing.T, path string) *Opened {
	t.Helper()
	o, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	return o
}

// TestWhole checks that equal results give equal bytes, and that a whole crate has no faults, as a zip file and as a
// folder.
func TestWhole(t *testing.T) {
	c := small(t)
	var a, b bytes.Buffer
	if err := errors.Join(c.Zip(&a), small(t).Zip(&b)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("two crates of equal results differ")
	}
	dir := filepath.Join(t.TempDir(), "crate")
	if err := c.Folder(dir); err != nil {
		t.Fatal(err)
	}
	if err := c.Folder(dir); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("a folder with files: error %v; want ErrNotEmpty", err)
	}
	for _, path := range []string{dir, zipped(t, c)} {
		r := opened(t, path).Check("")
		if len(r.Damage)+len(r.Wrong) > 0 || r.Files != len(c.Files) || r.Packs != 2 || len(r.Runs) < 3 {
			t.Errorf("%s: %+v; want no faults, %d files and 2 experiments", path, r, len(c.Files))
		}
		if r := opened(t, path).Check("paper"); r.Packs != 0 {
			t.Errorf("%s: %d experiments at scale paper; want none", path, r.Packs)
		}
	}
}

// TestMakeErrors checks the errors of results that do not exist.
func TestMakeErrors(t *testing.T) {
	for _, c := range []Contents{
		{Results: fstest.MapFS{}, Scale: "smoke"},
		{Results: results.References, Scale: "paper", IDs: []string{"eg/lem1"}},
		{Results: results.References, Scale: "smoke", IDs: []string{"eg/none"}},
	} {
		c.Place = "gaplab:"
		want := "there are no results at scale smoke in gaplab:"
		if len(c.IDs) > 0 {
			want = fmt.Sprintf("%s: file does not exist: there is no gaplab:%s/%[1]s.jsonl", c.IDs[0], c.Scale)
		}
		if _, err := Make(c); !errors.Is(err, fs.ErrNotExist) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("scale %s, %v: error %v; want fs.ErrNotExist with %q", c.Scale, c.IDs, err, want)
		}
	}
}

// TestMakeAll checks the crate of all references.
func TestMakeAll(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all references")
	}
	all, err := Make(Contents{Results: results.References, Scale: "smoke"})
	if err != nil {
		t.Fatal(err)
	}
	path := zipped(t, all)
	if r := opened(t, path).Check("smoke"); len(r.Damage)+len(r.Wrong) > 0 || r.Packs != len(all.Experiments) {
		t.Errorf("the crate of all references: damage %v, wrong %v, %d experiments", r.Damage, r.Wrong, r.Packs)
	}
}

// TestAdded checks that the experiments whose packs contain runs of a selected experiment are added, and that the crate
// is whole with them.
func TestAdded(t *testing.T) {
	c, err := Make(Contents{Results: results.References, Scale: "smoke", IDs: []string{"cutting-plane/fig3"}})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(c.Added)
	if !slices.Equal(c.Added, []string{"cutting-plane/cache", "cutting-plane/cor1"}) {
		t.Errorf("added %v; want cutting-plane/cache and cor1, whose packs have runs of fig3", c.Added)
	}
	if r := opened(t, zipped(t, c)).Check(""); len(r.Damage)+len(r.Wrong) > 0 || r.Packs != 3 {
		t.Errorf("damage %v, wrong %v, %d experiments; want 3 without faults", r.Damage, r.Wrong, r.Packs)
	}
}
