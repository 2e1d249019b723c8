package store

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// Draft is a run in progress. Readers see its rows as those of a run that has not ended.
type Draft struct {
	*trace.Writer
	folder *Folder
	key    string
	name   string // of its file in the store
}

// Begin starts a run, in a file of its own.
func (f *Folder) Begin(key string, m trace.Manifest) (*Draft, error) {
	root, err := f.store.opened(true)
	if err != nil {
		return nil, err
	}
	if err := root.MkdirAll(filepath.FromSlash(f.name), 0o777); err != nil {
		return nil, err
	}
	name := f.file(key + "." + unique() + part)
	file, err := root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	w, err := trace.NewWriter(file, m)
	if err != nil {
		return nil, err
	}
	return &Draft{Writer: w, folder: f, key: key, name: name}, nil
}

// unique is a word that no other process has.
func unique() string {
	var bytes [8]byte
	rand.Read(bytes[:]) // it never fails
	return hex.EncodeToString(bytes[:])
}

// Finish ends the run and makes it the result of its key, unless another process was faster, whose result then stands.
// It returns the result that stands, and removes what earlier attempts have left.
func (d *Draft) Finish(end trace.End) (*trace.File, error) {
	if err := d.Close(end); err != nil {
		return nil, err
	}
	file, err := d.folder.publish(d.name, d.key+ending)
	if err != nil {
		return nil, err
	}
	d.folder.tidy(d.key)
	return file, nil
}

// Replace ends the run and makes it the result of its key, in place of any that is there.
func (d *Draft) Replace(end trace.End) (*trace.File, error) {
	old, _ := d.folder.Finished(d.key) // a damaged one is replaced like any other
	file, err := d.move(d.key+ending, end)
	if err != nil {
		return nil, err
	}
	if old != nil && old.End != nil && old.End.Weights != "" && old.End.Weights != file.End.Weights {
		d.folder.remove(path.Base(old.End.Weights)) // nobody names them any more
	}
	d.folder.tidy(d.key)
	return file, nil
}

// Leave ends the run without making it a result: it was interrupted or has failed, and will be made again.
func (d *Draft) Leave(end trace.End) (*trace.File, error) { return d.move(d.key+part, end) }

// move ends the run under a name. If another process has finished the key meanwhile, and tidied up, its result stands.
func (d *Draft) move(to string, end trace.End) (*trace.File, error) {
	if err := d.Close(end); err != nil {
		return nil, err
	}
	root, err := d.folder.store.opened(true)
	if err != nil {
		return nil, err
	}
	to = d.folder.file(to)
	err = root.Rename(filepath.FromSlash(d.name), filepath.FromSlash(to))
	if errors.Is(err, fs.ErrNotExist) {
		if there, bad := d.folder.Finished(d.key); bad == nil && there != nil {
			return there, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return d.folder.store.read(to)
}

// publish gives a closed file its final name, unless a result has taken it, and returns the result that stands.
func (f *Folder) publish(from, to string) (*trace.File, error) {
	root, err := f.store.opened(true)
	if err != nil {
		return nil, err
	}
	from, to = filepath.FromSlash(from), filepath.FromSlash(f.file(to))
	err = root.Link(from, to)
	switch {
	case err == nil:
		root.Remove(from)
	case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist): // another was faster, and may have tidied up
		there, bad := f.store.read(filepath.ToSlash(to))
		if bad == nil && Counts(there) {
			root.Remove(from)
			return there, nil
		}
		if bad != nil && !errors.Is(bad, fs.ErrNotExist) {
			root.Rename(to, to+aside) // damaged, or of a later program: nothing is lost
		}
		fallthrough // what has the name is no result
	default: // a file system without links
		if err := root.Rename(from, to); err != nil {
			return nil, fmt.Errorf("the result could not be kept: %w", err)
		}
	}
	return f.store.read(filepath.ToSlash(to))
}

// Counts says whether a run stands as the result of its key: failures and interruptions do not.
func Counts(f *trace.File) bool {
	switch f.Status() {
	case trace.Done, trace.Budget, trace.Diverged, trace.Unsupported:
		return true
	}
	return false
}

// tidy removes the files of attempts at a key that did not become its result.
func (f *Folder) tidy(key string) {
	for _, name := range f.names(".") {
		if strings.HasPrefix(name, "."+key) { // weights that were being written
			f.remove(name)
		}
		if !strings.HasPrefix(name, key+".") {
			continue
		}
		for _, ending := range []string{part, stateEnding, stateEnding + unwritten} {
			if strings.HasSuffix(name, ending) {
				f.remove(name)
			}
		}
	}
	f.DropTrials(key)
}

// Attempts are the runs under a key that did not become its result, as far as they can be read: they were interrupted,
// killed, or failed. The caller has the lock of the key, else one may be in progress.
func (f *Folder) Attempts(key string) (out []*trace.File) {
	for _, name := range f.names(".") {
		if strings.HasPrefix(name, key+".") && strings.HasSuffix(name, part) {
			if file, err := f.store.read(f.file(name)); err == nil {
				out = append(out, file)
			}
		}
	}
	return out
}

// Sign changes as long as some process works on a key: when a file of an attempt was last written, in nanoseconds.
func (f *Folder) Sign(key string) (last int64) {
	root, err := f.store.opened(false)
	if err != nil {
		return 0
	}
	for _, name := range f.names(".") {
		if strings.HasPrefix(name, key+".") {
			if info, err := root.Stat(filepath.FromSlash(f.file(name))); err == nil {
				last = max(last, info.ModTime().UnixNano())
			}
		}
	}
	return last
}

// names are the files in a folder of the folder; none if it is not there.
func (f *Folder) names(of string) []string {
	root, err := f.store.opened(false)
	if err != nil {
		return nil
	}
	entries, _ := fs.ReadDir(root.FS(), path.Join(f.name, of))
	out := make([]string, len(entries))
	for i, e := range entries {
		out[i] = e.Name()
	}
	return out
}

// remove removes a file of the folder, if it is there.
func (f *Folder) remove(name string) {
	if root, err := f.store.opened(false); err == nil {
		root.Remove(filepath.FromSlash(f.file(name)))
	}
}
