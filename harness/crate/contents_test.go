package crate

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/results"
)

// TestContents checks the files of a crate: of each experiment the results, the spec and, if it exists, the figure, and
// once the record of the edition at the scale, in the order of their paths, with their names. Ids that are given twice
// or in another order change nothing.
func TestContents(t *testing.T) {
	all := fstest.MapFS{"smoke/eg/lem1.svg": {Data: []byte("figure")}, "smoke/edition.json": {Data: []byte("{}")},
		"paper/edition.json": {Data: []byte("other")}, "smoke/eg/other.svg": {Data: []byte("other")}}
	for _, name := range []string{"smoke/eg/lem1.jsonl", "smoke/cutting-plane/lem2.jsonl"} {
		text, err := results.References.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = &fstest.MapFile{Data: text}
	}
	want := []string{"smoke/cutting-plane/lem2.jsonl Results of cutting-plane/lem2", "smoke/edition.json Record of the " +
		"edition: program, machine and sittings", "smoke/eg/lem1.jsonl Results of eg/lem1", "smoke/eg/lem1.svg Figure of " +
		"eg/lem1", "specs/cutting-plane/lem2.yaml Spec of cutting-plane/lem2", "specs/eg/lem1.yaml Spec of eg/lem1"}
	var first []byte
	for _, ids := range [][]string{nil, {"eg/lem1", "cutting-plane/lem2"}, {"eg/lem1", "cutting-plane/lem2", "eg/lem1"}} {
		c, err := Make(Contents{Results: all, Scale: "smoke", IDs: ids, Licence: "https://example.org/licences/X-1"})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range c.Files {
			got = append(got, f.Path+" "+f.entity()["name"].(string))
			if there, ok := all[f.Path]; ok && !bytes.Equal(f.Text, there.Data) {
				t.Errorf("%s has another text", f.Path)
			}
		}
		if !slices.Equal(got, want) || len(c.Added) > 0 || len(c.Experiments) != 2 {
			t.Errorf("%v: files %q, want %q", ids, got, want)
		}
		if first == nil {
			first = c.metadata
		} else if !bytes.Equal(first, c.metadata) {
			t.Errorf("%v: other metadata than those of all experiments", ids)
		}
		for _, e := range metadataOf(t, c) {
			licence := fmt.Sprint(references(e["license"]), references(e["author"]), references(e["conformsTo"]))
			switch e["@id"] {
			case "./":
				if licence != "[https://example.org/licences/X-1] [#authors] ["+profile+"]" {
					t.Errorf("the root data set has licence, author and profile %s", licence)
				}
			case Metadata:
				if licence != "[] [] ["+specification+"]" || fmt.Sprint(references(e["about"])) != "[./]" {
					t.Errorf("the descriptor is %v", e)
				}
			case "https://example.org/licences/X-1":
				if e["name"] != "X-1" {
					t.Errorf("the licence is %v, want the name X-1", e)
				}
			}
		}
	}
}

// TestDataEntities checks the entities of data sets with files: the address and the size of each file that the
// catalogue knows, the checksums of all settings and the files of all runs, each once and sorted, and the licence. Data
// that are drawn, and those that the catalogue does not know, say so or have no licence.
func TestDataEntities(t *testing.T) {
	var known datasets.Entry
	for _, e := range catalogue.DataSets() {
		if len(e.Files) > 1 && len(e.Files[0].URLs) > 1 && e.Files[0].Bytes > 0 {
			known = e
			break
		}
	}
	if known.Name == "" {
		for _, e := range catalogue.DataSets() {
			if len(e.Files) > 1 && len(e.Files[0].URLs) > 0 && e.Files[0].Bytes > 0 {
				known = e
			}
		}
	}
	one, two := known.Files[0], known.Files[1]
	g := &graph{seen: map[string]bool{}}
	for _, m := range []trace.DataManifest{
		{Name: known.Name, Checksum: "b", Files: map[string]string{two.Name: "sum 2"}},
		{Name: "drawn", Checksum: "x", Synthetic: true},
		{Name: known.Name, Checksum: "a", Files: map[string]string{one.Name: "sum 1", "drawn/own": "sum 3"}},
		{Name: known.Name, Checksum: "b"},
		{Name: known.Name, Checksum: "c", Files: map[string]string{two.Name: "sum 2"}},
	} {
		if id := g.data(m); id != "#data/"+m.Name {
			t.Errorf("the identifier of %s is %s", m.Name, id)
		}
	}
	id := func(name string) string {
		return "#data/" + known.Name + "/" + strings.TrimPrefix(name, known.Name+"/")
	}
	byID := map[string]entity{}
	for _, e := range g.list {
		byID[e["@id"].(string)] = e
	}
	parts := []string{id(one.Name), id(two.Name), id("drawn/own")}
	slices.Sort(parts)
	set, drawn := byID["#data/"+known.Name], byID["#data/drawn"]
	if !slices.Equal(set["identifier"].([]string), []string{"a", "b", "c"}) ||
		set["name"] != known.Name+": "+known.Title ||
		fmt.Sprint(set["hasPart"]) != fmt.Sprint(refs(parts)) || fmt.Sprint(set["license"]) != fmt.Sprint(ref("#licence/"+
		known.Name)) || byID["#licence/"+known.Name]["description"] != known.Licence {
		t.Errorf("the data set is %v, with the licence %v; want the parts %q", set, byID["#licence/"+known.Name], parts)
	}
	if drawn["name"] != "drawn" || drawn["license"] != nil || drawn["hasPart"] != nil ||
		!strings.Contains(drawn["description"].(string), "drawn from a seed") ||
		strings.Contains(set["description"].(string), "drawn from a seed") {
		t.Errorf("the drawn data set is %v, the other one %v", drawn, set)
	}
	for i, f := range []datasets.File{one, two, {Name: "drawn/own"}} {
		e := byID[id(f.Name)]
		var url, size any
		if len(f.URLs) > 0 {
			url = f.URLs[0]
		}
		if f.Bytes > 0 {
			size = strconv.FormatInt(f.Bytes, 10)
		}
		if e["sha256"] != fmt.Sprint("sum ", i+1) || e["name"] != f.Name || e["url"] != url || e["contentSize"] != size {
			t.Errorf("the file %s is %v; want the address %v and the size %v", f.Name, e, url, size)
		}
	}
}

// TestNamesInMetadata checks that a name in the metadata that leads out of the crate is refused, that a folder in a zip
// file is no file of it, and that its name is checked all the same.
func TestNamesInMetadata(t *testing.T) {
	byID := func(name string) map[string]node {
		return map[string]node{name: {ID: name, Type: oneOf{"File"}, ContentSize: "1", SHA256: "x"}}
	}
	for _, name := range []string{"../x", "/x", `a\x`, "a/../../x", ""} {
		if _, err := listOf(byID(name), node{HasPart: pointer{name}}); err == nil || !strings.HasPrefix(err.Error(),
			Metadata+": the file name ") {
			t.Errorf("%q: error %v; want that the name leads out of the crate", name, err)
		}
	}
	if list, err := listOf(byID("./a/x"), node{HasPart: pointer{"./a/x"}}); err != nil || len(list) != 1 ||
		list[0] != (listed{"a/x", 1, "x"}) {
		t.Errorf("./a/x is read as %v, %v", list, err)
	}
	c := small(t)
	r := opened(t, zipOf(t, c, entry{zip.FileHeader{Name: "smoke/"}, nil}, entry{zip.FileHeader{Name: "empty/"}, nil})).
		Check("")
	if len(r.Damage)+len(r.Wrong) > 0 || r.Packs != 2 {
		t.Errorf("a zip file with folders: damage %q, %d packs", r.Damage, r.Packs)
	}
	if _, err := Open(zipOf(t, c, entry{zip.FileHeader{Name: "../smoke/"}, nil})); !errors.Is(err, trace.ErrDamaged) {
		t.Errorf("a folder above the crate: error %v", err)
	}
}

// TestFilesInZip checks that the metadata are the first file of a zip file, and that no file is compressed.
func TestFilesInZip(t *testing.T) {
	c := small(t)
	z, err := zip.OpenReader(zipped(t, c))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		if f.Method != zip.Store || path.Clean(f.Name) != f.Name {
			t.Errorf("%s: method %d", f.Name, f.Method)
		}
	}
	want := []string{Metadata}
	for _, f := range c.Files {
		want = append(want, f.Path)
	}
	if !slices.Equal(names, want) {
		t.Errorf("files %q, want %q", names, want)
	}
}
