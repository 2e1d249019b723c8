package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// answer is an HTTP transport whose responses a function makes.
type answer func(r *http.Request) *http.Response

// RoundTrip implements http.RoundTripper.
func (a answer) RoundTrip(r *http.Request) (*http.Response, error) { return a(r), nil }

// slow is a body that sends one byte after each pause, and ends after n bytes or when the request is cancelled.
type slow struct {
	ctx   context.Context
	pause time.Duration
	n     int
}

func (s *slow) Read(b []byte) (int, error) {
	if s.n == 0 {
		return 0, io.EOF
	}
	select {
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	case <-time.After(s.pause):
		s.n--
		b[0] = 'x'
		return 1, nil
	}
}

func (*slow) Close() error { return nil }

// TestSilence checks, with a clock of the test, that a transfer may take any time as long as data come, and that it
// fails when no data come for the time Silence, at the start or later.
func TestSilence(t *testing.T) {
	for _, c := range []struct {
		pause time.Duration
		whole bool
	}{{59 * time.Second, true}, {61 * time.Second, false}} {
		synctest.Test(t, func(t *testing.T) {
			part := filepath.Join(t.TempDir(), "part")
			client := &http.Client{Transport: answer(func(r *http.Request) *http.Response {
				return &http.Response{StatusCode: http.StatusOK, ContentLength: -1, Body: &slow{r.Context(), c.pause, 10}}
			})}
			transfer := Transfer{Client: client, URL: "http://a/b", Part: part, Silence: time.Minute}
			_, err := transfer.Run(t.Context())
			got, _ := os.ReadFile(part)
			if c.whole && (err != nil || string(got) != strings.Repeat("x", 10)) {
				t.Errorf("a byte every %v: %d bytes, error %v; want all 10", c.pause, len(got), err)
			}
			if !c.whole && (err == nil || !strings.Contains(err.Error(), "no data for 1m0s")) {
				t.Errorf("a byte every %v: error %v, want one of the silence", c.pause, err)
			}
		})
	}
}

// TestRequests checks the headers of a request: the bytes of the file as they are and, if there is a part, the rest of
// the file as long as it is not newer than the part, whose time is stated in GMT.
func TestRequests(t *testing.T) {
	for have, want := range map[int64]string{0: " ", 7: "bytes=7- Mon, 03 Feb 2020 04:05:06 GMT"} {
		var got http.Header
		client := &http.Client{Transport: answer(func(r *http.Request) *http.Response {
			got = r.Header
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}
		})}
		zone := time.FixedZone("east", 5*3600)
		resp, err := (&Transfer{Client: client, URL: "http://a/b"}).get(t.Context(), have,
			time.Date(2020, 2, 3, 9, 5, 6, 0, zone))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if text := got.Get("Range") + " " + got.Get("If-Range"); text != want || got.Get("Accept-Encoding") != "identity" {
			t.Errorf("a part of %d bytes: the headers are %v, want %q and the encoding identity", have, got, want)
		}
	}
}

// TestResumedLimit checks that the largest size counts the bytes that a part has already, whether or not the server
// states the length of the rest, that a file of exactly this size is accepted, and what is left in the part.
func TestResumedLimit(t *testing.T) {
	for _, c := range []struct {
		status      int
		body        string
		announced   bool
		limit       int64
		resumed     bool
		left        string // content of the part afterwards; "-": it is removed
		total, done int64  // of the last progress
		want        string // words of the error; "": there is none
	}{
		{206, "56789", true, 10, true, "0123456789", 10, 10, ""},
		{206, "56789", false, 10, true, "0123456789", -1, 10, ""},
		{206, "56789", true, 9, true, "-", 0, 0, "sends 10 bytes or more, but the file has at most 9"},
		{206, "56789", false, 9, true, "-", -1, 5, "sends 10 bytes or more, but the file has at most 9"},
		{206, "56789", true, 0, true, "0123456789", 10, 10, ""},
		{200, "abc", true, 5, false, "abc", 3, 3, ""},
		{200, "abc", true, 2, false, "-", 0, 0, "sends 3 bytes or more, but the file has at most 2"},
		{416, "", true, 10, true, "01234", 0, 0, ""},
		{503, "", true, 10, false, "01234", 0, 0, "the server answered 503 Service Unavailable"},
	} {
		part := filepath.Join(t.TempDir(), "part")
		if err := os.WriteFile(part, []byte("01234"), 0o644); err != nil {
			t.Fatal(err)
		}
		client := &http.Client{Transport: answer(func(*http.Request) *http.Response {
			r := &http.Response{StatusCode: c.status, Status: "503 Service Unavailable", ContentLength: -1,
				Header: http.Header{"Content-Range": {"bytes 5-9/10"}}, Body: io.NopCloser(strings.NewReader(c.body))}
			if c.announced {
				r.ContentLength = int64(len(c.body))
			}
			return r
		})}
		var last [2]int64
		transfer := Transfer{Client: client, URL: "http://a/b", Part: part, Silence: time.Hour, Limit: c.limit,
			Progress: func(done, total int64) { last = [2]int64{done, total} }}
		resumed, err := transfer.Run(t.Context())
		left, readErr := os.ReadFile(part)
		if errors.Is(readErr, os.ErrNotExist) {
			left = []byte("-")
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) || resumed != c.resumed ||
			string(left) != c.left || last != [2]int64{c.done, c.total} {
			t.Errorf("%+v: resumed %v, the part is %q, the last progress %v, error %v", c, resumed, left, last, err)
		}
	}
	client := &http.Client{Transport: answer(func(*http.Request) *http.Response {
		return &http.Response{StatusCode: 416, Status: "416 Range Not Satisfiable", Body: http.NoBody}
	})}
	part := filepath.Join(t.TempDir(), "part")
	if _, err := (&Transfer{Client: client, URL: "u", Part: part, Silence: time.Hour}).Run(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "the server answered 416") {
		t.Errorf("a range that was not requested is not satisfiable: error %v", err)
	}
}

// TestWrappings checks which first bytes mean which compression format, and which formats are refused by name.
func TestWrappings(t *testing.T) {
	for head, want := range map[string]string{
		"\x1f\x8b": Gzip, "\x1f\x8b\x08rest": Gzip, "\x1f\x9d\x90": Compress, "\x1f\x9d": Compress, "\x1f": Plain,
		"BZh91AY&SY": Bzip2, "BZh11AY&SY": Bzip2, "BZh91AY&S": Plain, "BZh91AY&SX": Plain, "BZ 91AY&SY": Plain, "": Plain,
		"1 1:1 2:2\n": Plain, "\xfd7zXZ\x00r": "xz", "\x28\xb5\x2f\xfdrest": "zstd", "PK\x03\x04": "zip", "PK\x03": Plain,
		"7z\xbc\xaf\x27\x1c": "7z", "7z": Plain, " \x1f\x8b": Plain,
	} {
		got, err := Wrapping([]byte(head))
		if refused := want != Plain && want[0] != '.'; refused && (err == nil ||
			!strings.HasPrefix(err.Error(), "content is in "+want+" format, which is not supported")) ||
			!refused && (err != nil || got != want) {
			t.Errorf("%q: format %q, error %v; want %q", head, got, err, want)
		}
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, []byte(head), 0o644); err != nil {
			t.Fatal(err)
		}
		if suffix, other := SuffixOf(path); suffix != got || (other == nil) != (err == nil) {
			t.Errorf("%q in a file: format %q, error %v; want %q, %v", head, suffix, other, got, err)
		}
	}
	if _, err := SuffixOf(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error of a missing file = %v", err)
	}
}

// TestTemporaryFiles checks that a temporary file can be read by everyone, is in the folder of its final name, and is
// removed after a failure, and the advice after a failure of the disk.
func TestTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	path, err := WriteTemp(filepath.Join(dir, "rows"), func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader([]byte("text")))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o644 && runtime.GOOS != "windows" || filepath.Dir(path) != dir ||
		filepath.Ext(path) != ".part" || !strings.HasPrefix(filepath.Base(path), "rows.") || info.Size() != 4 {
		t.Errorf("%s: %v, error %v; want a .part file of 4 bytes that everyone may read", path, info, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	fault := errors.New("fault")
	if path, err := WriteTemp(filepath.Join(dir, "rows"), func(io.Writer) error { return fault }); path != "" ||
		!errors.Is(err, fault) {
		t.Errorf("path %q, error %v; want no path and the error of the writer", path, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left are %v, error %v; want nothing", left, err)
	}
	for left, want := range map[int64]string{5: "free 5 bytes or more there", 0: "free some space there",
		-1: "free some space there"} {
		err := DiskFailure(&os.PathError{Op: "write", Path: "p", Err: syscall.ENOSPC}, left)
		var disk *DiskError
		if !errors.As(err, &disk) || !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes left: error %v, want %s", left, err, want)
		}
	}
	var disk *DiskError
	if err := DiskFailure(fault, 5); !errors.As(err, &disk) || err.Error() != "fault" || !errors.Is(err, fault) {
		t.Errorf("another failure: error %v, want the failure itself", err)
	}
}
