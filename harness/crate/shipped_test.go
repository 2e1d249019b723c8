package crate

import (
	"archive/zip"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/shipped"
	"github.com/gaplab/gaplab/results"
)

// TestShipped checks that a crate of all results is a place of the results of a program, as a zip file and as a folder,
// and that a crate of some results is not.
func TestShipped(t *testing.T) {
	all := fstest.MapFS{}
	for _, name := range []string{"eg/lem1.jsonl", "cutting-plane/lem2.jsonl"} {
		text, err := results.References.ReadFile("smoke/" + name)
		if err != nil {
			t.Fatal(err)
		}
		all["smoke/"+name] = &fstest.MapFile{Data: text}
	}
	sum, err := shipped.Sum(all, []string{"smoke"})
	if err != nil {
		t.Fatal(err)
	}
	whole := small(t)
	part, err := Make(Contents{Results: all, Scale: "smoke", IDs: []string{"eg/lem1"}})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "crate")
	if err := whole.Folder(dir); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ from, want string }{
		{zipped(t, whole), ""},
		{dir, ""},
		{zipped(t, part), "another version of gaplab"},
		{zipOf(t, whole, entry{zip.FileHeader{Name: "a", Method: zip.Deflate}, nil}), "compressed or too large; extract it"},
	} {
		r := shipped.New(shipped.Config{Inside: fstest.MapFS{}, Scales: []string{"smoke"}, SHA256: sum, From: test.from,
			Source: datasets.Source{Cache: t.TempDir()}})
		found, err := r.Find("")
		if test.want == "" && (err != nil || len(found) < 3) {
			t.Errorf("%s: %d runs, error %v; want those of two experiments", test.from, len(found), err)
		}
		if test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: error %v; want %q", test.from, err, test.want)
		}
	}
}
