//go:build unix

package store_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/gaplab/gaplab/harness/store"
)

// head returns the first line of a pack of p/a with the given number of runs and, in the fields of all runs, a text.
func head(runs int, common string) string {
	const form = `{"pack":{"format":"gaplab-pack/1","experiment":"p/a","scale":"smoke","runs":%d,"common":{"plan":%q}}}`
	return fmt.Sprintf(form, runs, common) + "\n"
}

// sealed returns a pack of these lines with the right digest.
func sealed(lines string) []byte {
	return fmt.Appendf([]byte(lines), "{\"digest\":\"%x\"}\n", sha256.Sum256([]byte(lines)))
}

// TestHostilePacks checks that a pack that was made to harm is refused with an error that names the pack and the line,
// in bounded memory, and that nothing is written.
func TestHostilePacks(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and some of these packs are large")
	}
	const run = `{"run":{"manifest":{"key":"k"},"rows":0}}` + "\n"
	row := func(columns, constants, rows string) string {
		return fmt.Sprintf(`{"run":{"manifest":{"key":"k"},"columns":[%s],"constants":{%s},"rows":%s}}`, columns, constants,
			rows) + "\n"
	}
	shared := func(in string) string {
		return head(1, "") + fmt.Sprintf(`{"shared":{"in":%q,"key":"k","order":1}}`, in) + "\n"
	}
	var many []string
	for i := range 2_000 {
		many = append(many, fmt.Sprintf(`"c%d":1`, i))
	}
	for _, c := range []struct {
		name, lines, want string
	}{
		{"a shared run above the folder", shared("../../../etc/passwd"), `a.jsonl:2: damaged: the run k is shared with "../`},
		{"a shared run at an absolute path", shared("/etc/passwd"), `a.jsonl:2: damaged: the run k is shared with "/etc`},
		{"a shared run with backslashes", shared(`..\..\x`), `a.jsonl:2: damaged: the run k is shared with "..\\`},
		{"a key twice", head(2, "") + run + run, `a.jsonl:3: damaged: a second run with the key "k"`},
		{"a column twice", head(1, "") + row(`"x","x"`, "", "1") + "[1,2]\n", `a.jsonl:2: damaged: a run has the column "x"`},
		{"a column and a constant", head(1, "") + row(`"x"`, `"x":1`, "1") + "[1]\n", `a run has the column "x" twice`},
		{"a negative number of rows", head(1, "") + row("", "", "-1"), "a.jsonl:2: damaged: a run has -1 rows"},
		{"a quintillion rows", head(1, "") + row("", "", "1000000000000000000"), "a.jsonl:3: damaged: not a row"},
		{"more runs than lines", head(1_000_000_000, "") + run, "the pack has 1 runs, but its head counts 1000000000"},
		{"many constants in many rows", head(1, "") + row("", strings.Join(many, ","), "1000000") +
			strings.Repeat("[]\n", 1_000_000), "need more than 256 MB of memory"},
		{"many runs with a long text", head(1_000_000, strings.Repeat("x", 1<<20)) + func() (all string) {
			for i := range 1_000 {
				all += fmt.Sprintf(`{"run":{"manifest":{"key":"%d"},"rows":0}}`, i) + "\n"
			}
			return all
		}(), "need more than 256 MB of memory"},
	} {
		refused(t, c.name, c.want, func(path string) error { return os.WriteFile(path, sealed(c.lines), 0o666) })
	}
	pack := sealed(head(1, "") + run)
	refused(t, "cut off", "the pack ends before its digest", func(path string) error {
		return os.WriteFile(path, pack[:len(pack)-90], 0o666)
	})
	refused(t, "a wrong digest", "its digest does not match its bytes", func(path string) error {
		return os.WriteFile(path, bytes.Replace(pack, []byte(`"rows":0`), []byte(`"rows": 0`), 1), 0o666)
	})
	refused(t, "an inflating file", "it has more than 64 MB; accepted: at most 64 MB", func(path string) error {
		return compressed(path+".gz", 100<<20)
	})
	refused(t, "a large file", "it has more than 64 MB; accepted: at most 64 MB", func(path string) error {
		return os.WriteFile(path, nil, 0o666)
	}, func(path string) error { return os.Truncate(path, 1<<40) })
	refused(t, "a cut compressed file", "unexpected EOF", func(path string) error {
		return compressed(path+".gz", 1<<20)
	}, func(path string) error { return os.Truncate(path+".gz", 500) })
	refused(t, "a link out of the folder", "path escapes", func(path string) error {
		other := filepath.Join(t.TempDir(), "a.jsonl")
		if err := os.WriteFile(other, pack, 0o666); err != nil {
			return err
		}
		return os.Symlink(other, path)
	})
	refused(t, "a pipe", "it is a pipe; accepted: a file", func(path string) error { return syscall.Mkfifo(path, 0o600) })
	refused(t, "a device", "it is a device; accepted: a file", func(path string) error {
		return os.Symlink("/dev/zero", path)
	})
}

// compressed writes a compressed file of size zeros.
func compressed(path string, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err == nil {
		_, err = io.CopyN(z, zeros{}, size)
	}
	if err == nil {
		err = z.Close()
	}
	return err
}

// zeros is a reader of zeros without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// refused checks that the pack that the functions make is refused with one error, and that reading it writes no file
// and allocates at most 1.5 GB in all.
func refused(t *testing.T, name, want string, build ...func(path string) error) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "smoke", "p", "a.jsonl")
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	for _, f := range build {
		if err == nil {
			err = f(path)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	before := allocated()
	files, err := store.Keep(dir).Read("p/a", "smoke")
	if used := allocated() - before; used > 1500<<20 {
		t.Errorf("%s: allocated %d MB, want at most 1500", name, used>>20)
	}
	if err == nil || len(files) > 0 || !strings.Contains(err.Error(), want) ||
		!strings.Contains(err.Error(), filepath.Join("smoke", "p", "a.jsonl")) {
		t.Errorf("%s: read %d runs, error %.300v; want the pack's path and %q", name, len(files), err, want)
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "smoke", "p", "*")); len(found) != 1 {
		t.Errorf("%s: the folder has %q, want only the pack", name, found)
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
