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
// A code below 256 stands for a byte. After the first code since the table was empty, each code adds a string to the
// table: the string of the previous code, followed by the first byte of the current code's string. The strings get the
// codes 257, 258, ...; a full table does not change. When the code of the next string needs more bits, codes become one
// bit wider. When the table is emptied, the width of codes becomes 9 bits again. In both cases the rest of the group is
// skipped, whatever its content.
//
// The format has neither a checksum nor an end mark, so a file that is cut off between two codes is read as a shorter
// file.
type lzwReader struct {
	r        io.Reader
	maxWidth int // largest width of a code, in bits

	prefix []uint16 // for the string of each code: the code of the string without its last byte
	last   []byte   // for the string of each code: its last byte
	free   int      // code of the next string
	prev   int      // previous code, -1 if there is none since the table was empty

	group       [lzwMaxWidth + 2]byte // current group, and two bytes more: a code is read from 3 bytes
	offset      int64                 // position of the group in the file
	size        int                   // size of the group, in bytes
	width       int                   // width of the codes in the group, in bits
	next, codes int                   // index of the next code in the group, and number of codes in the group

	text []byte // buffer for the string of a code, which is written from the end to the start
	out  []byte // the bytes of text that Read has not returned yet
	err  error
}

const (
	lzwClear    = 256 // the code that empties the table
	lzwMinWidth = 9
	lzwMaxWidth = 16
)

// newLZWReader reads the header. It refuses files without block mode or with codes of only 9 bits. The reason is that
// programs differ in how they number or widen the codes of such files, and a file does not show which program wrote it.
func newLZWReader(r io.Reader) (*lzwReader, error) {
	var head [3]byte
	if n, err := io.ReadFull(r, head[:]); err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil, fmt.Errorf("the file ends after %d bytes, inside the header of 3 bytes: %w", n, io.ErrUnexpectedEOF)
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

// decode reads one code, and sets z.out to the string of the code.
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
		return fmt.Errorf("code %d at byte %d: want at most %d, the code of the next string", code, offset, z.free)
	}
	adds := z.prev >= 0 && z.free < len(z.prefix)
	if adds {
		z.prefix[z.free] = uint16(z.prev)
	}
	start, c := len(z.text), code
	for ; c >= lzwClear; c = int(z.prefix[c]) { // the loop ends, since the code of a prefix is smaller than the code
		start--
		z.text[start] = z.last[c]
	}
	start--
	z.text[start] = byte(c)
	if adds {
		z.last[z.free] = byte(c)
		if code == z.free { // the string of the code is added only now, so its last byte was not known above
			z.text[len(z.text)-1] = byte(c)
		}
		z.free++
	}
	z.prev, z.out = code, z.text[start:]
	return nil
}

// empty empties the table of strings.
func (z *lzwReader) empty() {
	z.free, z.prev = lzwClear+1, -1
	z.widen(lzwMinWidth)
}

// widen sets the width of codes and skips the rest of the current group.
func (z *lzwReader) widen(width int) { z.width, z.next, z.codes = width, 0, 0 }

// fill reads the next group of codes. At the end of the file, fewer than 8 bits may be left after the last code, and
// they must be 0.
func (z *lzwReader) fill() error {
	z.offset += int64(z.size)
	n, err := io.ReadFull(z.r, z.group[:z.width])
	z.size, z.next, z.codes = n, 0, n*8/z.width
	if err != io.ErrUnexpectedEOF {
		return err
	}
	if rest := n*8 - z.codes*z.width; rest >= 8 || z.group[n-1]>>(8-rest) != 0 {
		return fmt.Errorf("the file ends after %d bytes, inside a code of %d bits: %w", z.offset+int64(n), z.width, err)
	}
	return nil
}

// code returns the next code of the group, and the position in the file of the byte in which it begins.
func (z *lzwReader) code() (code int, offset int64) {
	bit := z.next * z.width
	z.next++
	at := z.group[bit/8:]
	code = (int(at[0]) | int(at[1])<<8 | int(at[2])<<16) >> (bit % 8) & (1<<z.width - 1)
	return code, z.offset + int64(bit/8)
}
