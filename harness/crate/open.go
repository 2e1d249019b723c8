package crate

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/machine"
)

// The limits of a crate, so that a damaged or malicious one cannot fill the memory. The crate of this repository has
// 300 files and 21 MB.
const (
	mostFiles    = 20_000
	mostBytes    = 1 << 30 // of all files, decompressed
	mostFile     = 1 << 28 // of one file, decompressed
	mostMetadata = 1 << 26
)

// ErrNoCrate is wrapped by the errors of Open.
var ErrNoCrate = errors.New("it is not a crate that gaplab archive made")

// Opened is a crate that is read.
type Opened struct {
	Path  string
	files fs.FS
	sizes map[string]int64 // decompressed size of each file, as the zip file or the folder states it
	list  []listed
	close func() error
}

// Open opens the crate in a zip file or in a folder, and reads its metadata. It refuses names that lead out of the
// crate, links, and crates beyond the limits. The caller closes the crate.
func Open(path string) (*Opened, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	o := &Opened{Path: path, sizes: map[string]int64{}}
	if info.IsDir() {
		err = o.folder()
	} else if err = machine.Regular(path, info); err == nil {
		err = o.zip()
	}
	if err == nil {
		o.list, err = o.metadata()
	}
	if err == nil {
		return o, nil
	}
	if o.close != nil {
		err = errors.Join(err, o.close())
	}
	return nil, fmt.Errorf("%s: %w: %w", path, trace.ErrDamaged, err)
}

// Close closes the crate.
func (o *Opened) Close() error { return o.close() }

// zip lists the files of a zip file.
func (o *Opened) zip() error {
	z, err := zip.OpenReader(o.Path)
	if errors.Is(err, zip.ErrFormat) {
		return fmt.Errorf("%w: neither a zip file nor a folder", ErrNoCrate)
	} else if err != nil {
		return err
	}
	o.files, o.close = z, z.Close
	for _, f := range z.File {
		name, isFolder := strings.CutSuffix(f.Name, "/")
		if err := checkName(name); err != nil {
			return err
		}
		if isFolder {
			continue
		}
		if !f.Mode().IsRegular() {
			return irregular(name, f.Mode())
		}
		if _, twice := o.sizes[name]; twice {
			return fmt.Errorf("the zip file has two files %q", name)
		}
		if f.UncompressedSize64 > mostFile {
			return tooLarge(name)
		}
		if err := o.enter(name, int64(f.UncompressedSize64)); err != nil {
			return err
		}
	}
	return nil
}

// folder lists the files of a folder.
func (o *Opened) folder() error {
	root, err := os.OpenRoot(o.Path)
	if err != nil {
		return err
	}
	o.files, o.close = root.FS(), root.Close
	return fs.WalkDir(o.files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if err := checkName(name); err != nil {
			return err
		}
		if !entry.Type().IsRegular() {
			return irregular(name, entry.Type())
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		return o.enter(name, info.Size())
	})
}

// enter records a file and checks the limits.
func (o *Opened) enter(name string, size int64) error {
	total := size
	for n := range maps.Values(o.sizes) {
		total += n
	}
	switch {
	case size > mostFile:
		return tooLarge(name)
	case total > mostBytes:
		return fmt.Errorf("its files have more than %s; accepted: at most %[1]s", amount.Bytes(mostBytes))
	case len(o.sizes) >= mostFiles:
		return fmt.Errorf("it has more than %d files; accepted: at most %[1]d", mostFiles)
	}
	o.sizes[name] = size
	return nil
}

func tooLarge(name string) error {
	return fmt.Errorf("%s has more than %s; accepted: at most %[2]s", name, amount.Bytes(mostFile))
}

func irregular(name string, mode fs.FileMode) error {
	what := "neither a file nor a folder"
	if mode&fs.ModeSymlink != 0 {
		what = "a symbolic link"
	}
	return fmt.Errorf("%s is %s; accepted: files and folders", name, what)
}

// checkName returns an error if the name of a file leads out of the crate.
func checkName(name string) error {
	if !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00") || filepath.IsAbs(name) {
		return fmt.Errorf("the file name %q leads out of the crate; accepted: names such as paper/eg/fig06.jsonl", name)
	}
	return nil
}

// read reads a file. It stops at the file's stated size, so a file that decompresses to more is an error.
func (o *Opened) read(name string) ([]byte, error) {
	f, err := o.files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, o.sizes[name]+1))
	if err == nil && int64(len(text)) != o.sizes[name] {
		err = fmt.Errorf("it has not the size that the zip file states, %d", o.sizes[name])
	}
	return text, err
}

// kept returns the packs of the crate. Read the files first, to know that they have their stated sizes.
func (o *Opened) kept() *store.Kept { return store.KeepIn(o.files, o.Path+string(filepath.Separator)) }

// names returns the names of all files, sorted.
func (o *Opened) names() []string { return slices.Sorted(maps.Keys(o.sizes)) }
