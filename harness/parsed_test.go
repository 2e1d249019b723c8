package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestParsedDataLeaveResults checks that the rows, key and manifest of a run do not depend on the cache of parsed data.
// It tests a cache that is off, a cache that is written, and a cache that is read.
func TestParsedDataLeaveResults(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "%d 1:%d 2:0.%d 7:%de-3\n", i%3, i%3-1, i, i*i)
	}
	if err := os.WriteFile(filepath.Join(dir, "rows"), []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	s := readSpec(t, specOn("format: libsvm, path: "+filepath.Join(dir, "rows")+", validation: 0.2",
		"multiclass, loss: hinge", `regularisation: {convention: lambda, lambda: 0.01}
solvers: [{name: bcfw}]
stop: {passes: 5}
`))
	kept := datasets.Parsed{Folder: filepath.Join(dir, "parsed"), Limit: 1 << 20}
	var first *trace.File
	for _, c := range []struct {
		name string
		src  datasets.Source
		sets int // number of data sets that the cache contains afterwards
	}{
		{"no cache", datasets.Source{}, 0},
		{"cache written", datasets.Source{Parsed: kept}, 1},
		{"cache read", datasets.Source{Parsed: kept}, 1},
	} {
		r := runIn(t, t.TempDir(), s, Options{Source: &c.src})
		if sets, _, err := kept.Size(); sets != c.sets || err != nil {
			t.Errorf("%s: %d data sets in the cache, want %d (%v)", c.name, sets, c.sets, err)
		}
		f := r.Files[0]
		if first == nil {
			first = f
		}
		if d := trace.Diff(first, f); d != "" {
			t.Errorf("%s: the rows differ: %s", c.name, d)
		}
		if f.Manifest.Key != first.Manifest.Key || !reflect.DeepEqual(f.Manifest.Data, first.Manifest.Data) ||
			!reflect.DeepEqual(f.Manifest.Warnings, first.Manifest.Warnings) {
			t.Errorf("%s: key, data or warnings of the manifest differ; data = %+v, want %+v", c.name, f.Manifest.Data,
				first.Manifest.Data)
		}
	}
}
