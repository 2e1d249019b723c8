package crate

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// entry is a file of a zip file that a test makes.
type entry struct {
	zip.FileHeader
	text []byte
}

// zipOf returns the path of a zip file with the files of a crate, except those that entries replace, and with entries.
func zipOf(t *testing.T, c *Crate, entries ...entry) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	replaced := map[string]bool{}
	for _, e := range entries {
		replaced[e.Name] = true
	}
	for _, f := range c.all() {
		if !replaced[f.Path] {
			entries = append(entries, entry{zip.FileHeader{Name: f.Path}, f.Text})
		}
	}
	for _, e := range entries {
		create := z.CreateHeader
		if e.UncompressedSize64 > 0 { // the test states the sizes itself
			create = z.CreateRaw
		}
		w, err := create(&e.FileHeader)
		if err == nil {
			_, err = w.Write(e.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return written(t, "x.zip", out.Bytes())
}

// zeros returns n compressed zeros.
func zeros(t *testing.T, n int64) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(w, endless{}, n); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestOpenRefuses checks the messages for files that are no crates, and for crates that could harm the reader.
func TestOpenRefuses(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test writes and reads tens of archives, some of them large")
	}
	c := small(t)
	link := zip.FileHeader{Name: "smoke/link"}
	link.SetMode(os.ModeSymlink | 0o777)
	bomb := zeros(t, 64<<20)
	stated := zip.FileHeader{Name: "smoke/bomb", Method: zip.Deflate, CompressedSize64: uint64(len(bomb)),
		UncompressedSize64: 1 << 40}
	graph := func(text string) entry {
		return entry{zip.FileHeader{Name: Metadata}, []byte(text)}
	}
	for _, test := range []struct{ name, path, want string }{
		{"text", written(t, "x.zip", []byte("no zip")), "neither a zip file nor a folder"},
		{"empty file", written(t, "x.zip", nil), "neither a zip file nor a folder"},
		{"empty folder", t.TempDir(), "it has no " + Metadata},
		{"way out", zipOf(t, c, entry{zip.FileHeader{Name: "../x"}, nil}), `"../x" leads out of the crate`},
		{"way out within", zipOf(t, c, entry{zip.FileHeader{Name: "a/../../x"}, nil}), "leads out of the crate"},
		{"absolute name", zipOf(t, c, entry{zip.FileHeader{Name: "/etc/x"}, nil}), "leads out of the crate"},
		{"backslash", zipOf(t, c, entry{zip.FileHeader{Name: `..\x`}, nil}), "leads out of the crate"},
		{"link", zipOf(t, c, entry{link, []byte("/etc/passwd")}), "smoke/link is a symbolic link"},
		{"twice", zipOf(t, c, entry{zip.FileHeader{Name: "a"}, nil}, entry{zip.FileHeader{Name: "a"}, nil}), `two files "a"`},
		{"stated bomb", zipOf(t, c, entry{stated, bomb}), "smoke/bomb has more than"},
		{"no JSON", zipOf(t, c, graph("{")), "unexpected end of JSON"},
		{"no graph", zipOf(t, c, graph("{}")), "does not say that it conforms to"},
		{"other JSON", zipOf(t, c, graph(`{"@graph":[{"@id":7}]}`)), "cannot unmarshal number"},
		{"no root", zipOf(t, c, graph(`{"@graph":[{"@id":"ro-crate-metadata.json","conformsTo":`+
			`{"@id":"https://w3id.org/ro/crate/1.1"}}]}`)), "describes no root data set"},
	} {
		_, err := Open(test.path)
		if !errors.Is(err, trace.ErrDamaged) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v; want ErrDamaged with %q", test.name, err, test.want)
		}
	}
	cut := zipped(t, c)
	text, err := os.ReadFile(cut)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(written(t, "cut.zip", text[:len(text)/2])); !errors.Is(err, trace.ErrDamaged) {
		t.Errorf("half a zip file: error %v; want ErrDamaged", err)
	}
	dir := filepath.Join(t.TempDir(), "crate")
	if err := c.Folder(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "x")); err != nil {
		t.Skip(err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "x is a symbolic link") {
		t.Errorf("a link in a folder: error %v", err)
	}
}

// TestLimits checks the limits of a crate at their borders: the size of a file, of all files, and the number of files.
func TestLimits(t *testing.T) {
	many := map[string]int64{}
	for i := range mostFiles - 1 {
		many[fmt.Sprint(i)] = 1
	}
	full := map[string]int64{"a": mostBytes - 100}
	for _, c := range []struct {
		name  string
		there map[string]int64
		size  int64
		want  string
	}{
		{"large file", nil, mostFile, ""},
		{"too large file", nil, mostFile + 1, "x has more than"},
		{"full", full, 100, ""},
		{"too full", full, 101, "its files have more than"},
		{"many", many, 1, ""},
		{"too many", nil, 1, fmt.Sprintf("more than %d files", mostFiles)},
	} {
		o := &Opened{sizes: maps.Clone(c.there)}
		if o.sizes == nil {
			o.sizes = map[string]int64{}
		}
		if c.name == "too many" {
			o.sizes = maps.Clone(many)
			o.sizes["one more"] = 1
		}
		err := o.enter("x", c.size)
		if c.want == "" && (err != nil || o.sizes["x"] != c.size) {
			t.Errorf("%s: error %v; want none, and the file entered", c.name, err)
		} else if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v; want %q", c.name, err, c.want)
		}
	}
}

// TestForeignMetadata checks what Open reads from metadata that another program wrote: values may be alone or in a
// list, sizes numbers or texts, names may begin with ./, and entities that are no files are passed over.
func TestForeignMetadata(t *testing.T) {
	const about = `{"@id":"ro-crate-metadata.json","conformsTo":CONFORMS,"about":ABOUT}`
	const file = `{"@id":"./x.json","@type":TYPE,"contentSize":SIZE,"sha256":"SUM"}`
	for _, c := range []struct{ conforms, about, root, files, want string }{
		{`{"@id":"https://w3id.org/ro/crate/1.1"}`, `{"@id":"./"}`, `"Dataset"`, file, ""},
		{`[{"@id":"https://w3id.org/ro/crate/1.2"},{"@id":"x"}]`, `[{"@id":"./"}]`, `["x","Dataset"]`, file, ""},
		{`[{"@id":"x"},"y",{"@id":"https://w3id.org/ro/crate/1.1"}]`, `{"@id":"./"}`, `"Dataset"`, file, ""},
		{`{"@id":"https://w3id.org/ro/crate/2.0"}`, `{"@id":"./"}`, `"Dataset"`, file, "does not say that it conforms to"},
		{`"https://w3id.org/ro/crate/1.1"`, `{"@id":"./"}`, `"Dataset"`, file, "does not say that it conforms to"},
		{`{"@id":"https://w3id.org/ro/crate/1.1"}`, `[{"@id":"./"},{"@id":"x"}]`, `"Dataset"`, file, "no root data set"},
		{`{"@id":"https://w3id.org/ro/crate/1.1"}`, `{"@id":"./"}`, `"File"`, file, "no root data set"},
		{`{"@id":"https://w3id.org/ro/crate/1.1"}`, `{"@id":"./"}`, `"Dataset"`, file + "," + file, "two entities"},
		{`{"@id":"https://w3id.org/ro/crate/1.1"}`, `{"@id":"./"}`, `"Dataset"`, `{"@id":"x"}`, `hasPart names "./x.json"`},
		{`{"@id":"https://w3id.org/ro/crate/1.1"}`, `{"@id":"./"}`, `"Dataset"`, strings.Replace(file, "SUM", "", 1),
			"lacks contentSize or sha256"},
		{`{"@id":"https://w3id.org/ro/crate/1.1"}`, `{"@id":"./"}`, `"Dataset"`, strings.Replace(file, "SIZE", `"2 B"`, 1),
			"lacks contentSize or sha256"},
	} {
		for _, size := range []string{`"2"`, "2"} {
			for _, kind := range []string{`"File"`, `["x","File"]`} {
				dir := t.TempDir()
				text := `{"@graph":[` + about + `,{"@id":"./","@type":ROOT,"hasPart":[{"@id":"./x.json"},{"@id":"#p"}]},FILES,` +
					`{"@id":"#p","@type":"Person"}]}`
				text = strings.NewReplacer("CONFORMS", c.conforms, "ABOUT", c.about, "ROOT", c.root, "FILES", c.files).Replace(text)
				text = strings.NewReplacer("TYPE", kind, "SIZE", size, "SUM", fmt.Sprintf("%X", sha256.Sum256([]byte("{}")))).
					Replace(text)
				for name, content := range map[string]string{Metadata: text, "x.json": "{}", "ro-crate-preview.html": "page"} {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				o, err := Open(dir)
				if c.want != "" {
					if !errors.Is(err, trace.ErrDamaged) || !strings.Contains(err.Error(), c.want) {
						t.Errorf("%s: error %v; want %q", text, err, c.want)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s: %v", text, err)
					continue
				}
				if r := o.Check(""); r.Files != 1 || len(r.Damage) > 0 {
					t.Errorf("%s: %d files, damage %q; want one file without damage", text, r.Files, r.Damage)
				}
				if err := o.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// TestDamage checks that each change of a crate is found and named.
func TestDamage(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test writes and reads tens of archives, some of them large")
	}
	c := small(t)
	pack := "smoke/eg/lem1.jsonl"
	var text []byte
	for _, f := range c.Files {
		if f.Path == pack {
			text = f.Text
		}
	}
	changed := bytes.Clone(text)
	changed[len(changed)/2] ^= 1
	bomb := zeros(t, 64<<20)
	lying := zip.FileHeader{Name: pack, Method: zip.Deflate, CompressedSize64: uint64(len(bomb)),
		UncompressedSize64: uint64(len(text))}
	for _, test := range []struct{ name, path, want string }{
		{"changed byte", zipOf(t, c, entry{zip.FileHeader{Name: pack}, changed}), pack + ": its SHA-256 is"},
		{"longer", zipOf(t, c, entry{zip.FileHeader{Name: pack}, append(bytes.Clone(text), '\n')}), pack + ": it has"},
		{"other file", zipOf(t, c, entry{zip.FileHeader{Name: "smoke/x"}, nil}), "smoke/x: the metadata do not list it"},
		{"lying bomb", zipOf(t, c, entry{lying, bomb}), pack + ": "},
		{"compressed again", zipOf(t, c, entry{zip.FileHeader{Name: pack, Method: zip.Deflate}, text}), ""},
	} {
		r := opened(t, test.path).Check("")
		if all := strings.Join(r.Damage, "\n"); !strings.Contains(all, test.want) || (all == "") != (test.want == "") {
			t.Errorf("%s: damage %q; want %q", test.name, all, test.want)
		}
		if test.want == "" != (r.Packs == 2) || r.Packs != 2 && (r.Packs != 0 || len(r.Runs) > 0) {
			t.Errorf("%s: %d packs and %d runs were checked; want both packs of a whole crate, else none", test.name, r.Packs,
				len(r.Runs))
		}
	}
	dir := filepath.Join(t.TempDir(), "crate")
	if err := c.Folder(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, filepath.FromSlash(pack))); err != nil {
		t.Fatal(err)
	}
	if r := opened(t, dir).Check(""); len(r.Damage) != 1 || !strings.Contains(r.Damage[0], "but it is missing") {
		t.Errorf("a missing file: damage %q", r.Damage)
	}
}
