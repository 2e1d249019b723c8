package pack

import (
	"encoding/binary"
	"math"
	"slices"
)

// putInts packs whole numbers in the least width that holds all of them.
func putInts[T int | int32](w *Writer, x []T) error {
	width := byte(1)
	for _, v := range x {
		switch u := uint64(v); {
		case u < 1<<8:
		case u < 1<<16:
			width = max(width, 2)
		case u < 1<<32:
			width = max(width, 4)
		default:
			width = 8
		}
	}
	if err := w.out.WriteByte(width); err != nil {
		return err
	}
	for part := range slices.Chunk(x, chunk/16) {
		b := w.room(len(part) * int(width))
		switch width {
		case 1:
			for _, v := range part {
				b = append(b, byte(v))
			}
		case 2:
			for _, v := range part {
				b = binary.LittleEndian.AppendUint16(b, uint16(v))
			}
		case 4:
			for _, v := range part {
				b = binary.LittleEndian.AppendUint32(b, uint32(v))
			}
		default:
			for _, v := range part {
				b = binary.LittleEndian.AppendUint64(b, uint64(v))
			}
		}
		if _, err := w.out.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// room is an empty slice of the buffer with space for n bytes, unless the writer fails.
func (w *Writer) room(n int) []byte {
	if w.out.Available() < n {
		w.out.Flush() // an error stays with the writer
	}
	return w.out.AvailableBuffer()
}

func (w *Writer) floats(x []float64) error {
	codes, values := distinct(x)
	if err := w.length(len(values)); err != nil {
		return err
	}
	if len(values) > 0 {
		for _, v := range values {
			if err := w.number(math.Float64bits(v)); err != nil {
				return err
			}
		}
		_, err := w.out.Write(codes)
		return err
	}
	for part := range slices.Chunk(x, chunk/16) {
		b := w.room(8 * len(part))
		for _, v := range part {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		if _, err := w.out.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// distinct finds the values of x, to the bit, in the order in which they come, and the number of each element's. There
// are none if there are more than 256.
func distinct(x []float64) (codes []byte, values []float64) {
	var table [1 << 10]struct { // each value in the first free place from its hash on
		bits   uint64
		number int // from 1
	}
	codes = make([]byte, len(x))
	for i, v := range x {
		bits := math.Float64bits(v)
		at := bits * 0x9e3779b97f4a7c15 >> 54
		for table[at].bits != bits && table[at].number > 0 {
			at = (at + 1) % uint64(len(table))
		}
		place := &table[at]
		if place.number == 0 {
			if len(values) == 256 {
				return nil, nil
			}
			values = append(values, v)
			place.bits, place.number = bits, len(values)
		}
		codes[i] = byte(place.number - 1)
	}
	return codes, values
}

// getInts fills a slice of n whole numbers.
func getInts[T int | int32](r *Reader, n int) ([]T, error) {
	head, err := r.take(1)
	if err != nil {
		return nil, err
	}
	width := int(head[0])
	if width != 1 && width != 2 && width != 4 && width != 8 || int64(n) > r.left/int64(width) {
		return nil, errForeign
	}
	x := make([]T, n)
	for done := 0; done < n; {
		part := x[done:min(n, done+chunk/8)]
		b, err := r.take(len(part) * width)
		if err != nil {
			return nil, err
		}
		switch width {
		case 1:
			for i, v := range b {
				part[i] = T(v)
			}
		case 2:
			for i := range part {
				part[i] = T(binary.LittleEndian.Uint16(b[2*i:]))
			}
		case 4:
			for i := range part {
				part[i] = T(binary.LittleEndian.Uint32(b[4*i:]))
			}
		case 8:
			for i := range part {
				part[i] = T(binary.LittleEndian.Uint64(b[8*i:]))
			}
		}
		done += len(part)
	}
	return x, nil
}

// floats fills a slice of n numbers.
func (r *Reader) floats(n int) ([]float64, error) {
	k, err := r.length(256)
	if err != nil {
		return nil, err
	}
	width := 1
	if k == 0 {
		width = 8
	}
	var value [256]float64
	for i := range k {
		bits, err := r.number()
		if err != nil {
			return nil, err
		}
		value[i] = math.Float64frombits(bits)
	}
	if int64(n) > r.left/int64(width) {
		return nil, errForeign
	}
	x := make([]float64, n)
	for done := 0; done < n; {
		part := x[done:min(n, done+chunk/8)]
		b, err := r.take(len(part) * width)
		if err != nil {
			return nil, err
		}
		if k > 0 {
			for i, v := range b {
				part[i] = value[v]
			}
		} else {
			for i := range part {
				part[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
			}
		}
		done += len(part)
	}
	return x, nil
}
