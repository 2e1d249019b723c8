package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gaplab/gaplab/datasets/internal/storetest"
)

// lengths is a loader that makes one row for each of its files. The value of the row is the length of the file times
// Scale.
type lengths struct {
	Paths []string // files of the user
	Toy   bool     // if true, the file of the entry toy is also read
	Scale float64  // factor by which the values are multiplied

	loads *int // number of calls of Load
	bad   bool // if true, parsing fails
	set   any  // validation data, or nil
}

func (l lengths) Load(ctx context.Context, src Source) (*Set, error) {
	*l.loads++
	d := &Labelled{X: Rows{Dim: 1}, Classes: []string{"a"}}
	parse := func(_ string, r io.Reader) error {
		text, err := io.ReadAll(r)
		d.X.N, d.X.Value, d.Y = d.X.N+1, append(d.X.Value, l.Scale*float64(len(text))), append(d.Y, 0)
		if l.bad {
			err = &SyntaxError{Line: 1, Msg: "bad"}
		}
		return err
	}
	set := &Set{Name: "toy", Train: d, Files: map[string]string{}, Warnings: []string{"a doubt"}}
	if l.set != nil {
		set.Validation = l.set.(Data)
	}
	for _, p := range l.Paths {
		sum, err := src.ReadOwn(ctx, p, parse)
		if err != nil {
			return nil, err
		}
		set.Files[p] = sum
	}
	if l.Toy {
		return set, set.ReadFiles(ctx, src, toy().Files, nil, parse)
	}
	return set, nil
}

// hidden is a type of Data that the cache does not store (see kinds).
type hidden struct{ Labelled }

// loadsOf returns the data of l, and the number of calls of l.Load.
func loadsOf(t *testing.T, src Source, l lengths, identity ...string) (*Set, int) {
	t.Helper()
	n := 0
	l.loads = &n
	set, err := src.Load(context.Background(), l, identity...)
	if err != nil {
		t.Fatal(err)
	}
	return set, n
}

// TestParsedIsOfTheSameFiles checks that data from the cache are used if and only if the loader's files, settings and
// revision are the same.
func TestParsedIsOfTheSameFiles(t *testing.T) {
	dir := t.TempDir()
	src := Source{Data: filepath.Join(dir, "data"), Dir: dir, Offline: true,
		Parsed: Parsed{Folder: filepath.Join(dir, "kept", "parsed"), Limit: 1 << 20}}
	write := func(name, text string) { storetest.Write(t, dir, name, text) }
	write("data/toy/rows.gz", storetest.Gzip(toyContent))
	write("own", "text")
	l := lengths{Paths: []string{"own"}, Toy: true, Scale: 1}
	identity := []string{"lengths", "1"}
	for _, step := range []struct {
		name  string
		do    func()
		loads int
	}{
		{"the first time", func() {}, 1},
		{"again", func() {}, 0},
		{"the user's file has changed", func() { write("own", "TEXT") }, 1},
		{"again", func() {}, 0},
		{"a copy of the user's file in another folder", func() {
			write("elsewhere/own", "TEXT")
			src.Dir = filepath.Join(dir, "elsewhere")
		}, 0},
		{"the user's file compressed", func() { write("elsewhere/own", storetest.Gzip("TEXT")) }, 1},
		{"the compressed file with bytes appended", func() {
			write("elsewhere/own", storetest.Gzip("TEXT")+storetest.Gzip(""))
		}, 1},
		{"a copy in the cache", func() {
			src.Cache = filepath.Join(dir, "cache")
			write("cache/toy/rows.gz", storetest.Gzip(toyContent))
			os.RemoveAll(src.Data)
		}, 0},
		{"the copy in the cache decompressed", func() {
			os.RemoveAll(src.Cache)
			write("cache/toy/rows", toyContent)
		}, 1},
		{"another setting", func() { l.Scale = 2 }, 1},
		{"another revision", func() { identity[1] = "2" }, 1},
		{"the revision before", func() { identity[1] = "1" }, 0},
		{"off", func() { src.Parsed.Limit = 0 }, 1},
	} {
		step.do()
		set, n := loadsOf(t, src, l, identity...)
		n0 := 0
		plain := l
		plain.loads = &n0
		want, err := plain.Load(context.Background(), src)
		if err != nil {
			t.Fatal(err)
		}
		if n != step.loads || !reflect.DeepEqual(set, want) {
			t.Errorf("%s: calls of Load = %d, data %+v; want %d, %+v", step.name, n, set, step.loads, want)
		}
	}
}

// TestParsedHidesNoFault checks that a fault of a file is reported at each load, and that data in the cache do not hide
// a damaged copy of a file.
func TestParsedHidesNoFault(t *testing.T) {
	dir := t.TempDir()
	src := Source{Data: filepath.Join(dir, "data"), Dir: dir, Offline: true,
		Parsed: Parsed{Folder: filepath.Join(dir, "parsed"), Limit: 1 << 20}}
	storetest.Write(t, dir, "own", "text")
	n := 0
	for range 2 {
		var syntax *SyntaxError
		_, err := src.Load(context.Background(), lengths{Paths: []string{"own"}, loads: &n, bad: true}, "lengths")
		if !errors.As(err, &syntax) {
			t.Errorf("error of a text with a fault = %v, want a SyntaxError", err)
		}
	}
	storetest.Write(t, dir, "data/toy/rows", toyContent)
	loadsOf(t, src, lengths{Toy: true}, "lengths")
	storetest.Write(t, dir, "data/toy/rows", toyContent[1:])
	if _, err := src.Load(context.Background(), lengths{Toy: true, loads: &n}, "lengths"); !errors.Is(err, ErrCorrupt) {
		t.Errorf("error of a damaged copy = %v, want ErrCorrupt", err)
	}
	os.Remove(filepath.Join(src.Data, "toy", "rows"))
	if _, err := src.Load(context.Background(), lengths{Toy: true, loads: &n}, "lengths"); !errors.Is(err, ErrMissing) {
		t.Errorf("error without a copy = %v, want ErrMissing", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	storetest.Write(t, dir, "data/toy/rows", toyContent)
	if _, err := src.Load(ctx, lengths{Toy: true, loads: &n}, "lengths"); !errors.Is(err, context.Canceled) {
		t.Errorf("error of a cancelled Load = %v, want context.Canceled", err)
	}
}

func TestParsedNotKept(t *testing.T) {
	dir := t.TempDir()
	storetest.Write(t, dir, "own", strings.Repeat("x", 100))
	storetest.Write(t, dir, "file", "not a folder")
	here := Parsed{Folder: filepath.Join(dir, "parsed"), Limit: 1 << 20}
	for name, c := range map[string]struct {
		l lengths
		p Parsed
	}{
		"nothing read":     {lengths{}, here},
		"few bytes read":   {lengths{Paths: []string{"own"}}, Parsed{here.Folder, here.Limit, 101}},
		"beyond the limit": {lengths{Paths: []string{"own"}}, Parsed{Folder: here.Folder, Limit: 100}},
		"unsupported kind": {lengths{Paths: []string{"own"}, set: &hidden{}}, here},
		"no folder": {lengths{Paths: []string{"own"}},
			Parsed{Folder: filepath.Join(dir, "file", "x"), Limit: 1 << 20}},
	} {
		src := Source{Dir: dir, Parsed: c.p}
		for range 2 {
			if _, n := loadsOf(t, src, c.l, "lengths"); n != 1 {
				t.Errorf("%s: the data were read from the cache, want them loaded again", name)
			}
		}
		if sets, bytes, _ := c.p.Size(); sets != 0 || bytes != 0 {
			t.Errorf("%s: the folder has %d sets of %d bytes, want none", name, sets, bytes)
		}
	}
	src := Source{Dir: dir, Parsed: Parsed{here.Folder, here.Limit, 100}}
	loadsOf(t, src, lengths{Paths: []string{"own"}}, "lengths")
	if _, n := loadsOf(t, src, lengths{Paths: []string{"own"}}, "lengths"); n != 0 {
		t.Error("data of exactly Least bytes were not stored in the cache, want them stored")
	}
}

// TestParsedMakesRoom checks that the cache removes the least recently used data and the incomplete files of
// interrupted processes.
func TestParsedMakesRoom(t *testing.T) {
	dir := t.TempDir()
	storetest.Write(t, dir, "own", "text")
	src := Source{Dir: dir, Parsed: Parsed{Folder: filepath.Join(dir, "parsed"), Limit: 1 << 20}}
	set := func(k int) lengths { return lengths{Paths: []string{"own"}, Scale: float64(k)} }
	loadsOf(t, src, set(0), "lengths")
	_, one, err := src.Parsed.Size()
	if err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-2 * time.Hour)
	for _, name := range []string{"left.part", "notes.txt"} {
		storetest.Write(t, src.Parsed.Folder, name, "text")
		if err := os.Chtimes(filepath.Join(src.Parsed.Folder, name), long, long); err != nil {
			t.Fatal(err)
		}
	}
	storetest.Write(t, src.Parsed.Folder, "present.part", "text")
	src.Parsed.Limit = 3*one + one/2
	age := func() { // makes the last use of all files one minute earlier
		files, err := src.Parsed.files()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			at := f.used.Add(-time.Minute)
			if err := os.Chtimes(f.path, at, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	for k := 1; k < 4; k++ {
		age()
		loadsOf(t, src, set(k), "lengths")
		age()
		loadsOf(t, src, set(0), "lengths")
	}
	for _, k := range []int{0, 2, 3, 1} { // set 1 comes last, since loading it removes another set
		if _, n := loadsOf(t, src, set(k), "lengths"); (n == 1) != (k == 1) {
			t.Errorf("calls of Load for set %d = %d, want 1 for set 1, the least recently used, and 0 for other sets", k, n)
		}
	}
	if _, err := os.Stat(filepath.Join(src.Parsed.Folder, "left.part")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("left.part, two hours old: error of Stat = %v, want the file removed", err)
	}
	if _, err := os.Stat(filepath.Join(src.Parsed.Folder, "present.part")); err != nil {
		t.Errorf("present.part, a few minutes old: error of Stat = %v, want the file kept for its process", err)
	}
	if sets, bytes, err := src.Parsed.Size(); sets != 3 || bytes > src.Parsed.Limit || err != nil {
		t.Errorf("size = %d sets, %d bytes, error %v; want 3 sets, at most %d bytes", sets, bytes, err, src.Parsed.Limit)
	}
	if err := src.Parsed.Clear(); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(src.Parsed.Folder)
	if err != nil || len(left) != 1 || left[0].Name() != "notes.txt" {
		t.Errorf("files after Clear = %v, error %v; want only notes.txt, which the cache did not write", left, err)
	}
	if err := (Parsed{Folder: filepath.Join(dir, "absent")}).Clear(); err != nil {
		t.Errorf("error of Clear without a folder = %v, want nil", err)
	}
}

// TestParsedAtOnce checks that concurrent loads of the same data leave one complete file.
func TestParsedAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test loads data hundreds of times")
	}
	dir := t.TempDir()
	src := Source{Dir: dir, Parsed: Parsed{Folder: filepath.Join(dir, "parsed"), Limit: 1 << 20}}
	var paths []string
	for k := range 50 {
		paths = append(paths, fmt.Sprint("own", k))
		storetest.Write(t, dir, paths[k], strings.Repeat("x", k))
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			n := 0
			for range 20 {
				set, err := src.Load(context.Background(), lengths{Paths: paths, Scale: 1, loads: &n}, "lengths")
				if err != nil || set.Train.(*Labelled).X.Value[49] != 49 {
					t.Errorf("loaded %+v, error %v; want the value 49 in row 49", set, err)
				}
			}
		})
	}
	wg.Wait()
	list, err := os.ReadDir(src.Parsed.Folder)
	if err != nil || len(list) != 1 {
		t.Errorf("files in the folder = %v, error %v; want one file", list, err)
	}
	if _, n := loadsOf(t, src, lengths{Paths: paths, Scale: 1}, "lengths"); n != 0 {
		t.Error("the data were loaded again, want them from a complete file of the cache")
	}
}

// TestParsedRefusesPipes checks that if a pipe has replaced a file whose data are in the cache, Load returns an error
// and does not wait for a writer to the pipe.
func TestParsedRefusesPipes(t *testing.T) {
	dir := t.TempDir()
	src := Source{Dir: dir, Parsed: Parsed{Folder: filepath.Join(dir, "parsed"), Limit: 1 << 20}}
	storetest.Write(t, dir, "own", "text")
	l := lengths{Paths: []string{"own"}, Scale: 1}
	loadsOf(t, src, l, "lengths")
	pipe := filepath.Join(dir, "own")
	if err := os.Remove(pipe); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skip(err)
	}
	l.loads = new(int)
	if set, err := src.Load(t.Context(), l, "lengths"); err == nil || !strings.Contains(err.Error(), "it is a pipe") {
		t.Errorf("loaded %v, error %v; want an error about the pipe", set, err)
	}
}
