package datasets

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"time"

	"github.com/gaplab/gaplab/datasets/internal/pack"
)

// magic is the first line of each file in the cache Parsed. After it come the key of Source.Load (64 hexadecimal
// digits), the []readFile that the loader has read, and the Set, as package pack writes them. The number in magic is
// raised when this format changes.
const magic = "gaplab parsed 4\n"

// kinds lists the types of Data that the cache Parsed stores. A Treebank is not stored, because reading its many small
// nodes would take as long as parsing its text.
func kinds() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[Labelled](), reflect.TypeFor[Sequences](), reflect.TypeFor[Sentences](),
		reflect.TypeFor[Discrete](), reflect.TypeFor[CellCounts]()}
}

// Load returns the data of the loader l from the cache Parsed. If the cache does not have these data, Load calls l.Load
// and stores its result in the cache. The data may depend on the exported fields of l, on the loader's files and on
// identity, but on nothing else. So identity must contain the name of the data set, its revision and a hash of its
// code. The loader must read all files through the Source.
func (s Source) Load(ctx context.Context, l Loader, identity ...string) (*Set, error) {
	settings, err := json.Marshal(l)
	if s.Parsed.Folder == "" || s.Parsed.Limit <= 0 || err != nil {
		return l.Load(ctx, s)
	}
	key := Checksum(append([]string{runtime.GOARCH, string(settings)}, identity...)...)
	if set := s.kept(ctx, key); set != nil {
		return set, nil
	}
	s.read = &readFiles{}
	set, err := l.Load(ctx, s)
	if files, bytes := s.read.all(); err == nil && len(files) > 0 && bytes >= s.Parsed.Least {
		s.Parsed.keep(key, files, set)
	}
	return set, err
}

// kept returns the data set that the cache stores under a key. It returns nil if there is none, or if the files from
// which the data were read have changed since.
func (s Source) kept(ctx context.Context, key string) *Set {
	path := s.Parsed.path(key)
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	set, err := s.unpack(ctx, file, key)
	if err != nil {
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // records this use; after a failure, the file may be removed earlier
	return set
}

// unpack reads a data set from a file of the cache Parsed. It returns an error if the files from which the data were
// read have changed since.
func (s Source) unpack(ctx context.Context, file *os.File, key string) (*Set, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	var head string
	var read []readFile
	r := pack.NewReader(file, info.Size(), kinds())
	if err := errors.Join(r.Value(&head), r.Value(&read)); err != nil {
		return nil, err
	}
	if head != magic+key || !s.same(ctx, read) {
		return nil, errors.New("the data have another key, or their files have changed")
	}
	set := &Set{}
	return set, errors.Join(r.Value(set), r.End())
}

// same reports whether the files on disk are still the same, byte by byte, as those that the loader has read.
func (s Source) same(ctx context.Context, files []readFile) bool {
	for _, f := range files {
		path := s.own(f.Path)
		if f.Path == "" {
			var ok bool
			if path, _, ok = s.find(f.File); !ok {
				return false
			}
		}
		if !storedAs(ctx, path, f.Size, f.SHA256) {
			return false
		}
	}
	return len(files) > 0
}

// keep stores a data set in the cache. It writes a temporary file, renames it, and removes the oldest files of the
// cache if their total size exceeds p.Limit. Write failures are ignored; the data set is then not stored.
func (p Parsed) keep(key string, read []readFile, set *Set) {
	if os.MkdirAll(p.Folder, 0o755) != nil {
		return
	}
	out, err := os.CreateTemp(p.Folder, "*"+partSuffix)
	if err != nil {
		return
	}
	defer os.Remove(out.Name()) // has no effect if the file was renamed
	err = p.write(out, key, read, set)
	if errors.Join(err, out.Close()) == nil && os.Rename(out.Name(), p.path(key)) == nil {
		p.makeRoom(p.path(key))
	}
}

func (p Parsed) write(out io.Writer, key string, read []readFile, set *Set) error {
	head := magic + key
	w := pack.NewWriter(out, p.Limit, kinds())
	return errors.Join(w.Value(&head), w.Value(&read), w.Value(set), w.End())
}

// path returns the path of the cache file for a key.
func (p Parsed) path(key string) string { return filepath.Join(p.Folder, key[:32]+parsedSuffix) }
