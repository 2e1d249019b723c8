// Package pack writes Go values in a binary format that can be read fast, and reads them again. The values that are
// read equal the written values, to the bit.
//
//	w := pack.NewWriter(file, limit, kinds)
//	err := errors.Join(w.Value(&set), w.End())
//	r := pack.NewReader(file, size, kinds)
//	err = errors.Join(r.Value(&set), r.End())
//
// A value may consist of numbers, booleans, strings, slices, maps from string to string, structs with exported fields,
// and interfaces that hold a pointer to one of the listed kinds. Numbers are stored as in memory, so a file can be read
// only on the architecture that wrote it. The format is:
//
//	length     8 bytes
//	string     length, bytes
//	slice      0: nil; 1, k: the same memory as the k-th slice in the file, from 0; else 2 + length, elements
//	map        0: nil; 1 + length, keys in order, each with its value
//	interface  0: nil; 1 + number of the kind, value
//	bool       0 or 1, as a length
//	the end    CRC-32C of all bytes before it
//
// Two slices of equal length that begin at the same element are written once, and share their memory again when they
// are read.
package pack

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"unsafe"
)

// errForeign is the error for bytes that no writer with the same kinds can have written.
var errForeign = errors.New("pack: the data are damaged, or of another format or type")

// errFull is the error for a value that needs more bytes than the writer may write.
var errFull = errors.New("pack: the value is larger than the limit")

const (
	bufferBytes = 1 << 16
	digestBytes = 4
)

// Codec writes values, or reads them in the order in which they were written. After an error, every later call returns
// the same error. For any input, a reader does not panic and allocates memory at most in proportion to the input.
type Codec struct {
	in    *bufio.Reader // source of a reader; nil for a writer
	out   *bufio.Writer // destination of a writer; nil for a reader
	left  int64         // bytes that may still be written or are not yet read, without the digest
	table *crc32.Table
	sum   uint32 // CRC of all bytes so far
	kinds []reflect.Type
	err   error // first error

	numbers map[slice]int   // for a writer: the number of each slice written so far
	slices  []reflect.Value // for a reader: the slices read so far, by their numbers
}

// slice identifies a slice by its location in memory.
type slice struct {
	of    reflect.Type
	first unsafe.Pointer
	n     int
}

// NewWriter returns a Codec that writes at most limit bytes to w. Interfaces in the written values may hold pointers to
// the types in kinds.
func NewWriter(w io.Writer, limit int64, kinds []reflect.Type) *Codec {
	return &Codec{out: bufio.NewWriterSize(w, bufferBytes), left: limit - digestBytes, kinds: kinds,
		table: crc32.MakeTable(crc32.Castagnoli), numbers: map[slice]int{}}
}

// NewReader returns a Codec that reads the size bytes of r.
func NewReader(r io.Reader, size int64, kinds []reflect.Type) *Codec {
	return &Codec{in: bufio.NewReaderSize(r, bufferBytes), left: size - digestBytes, kinds: kinds,
		table: crc32.MakeTable(crc32.Castagnoli)}
}

// Value writes the value to which v points. A reader reads a value and stores it where v points.
func (c *Codec) Value(v any) error {
	c.value(reflect.ValueOf(v).Elem())
	return c.err
}

// End ends the writing or reading. A writer writes the digest (the CRC-32C) and flushes the buffer. A reader checks
// that the digest is right and that no bytes follow it.
func (c *Codec) End() error {
	sum := binary.LittleEndian.AppendUint32(nil, c.sum)
	switch {
	case c.err != nil:
	case c.out != nil:
		_, err := c.out.Write(sum)
		c.err = cmp.Or(err, c.out.Flush())
	default:
		rest, err := io.ReadAll(io.LimitReader(c.in, digestBytes+1))
		if c.err = err; err == nil && (c.left != 0 || !slices.Equal(rest, sum)) {
			c.err = errForeign
		}
	}
	return c.err
}

// raw writes the bytes of b, or reads len(b) bytes into b.
func (c *Codec) raw(b []byte) {
	if c.left -= int64(len(b)); c.left < 0 {
		c.stop()
	}
	for part := range slices.Chunk(b, 4*bufferBytes) { // a chunk is still in the processor's cache when it is hashed
		if c.err != nil {
			return
		}
		if c.out != nil {
			_, c.err = c.out.Write(part)
		} else {
			_, c.err = io.ReadFull(c.in, part)
		}
		c.sum = crc32.Update(c.sum, c.table, part)
	}
}

// stop sets the error of a writer beyond its limit, or of a reader whose input has a wrong format.
func (c *Codec) stop() {
	switch {
	case c.err != nil:
	case c.out != nil:
		c.err = errFull
	default:
		c.err = errForeign
	}
}

// length writes n, or reads a length and returns it. A length above most is an error. After an error, length returns 0.
func (c *Codec) length(n int, most int64) int {
	b := binary.LittleEndian.AppendUint64(nil, uint64(n))
	c.raw(b)
	got := binary.LittleEndian.Uint64(b)
	if got > uint64(max(0, most)) {
		c.stop()
	}
	if c.err != nil {
		return 0
	}
	return int(got)
}

func (c *Codec) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		is := 0
		if v.Bool() {
			is = 1
		}
		v.SetBool(c.length(is, 1) == 1)
	case reflect.String:
		v.SetString(c.text(v.String()))
	case reflect.Slice:
		c.slice(v)
	case reflect.Struct:
		for i := range v.NumField() {
			if !v.Field(i).CanSet() {
				c.refuse("cannot pack the field %s.%s, which is not exported", v.Type(), v.Type().Field(i).Name)
				return
			}
			c.value(v.Field(i))
		}
	case reflect.Interface:
		c.held(v)
	default:
		switch m, ok := v.Addr().Interface().(*map[string]string); {
		case ok:
			c.texts(m)
		case isNumber(v.Kind()):
			c.raw(unsafe.Slice((*byte)(v.Addr().UnsafePointer()), v.Type().Size()))
		default:
			c.refuse("cannot pack a value of type %s", v.Type())
		}
	}
}

func (c *Codec) refuse(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("pack: "+format, args...)
	}
}

func isNumber(k reflect.Kind) bool {
	return reflect.Int <= k && k <= reflect.Uint64 || k == reflect.Float64
}

func (c *Codec) text(s string) string {
	n := c.length(len(s), c.left-8)
	if c.out != nil {
		c.raw([]byte(s))
		return s
	}
	b := make([]byte, n)
	c.raw(b)
	return string(b)
}

func (c *Codec) texts(m *map[string]string) {
	n := 0
	if *m != nil {
		n = 1 + len(*m)
	}
	if n = c.length(n, c.left/8); n == 0 {
		return
	}
	if c.out != nil {
		for _, key := range slices.Sorted(maps.Keys(*m)) {
			c.text(key)
			c.text((*m)[key])
		}
		return
	}
	*m = map[string]string{}
	for range n - 1 {
		key := c.text("")
		(*m)[key] = c.text("")
	}
}

// held writes or reads the value that the interface v holds.
func (c *Codec) held(v reflect.Value) {
	k := 0
	if c.out != nil && !v.IsNil() {
		held := v.Elem()
		if held.Kind() != reflect.Pointer || held.IsNil() || !slices.Contains(c.kinds, held.Type().Elem()) {
			c.refuse("cannot pack an interface that holds the type %s", held.Type())
			return
		}
		k = 1 + slices.Index(c.kinds, held.Type().Elem())
	}
	if k = c.length(k, int64(len(c.kinds))); k == 0 {
		return
	}
	if c.in != nil {
		held := reflect.New(c.kinds[k-1])
		if !held.Type().Implements(v.Type()) {
			c.err = errForeign
			return
		}
		v.Set(held)
	}
	c.value(v.Elem().Elem())
}

func (c *Codec) slice(v reflect.Value) {
	n := 0
	id := slice{v.Type(), v.UnsafePointer(), v.Len()}
	if number, ok := c.numbers[id]; ok {
		c.length(1, 1)
		c.length(number, math.MaxInt64)
		return
	} else if !v.IsNil() {
		n = 2 + v.Len()
	}
	number, size := isNumber(v.Type().Elem().Kind()), 8 // an element that is not a number takes at least 8 bytes
	if number {
		size = int(v.Type().Elem().Size())
	}
	switch n = c.length(n, 2+c.left/int64(size)); {
	case n == 0:
		return
	case n == 1:
		k := c.length(0, int64(len(c.slices))-1)
		if c.err == nil && (k >= len(c.slices) || c.slices[k].Type() != v.Type()) {
			c.err = errForeign
		}
		if c.err == nil {
			v.Set(c.slices[k])
		}
		return
	}
	n -= 2
	if c.in != nil {
		v.Set(reflect.MakeSlice(v.Type(), n, n))
	}
	if number {
		c.raw(unsafe.Slice((*byte)(v.UnsafePointer()), n*size))
	} else {
		for i := 0; i < n && c.err == nil; i++ {
			c.value(v.Index(i))
		}
	}
	if n > 0 && c.out != nil {
		c.numbers[id] = len(c.numbers)
	} else if n > 0 {
		c.slices = append(c.slices, v)
	}
}
