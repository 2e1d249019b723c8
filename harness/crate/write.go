package crate

import (
	"archive/zip"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Zip writes the crate as a zip file. The files are not compressed, because the large ones are compressed already, and
// because the bytes then depend on no version of a compressor.
func (c *Crate) Zip(w io.Writer) error {
	z := zip.NewWriter(w)
	for _, f := range c.all() {
		size := uint64(len(f.Text))
		out, err := z.CreateRaw(&zip.FileHeader{Name: f.Path, Method: zip.Store, CRC32: crc32.ChecksumIEEE(f.Text),
			CompressedSize64: size, UncompressedSize64: size})
		if err == nil {
			_, err = out.Write(f.Text)
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}

// ErrNotEmpty is wrapped by the error of Folder if the folder has files.
var ErrNotEmpty = errors.New("the folder is not empty")

// Folder writes the crate into a folder, which must be empty or not exist. The metadata come last, so a folder with
// metadata is complete.
func (c *Crate) Folder(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s: %w; accepted: an empty folder, or one that does not exist", dir, ErrNotEmpty)
	}
	all := c.all()
	for _, f := range append(all[1:], all[0]) {
		file := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, f.Text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// all returns the files with the metadata, which come first.
func (c *Crate) all() []File { return append([]File{{Path: Metadata, Text: c.metadata}}, c.Files...) }
