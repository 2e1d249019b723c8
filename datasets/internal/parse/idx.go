package parse

import (
	"encoding/binary"
	"fmt"
	"io"
)

// ReadIDX reads an IDX file of unsigned bytes and returns the bytes of its first keep items, where keep ≤ shape[0]. The
// file must have exactly the dimensions in shape. A file that is too short or too long is an error.
//
// The format is: two zero bytes, the type (0x08: unsigned byte), the number of dimensions, each dimension as a 32-bit
// big-endian number, then the bytes.
func ReadIDX(path string, r io.Reader, keep int, shape ...int) ([]byte, error) {
	header := make([]byte, 4+4*len(shape))
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, fmt.Errorf("%s: IDX header: %w", path, err)
	}
	if want := 0x0800 + uint32(len(shape)); binary.BigEndian.Uint32(header) != want {
		return nil, fmt.Errorf("%s: IDX magic number is %#08x: want %#08x (unsigned bytes, %d dimensions)",
			path, binary.BigEndian.Uint32(header), want, len(shape))
	}
	item := 1
	for k, want := range shape {
		if got := binary.BigEndian.Uint32(header[4+4*k:]); uint64(got) != uint64(want) {
			return nil, fmt.Errorf("%s: IDX dimension %d is %d: want %d", path, k+1, got, want)
		}
		if k > 0 {
			item *= want
		}
	}
	data := make([]byte, keep*item)
	if n, err := io.ReadFull(r, data); err != nil {
		return nil, fmt.Errorf("%s: IDX data ends after %d bytes: want %d", path, n, shape[0]*item)
	}
	rest, err := io.Copy(io.Discard, r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if want := int64(shape[0]-keep) * int64(item); rest != want {
		return nil, fmt.Errorf("%s: IDX data is %d bytes: want %d", path, int64(len(data))+rest, shape[0]*item)
	}
	return data, nil
}
