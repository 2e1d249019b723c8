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
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/datasets/internal/store"
	"github.com/gaplab/gaplab/datasets/internal/storetest"
)

// toyMembers returns the members of a zip archive: the file of the entry toy, cut into three pieces, and a second file.
func toyMembers() []storetest.Member {
	third := len(toyContent) / 3
	return []storetest.Member{
		{Name: "top/", Content: ""},
		{Name: "top/part_2.txt", Content: toyContent[third : 2*third]},
		{Name: "top/README", Content: "not a part"},
		{Name: "top/other.txt", Content: "other content\n"},
		{Name: "top/part_3.txt", Content: toyContent[2*third:]},
		{Name: "top/part_1.txt", Content: toyContent[:third]},
		{Name: "top/deeper/part_4.txt", Content: "not a part"},
	}
}

// archived returns an entry whose two files, toy/rows and toy/other, are in one archive.
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
	base, requests := server(t, whole(storetest.Zip(t, toyMembers()...), toyDate))
	e, src := archived(base+".zip"), Source{Cache: t.TempDir()}
	ctx := context.Background()
	for _, c := range []struct {
		name     string
		damage   []string // files in the cache that the test damages before the download
		requests int32    // number of requests so far, including those of earlier cases
	}{
		{"an empty cache: one download serves both files", nil, 1},
		{"a damaged file: extracted from the archive again", []string{"toy/rows"}, 1},
		{"a damaged archive: not read if its files are right", []string{"toy/rows.zip"}, 1},
		{"a damaged file and archive", []string{"toy/rows", "toy/rows.zip"}, 2},
	} {
		for _, name := range c.damage {
			storetest.Write(t, src.Cache, name, "damaged")
		}
		if err := Fetch(ctx, e, src, ""); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		checkRead(t, e, src)
		if list, err := Verify(ctx, e, src); err != nil || list[0].Status != OK || list[1].Status != OK {
			t.Errorf("%s: statuses = %+v, error = %v; want OK for both files", c.name, list, err)
		}
		if got := files(t, src.Cache); got != "toy/other toy/rows toy/rows.zip" || requests.Load() != c.requests {
			t.Errorf("%s: the cache holds %q after %d requests; want other, rows and rows.zip after %d", c.name, got,
				requests.Load(), c.requests)
		}
	}
}

// TestDownloadArchiveResumes checks that an interrupted download of an archive is resumed like that of a plain file.
func TestDownloadArchiveResumes(t *testing.T) {
	packed := storetest.Zip(t, toyMembers()...)
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
		t.Errorf("error of an interrupted download = %v, want ErrMissing with advice to fetch again", err)
	}
	if got := files(t, src.Cache); got != part {
		t.Fatalf("after an incomplete archive, the cache holds %q; want %q", got, part)
	}
	handler = whole(packed, toyDate)
	checkRead(t, e, src)
	if len(ranges) != 2 || ranges[1] == "" || files(t, src.Cache) != "toy/rows toy/rows.zip" {
		t.Errorf("requested ranges = %q, the cache holds %q; want the rest of the archive, and rows and rows.zip", ranges,
			files(t, src.Cache))
	}

	// Wrong bytes in a .part file with the right date are detected only when the archive is unpacked. Then the whole
	// archive is downloaded again.
	src = Source{Cache: t.TempDir()}
	storetest.Write(t, src.Cache, part, strings.Repeat("x", len(packed)))
	if err := os.Chtimes(filepath.Join(src.Cache, part), time.Time{}, toyDate); err != nil {
		t.Fatal(err)
	}
	checkRead(t, e, src)
	if len(ranges) != 4 || ranges[2] == "" || ranges[3] != "" {
		t.Errorf("requested ranges = %q, want the bytes after the .part file, then none", ranges[2:])
	}
}

// wrongArchives returns archives from which the file of the entry toy cannot be extracted, each with words that the
// error must contain.
func wrongArchives(t *testing.T) map[string]struct{ content, want string } {
	packed := storetest.Zip(t, toyMembers()...)
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
		"not a zip": {"<html>not found</html>", "not a zip archive"},
		"nothing":   {"", "not a zip archive"},
		"cut off":   {packed[:len(packed)-30], "not a zip archive"},
		"no member": {storetest.Zip(t, storetest.Member{Name: "part_1.txt", Content: toyContent},
			storetest.Member{Name: "top/x", Content: ""}), "none of the 2 members"},
		"no member but folders": {storetest.Zip(t, storetest.Member{Name: "top/part_1.txt/", Content: ""}),
			"none of the 1 members"},
		"wrong content": {storetest.Zip(t, storetest.Member{Name: "top/part_1.txt", Content: toyContent[1:]}),
			"decompressed content has SHA-256"},
		"too much in one": {storetest.Zip(t, storetest.Member{Name: "top/part_1.txt", Content: strings.Repeat("0", 1<<23)}),
			"part_1.txt: more than the catalogue's 760000 bytes"},
		"too much in two": {storetest.Zip(t, storetest.Member{Name: "top/part_2.txt", Content: "1"},
			storetest.Member{Name: "top/part_1.txt", Content: toyContent}),
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
			t.Errorf("download, %s: error %v, want ErrMissing and ErrCorrupt", name, err)
			continue
		}
		for _, want := range []string{c.want, url + ": */part_*.txt: ", "gaplab data fetch toy --from DIR"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("download, %s: error %v, want %q", name, err, want)
			}
		}
		if got := files(t, src.Cache); got != "" {
			t.Errorf("download, %s: the cache holds %q, want nothing", name, got)
		}

		from := t.TempDir()
		storetest.Write(t, from, "rows.zip", c.content)
		err = Fetch(context.Background(), archived(url), src, from)
		if !errors.Is(err, ErrCorrupt) || errors.Is(err, ErrMissing) {
			t.Errorf("from a folder, %s: error %v, want ErrCorrupt", name, err)
			continue
		}
		for _, want := range []string{c.want, filepath.Join(from, "rows.zip") + ": */part_*.txt: ",
			"the published file is at " + url} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("from a folder, %s: error %v, want %q", name, err, want)
			}
		}
		if got := files(t, src.Cache); got != "" {
			t.Errorf("from a folder, %s: the cache holds %q, want nothing", name, got)
		}
	}
}

// TestUnpackingStopsBehindTheSize checks that if a member of an archive is larger than stated in the catalogue,
// unpacking stops one byte after the stated size.
func TestUnpackingStopsBehindTheSize(t *testing.T) {
	f := archived("http://127.0.0.1/rows.zip").Files[0]
	packed := storetest.Zip(t, storetest.Member{Name: "top/part_1.txt", Content: strings.Repeat("0", 1<<23)},
		storetest.Member{Name: "top/part_2.txt", Content: "more"})
	archive, err := zip.NewReader(strings.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	members, err := store.Members(archive, f.Member)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := store.CopyMembers(context.Background(), &out, members, f.Bytes); err == nil ||
		int64(out.Len()) != f.Bytes+1 {
		t.Errorf("error %v after %d bytes, want an error after %d", err, out.Len(), f.Bytes+1)
	}
}

func TestUnpackCancelled(t *testing.T) {
	dir := t.TempDir()
	storetest.Write(t, dir, "rows.zip", storetest.Zip(t, toyMembers()...))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	archive := filepath.Join(dir, "rows.zip")
	_, err := archived("").Files[0].unpack(ctx, archive, archive, filepath.Join(dir, "rows"))
	if !errors.Is(err, context.Canceled) || errors.Is(err, ErrCorrupt) || files(t, dir) != "rows.zip" {
		t.Errorf("error %v, the folder holds %q; want context.Canceled and rows.zip", err, files(t, dir))
	}
}

func TestFetchArchiveFromFolder(t *testing.T) {
	packed := storetest.Zip(t, toyMembers()...)
	for _, c := range []struct {
		name   string
		in     []storetest.Member
		cached string
		want   string // words that the error must contain; "": no error
	}{
		{"bare name", []storetest.Member{{Name: "rows.zip", Content: packed}}, "toy/other toy/rows", ""},
		{"below the set's folder", []storetest.Member{{Name: "toy/rows.zip", Content: packed}}, "toy/other toy/rows", ""},
		{"name on a mirror", []storetest.Member{{Name: "mirror.zip", Content: packed}}, "toy/other toy/rows", ""},
		{"a copy of the file is preferred to the archive",
			[]storetest.Member{{Name: "rows.zip", Content: packed}, {Name: "rows.gz", Content: storetest.Gzip(toyContent)}},
			"toy/other toy/rows.gz", ""},
		{"empty folder", nil, "", "the file may also have the name rows, or be in a subfolder toy, or be in the archive " +
			"from http://127.0.0.1/rows.zip or "},
		{"one of two", []storetest.Member{{Name: "other", Content: "other content\n"}}, "", "toy/rows.gz not found"},
	} {
		from, src := t.TempDir(), Source{Cache: t.TempDir(), Client: &http.Client{Transport: noNetwork{t}}}
		for _, m := range c.in {
			storetest.Write(t, from, m.Name, m.Content)
		}
		e := archived("http://127.0.0.1/rows.zip", "http://127.0.0.1/mirror.zip")
		err := Fetch(context.Background(), e, src, from)
		if c.want == "" && err != nil || c.want != "" &&
			(!errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
		if err == nil {
			checkRead(t, e, src)
		}
		if got := files(t, src.Cache); got != c.cached {
			t.Errorf("%s: the cache holds %q, want %q", c.name, got, c.cached)
		}
	}
}

func TestWrapping(t *testing.T) {
	for head, want := range map[string]string{storetest.Gzip("x"): store.Gzip, "BZh91AY&SY": store.Bzip2,
		"BZh 1:1 2:2": store.Plain,
		"":            store.Plain} {
		if got, err := store.Wrapping([]byte(head)); got != want || err != nil {
			t.Errorf("Wrapping(%q) = %q, %v; want %q", head, got, err, want)
		}
	}
	r, _, err := store.Decompress(bytes.NewReader(nil))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(r); len(b) != 0 || err != nil {
		t.Errorf("decompressed empty content = %q, %v; want nothing", b, err)
	}
}

// TestLZWWrapping checks that a copy in .Z format is found and checked, and that it gets a final name with this suffix.
func TestLZWWrapping(t *testing.T) {
	packed := storetest.LZW{Width: 16}.Pack(toyContent)
	src := Source{Data: t.TempDir()}
	storetest.Write(t, src.Data, "toy/rows.Z", packed)
	checkRead(t, toy(), src)

	base, _ := server(t, whole(packed, toyDate))
	src = Source{Cache: t.TempDir()}
	if err := Fetch(context.Background(), toy(base+".Z"), src, ""); err != nil || files(t, src.Cache) != "toy/rows.Z" {
		t.Fatalf("download: error %v, files in the cache = %s; want toy/rows.Z", err, files(t, src.Cache))
	}
	checkRead(t, toy(), src)

	from, src := t.TempDir(), Source{Cache: t.TempDir()}
	storetest.Write(t, from, "rows.Z", packed[:len(packed)-1])
	if err := Fetch(context.Background(), toy(), src, from); !errors.Is(err, ErrCorrupt) ||
		!strings.Contains(err.Error(), "rows.Z: cannot be unpacked: ") {
		t.Errorf("error of a copy that is cut off = %v, want ErrCorrupt with the name of the copy", err)
	}
	storetest.Write(t, from, "rows.Z", packed)
	if err := Fetch(context.Background(), toy(), src, from); err != nil || files(t, src.Cache) != "toy/rows.Z" {
		t.Errorf("copy from a folder: error %v, files in the cache = %s; want toy/rows.Z", err, files(t, src.Cache))
	}
}
