package store

import (
	"fmt"
	"io"
)

// lzwReader reads the format of the Unix program compress (.Z): LZW (T. A. Welch, "A technique for high-performance
// data compression", Computer 17(6), 1984) with codes that grow from 9 bits on.
//
//	bytes 0 and 1   1f 9d
//	byte 2          80 (block mode: code 256 empties the table) and the largest width of a code, in bits
//	from byte 3 on  groups of 8 codes, the lowest bits first: w bytes for codes of w bits; the last group may be shorter
//
// Codes below 256 are bytes. Each code but the first of a table adds a string to it, whose code is the next from 257
// on: the string of the code before, and the first byte of its own. A full table stays. Codes get wider when the next
// string's needs it, and 9 bits wide when the table is emptied; the rest of the group, which may hold anything, is
// then left out.
//
// The form has neither a checksum nor a mark of its end: a file that is cut off between two codes reads as a shorter
// one.
type lzwReader struct {
	r        io.Reader
	maxWidth int // of a code, in bits

	prefix []uint16 // of the string of each code: the code of all but its last byte
	last   []byte   // of the string of each code: its last byte
	free   int      // code of the next string
	prev   int      // code before, -1 if there is none since the table was empty

	group       [lzwMaxWidth + 2]byte // the last two are never part of a code: each is cut out of three bytes
	offset      int64                 // of the group in the file
	size        int                   // of the group, in bytes
	width       int                   // of its codes, in bits
	next, codes int                   // index of the next code in the group, and how many there are

	text []byte // strings are written to its end, the last byte first
	out  []byte // the part of text that was not read yet
	err  error
}

const (
	lzwClear    = 256 // the code that empties the table
	lzwMinWidth = 9
	lzwMaxWidth = 16
)

// newLZWReader reads the header. Files without block mode, or with codes of 9 bits alone, are refused: programs
// differ in how they number or widen the codes of such files, and nothing in a file says which of them wrote it.
func newLZWReader(r io.Reader) (*lzwReader, error) {
	var head [3]byte
	if n, err := io.ReadFull(r, head[:]); err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil, fmt.Errorf("%d bytes: cut off inside the header of 3: %w", n, io.ErrUnexpectedEOF)
	} else if err != nil {
		return nil, err
	}
	if head[0] != 0x1f || head[1] != 0x9d {
		return nil, fmt.Errorf("bytes 0 and 1 are %x: want 1f9d", head[:2])
	}
	width := int(head[2]) - 0x80
	if width <= lzwMinWidth || width > lzwMaxWidth {
		return nil, fmt.Errorf("byte 2 is %02x: want 8a to 90 (block mode, codes of at most 10 to 16 bits)", head[2])
	}
	z := &lzwReader{
		r: r, maxWidth: width, offset: int64(len(head)),
		prefix: make([]uint16, 1<<width), last: make([]byte, 1<<width), text: make([]byte, 1<<width),
	}
	z.empty()
	return z, nil
}

// Read implements io.Reader.
func (z *lzwReader) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && z.err == nil {
		if len(z.out) == 0 {
			z.err = z.decode()
		}
		m := copy(p[n:], z.out)
		n, z.out = n+m, z.out[m:]
	}
	if n == 0 {
		return 0, z.err
	}
	return n, nil
}

// decode reads one code, and sets out to its string.
func (z *lzwReader) decode() error {
	if z.free == 1<<z.width && z.width < z.maxWidth {
		z.widen(z.width + 1)
	}
	if z.next == z.codes {
		if err := z.fill(); err != nil {
			return err
		}
	}
	code, offset := z.code()
	switch {
	case z.prev < 0 && code >= lzwClear:
		return fmt.Errorf("code %d at byte %d, while the table is empty: want 0 to 255", code, offset)
	case code == lzwClear:
		z.empty()
		return nil
	case code > z.free:
		return fmt.Errorf("code %d at byte %d: want at most %d, the next to be defined", code, offset, z.free)
	}
	adds := z.prev >= 0 && z.free < len(z.prefix)
	if adds {
		z.prefix[z.free] = uint16(z.prev)
	}
	start, c := len(z.text), code
	for ; c >= lzwClear; c = int(z.prefix[c]) { // which gets smaller, since a prefix is defined before
		start--
		z.text[start] = z.last[c]
	}
	start--
	z.text[start] = byte(c)
	if adds {
		z.last[z.free] = byte(c)
		if code == z.free { // the string that it adds: its last byte was not known above
			z.text[len(z.text)-1] = byte(c)
		}
		z.free++
	}
	z.prev, z.out = code, z.text[start:]
	return nil
}

// empty empties the table.
func (z *lzwReader) empty() {
	z.free, z.prev = lzwClear+1, -1
	z.widen(lzwMinWidth)
}

// widen skips the rest of the group.
func (z *lzwReader) widen(width int) { z.width, z.next, z.codes = width, 0, 0 }

// fill reads a group. The end of the file may only leave bits that are 0, fewer than a byte has.
func (z *lzwReader) fill() error {
	z.offset += int64(z.size)
	n, err := io.ReadFull(z.r, z.group[:z.width])
	z.size, z.next, z.codes = n, 0, n*8/z.width
	if err != io.ErrUnexpectedEOF {
		return err
	}
	if rest := n*8 - z.codes*z.width; rest >= 8 || z.group[n-1]>>(8-rest) != 0 {
		return fmt.Errorf("%d bytes: cut off inside a code of %d bits: %w", z.offset+int64(n), z.width, err)
	}
	return nil
}

// code returns the next code of the group, and the byte that it begins in.
func (z *lzwReader) code() (code int, offset int64) {
	bit := z.next * z.width
	z.next++
	at := z.group[bit/8:]
	code = (int(at[0]) | int(at[1])<<8 | int(at[2])<<16) >> (bit % 8) & (1<<z.width - 1)
	return code, z.offset + int64(bit/8)
}
