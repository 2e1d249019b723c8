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

// Draft is the file of a run in progress. Readers of the folder see the rows so far as an unfinished run.
type Draft struct {
	*trace.Writer
	folder *Folder
	key    string
	name   string // path of the draft's file in the store
}

// Begin creates a new file for a run and writes the manifest.
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

// unique returns a random word for a file name, so that two processes never write the same file.
func unique() string {
	var bytes [8]byte
	rand.Read(bytes[:]) // rand.Read never fails
	return hex.EncodeToString(bytes[:])
}

// Finish ends the run and publishes its file as the result of its key. If another process has published a result of
// this key first, that result is not replaced. Finish returns the published result and removes the files of earlier
// attempts.
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

// Replace ends the run and makes it the result of its key. An existing result is overwritten.
func (d *Draft) Replace(end trace.End) (*trace.File, error) {
	old, _ := d.folder.Finished(d.key) // if the old result is damaged, old is nil; it is replaced too
	file, err := d.move(d.key+ending, end)
	if err != nil {
		return nil, err
	}
	if old != nil && old.End != nil && old.End.Weights != "" && old.End.Weights != file.End.Weights {
		d.folder.remove(path.Base(old.End.Weights)) // remove the old weights: no result refers to them any more
	}
	d.folder.tidy(d.key)
	return file, nil
}

// Leave ends a run that was interrupted or has failed. The run is not a result, so a later process repeats it.
func (d *Draft) Leave(end trace.End) (*trace.File, error) { return d.move(d.key+part, end) }

// move ends the run and renames its file. Another process may have finished the same key and removed this file. Then
// move returns the result of that process.
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

// publish gives a closed file its final name, unless a result with this name exists. It returns the result with this
// name.
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
	case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist): // a result exists, or this file was removed
		there, bad := f.store.read(filepath.ToSlash(to))
		if bad == nil && Counts(there) {
			root.Remove(from)
			return there, nil
		}
		if bad != nil && !errors.Is(bad, fs.ErrNotExist) {
			root.Rename(to, to+aside) // keep the unreadable file: a newer gaplab may have written it
		}
		fallthrough // if a file has the final name, it is not a result: replace it
	default: // the file system may have no hard links
		if err := root.Rename(from, to); err != nil {
			return nil, fmt.Errorf("the result could not be renamed to its final name: %w", err)
		}
	}
	return f.store.read(filepath.ToSlash(to))
}

// Counts reports whether a run is a result of its key. A failed or interrupted run is not a result.
func Counts(f *trace.File) bool {
	switch f.Status() {
	case trace.Done, trace.Stalled, trace.Budget, trace.Diverged, trace.Unsupported:
		return true
	}
	return false
}

// tidy removes the files of earlier attempts at a run: unfinished runs, checkpoints, and runs that ended at a
// comparison with others.
func (f *Folder) tidy(key string) {
	for _, name := range f.names(".") {
		if strings.HasPrefix(name, "."+key) { // weights that a process was writing when it was killed
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

// Attempts returns the readable runs of a key that are not results, because they were interrupted, were killed or
// failed. The caller must hold the lock of the key. Otherwise a returned run may still be in progress.
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

// Sign returns a number that changes while a process writes rows or checkpoints of the key: a sum over the times and
// the sizes of the files. The latest time would not do, because it stays the same for an hour if the system's clock is
// set back by an hour.
func (f *Folder) Sign(key string) (sign int64) {
	root, err := f.store.opened(false)
	if err != nil {
		return 0
	}
	for _, name := range f.names(".") {
		if strings.HasPrefix(name, key+".") {
			if info, err := root.Stat(filepath.FromSlash(f.file(name))); err == nil {
				sign += info.ModTime().UnixNano() + info.Size()
			}
		}
	}
	return sign
}

// names lists the names of the files in a subfolder (".": the folder itself). The list is empty if the subfolder does
// not exist.
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

// remove removes a file of the folder and ignores errors, such as a missing file.
func (f *Folder) remove(name string) {
	if root, err := f.store.opened(false); err == nil {
		root.Remove(filepath.FromSlash(f.file(name)))
	}
}
