package playground

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Numbers of sections in a WebAssembly module, and the length of its header.
const (
	dataSection = 11
	headerBytes = 8
)

// joinGap is the number of zeros between two segments of data from which on they stay apart.
const joinGap = 256

// segment is a piece of a module's initial memory.
type segment struct {
	offset  int64
	content []byte
}

// joinData joins the segments of data of a module that are close to each other. The linker of Go ends a segment at
// every eight zeros. The file with joined segments is larger, but its compressed size is smaller by a twentieth, and a
// browser prepares its memory faster. The module must be one that the linker of Go has made.
func joinData(module []byte) ([]byte, error) {
	out := slices.Clone(module[:min(headerBytes, len(module))])
	for rest := module[len(out):]; len(rest) > 0; {
		kind := rest[0]
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || uint64(len(rest)-1-n) < size {
			return nil, errors.New("playground: a section of the module is cut off")
		}
		content := rest[1+n : 1+n+int(size)]
		rest = rest[1+n+int(size):]
		if kind == dataSection {
			segments, err := readSegments(content)
			if err != nil {
				return nil, err
			}
			content = appendSegments(nil, joined(segments))
		}
		out = append(out, kind)
		out = binary.AppendUvarint(out, uint64(len(content)))
		out = append(out, content...)
	}
	return out, nil
}

// readSegments reads the segments of a section. Each has a memory index 0 and an offset that is an i32 constant.
func readSegments(b []byte) ([]segment, error) {
	bad := errors.New("playground: a segment of the module's data has another form than the linker of Go writes")
	count, n := binary.Uvarint(b)
	if n <= 0 {
		return nil, bad
	}
	b = b[n:]
	var out []segment
	for range count {
		if len(b) < 2 || b[0] != 0 || b[1] != 0x41 {
			return nil, bad
		}
		offset, n := signed(b[2:])
		if n <= 0 || len(b) < 3+n || b[2+n] != 0x0b {
			return nil, bad
		}
		b = b[3+n:]
		size, n := binary.Uvarint(b)
		if n <= 0 || uint64(len(b)-n) < size {
			return nil, bad
		}
		out = append(out, segment{offset, b[n : n+int(size)]})
		b = b[n+int(size):]
	}
	slices.SortFunc(out, func(a, b segment) int { return int(a.offset - b.offset) })
	return out, nil
}

// joined returns segments, in which those with less than joinGap zeros between them are one.
func joined(segments []segment) []segment {
	var out []segment
	for _, s := range segments {
		if last := len(out) - 1; last >= 0 {
			own := &out[last]
			if gap := s.offset - own.offset - int64(len(own.content)); gap >= 0 && gap < joinGap {
				own.content = append(append(own.content, make([]byte, gap)...), s.content...)
				continue
			}
		}
		out = append(out, segment{s.offset, slices.Clone(s.content)})
	}
	return out
}

// appendSegments appends the content of a section with the segments.
func appendSegments(to []byte, segments []segment) []byte {
	to = binary.AppendUvarint(to, uint64(len(segments)))
	for _, s := range segments {
		to = append(to, 0, 0x41)
		to = appendSigned(to, s.offset)
		to = append(to, 0x0b)
		to = binary.AppendUvarint(to, uint64(len(s.content)))
		to = append(to, s.content...)
	}
	return to
}

// signed decodes a signed number (LEB128), and returns the number of its bytes; 0 if it is cut off.
func signed(b []byte) (value int64, n int) {
	shift := 0
	for n < len(b) && shift < 64 {
		c := b[n]
		n++
		value |= int64(c&0x7f) << shift
		shift += 7
		if c < 0x80 {
			if c&0x40 != 0 && shift < 64 {
				value |= -1 << shift
			}
			return value, n
		}
	}
	return 0, 0
}

// appendSigned appends a signed number (LEB128).
func appendSigned(to []byte, value int64) []byte {
	for {
		c := byte(value & 0x7f)
		value >>= 7
		if value == 0 && c&0x40 == 0 || value == -1 && c&0x40 != 0 {
			return append(to, c)
		}
		to = append(to, c|0x80)
	}
}
