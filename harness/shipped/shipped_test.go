package shipped_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/shipped"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// papers returns the scales in the archive.
func papers() []string { return []string{"paper"} }

// folder writes kept results into a new folder: an experiment at scales smoke and paper, with a run of the given key,
// and a figure. It returns the path of the folder.
func folder(t *testing.T, key string) string {
	t.Helper()
	dir := t.TempDir()
	for _, scale := range []string{"smoke", "paper"} {
		f := &trace.File{Manifest: trace.Manifest{Format: trace.Format, Key: key, Plan: key, Experiment: "p/a", Scale: scale,
			Labels: map[string]any{}}, Rows: []trace.Row{{Values: map[string]float64{"primal": 1}}},
			End: &trace.End{Status: trace.Done}}
		if _, err := store.Keep(dir).WriteAll(scale, map[string][]*trace.File{"p/a": {f}}, false); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "paper", "p", "a.svg"), []byte("<svg/>"))
	return dir
}

// inside returns packs in a program: one of p/a at scale smoke, which the tests do not read.
func inside() fs.FS { return fstest.MapFS{"smoke/p/a.jsonl": {}} }

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// archived returns the archive of a folder and its checksum.
func archived(t *testing.T, dir string) ([]byte, string) {
	t.Helper()
	var out bytes.Buffer
	if err := shipped.Write(&out, os.DirFS(dir), papers()); err != nil {
		t.Fatal(err)
	}
	sum, err := shipped.Sum(os.DirFS(dir), papers())
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), sum
}

// served starts a server that answers with a text. It returns the URL and the number of requests so far.
func served(t *testing.T, text []byte) (string, *atomic.Int32) {
	requests := new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		_, _ = w.Write(text)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/a.zip", requests
}

// TestFetch checks from which places the archive is taken, and that the cache holds it only if its checksum is right.
func TestFetch(t *testing.T) {
	dir := folder(t, "0123456789abcdef")
	archive, sum := archived(t, dir)
	other := folder(t, "fedcba9876543210")
	wrong, _ := archived(t, other)
	name := shipped.Archive(sum)

	beside, empty := t.TempDir(), t.TempDir()
	write(t, filepath.Join(beside, name), archive)
	file, cut := filepath.Join(t.TempDir(), "any"), filepath.Join(t.TempDir(), "cut")
	write(t, file, archive)
	write(t, cut, archive[:len(archive)/2])
	url, requests := served(t, archive)
	wrongURL, _ := served(t, wrong)
	cutURL, _ := served(t, archive[:len(archive)/2])
	var plain bytes.Buffer // a zip file with a compressed file, which is not a crate
	z := zip.NewWriter(&plain)
	if _, err := z.Create("paper/p/a.jsonl"); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	zipped := filepath.Join(t.TempDir(), "zipped")
	write(t, zipped, plain.Bytes())
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000000")
		_, _ = w.Write(archive)
	}))
	t.Cleanup(broken.Close)
	none := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(none.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()

	for _, c := range []struct {
		name, from string
		want       string // part of the error; "": no error
		other      bool   // whether the error is an ErrOther
	}{
		{name: "results folder", from: dir},
		{name: "folder with the archive", from: beside},
		{name: "file", from: file},
		{name: "URL", from: url},
		{name: "not set", want: "set GAPLAB_RESULTS to the folder results of a checkout, or to the path or URL of " + name},
		{name: "results of another version", from: other, want: "another version of gaplab, or damaged", other: true},
		{name: "URL of another version", from: wrongURL, want: "accepted: " + sum, other: true},
		{name: "cut file", from: cut, want: "damaged", other: true},
		{name: "another zip file", from: zipped, want: "another version of gaplab, or damaged", other: true},
		{name: "cut download", from: cutURL, want: "damaged", other: true},
		{name: "broken connection", from: broken.URL, want: "the body broke off"},
		{name: "no such file on the server", from: none.URL, want: "404"},
		{name: "no server", from: gone.URL, want: "refused"},
		{name: "no server with TLS", from: strings.Replace(gone.URL, "http:", "https:", 1), want: "refused"},
		{name: "no such path", from: filepath.Join(empty, "no"), want: "no such file"},
		{name: "folder without results", from: empty, want: "the folder has neither " + name + " nor paper"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache := t.TempDir()
			config := shipped.Config{Inside: inside(), Scales: papers(), SHA256: sum, From: c.from,
				Source: datasets.Source{Cache: cache}}
			kept, err := shipped.New(config).Kept("p/a", "paper")
			if c.want != "" {
				var away *shipped.Elsewhere
				if !errors.As(err, &away) || !strings.Contains(err.Error(), c.want) || errors.Is(err, shipped.ErrOther) != c.other {
					t.Errorf("error %v; want an Elsewhere with %q, ErrOther %v", err, c.want, c.other)
				}
				if place := shipped.Variable + "=" + c.from + ": "; c.from != "" && (!strings.HasPrefix(err.Error(), place) ||
					strings.Count(err.Error(), c.from+": ") > 1) {
					t.Errorf("error %v; want it to begin with %s, and the place only once", err, place)
				}
				if left, _ := os.ReadDir(filepath.Join(cache, "results")); len(left) > 0 {
					t.Errorf("the cache contains %v; want nothing", left)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			checkRun(t, kept)
			if got := read(t, filepath.Join(cache, "results", name)); !bytes.Equal(got, archive) {
				t.Error("the archive in the cache has other bytes")
			}
			// from now on, the place is not needed
			config.From = ""
			if kept, err = shipped.New(config).Kept("p/a", "paper"); err != nil {
				t.Fatal(err)
			}
			checkRun(t, kept)
		})
	}
	if n := requests.Load(); n != 1 {
		t.Errorf("%d downloads; want one", n)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// checkRun checks that the packs contain the run of folder(t, "0123456789abcdef").
func checkRun(t *testing.T, kept *store.Kept) {
	t.Helper()
	files, err := kept.Read("p/a", "paper")
	if err != nil || len(files) != 1 || files[0].Manifest.Key != "0123456789abcdef" {
		t.Errorf("runs %v, %v; want one with the key 0123456789abcdef", files, err)
	}
}

// TestDamagedCache checks that a damaged archive in the cache is fetched again, and that it is an error if its place is
// not known.
func TestDamagedCache(t *testing.T) {
	dir := folder(t, "0123456789abcdef")
	archive, sum := archived(t, dir)
	config := shipped.Config{Inside: inside(), Scales: papers(), SHA256: sum,
		Source: datasets.Source{Cache: t.TempDir()}}
	file := filepath.Join(config.Source.Cache, "results", shipped.Archive(sum))
	write(t, file, archive[:len(archive)/2])
	_, err := shipped.New(config).Kept("p/a", "paper")
	if err == nil || !strings.HasPrefix(err.Error(), file+": ") || !errors.Is(err, zip.ErrFormat) ||
		!strings.Contains(err.Error(), "; set GAPLAB_RESULTS to") {
		t.Errorf("error %v; want the path of the archive and the variable", err)
	}
	config.From = dir
	kept, err := shipped.New(config).Kept("p/a", "paper")
	if err != nil {
		t.Fatal(err)
	}
	checkRun(t, kept)

	at := bytes.Index(archive, []byte("0123456789abcdef"))
	archive[at] = '1'
	write(t, file, archive)
	if kept, err = shipped.New(config).Kept("p/a", "paper"); err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Read("p/a", "paper"); !errors.Is(err, trace.ErrDamaged) || !strings.Contains(err.Error(), file) {
		t.Errorf("a changed byte in the cache: error %v; want an ErrDamaged with the path", err)
	}
}

// TestNoCache checks that the archive is not fetched if there is no folder for the cache.
func TestNoCache(t *testing.T) {
	dir := folder(t, "0123456789abcdef")
	_, sum := archived(t, dir)
	t.Chdir(t.TempDir())
	for _, from := range []string{"", dir} {
		r := shipped.New(shipped.Config{Inside: inside(), Scales: papers(), SHA256: sum, From: from})
		var away *shipped.Elsewhere
		if _, err := r.Kept("p/a", "paper"); !errors.As(err, &away) || away.From != from ||
			!strings.Contains(err.Error(), "there is no cache for the results: set XDG_CACHE_HOME or HOME") {
			t.Errorf("from %q: error %v; want that there is no cache", from, err)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("the working directory contains %v, %v; want nothing", left, err)
	}
}

// TestFetchAtOnce checks that several processes may fetch the archive at the same time.
func TestFetchAtOnce(t *testing.T) {
	dir := folder(t, "0123456789abcdef")
	archive, sum := archived(t, dir)
	url, _ := served(t, archive)
	cache := t.TempDir()
	var g sync.WaitGroup
	for i := range 8 {
		g.Go(func() {
			from := []string{url, dir}[i%2]
			r := shipped.New(shipped.Config{Inside: fstest.MapFS{}, Scales: papers(), SHA256: sum, From: from,
				Source: datasets.Source{Cache: cache}})
			if found, err := r.Find("0123"); err != nil || len(found) != 1 {
				t.Errorf("from %s: %v, %v; want one run", from, found, err)
			}
		})
	}
	g.Wait()
	left, err := os.ReadDir(filepath.Join(cache, "results"))
	if err != nil || len(left) != 1 || left[0].Name() != shipped.Archive(sum) {
		t.Errorf("the cache contains %v, %v; want only the archive", left, err)
	}
}

// TestKept checks which results are inside the program, which are in the archive, and which do not exist.
func TestKept(t *testing.T) {
	dir := folder(t, "0123456789abcdef")
	_, sum := archived(t, dir)
	var notes []string
	r := shipped.New(shipped.Config{Inside: fstest.MapFS{"smoke/p/a.jsonl": {Data: read(t, filepath.Join(dir,
		"smoke/p/a.jsonl"))}}, Scales: papers(), SHA256: sum, From: dir, Source: datasets.Source{Cache: t.TempDir()},
		Note: func(text string) { notes = append(notes, text) }})
	if _, err := r.Here("p/a", "paper"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Here before a fetch: error %v; want fs.ErrNotExist", err)
	}
	if kept, err := r.Here("p/a", "smoke"); err != nil || !kept.Has("p/a", "smoke") {
		t.Errorf("Here of a pack in the program: %v, %v; want the pack, without a fetch", kept, err)
	}
	for _, c := range []struct{ experiment, scale, path string }{
		{"p/a", "smoke", "gaplab:smoke/p/a.jsonl"},
		{"p/a", "paper", shipped.Archive(sum) + "/paper/p/a.jsonl"},
		{"p/a", "quick", ""},
		{"my/own", "smoke", ""},
		{"my/own", "paper", ""},
	} {
		kept, err := r.Kept(c.experiment, c.scale)
		if c.path == "" {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s at scale %s: error %v; want fs.ErrNotExist", c.experiment, c.scale, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s at scale %s: %v", c.experiment, c.scale, err)
			continue
		}
		files, err := kept.Read(c.experiment, c.scale)
		if path := filepath.ToSlash(kept.Path(c.experiment, c.scale)); err != nil || len(files) != 1 ||
			!strings.HasSuffix(path, c.path) {
			t.Errorf("%s at scale %s: %d runs in %s, %v; want one in %s", c.experiment, c.scale, len(files), path, err, c.path)
		}
		if _, err := kept.WriteAll(c.scale, nil, false); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("WriteAll: error %v; want errors.ErrUnsupported", err)
		}
		for range 2 {
			r.Tell(c.experiment, kept)
		}
	}
	if len(notes) != 2 || notes[0] != "p/a: the results are those in this program" ||
		!strings.HasSuffix(notes[1], shipped.Archive(sum)) {
		t.Errorf("notes %q; want one for the program and one for the archive", notes)
	}
	if _, err := r.Here("p/a", "paper"); err != nil {
		t.Errorf("Here after a fetch: %v", err)
	}
	var nobody *shipped.Results
	if _, err := nobody.Kept("p/a", "smoke"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Kept of a nil pointer: error %v; want fs.ErrNotExist", err)
	}
	if _, err := nobody.Here("p/a", "smoke"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Here of a nil pointer: error %v; want fs.ErrNotExist", err)
	}
}

// TestWrite checks that an archive contains the packs, but no other files, and that equal packs give equal bytes.
func TestWrite(t *testing.T) {
	a, sum := archived(t, folder(t, "0123456789abcdef"))
	b, again := archived(t, folder(t, "0123456789abcdef"))
	if !bytes.Equal(a, b) || sum != again {
		t.Error("two archives of equal packs differ")
	}
	if bytes.Contains(a, []byte("a.svg")) || !bytes.Contains(a, []byte("paper/p/a.jsonl")) {
		t.Error("want the pack and not the figure in the archive")
	}
	if bytes.Contains(a, []byte("smoke/p/a.jsonl")) {
		t.Error("want only the scale paper in the archive")
	}
}
