package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/datasets/internal/storetest"
)

// TestFetchFromFolderLooksFirst checks that Fetch from a folder does not need the folder if an intact copy exists, that
// it replaces a damaged copy in the cache, in whatever format, and that it refuses a damaged copy in GAPLAB_DATA.
func TestFetchFromFolderLooksFirst(t *testing.T) {
	ctx, none := t.Context(), http.Client{Transport: noNetwork{t}}
	for _, c := range []struct {
		data, cache, from []storetest.Member
		cached            string
		want              string // words of the error; "": there is none
	}{
		{nil, []storetest.Member{{Name: "toy/rows", Content: toyContent}}, nil, "toy/rows", ""},
		{[]storetest.Member{{Name: "toy/rows.gz", Content: storetest.Gzip(toyContent)}}, nil, nil, "", ""},
		{nil, []storetest.Member{{Name: "toy/rows.gz", Content: "damaged"}},
			[]storetest.Member{{Name: "rows", Content: toyContent}}, "toy/rows", ""},
		{nil, []storetest.Member{{Name: "toy/rows.gz", Content: storetest.Gzip("damaged")}},
			[]storetest.Member{{Name: "toy/rows.gz", Content: storetest.Gzip(toyContent)}}, "toy/rows.gz", ""},
		{nil, []storetest.Member{{Name: "toy/rows.gz", Content: "damaged"}}, nil, "toy/rows.gz", "toy/rows.gz not found"},
		{nil, nil, []storetest.Member{{Name: "rows", Content: "damaged"}}, "",
			"the published file is at http://127.0.0.1/rows or http://127.0.0.1/mirror"},
		{[]storetest.Member{{Name: "toy/rows", Content: "damaged"}}, nil,
			[]storetest.Member{{Name: "rows", Content: toyContent}}, "", "replace or remove that copy in GAPLAB_DATA"},
	} {
		src, from := Source{Data: t.TempDir(), Cache: t.TempDir(), Client: &none}, t.TempDir()
		for folder, list := range map[string][]storetest.Member{src.Data: c.data, src.Cache: c.cache, from: c.from} {
			for _, m := range list {
				storetest.Write(t, folder, m.Name, m.Content)
			}
		}
		err := Fetch(ctx, toy("http://127.0.0.1/rows", "http://127.0.0.1/mirror"), src, from)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("from %.80v: error %v, want %q", c.from, err, c.want)
		}
		if got := files(t, src.Cache); got != c.cached {
			t.Errorf("from %.80v: the cache holds %q, want %q", c.from, got, c.cached)
		}
		if err == nil {
			checkRead(t, toy(), src)
		}
	}
}

// TestPartOfEachMirror checks that interrupted downloads from two URLs leave two .part files, and that the largest
// number of accepted bytes leaves room for the header of a compressed file, and for other members of an archive.
func TestPartOfEachMirror(t *testing.T) {
	first, _ := server(t, brokenOff(toyContent, 100))
	second, _ := server(t, brokenOff(storetest.Gzip(toyContent), 10))
	src := Source{Cache: t.TempDir()}
	_, err := toyLoad(toy(first, second), src)
	var missing *MissingError
	if !errors.As(err, &missing) || len(missing.Tries) != 2 {
		t.Errorf("error of two broken mirrors = %v, want a MissingError with both", err)
	}
	sizes := map[int64]int{}
	for _, name := range strings.Fields(files(t, src.Cache)) {
		info, err := os.Stat(filepath.Join(src.Cache, name))
		if err != nil {
			t.Fatal(err)
		}
		sizes[info.Size()]++
	}
	if len(sizes) != 2 || sizes[100] != 1 || sizes[10] != 1 {
		t.Errorf("the cache holds %q with the sizes %v, want parts of 100 and of 10 bytes", files(t, src.Cache), sizes)
	}
	for _, c := range []struct {
		bytes       int64
		plain, pack int64
	}{{0, 1 << 16, 1 << 28}, {64, 65 + 1<<16, 1 << 28}, {6400, 6500 + 1<<16, 1 << 28},
		{1 << 23, 1<<23 + 1<<17 + 1<<16, 1 << 28}, {1 << 24, 1<<24 + 1<<18 + 1<<16, 1 << 29}} {
		plain, pack := File{Bytes: c.bytes}.limit(), File{Bytes: c.bytes, Member: "*"}.limit()
		if plain != c.plain || pack != c.pack {
			t.Errorf("a file of %d bytes: at most %d bytes, in an archive %d; want %d and %d", c.bytes, plain, pack, c.plain,
				c.pack)
		}
	}
}

// TestClientOfDownloads checks that the client of the Source is used if there is one, and that the client of the
// program waits for an answer only for a limited time and refuses insecure redirects.
func TestClientOfDownloads(t *testing.T) {
	own := &http.Client{}
	if got := (Source{Client: own}).client(); got != own {
		t.Error("another client than that of the Source is used")
	}
	c := Source{}.client()
	transport, ok := c.Transport.(*http.Transport)
	if !ok || transport.ResponseHeaderTimeout != stallTime || c.Timeout != 0 || transport.Proxy == nil {
		t.Errorf("client %+v: want the time of a stall for the answer, no limit for the whole, and the proxy of the system",
			c)
	}
	request := func(url string) *http.Request {
		r, err := http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if c.CheckRedirect == nil || c.CheckRedirect(request("http://a/"), []*http.Request{request("https://a/")}) == nil {
		t.Error("the client follows a redirect from https to http")
	}
}

// TestStatusOfCopies checks the size on disk of a compressed copy, and that of two copies the status is that of the
// copy in GAPLAB_DATA, which Load reads.
func TestStatusOfCopies(t *testing.T) {
	packed := storetest.Gzip(toyContent)
	src := Source{Data: t.TempDir(), Cache: t.TempDir()}
	storetest.Write(t, src.Cache, "toy/rows.gz", packed)
	check := func(status Status, place string, bytes int) {
		t.Helper()
		list, err := Verify(t.Context(), toy(), src)
		if err != nil || list[0].Status != status || list[0].Place != place || list[0].Bytes != int64(bytes) ||
			(list[0].Err == nil) != (status == OK) || list[0].File.Name != "toy/rows.gz" {
			t.Errorf("%+v, error %v; want %s in %s with %d bytes", list, err, status, place, bytes)
		}
		if err := StatusError("toy", src, list); (err == nil) != (status == OK) || err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("error of the statuses = %v", err)
		}
	}
	check(OK, InCache, len(packed))
	storetest.Write(t, src.Data, "toy/rows", "damaged")
	check(Bad, InData, 7)
	storetest.Write(t, src.Data, "toy/rows", toyContent)
	storetest.Write(t, src.Cache, "toy/rows.gz", "damaged")
	check(OK, InData, len(toyContent))
}

// TestFaultBeforeDamage checks which error is reported if a text has a fault and its file is damaged behind it. For the
// user's own file, reading ends at the fault. A published file is read to its end, and the damage is the cause.
func TestFaultBeforeDamage(t *testing.T) {
	cut := storetest.Gzip(toyContent)
	cut = cut[:len(cut)-30]
	src := Source{Dir: t.TempDir(), Data: t.TempDir()}
	storetest.Write(t, src.Dir, "own", cut)
	storetest.Write(t, src.Data, "toy/rows.gz", cut)
	fault := &SyntaxError{Path: "f", Line: 1, Column: 1, Msg: "a fault"}
	first := func(_ string, r io.Reader) error {
		if _, err := io.ReadFull(r, make([]byte, 10)); err != nil {
			t.Error(err)
		}
		return fault
	}
	all := func(_ string, r io.Reader) error {
		if _, err := io.ReadAll(r); err == nil {
			t.Error("the damaged file is read to its end")
		}
		return fault
	}
	if _, err := src.ReadOwn(t.Context(), "own", first); !errors.Is(err, fault) || errors.Is(err, ErrCorrupt) {
		t.Errorf("own file with a fault before the damage: error %v, want the fault", err)
	}
	if _, err := src.ReadOwn(t.Context(), "own", all); errors.Is(err, fault) || !errors.Is(err, ErrCorrupt) {
		t.Errorf("own file whose parser meets the damage: error %v, want ErrCorrupt", err)
	}
	for _, parse := range []func(string, io.Reader) error{first, all} {
		if err := src.Read(t.Context(), "toy", toy().Files[0], parse); errors.Is(err, fault) || !errors.Is(err, ErrCorrupt) {
			t.Errorf("published file: error %v, want ErrCorrupt", err)
		}
	}
	storetest.Write(t, src.Data, "toy/rows.gz", storetest.Gzip(toyContent))
	if err := src.Read(t.Context(), "toy", toy().Files[0], first); !errors.Is(err, fault) {
		t.Errorf("intact published file: error %v, want the fault", err)
	}
}

// TestTextSize checks the length of the text that a parser is told: of a plain file its size, of a compressed file that
// in the catalogue, and 0 if it is not known.
func TestTextSize(t *testing.T) {
	src := Source{Dir: t.TempDir(), Data: t.TempDir()}
	size := int64(-1)
	look := func(_ string, r io.Reader) error {
		size = r.(interface{ TextSize() int64 }).TextSize()
		return nil
	}
	for name, content := range map[string]string{"plain": toyContent, "packed": storetest.Gzip(toyContent)} {
		storetest.Write(t, src.Dir, name, content)
		storetest.Write(t, src.Data, "toy/rows", content)
		sum, err := src.ReadOwn(t.Context(), name, look)
		want := map[string]int64{"plain": int64(len(toyContent))}[name]
		if err != nil || size != want || sum != toy().Files[0].SHA256 {
			t.Errorf("own file, %s: size %d, checksum %s, error %v; want %d and the checksum of the content", name, size, sum,
				err, want)
		}
		if err := src.Read(t.Context(), "toy", toy().Files[0], look); err != nil || size != int64(len(toyContent)) {
			t.Errorf("published file, %s: size %d, error %v", name, size, err)
		}
	}
}

// TestReadErrors checks which errors of reading a file mean that its content is damaged.
func TestReadErrors(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx     context.Context
		err     error
		corrupt bool
	}{
		{t.Context(), io.ErrUnexpectedEOF, true}, {t.Context(), errors.New("other"), true},
		{ended, io.ErrUnexpectedEOF, false},
		{t.Context(), fmt.Errorf("x: %w", &fs.PathError{Op: "read", Path: "f", Err: fs.ErrPermission}), false},
		{t.Context(), fmt.Errorf("%w: 3 GB", ErrTooLarge), false},
	} {
		err := readError(c.ctx, "path", c.err)
		if errors.Is(err, ErrCorrupt) != c.corrupt || !errors.Is(err, c.err) || !strings.HasPrefix(err.Error(), "path: ") {
			t.Errorf("%v: error %v, damaged: %v; want the path, the cause and %v", c.err, err, !c.corrupt, c.corrupt)
		}
	}
}

// TestParsedLeastOfAllFiles checks that the least size of data that are stored counts the decompressed contents of all
// files together.
func TestParsedLeastOfAllFiles(t *testing.T) {
	dir := t.TempDir()
	storetest.Write(t, dir, "a", storetest.Gzip(strings.Repeat("x", 300)))
	storetest.Write(t, dir, "b", strings.Repeat("y", 40))
	for least, loads := range map[int64]int{340: 0, 341: 1} {
		src := Source{Dir: dir, Parsed: Parsed{Folder: filepath.Join(dir, fmt.Sprint(least)), Limit: 1 << 20, Least: least}}
		l := lengths{Paths: []string{"a", "b"}, Scale: 1}
		loadsOf(t, src, l, "lengths")
		if _, n := loadsOf(t, src, l, "lengths"); n != loads {
			t.Errorf("at least %d bytes: %d further loads, want %d", least, n, loads)
		}
	}
}

// TestRoomForTheNewest checks which files make room: the least recently used first, not more than necessary, never the
// newest, even if its time is the earliest, and incomplete files only after an hour.
func TestRoomForTheNewest(t *testing.T) {
	for _, c := range []struct {
		limit int64
		want  string
	}{{40, "c.parsed d.parsed n.parsed young.part"}, {39, "d.parsed n.parsed young.part"},
		{30, "d.parsed n.parsed young.part"}, {10, "n.parsed young.part"}, {1, "n.parsed young.part"},
		{100, "b.parsed c.parsed d.parsed n.parsed young.part"}} {
		p := Parsed{Folder: t.TempDir(), Limit: c.limit}
		now := time.Now()
		for name, file := range map[string]struct {
			bytes, age int // age in minutes
		}{"n.parsed": {10, 50}, "b.parsed": {20, 40}, "c.parsed": {10, 30}, "d.parsed": {20, 20}, "old.part": {500, 61},
			"young.part": {500, 59}} {
			storetest.Write(t, p.Folder, name, strings.Repeat("x", file.bytes))
			at := now.Add(-time.Duration(file.age) * time.Minute)
			if err := os.Chtimes(filepath.Join(p.Folder, name), at, at); err != nil {
				t.Fatal(err)
			}
		}
		if sets, bytes, err := p.Size(); sets != 4 || bytes != 1060 || err != nil {
			t.Errorf("size = %d sets, %d bytes, error %v; want 4, 1060", sets, bytes, err)
		}
		p.makeRoom(filepath.Join(p.Folder, "n.parsed"))
		if got := files(t, p.Folder); got != c.want {
			t.Errorf("limit %d: left are %q, want %q", c.limit, got, c.want)
		}
		if err := p.Clear(); err != nil || files(t, p.Folder) != "" {
			t.Errorf("after Clear: %q, error %v", files(t, p.Folder), err)
		}
	}
	if sets, bytes, err := (Parsed{}).Size(); sets != 0 || bytes != 0 || err != nil {
		t.Errorf("without a folder: %d sets, %d bytes, error %v", sets, bytes, err)
	}
}

// TestTextsOfErrors checks the texts of errors, and what they wrap.
func TestTextsOfErrors(t *testing.T) {
	one, two := errors.New("one"), errors.New("two")
	for _, c := range []struct {
		err   error
		want  string
		wraps []error
	}{
		{&MissingError{Set: "s", File: "f", Looked: []string{"a", "b"}},
			"s: f not found; looked in a, b; get it with: gaplab data fetch s", []error{ErrMissing}},
		{&MissingError{Set: "s", File: "f", Looked: []string{"a"}, Offline: true},
			"s: f not found; looked in a; downloads are off (offline); get it with: gaplab data fetch s", []error{ErrMissing}},
		{&MissingError{Set: "s", File: "f", Looked: []string{"a"}, Tries: []error{one, two}},
			"s: f not found; looked in a; one; two; if you have a copy in a folder: gaplab data fetch s --from DIR",
			[]error{ErrMissing, one, two}},
		{&MissingError{Set: "s", File: "f", Looked: []string{"a"}, Tries: []error{one}, Advice: "ask"},
			"s: f not found; looked in a; one; ask", []error{ErrMissing, one}},
		{&ContentError{Path: "p", Got: "1", Want: "2"}, "p: decompressed content has SHA-256 1, the catalogue has 2: not " +
			"the published file, or damaged", []error{ErrCorrupt}},
		{&ContentError{Path: "p", Got: "1", Want: "2", Err: one}, "p: cannot be unpacked: one", []error{ErrCorrupt, one}},
		{&SettingError{Key: "k", Value: "v", Want: "w"}, `dataset: k is "v": want w`, nil},
		{&SettingError{Key: "k", Value: 1.5, Want: "w"}, "dataset: k is 1.5: want w", nil},
		{&SyntaxError{Path: "p", Line: 3, Column: 5, Msg: "m"}, "p:3:5: m", nil},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%T: %s, want %s", c.err, got, c.want)
		}
		for _, e := range []error{ErrMissing, ErrCorrupt, one, two} {
			if errors.Is(c.err, e) != slices.Contains(c.wraps, e) {
				t.Errorf("%v wraps %v: %v", c.err, e, errors.Is(c.err, e))
			}
		}
	}
}
