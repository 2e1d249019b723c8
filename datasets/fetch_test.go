package datasets

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets/internal/storetest"
)

func TestFetchFromFolder(t *testing.T) {
	packed := storetest.Gzip(toyContent)
	for _, c := range []struct {
		name, file, content string
		cached              string // files in the cache after Fetch
		is                  error
		want                string
	}{
		{"catalogue path", "toy/rows.gz", packed, "toy/rows.gz", nil, ""},
		{"catalogue path, not packed", "toy/rows", toyContent, "toy/rows", nil, ""},
		{"bare name", "rows.gz", packed, "toy/rows.gz", nil, ""},
		{"bare name, not packed", "rows", toyContent, "toy/rows", nil, ""},
		{"a suffix of another compression format", "rows.bz2", packed, "toy/rows.gz", nil, ""},
		{"another file", "other", toyContent, "", ErrMissing, "the file may also have the name rows"},
		{"wrong content", "rows", "1 1:1\n", "", ErrCorrupt, "rows: decompressed content has SHA-256"},
		{"cut off", "rows.gz", packed[:500], "", ErrCorrupt, "rows.gz: cannot be unpacked"},
	} {
		from, src := t.TempDir(), Source{Cache: t.TempDir()}
		storetest.Write(t, from, c.file, c.content)
		err := Fetch(context.Background(), toy(), src, from)
		if c.is == nil && err != nil || !errors.Is(err, c.is) || c.is != nil &&
			(!strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), from)) {
			t.Errorf("%s: error = %v, want %v with %q and the folder", c.name, err, c.is, c.want)
		}
		if got := files(t, src.Cache); got != c.cached {
			t.Errorf("%s: files in the cache = %q, want %q", c.name, got, c.cached)
		}
	}
}

// TestFetchLooksFirst checks that Fetch uses an intact copy, refuses a damaged copy in GAPLAB_DATA, and replaces a
// damaged copy in the cache.
func TestFetchLooksFirst(t *testing.T) {
	url, requests := server(t, whole(toyContent, toyDate))
	ctx := context.Background()

	src := Source{Data: t.TempDir(), Cache: t.TempDir()}
	storetest.Write(t, src.Data, "toy/rows", toyContent)
	if err := Fetch(ctx, toy(url), src, ""); err != nil || requests.Load() != 0 || files(t, src.Cache) != "" {
		t.Errorf("with a copy in GAPLAB_DATA: error %v, %d requests, files in the cache = %q; want none", err,
			requests.Load(), files(t, src.Cache))
	}
	storetest.Write(t, src.Data, "toy/rows", "damaged")
	if err := Fetch(ctx, toy(url), src, ""); !errors.Is(err, ErrCorrupt) ||
		!strings.Contains(err.Error(), "remove that copy in GAPLAB_DATA") {
		t.Errorf("error with a damaged copy in GAPLAB_DATA = %v, want ErrCorrupt with advice to remove the copy", err)
	}

	src = Source{Cache: t.TempDir()}
	storetest.Write(t, src.Cache, "toy/rows.gz", storetest.Gzip("damaged"))
	if _, err := toyLoad(toy(url), src); !errors.Is(err, ErrCorrupt) ||
		!strings.Contains(err.Error(), "gaplab data fetch toy") {
		t.Errorf("error of reading a damaged copy in the cache = %v, want ErrCorrupt with the command that fetches it", err)
	}
	if err := Fetch(ctx, toy(url), src, ""); err != nil || files(t, src.Cache) != "toy/rows" {
		t.Errorf("fetch with a damaged copy in the cache: error %v, files in the cache = %q; want toy/rows", err,
			files(t, src.Cache))
	}
	checkRead(t, toy(url), src)
}

func TestFetchWithoutFiles(t *testing.T) {
	ctx := context.Background()
	if err := Fetch(ctx, Entry{Name: "generated", Synthetic: true}, Source{}, ""); err != nil {
		t.Errorf("error for a generator = %v, want nil", err)
	}
	if err := Fetch(ctx, Entry{Name: "format", Format: true}, Source{}, ""); err == nil ||
		!strings.Contains(err.Error(), "a file of your own") {
		t.Errorf("error for a format = %v, want one about a file of your own", err)
	}
	dir := t.TempDir()
	storetest.Write(t, dir, "rows", toyContent)
	if err := Fetch(ctx, toy(), Source{}, dir); err == nil || !strings.Contains(err.Error(), "XDG_CACHE_HOME") {
		t.Errorf("error without a cache folder = %v, want one that names XDG_CACHE_HOME", err)
	}
	storetest.Write(t, dir, "gaplab", "a file where the cache folder should be")
	if err := Fetch(ctx, toy(), Source{Cache: filepath.Join(dir, "gaplab")}, dir); err == nil ||
		!strings.Contains(err.Error(), "cache: ") {
		t.Errorf("error if the cache folder cannot be created = %v, want one that begins with cache:", err)
	}
}

func TestVerify(t *testing.T) {
	src := Source{Data: t.TempDir(), Cache: t.TempDir(), Client: &http.Client{Transport: noNetwork{t}}}
	e := toy("http://127.0.0.1/rows")
	for _, name := range []string{"bad", "absent"} {
		f := e.Files[0]
		f.Name = "toy/" + name
		e.Files = append(e.Files, f)
	}
	storetest.Write(t, src.Data, "toy/bad.gz", storetest.Gzip("damaged"))
	storetest.Write(t, src.Cache, "toy/rows", toyContent)
	got, err := Verify(context.Background(), e, src)
	if err != nil || len(got) != 3 {
		t.Fatalf("statuses = %d, error %v; want 3, nil", len(got), err)
	}
	if s := got[0]; s.Status != OK || s.Place != InCache || s.Bytes != int64(len(toyContent)) ||
		s.Path != filepath.Join(src.Cache, "toy", "rows") {
		t.Errorf("status of the intact copy = %+v, want OK with its path and size", s)
	}
	if s := got[1]; s.Status != Bad || s.Place != InData || !errors.Is(s.Err, ErrCorrupt) {
		t.Errorf("status of the damaged copy = %+v, want Bad with ErrCorrupt", s)
	}
	if s := got[2]; s.Status != Missing || s.Path != "" || s.Bytes != 0 {
		t.Errorf("status of the absent file = %+v, want Missing without a path", s)
	}
	err = StatusError("toy", src, got)
	if !errors.Is(err, ErrMissing) || !errors.Is(err, ErrCorrupt) || StatusError("toy", src, got[:1]) != nil {
		t.Errorf("StatusError = %v; for the right copy alone = %v, want nil", err, StatusError("toy", src, got[:1]))
	}
	if s := Locate(e, src)[1]; s.Status != Found {
		t.Errorf("Locate of the damaged copy = %+v, want the status Found", s)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Verify(ctx, e, src); !errors.Is(err, context.Canceled) {
		t.Errorf("error of a cancelled Verify = %v, want context.Canceled", err)
	}
}

// noNetwork is an HTTP transport that fails the test at any request.
type noNetwork struct{ t *testing.T }

func (n noNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	n.t.Errorf("request for %s, want no request", r.URL)
	return nil, errors.New("no network")
}

func TestSourceFromEnv(t *testing.T) {
	for _, c := range []struct {
		env           map[string]string
		data, cache   string
		parsed, limit string
	}{
		{map[string]string{"GAPLAB_DATA": "/d", "XDG_CACHE_HOME": "/c", "HOME": "/h"}, "/d", "/c/gaplab", "/c/gaplab/parsed",
			"1000"},
		{map[string]string{"HOME": "/h", "GAPLAB_PARSED_MB": "5"}, "", "/h/.cache/gaplab", "/h/.cache/gaplab/parsed", "5"},
		{map[string]string{"HOME": "/h", "GAPLAB_PARSED_MB": "0"}, "", "/h/.cache/gaplab", "/h/.cache/gaplab/parsed", "0"},
		{map[string]string{"HOME": "/h", "GAPLAB_PARSED_MB": "off"}, "", "/h/.cache/gaplab", "/h/.cache/gaplab/parsed", "0"},
		{map[string]string{"XDG_CACHE_HOME": "relative", "HOME": "/h"}, "", "/h/.cache/gaplab", "/h/.cache/gaplab/parsed",
			"1000"},
		{map[string]string{"USERPROFILE": "/u"}, "", "/u/.cache/gaplab", "/u/.cache/gaplab/parsed", "1000"},
		{nil, "", "", "", "0"},
	} {
		s := SourceFromEnv(func(key string) string { return c.env[key] })
		if s.Data != c.data || filepath.ToSlash(s.Cache) != c.cache {
			t.Errorf("%v: data folder %q, cache %q; want %q, %q", c.env, s.Data, s.Cache, c.data, c.cache)
		}
		if (s.Parsed.Least == parsedLeast) != (c.parsed != "") {
			t.Errorf("%v: data from at least %d bytes are stored, want %d", c.env, s.Parsed.Least, parsedLeast)
		}
		if filepath.ToSlash(s.Parsed.Folder) != c.parsed || fmt.Sprint(s.Parsed.Limit/1_000_000) != c.limit {
			t.Errorf("%v: folder of parsed data %q, limit %d bytes; want %q, %s MB", c.env, s.Parsed.Folder, s.Parsed.Limit,
				c.parsed, c.limit)
		}
	}
}
