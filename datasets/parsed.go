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

// magic begins each file of the folder Parsed. The key of Source.Load follows (64 hexadecimal digits), then the
// []readFile that were read and the Set, as package pack writes them. The number in magic is raised when this format
// changes.
const magic = "gaplab parsed 2\n"

// kinds lists the types of Data that are kept. A Treebank is not kept, because reading its many small nodes takes as
// long as parsing its text.
func kinds() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[Labelled](), reflect.TypeFor[Sequences](), reflect.TypeFor[Sentences](),
		reflect.TypeFor[Discrete](), reflect.TypeFor[CellCounts]()}
}

// Load returns the data that are kept in the folder Parsed. If there are none, it calls l.Load and keeps its data. The
// data may depend on the exported fields of l and on its files; identity names all else on which they depend: the data
// set, its revision and its code. The loader must read all files through the Source.
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

// kept returns the set that is kept under a key. It returns nil if there is none, or if the files that were read for it
// have changed since.
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
	_ = os.Chtimes(path, now, now) // records the time of this use; if it fails, the file is only removed earlier
	return set
}

// unpack reads a file of the folder Parsed. It returns an error if the files from which the data were read have
// changed.
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

// same reports whether a loader would read the same files now, byte by byte.
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

// keep writes a set to a temporary file, renames the file, and removes old files beyond the limit. Write failures are
// ignored: the set is then not kept.
func (p Parsed) keep(key string, read []readFile, set *Set) {
	if os.MkdirAll(p.Folder, 0o755) != nil {
		return
	}
	out, err := os.CreateTemp(p.Folder, "*"+partSuffix)
	if err != nil {
		return
	}
	defer os.Remove(out.Name()) // fails once the file is renamed
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

// path returns the path of the file for a key.
func (p Parsed) path(key string) string { return filepath.Join(p.Folder, key[:32]+parsedSuffix) }
