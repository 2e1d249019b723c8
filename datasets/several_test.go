package datasets

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets/internal/storetest"
)

// fileOf returns a file of the catalogue with a content.
func fileOf(name, content string) File {
	return File{Name: name, Bytes: int64(len(content)), SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(content)))}
}

// TestSeveralFiles checks a data set of three files: Fetch copies all of them, or says which it lacks; they are read in
// the order of the entry; the set has the checksum of each; and its own checksum depends on the name of the set, the
// settings, and each file.
func TestSeveralFiles(t *testing.T) {
	e := Entry{Name: "three"}
	for _, name := range []string{"b", "a", "c"} {
		e.Files = append(e.Files, fileOf("three/"+name, "content of "+name))
	}
	from, src := t.TempDir(), Source{Cache: t.TempDir(), Offline: true}
	for _, name := range []string{"a", "b"} {
		storetest.Write(t, from, name, storetest.Gzip("content of "+name))
	}
	var missing *MissingError
	if err := Fetch(t.Context(), e, src, from); !errors.As(err, &missing) || missing.File != "three/c" {
		t.Errorf("fetch without the last file: error %v, want one about three/c", err)
	}
	storetest.Write(t, from, "c", "content of c")
	if err := Fetch(t.Context(), e, src, from); err != nil || files(t, src.Cache) != "three/a.gz three/b.gz three/c" {
		t.Errorf("fetch: error %v, files in the cache = %q", err, files(t, src.Cache))
	}
	read := func(name string, list []File, settings ...string) (*Set, string) {
		set, order := &Set{Name: name, Files: map[string]string{}}, ""
		err := set.ReadFiles(t.Context(), src, list, settings, func(_ string, r io.Reader) error {
			text, err := io.ReadAll(r)
			order += string(text[len(text)-1:])
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return set, order
	}
	set, order := read("three", e.Files, "x", "y")
	if order != "bac" || len(set.Files) != 3 {
		t.Errorf("read in the order %s, with the checksums %v; want bac and three", order, set.Files)
	}
	for _, f := range e.Files {
		if set.Files[f.Name] != f.SHA256 {
			t.Errorf("checksum of %s = %s, want %s", f.Name, set.Files[f.Name], f.SHA256)
		}
	}
	sums := []string{set.Checksum}
	for _, other := range []func() (*Set, string){
		func() (*Set, string) { return read("other", e.Files, "x", "y") },
		func() (*Set, string) { return read("three", e.Files, "x") },
		func() (*Set, string) { return read("three", e.Files, "z", "y") },
		func() (*Set, string) { return read("three", e.Files, "x", "z") },
		func() (*Set, string) { return read("three", e.Files, "xy", "") },
		func() (*Set, string) { return read("three", e.Files[:2], "x", "y") },
		func() (*Set, string) { return read("three", e.Files[1:], "x", "y") },
		func() (*Set, string) { return read("three", []File{e.Files[0], e.Files[2], e.Files[1]}, "x", "y") },
	} {
		s, _ := other()
		if slices.Contains(sums, s.Checksum) {
			t.Errorf("two sets with different names, settings or files have the checksum %s", s.Checksum)
		}
		sums = append(sums, s.Checksum)
	}
	if again, _ := read("three", e.Files, "x", "y"); again.Checksum != set.Checksum {
		t.Error("the same files and settings give another checksum")
	}
}

// TestWhichCopy checks which of several copies of a file is read: that in the data folder before that in the cache, and
// that with the name of the catalogue before one with another suffix. Folders are no copies.
func TestWhichCopy(t *testing.T) {
	const content = "content"
	f := fileOf("set/rows.gz", content)
	for _, c := range []struct {
		data, cache []string // names of the copies; a name that ends in / is a folder
		want        string
	}{
		{[]string{"set/rows"}, []string{"set/rows.gz"}, InData + " rows"},
		{[]string{"set/rows", "set/rows.gz", "set/rows.bz2"}, nil, InData + " rows.gz"},
		{nil, []string{"set/rows.bz2", "set/rows.gz"}, InCache + " rows.gz"},
		{[]string{"set/rows.gz/x"}, []string{"set/rows"}, InCache + " rows"},
		{[]string{"set/rows.gz/x", "set/rows.bz2"}, []string{"set/rows"}, InData + " rows.bz2"},
		{[]string{"rows.gz", "rows"}, nil, ""}, {nil, nil, ""},
	} {
		src := Source{Data: t.TempDir(), Cache: t.TempDir()}
		for _, name := range c.data {
			storetest.Write(t, src.Data, name, content)
		}
		for _, name := range c.cache {
			storetest.Write(t, src.Cache, name, content)
		}
		s := Locate(Entry{Files: []File{f}}, src)[0]
		got := ""
		if s.Path != "" {
			got = s.Place + " " + filepath.Base(s.Path)
		}
		if got != c.want || (s.Status == Found) != (c.want != "") {
			t.Errorf("copies %q and %q: %s, %s, want %q", c.data, c.cache, s.Status, s.Path, c.want)
		}
	}
}
