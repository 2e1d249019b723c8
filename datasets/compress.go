package datasets

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
)

// Wrappings that are told by the first bytes of a file.
const (
	plainText = ""
	gzipped   = ".gz"
	bzipped   = ".bz2"
)

// wrapping names the wrapping of a content by its first bytes. The error names one that is not read.
func wrapping(head []byte) (string, error) {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return gzipped, nil
	case bytes.HasPrefix(head, []byte("BZh")) && len(head) >= 10 && bytes.Equal(head[4:10], []byte{0x31, 0x41, 0x59, 0x26, 0x53, 0x59}):
		return bzipped, nil
	}
	for _, other := range []struct{ name, magic string }{
		{"xz", "\xfd7zXZ\x00"}, {"zstd", "\x28\xb5\x2f\xfd"}, {"zip", "PK\x03\x04"}, {"compress (.Z)", "\x1f\x9d"}, {"7z", "7z\xbc\xaf\x27\x1c"},
	} {
		if bytes.HasPrefix(head, []byte(other.magic)) {
			return "", fmt.Errorf("content is in %s form, which is not read: unpack it, or pack it as .gz or .bz2", other.name)
		}
	}
	return plainText, nil
}

// decompress unwraps gzip (several members too) and bzip2 by the content's first bytes; other content passes as it is.
func decompress(r io.Reader) (io.Reader, error) {
	br := bufio.NewReaderSize(r, 1<<16)
	head, err := br.Peek(10)
	if err != nil && err != io.EOF {
		return nil, err
	}
	kind, err := wrapping(head)
	if err != nil {
		return nil, err
	}
	switch kind {
	case gzipped:
		return gzip.NewReader(br)
	case bzipped:
		return bzip2.NewReader(br), nil
	default:
		return br, nil
	}
}
