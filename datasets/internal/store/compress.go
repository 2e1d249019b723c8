// Package store handles the files of data sets: decompression, archives, downloads that can be resumed, and a lock
// between processes. It does not depend on data sets, nor on the folders in which their files are searched.
package store

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
	"os"
)

// Compression formats, named by their suffixes. The first bytes of a file show its format.
const (
	Plain    = ""
	Gzip     = ".gz"
	Bzip2    = ".bz2"
	Compress = ".Z"
)

// Wrapping returns the compression format of a file. The argument head is the first 10 bytes of the file, or the whole
// file if it is shorter. If the format is known but not supported, Wrapping returns an error that names it.
func Wrapping(head []byte) (string, error) {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return Gzip, nil
	case bytes.HasPrefix(head, []byte("BZh")) && len(head) >= 10 &&
		bytes.Equal(head[4:10], []byte{0x31, 0x41, 0x59, 0x26, 0x53, 0x59}):
		return Bzip2, nil
	case bytes.HasPrefix(head, []byte{0x1f, 0x9d}):
		return Compress, nil
	}
	for _, other := range []struct{ name, magic string }{
		{"xz", "\xfd7zXZ\x00"}, {"zstd", "\x28\xb5\x2f\xfd"}, {"zip", "PK\x03\x04"}, {"7z", "7z\xbc\xaf\x27\x1c"},
	} {
		if bytes.HasPrefix(head, []byte(other.magic)) {
			return "", fmt.Errorf("content is in %s format, which is not supported: unpack it, or compress it as .gz or .bz2",
				other.name)
		}
	}
	return Plain, nil
}

// Decompress returns a reader of the decompressed content, and the compression format. It recognises the format by the
// first bytes: gzip (also with several members), bzip2 or Unix compress. Other content is passed on unchanged.
func Decompress(r io.Reader) (plain io.Reader, wrapping string, err error) {
	br := bufio.NewReaderSize(r, 1<<16)
	head, err := br.Peek(10)
	if err != nil && err != io.EOF {
		return nil, "", err
	}
	wrapping, err = Wrapping(head)
	if err != nil {
		return nil, "", err
	}
	switch wrapping {
	case Gzip:
		plain, err = gzip.NewReader(br)
	case Bzip2:
		plain = bzip2.NewReader(br)
	case Compress:
		plain, err = newLZWReader(br)
	default:
		plain = br
	}
	return plain, wrapping, err
}

// Suffixes lists the suffixes of the formats that Decompress reads. The first one is empty: not compressed.
func Suffixes() [4]string { return [4]string{Plain, Gzip, Bzip2, Compress} }

// SuffixOf returns the suffix for the compression format of the file at p.
func SuffixOf(p string) (string, error) {
	file, err := os.Open(p)
	if err != nil {
		return "", err
	}
	defer file.Close()
	head := make([]byte, 10)
	n, _ := file.Read(head)
	return Wrapping(head[:n])
}
