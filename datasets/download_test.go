package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gaplab/gaplab/datasets/internal/store"
	"github.com/gaplab/gaplab/datasets/internal/storetest"
)

// toyContent and toyDate are the content and the modification date of the file that the tests download.
var (
	toyContent = strings.Repeat("1 1:1 2:0.25\n2 3:4\n", 40000)
	toyDate    = time.Date(2020, 2, 3, 4, 5, 6, 0, time.UTC)
)

// toy returns the entry of a data set with one file, which has the given URLs.
func toy(urls ...string) Entry {
	sum := sha256.Sum256([]byte(toyContent))
	return Entry{Name: "toy", Files: []File{{
		Name: "toy/rows.gz", URLs: urls, Bytes: int64(len(toyContent)), SHA256: hex.EncodeToString(sum[:]),
	}}}
}

// server starts a server with the handler h, and returns its URL and the number of requests so far.
func server(t *testing.T, h http.HandlerFunc) (url string, requests *atomic.Int32) {
	requests = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		h(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/rows", requests
}

// whole returns a handler that serves the content, or the ranges of it that are requested.
func whole(content string, date time.Time) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", date, strings.NewReader(content))
	}
}

// brokenOff returns a handler that announces 800,000 bytes, but sends only the first n bytes of content and then
// aborts.
func brokenOff(content string, n int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "800000")
		sendPart(w, content[:n])
	}
}

// sendPart sends a part of a body and aborts.
func sendPart(w http.ResponseWriter, part string) {
	w.Header().Set("Last-Modified", toyDate.Format(http.TimeFormat))
	io.WriteString(w, part)
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// files lists the files in the folder of a cache and in its subfolders, except the lock file.
func files(t *testing.T, cache string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(cache, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != ".lock" {
			rel, _ := filepath.Rel(cache, p)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}

// checkRead reads the file of the entry toy through src and compares its content with toyContent.
func checkRead(t *testing.T, e Entry, src Source) {
	t.Helper()
	var got []byte
	err := src.Read(context.Background(), e.Name, e.Files[0], func(_ string, r io.Reader) (err error) {
		got, err = io.ReadAll(r)
		return err
	})
	if err != nil || string(got) != toyContent {
		t.Errorf("bytes read = %d, error %v; want the %d bytes of the file", len(got), err, len(toyContent))
	}
}

func TestDownload(t *testing.T) {
	for name, served := range map[string]string{"toy/rows": toyContent, "toy/rows.gz": storetest.Gzip(toyContent)} {
		url, requests := server(t, whole(served, toyDate))
		var last Progress
		src := Source{Cache: t.TempDir(), Progress: func(p Progress) { last = p }}
		checkRead(t, toy(url), src)
		checkRead(t, toy(url), src)
		if requests.Load() != 1 {
			t.Errorf("%s: requests of two reads = %d, want 1, since the second read finds the file in the cache", name,
				requests.Load())
		}
		if got := files(t, src.Cache); got != name {
			t.Errorf("the cache holds %q, want %q", got, name)
		}
		if want := (Progress{"toy/rows.gz", url, int64(len(served)), int64(len(served))}); last != want {
			t.Errorf("last progress = %+v, want %+v", last, want)
		}
	}
}

func TestDownloadResumes(t *testing.T) {
	const sent = 100_000
	var ranges []string
	handler := brokenOff(toyContent, sent)
	url, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		ranges = append(ranges, r.Header.Get("Range"))
		handler(w, r)
	})
	e, src := toy(url), Source{Cache: t.TempDir()}
	err := Fetch(context.Background(), e, src, "")
	if !errors.Is(err, ErrMissing) ||
		!strings.Contains(err.Error(), "broke off after 100000 of 800000 bytes; fetch again to resume") {
		t.Errorf("error of an interrupted download = %v, want ErrMissing with the number of bytes and advice", err)
	}
	part := partPath("toy/rows", url)
	if got := files(t, src.Cache); got != part {
		t.Fatalf("files in the cache after a body that broke off = %q, want %q", got, part)
	}
	handler = whole(toyContent, toyDate)
	var first *Progress
	src.Progress = func(p Progress) {
		if first == nil {
			first = &p
		}
	}
	checkRead(t, e, src)
	if first == nil || first.Done != sent || first.Total != int64(len(toyContent)) {
		t.Errorf("first progress of the second download = %+v, want %d of %d bytes done", first, sent, len(toyContent))
	}
	if len(ranges) != 2 || ranges[0] != "" || ranges[1] != "bytes=100000-" {
		t.Errorf("requested ranges = %q, want none and then the rest of the file", ranges)
	}
	if got := files(t, src.Cache); got != "toy/rows" {
		t.Errorf("files in the cache = %q, want toy/rows", got)
	}
}

// TestDownloadStartsAnew checks that a .part file is not resumed if it does not match the file on the server.
func TestDownloadStartsAnew(t *testing.T) {
	for _, c := range []struct {
		name     string
		part     string
		partDate time.Time
		handler  http.HandlerFunc
		requests int32
	}{
		{"the file changed on the server", "old old old", toyDate.AddDate(-1, 0, 0), whole(toyContent, toyDate), 1},
		{"the part is wrong, though its date is right", "old old old", toyDate, whole(toyContent, toyDate), 2},
		{"the part is longer than the file", toyContent + "more", toyDate, whole(toyContent, toyDate), 2},
		{"the part is whole", toyContent, toyDate, whole(toyContent, toyDate), 1},
		{"the server does not support ranges", toyContent[:500], toyDate,
			func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, toyContent) }, 1},
	} {
		url, requests := server(t, c.handler)
		src := Source{Cache: t.TempDir()}
		part := partPath("toy/rows", url)
		storetest.Write(t, src.Cache, part, c.part)
		if err := os.Chtimes(filepath.Join(src.Cache, part), time.Time{}, c.partDate); err != nil {
			t.Fatal(err)
		}
		checkRead(t, toy(url), src)
		if got := files(t, src.Cache); got != "toy/rows" || requests.Load() != c.requests {
			t.Errorf("%s: files in the cache = %q, requests = %d; want toy/rows, %d", c.name, got, requests.Load(),
				c.requests)
		}
	}
}

func TestDownloadFailures(t *testing.T) {
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		url     string
		want    string
		is      error
		left    bool // whether a .part file stays in the cache
	}{
		{name: "404", handler: http.NotFound, want: "the server answered 404 Not Found"},
		{name: "server error", handler: func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(503) }, want: "503"},
		{name: "wrong content", handler: whole("<html>not found</html>", toyDate), want: "decompressed content has SHA-256",
			is: ErrCorrupt},
		{name: "gzip cut off", handler: whole(storetest.Gzip(toyContent)[:999], toyDate),
			want: "cannot be unpacked: unexpected EOF",
			is:   ErrCorrupt},
		{name: "unknown compression", handler: whole("PK\x03\x04....", toyDate), want: "in zip format", is: ErrCorrupt},
		{name: "empty body", handler: func(w http.ResponseWriter, r *http.Request) {},
			want: "decompressed content has SHA-256", is: ErrCorrupt},
		{name: "body broken off", handler: brokenOff(toyContent, 5000), want: "broke off after 5000 of 800000 bytes",
			is: io.ErrUnexpectedEOF, left: true},
		{name: "body of unknown length broken off", handler: func(w http.ResponseWriter, r *http.Request) {
			sendPart(w, toyContent[:5000])
		}, want: "broke off after 5000 bytes", is: io.ErrUnexpectedEOF, left: true},
		{name: "endless body", handler: func(w http.ResponseWriter, r *http.Request) {
			for piece := strings.Repeat("1 2:3\n", 10_000); ; {
				if _, err := io.WriteString(w, piece); err != nil {
					return
				}
			}
		}, want: "it is not the published file"},
		{name: "too long", handler: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "300000000")
		}, want: "the server sends 300000000 bytes or more"},
		// No program listens on port 1. (The system could give a port that was just closed to another server of this
		// machine.)
		{name: "no server", url: "http://127.0.0.1:1/rows", want: "refused"},
		{name: "bad URL", url: "gopher://127.0.0.1/rows", want: "unsupported protocol"},
		{name: "a range that was not requested", want: "206", handler: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Range", "bytes 7-9/10")
			w.WriteHeader(http.StatusPartialContent)
		}},
	} {
		url := c.url
		if c.handler != nil {
			url, _ = server(t, c.handler)
		}
		src := Source{Cache: t.TempDir()}
		_, err := toyLoad(toy(url), src)
		if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), url) {
			t.Errorf("%s: error = %v, want ErrMissing with %q and the URL", c.name, err, c.want)
		}
		if c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: error %v does not wrap %v", c.name, err, c.is)
		}
		want := ""
		if c.left {
			want = partPath("toy/rows", url)
		}
		if got := files(t, src.Cache); got != want {
			t.Errorf("%s: the cache holds %q, want %q", c.name, got, want)
		}
	}
}

// TestGet checks for files of several sizes that Get downloads a file of at most limit bytes, and that it refuses a
// longer one and removes the part, whether or not the server announces the size. It also checks the progress that it
// shows.
func TestGet(t *testing.T) {
	for _, announced := range []bool{true, false} {
		for _, size := range []int{0, 1, 999, 1000, 1001, 500_000} {
			content := toyContent[:size]
			url, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
				if announced {
					w.Header().Set("Content-Length", fmt.Sprint(size))
				} else {
					w.(http.Flusher).Flush()
				}
				io.WriteString(w, content)
			})
			for _, limit := range []int64{0, 1000} {
				part := filepath.Join(t.TempDir(), "part")
				var last Progress
				src := Source{Progress: func(p Progress) { last = p }}
				err := src.Get(t.Context(), "the file", url, part, limit)
				what := fmt.Sprintf("%d bytes, announced %v, limit %d", size, announced, limit)
				if limit > 0 && int64(size) > limit {
					if _, left := os.Stat(part); err == nil || !errors.Is(left, fs.ErrNotExist) ||
						!strings.Contains(err.Error(), fmt.Sprintf("at most %d", limit)) {
						t.Errorf("%s: error %v, part file %v; want an error with the limit and no file", what, err, left)
					}
					continue
				}
				got, readErr := os.ReadFile(part)
				if err != nil || readErr != nil || string(got) != content {
					t.Errorf("%s: got %d bytes, errors %v and %v", what, len(got), err, readErr)
				}
				total := int64(-1)
				if announced || size == 0 {
					total = last.Total // the server may add the size of an empty body
				}
				if announced && total != int64(size) {
					t.Errorf("%s: the progress has the total %d", what, total)
				}
				if want := (Progress{File: "the file", URL: url, Done: int64(size), Total: total}); last != want {
					t.Errorf("%s: the last progress is %+v, want %+v", what, last, want)
				}
			}
		}
	}
}

// toyLoad reads the file of the entry e and returns its size.
func toyLoad(e Entry, src Source) (n int64, err error) {
	err = src.Read(context.Background(), e.Name, e.Files[0], func(_ string, r io.Reader) (err error) {
		n, err = io.Copy(io.Discard, r)
		return err
	})
	return n, err
}

func TestDownloadTriesMirrors(t *testing.T) {
	first, _ := server(t, http.NotFound)
	second, _ := server(t, brokenOff(toyContent, 10))
	third, _ := server(t, whole(storetest.Gzip(toyContent), toyDate))
	src := Source{Cache: t.TempDir()}
	checkRead(t, toy(first, second, third), src)
	if got := files(t, src.Cache); got != "toy/rows.gz" {
		t.Errorf("files in the cache = %q, want toy/rows.gz and no .part file", got)
	}
	_, err := toyLoad(toy(first, second), Source{Cache: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), first+": ") || !strings.Contains(err.Error(), second+": ") ||
		!strings.Contains(err.Error(), "gaplab data fetch toy --from DIR") {
		t.Errorf("error = %v, want one with both URLs and a remedy", err)
	}
}

func TestDownloadFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full to write to")
	}
	url, requests := server(t, whole(toyContent, toyDate))
	src := Source{Cache: t.TempDir()}
	part := partPath(filepath.Join(src.Cache, "toy", "rows"), url)
	if err := errors.Join(os.MkdirAll(filepath.Dir(part), 0o755), os.Symlink("/dev/full", part)); err != nil {
		t.Fatal(err)
	}
	_, err := toyLoad(toy(url, url+"/mirror"), src)
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "the disk of the cache is full: free ") ||
		requests.Load() != 1 {
		t.Errorf("error = %v after %d requests, want the error of a full disk after 1 request", err, requests.Load())
	}
	if _, err := os.Lstat(filepath.Join(src.Cache, "toy", "rows")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a file has the final name although the disk was full")
	}
}

func TestDownloadCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	url, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Last-Modified", toyDate.Format(http.TimeFormat))
		w.Header().Set("Content-Length", "800000")
		io.WriteString(w, toyContent[:5000])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	src := Source{Cache: t.TempDir(), Progress: func(p Progress) {
		if p.Done == 5000 {
			cancel()
		}
	}}
	err := Fetch(ctx, toy(url), src, "")
	if !errors.Is(err, context.Canceled) || errors.Is(err, ErrMissing) {
		t.Errorf("error = %v, want context.Canceled and not ErrMissing", err)
	}
	if got, want := files(t, src.Cache), partPath("toy/rows", url); got != want {
		t.Errorf("the cache holds %q, want %q", got, want)
	}
}

func TestTransferGivesUpOnSilence(t *testing.T) {
	url, _ := server(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "1 1:1\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	transfer := store.Transfer{Client: http.DefaultClient, URL: url, Part: filepath.Join(t.TempDir(), "part"),
		Silence: 100 * time.Millisecond}
	if _, err := transfer.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "no data for 100ms") {
		t.Errorf("error = %v, want one that reports for how long the server sent no data", err)
	}
}
