package datasets

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// member is a file in an archive.
type member struct{ name, content string }

// zipOf is a zip archive of the members, in their order. A name that ends in a slash is a folder.
func zipOf(t testing.TB, members ...member) string {
	t.Helper()
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for _, m := range members {
		w, err := archive.Create(m.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, m.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// toyMembers are those of an archive of the toy's file, cut in three parts, and of a second file.
func toyMembers() []member {
	third := len(toyContent) / 3
	return []member{
		{"top/", ""},
		{"top/part_2.txt", toyContent[third : 2*third]},
		{"top/README", "not a part"},
		{"top/other.txt", "other content\n"},
		{"top/part_3.txt", toyContent[2*third:]},
		{"top/part_1.txt", toyContent[:third]},
		{"top/deeper/part_4.txt", "not a part"},
	}
}

// archived is an entry of two files in one archive, toy/rows and toy/other.
func archived(urls ...string) Entry {
	e := toy(urls...)
	e.Files[0].Member = "*/part_*.txt"
	sum := sha256.Sum256([]byte("other content\n"))
	e.Files = append(e.Files, File{
		Name: "toy/other.gz", URLs: urls, Member: "*/other.txt", Bytes: 14, SHA256: hex.EncodeToString(sum[:]),
	})
	return e
}

func TestDownloadArchive(t *testing.T) {
	base, requests := server(t, whole(zipOf(t, toyMembers()...), toyDate))
	e, src := archived(base+".zip"), Source{Cache: t.TempDir()}
	ctx := context.Background()
	for _, c := range []struct {
		name     string
		damage   []string // files of the cache
		requests int32    // in all
	}{
		{"an empty cache: one download serves both files", nil, 1},
		{"a damaged file: taken out of the archive again", []string{"toy/rows"}, 1},
		{"a damaged archive: not read while its files are right", []string{"toy/rows.zip"}, 1},
		{"a damaged file and archive", []string{"toy/rows", "toy/rows.zip"}, 2},
	} {
		for _, name := range c.damage {
			write(t, src.Cache, name, "damaged")
		}
		if err := Fetch(ctx, e, src, ""); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		checkRead(t, e, src)
		if list, err := Verify(ctx, e, src); err != nil || list[0].State != OK || list[1].State != OK {
			t.Errorf("%s: statuses %+v, %v", c.name, list, err)
		}
		if got := files(t, src.Cache); got != "toy/other toy/rows toy/rows.zip" || requests.Load() != c.requests {
			t.Errorf("%s: the cache holds %q after %d requests: want other, rows and rows.zip after %d", c.name, got,
				requests.Load(), c.requests)
		}
	}
}

// What holds for a plain file that broke off holds for an archive.
func TestDownloadArchiveResumes(t *testing.T) {
	packed := zipOf(t, toyMembers()...)
	sent := len(packed) / 2
	var ranges []string
	handler := brokenOff(packed, sent)
	base, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		ranges = append(ranges, r.Header.Get("Range"))
		handler(w, r)
	})
	e, src := archived(base+".zip"), Source{Cache: t.TempDir()}
	part := partPath("toy/rows.zip", base+".zip")
	if err := Fetch(context.Background(), e, src, ""); !errors.Is(err, ErrMissing) ||
		!strings.Contains(err.Error(), "fetch again to resume") {
		t.Errorf("broken-off archive: %v", err)
	}
	if got := files(t, src.Cache); got != part {
		t.Fatalf("after a broken-off archive the cache holds %q: want %q", got, part)
	}
	handler = whole(packed, toyDate)
	checkRead(t, e, src)
	if len(ranges) != 2 || ranges[1] == "" || files(t, src.Cache) != "toy/rows toy/rows.zip" {
		t.Errorf("ranges %q, the cache holds %q: want the rest alone, then rows and rows.zip", ranges, files(t, src.Cache))
	}

	// A part of the right date with wrong bytes is seen only when it is unpacked: then all is sent again.
	src = Source{Cache: t.TempDir()}
	write(t, src.Cache, part, strings.Repeat("x", len(packed)))
	if err := os.Chtimes(filepath.Join(src.Cache, part), time.Time{}, toyDate); err != nil {
		t.Fatal(err)
	}
	checkRead(t, e, src)
	if len(ranges) != 4 || ranges[2] == "" || ranges[3] != "" {
		t.Errorf("ranges %q: want those of the part, then none", ranges[2:])
	}
}

// wrongArchives are archives that the toy's file cannot be taken out of, each with words of the error.
func wrongArchives(t *testing.T) map[string]struct{ content, want string } {
	packed := zipOf(t, toyMembers()...)
	stored := bytes.Buffer{}
	archive := zip.NewWriter(&stored)
	w, err := archive.CreateHeader(&zip.FileHeader{Name: "top/part_1.txt", Method: zip.Store})
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, toyContent)
	archive.Close()
	flipped := strings.Replace(stored.String(), "1 1:1 ", "1 1:7 ", 1)
	return map[string]struct{ content, want string }{
		"not a zip":             {"<html>not found</html>", "not a zip archive"},
		"nothing":               {"", "not a zip archive"},
		"cut off":               {packed[:len(packed)-30], "not a zip archive"},
		"no member":             {zipOf(t, member{"part_1.txt", toyContent}, member{"top/x", ""}), "none of the 2 members"},
		"no member but folders": {zipOf(t, member{"top/part_1.txt/", ""}), "none of the 1 members"},
		"wrong content":         {zipOf(t, member{"top/part_1.txt", toyContent[1:]}), "decompressed content has SHA-256"},
		"too much in one": {zipOf(t, member{"top/part_1.txt", strings.Repeat("0", 1<<23)}),
			"part_1.txt: more than the catalogue's 760000 bytes"},
		"too much in two": {zipOf(t, member{"top/part_2.txt", "1"}, member{"top/part_1.txt", toyContent}),
			"part_2.txt: more than the catalogue's"},
		"damaged member": {flipped, "part_1.txt: zip: checksum error"},
	}
}

func TestWrongArchives(t *testing.T) {
	for name, c := range wrongArchives(t) {
		base, _ := server(t, whole(c.content, toyDate))
		url, src := base+".zip", Source{Cache: t.TempDir()}
		_, err := toyLoad(archived(url), src)
		if !errors.Is(err, ErrMissing) || !errors.Is(err, ErrCorrupt) {
			t.Errorf("download, %s: error %v: want ErrMissing and ErrCorrupt", name, err)
			continue
		}
		for _, want := range []string{c.want, url + ": */part_*.txt: ", "gaplab data fetch toy --from DIR"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("download, %s: error %v: want %q", name, err, want)
			}
		}
		if got := files(t, src.Cache); got != "" {
			t.Errorf("download, %s: the cache holds %q: want nothing", name, got)
		}

		from := t.TempDir()
		write(t, from, "rows.zip", c.content)
		err = Fetch(context.Background(), archived(url), src, from)
		if !errors.Is(err, ErrCorrupt) || errors.Is(err, ErrMissing) {
			t.Errorf("from a folder, %s: error %v: want ErrCorrupt", name, err)
			continue
		}
		for _, want := range []string{c.want, filepath.Join(from, "rows.zip") + ": */part_*.txt: ",
			"the published one is at " + url} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("from a folder, %s: error %v: want %q", name, err, want)
			}
		}
		if got := files(t, src.Cache); got != "" {
			t.Errorf("from a folder, %s: the cache holds %q: want nothing", name, got)
		}
	}
}

// A small archive may hold more than the disk does: no more than one byte too many is written.
func TestUnpackingStopsBehindTheSize(t *testing.T) {
	f := archived("http://127.0.0.1/rows.zip").Files[0]
	packed := zipOf(t, member{"top/part_1.txt", strings.Repeat("0", 1<<23)}, member{"top/part_2.txt", "more"})
	archive, err := zip.NewReader(strings.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	members, err := f.members(archive)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := f.copyMembers(context.Background(), &out, members); err == nil || int64(out.Len()) != f.Bytes+1 {
		t.Errorf("%v after %d bytes: want an error after %d", err, out.Len(), f.Bytes+1)
	}
}

func TestUnpackCancelled(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "rows.zip", zipOf(t, toyMembers()...))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	archive := filepath.Join(dir, "rows.zip")
	_, err := archived("").Files[0].unpack(ctx, archive, archive, filepath.Join(dir, "rows"))
	if !errors.Is(err, context.Canceled) || errors.Is(err, ErrCorrupt) || files(t, dir) != "rows.zip" {
		t.Errorf("%v, the folder holds %q: want the cancellation and rows.zip", err, files(t, dir))
	}
}

func TestFetchArchiveFromFolder(t *testing.T) {
	packed := zipOf(t, toyMembers()...)
	for _, c := range []struct {
		name   string
		in     []member
		cached string
		want   string // of the error
	}{
		{"bare name", []member{{"rows.zip", packed}}, "toy/other toy/rows", ""},
		{"below the set's folder", []member{{"toy/rows.zip", packed}}, "toy/other toy/rows", ""},
		{"a mirror's name", []member{{"mirror.zip", packed}}, "toy/other toy/rows", ""},
		{"a plain copy goes before the archive", []member{{"rows.zip", packed}, {"rows.gz", gzipOf(toyContent)}},
			"toy/other toy/rows.gz", ""},
		{"nothing", nil, "", "it may also be called rows, and lie in a folder toy, or in the archive that is at " +
			"http://127.0.0.1/rows.zip or "},
		{"one of two", []member{{"other", "other content\n"}}, "", "toy/rows.gz not found"},
	} {
		from, src := t.TempDir(), Source{Cache: t.TempDir(), Client: &http.Client{Transport: noNetwork{t}}}
		for _, m := range c.in {
			write(t, from, m.name, m.content)
		}
		e := archived("http://127.0.0.1/rows.zip", "http://127.0.0.1/mirror.zip")
		err := Fetch(context.Background(), e, src, from)
		if c.want == "" && err != nil || c.want != "" &&
			(!errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v: want %q", c.name, err, c.want)
		}
		if err == nil {
			checkRead(t, e, src)
		}
		if got := files(t, src.Cache); got != c.cached {
			t.Errorf("%s: the cache holds %q: want %q", c.name, got, c.cached)
		}
	}
}

func TestCatalogueOfMembers(t *testing.T) {
	for _, e := range All() {
		for _, f := range e.Files {
			for _, url := range f.URLs {
				if f.Member == "" && path.Ext(url) == ".zip" || f.Member != "" && path.Ext(url) != ".zip" {
					t.Errorf("%s: %s: member %q of %s: want a member of each zip, and of nothing else", e.Name, f.Name, f.Member, url)
				}
			}
			if _, err := path.Match(f.Member, ""); err != nil {
				t.Errorf("%s: %s: member %q: %v", e.Name, f.Name, f.Member, err)
			}
		}
	}
}

// The archive of the treebank as it is distributed gives the file of the catalogue.
func TestRealArchive(t *testing.T) {
	data := realSource(t, "ptb-sample").Data
	packed, err := os.ReadFile(filepath.Join(data, "ptb-sample", "treebank.zip"))
	if err != nil {
		t.Skipf("GAPLAB_DATA has no archive of the treebank: %v", err)
	}
	e, err := Find("ptb-sample")
	if err != nil {
		t.Fatal(err)
	}
	base, _ := server(t, whole(string(packed), toyDate))
	e.Files[0].URLs = []string{strings.TrimSuffix(base, "/rows") + "/treebank.zip"}
	src := Source{Cache: t.TempDir()}
	if err := Fetch(context.Background(), e, src, ""); err != nil {
		t.Fatal(err)
	}
	src.Offline = true
	set, err := e.New().Load(context.Background(), src)
	if err != nil || set.Train.Len() != e.Expect.Train {
		t.Errorf("loading what was fetched: %v", err)
	}

	from := t.TempDir()
	write(t, from, "treebank.zip", string(packed))
	if err := Fetch(context.Background(), e, Source{Cache: t.TempDir()}, from); err != nil {
		t.Error(err)
	}
}

// An archive with the folder that NLTK's has gives the files of the catalogue.
func TestSpanishArchive(t *testing.T) {
	data := realSource(t, "cast3lb")
	e, err := Find("cast3lb")
	if err != nil {
		t.Fatal(err)
	}
	members := []member{{"conll2007/", ""}, {"conll2007/README", "Basque and Catalan too"}}
	for _, f := range e.Files {
		err := data.read(context.Background(), e.Name, f, func(_ string, r io.Reader) error {
			content, err := io.ReadAll(r)
			members = append(members, member{"conll2007/" + path.Base(f.stem()), string(content)})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	from, src := t.TempDir(), Source{Cache: t.TempDir(), Offline: true}
	write(t, from, "conll2007.zip", zipOf(t, members...))
	if err := Fetch(context.Background(), e, src, from); err != nil {
		t.Fatal(err)
	}
	if got := files(t, src.Cache); got != "spanish-cast3lb/esp.test spanish-cast3lb/esp.train" {
		t.Errorf("the cache holds %q", got)
	}
}
