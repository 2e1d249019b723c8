package shipped

import (
	"archive/zip"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/internal/machine"
)

// ErrOther is wrapped by an Elsewhere if an archive was found, but has another checksum.
var ErrOther = errors.New("these are results of another version of gaplab, or damaged")

// most is the largest accepted size of an archive. The archive of this repository has 15 MB.
const most = 1 << 28

// Archive returns the file name of the archive with a checksum.
func Archive(sum string) string { return "gaplab-results-" + sum[:min(12, len(sum))] + ".zip" }

// Write writes the packs at some scales in a results folder as an archive. Equal packs give equal bytes. The packs are
// not compressed again, so that they can be read in any order and the bytes depend on no version of a compressor.
func Write(w io.Writer, folder fs.FS, scales []string) error {
	z := zip.NewWriter(w)
	for _, scale := range scales {
		err := fs.WalkDir(folder, scale, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() || !store.IsPack(name) {
				return err
			}
			text, err := fs.ReadFile(folder, name)
			if err != nil {
				return err
			}
			size := uint64(len(text))
			out, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(text),
				CompressedSize64: size, UncompressedSize64: size})
			if err == nil {
				_, err = out.Write(text)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return z.Close()
}

// Sum returns the hexadecimal SHA-256 of the archive that Write writes.
func Sum(folder fs.FS, scales []string) (string, error) {
	hash := sha256.New()
	err := Write(hash, folder, scales)
	return hex.EncodeToString(hash.Sum(nil)), err
}

// file returns the path of the archive in the cache.
func (r *Results) file() string { return filepath.Join(r.Source.Cache, "results", Archive(r.SHA256)) }

// open opens the archive in the cache. If the archive is not there or cannot be opened, open fetches it first.
func (r *Results) open() (*store.Kept, error) {
	away := &Elsewhere{From: r.From, Archive: Archive(r.SHA256)}
	if r.Source.Cache == "" {
		away.Err = errors.New("there is no cache for the results: set XDG_CACHE_HOME or HOME")
		return nil, away
	}
	z, err := zip.OpenReader(r.file())
	if err != nil && r.From == "" {
		if !errors.Is(err, fs.ErrNotExist) {
			away.Err = fmt.Errorf("%s: %w", r.file(), err)
		}
		return nil, away
	}
	if err != nil {
		if err = r.fetch(); err == nil {
			z, err = zip.OpenReader(r.file())
		}
	}
	if err != nil {
		away.Err = err
		return nil, away
	}
	return store.KeepIn(z, r.file()+string(filepath.Separator)), nil
}

// fetch puts the archive into the cache. The archive gets its name there only when it is complete and checked, so other
// processes may fetch it at the same time.
func (r *Results) fetch() (err error) {
	if err := os.MkdirAll(filepath.Dir(r.file()), 0o777); err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(r.file()), filepath.Base(r.file())+".*.part")
	if err != nil {
		return err
	}
	defer func() {
		draft.Close()
		if err != nil {
			os.Remove(draft.Name())
		}
	}()
	if strings.HasPrefix(r.From, "https://") || strings.HasPrefix(r.From, "http://") {
		ctx := context.Background()
		if r.Context != nil {
			ctx = r.Context()
		}
		err = r.Source.Get(ctx, Archive(r.SHA256), r.From, draft.Name(), most)
	} else {
		err = r.copyTo(draft)
	}
	if err != nil {
		return err
	}
	if _, err := draft.Seek(0, io.SeekStart); err != nil {
		return err
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, draft); err != nil {
		return err
	}
	if sum := hex.EncodeToString(hash.Sum(nil)); sum != r.SHA256 {
		return fmt.Errorf("%w: the archive has SHA-256 %s; accepted: %s", ErrOther, sum, r.SHA256)
	}
	if err := errors.Join(draft.Chmod(0o644), draft.Sync(), draft.Close()); err != nil {
		return err
	}
	return os.Rename(draft.Name(), r.file())
}

// copyTo writes the archive that From names, a file or a folder, to w.
func (r *Results) copyTo(w io.Writer) error {
	from := r.From
	info, err := os.Stat(from)
	if err != nil {
		return reason(err)
	}
	if info.IsDir() {
		if from = filepath.Join(r.From, Archive(r.SHA256)); !isFile(from) {
			err := Write(w, os.DirFS(r.From), r.Scales)
			if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("the folder has neither %s nor %s", Archive(r.SHA256), strings.Join(r.Scales, ", "))
			}
			return err
		}
	} else if err := machine.Regular(from, info); err != nil {
		return reason(err)
	}
	if done, err := r.copyCrate(w); done {
		return err
	}
	file, err := os.Open(from)
	if err != nil {
		return reason(err)
	}
	defer file.Close()
	_, err = io.Copy(w, io.LimitReader(file, most))
	return err
}

// crated is the name of the file that tells a crate of results from other zip files (see package crate).
const crated = "ro-crate-metadata.json"

// copyCrate writes the archive of the packs in a crate, if From is the zip file of a crate; otherwise it returns false.
// It reads only files that are not compressed, as in the crates of gaplab, because these have the sizes that the zip
// file states.
func (r *Results) copyCrate(w io.Writer) (bool, error) {
	z, err := zip.OpenReader(r.From)
	if err != nil {
		return false, nil // it may be damaged; the checksum tells
	}
	defer z.Close()
	is, total := false, uint64(0)
	for _, f := range z.File {
		is, total = is || f.Name == crated, total+f.UncompressedSize64
	}
	if !is {
		return false, nil
	}
	for _, f := range z.File {
		if f.Method != zip.Store || total > most {
			return true, errors.New("it is a crate whose files are compressed or too large; extract it and name the folder")
		}
	}
	err = Write(w, z, r.Scales)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("the crate has no results at scale %s", strings.Join(r.Scales, ", "))
	}
	return true, err
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// reason removes the path from an error of the file system, because the message names it already.
func reason(err error) error {
	var system *fs.PathError
	if errors.As(err, &system) {
		return cmp.Or(system.Err, err)
	}
	return err
}
