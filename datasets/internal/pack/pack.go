// Package pack writes values of Go in a binary form that is read back fast and to the bit.
//
//	p := pack.NewWriter(w, types)
//	err := p.Put(&set)
//	u := pack.NewReader(r, size, types)
//	err = u.Get(&set)
//
// A value is made of numbers, strings, slices, maps from string to string, pointers without cycles, structs of exported
// fields, and interfaces that hold pointers to one of the listed types. Numbers are little endian, in 8 bytes; a length
// is as binary.AppendUvarint writes it:
//
//	string     length, bytes
//	slice      0 nil; 1 number: that slice, among those before it; 2+length: elements
//	[]int, []int32    elements as width (1, 2, 4: unsigned; 8: two's complement), numbers of that many bytes
//	[]float64  elements as distinct values k = 1 .. 256, these, one byte for each element; or k = 0, the elements
//	[]uint8    elements as bytes
//	map        0 nil; 1+length: keys in order, each with its value
//	pointer    0 nil; 1: value
//	interface  0 nil; 1+number in the list of types: value
//
// Slices that share an array from the same element on, and have the same length, share it again when they are read.
package pack

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"unsafe"
)

// chunk is the number of bytes that pass through a buffer at once.
const chunk = 1 << 16

// maxDepth is the greatest number of pointers that lead from one to the next, as in a tree.
const maxDepth = 1 << 12

// Writer packs values, one after the other.
type Writer struct {
	out   *bufio.Writer
	types []reflect.Type
	lists map[list]int // slices so far, by their numbers
	depth int          // pointers that lead to the present value
}

// list identifies a slice.
type list struct {
	of    reflect.Type
	first unsafe.Pointer
	n     int
}

// NewWriter packs to w. Interfaces hold pointers to values of the listed types.
func NewWriter(w io.Writer, types []reflect.Type) *Writer {
	return &Writer{out: bufio.NewWriterSize(w, chunk), types: types, lists: map[list]int{}}
}

// Put packs what v points to. The error is that of the writer, or names a type that is not packed.
func (w *Writer) Put(v any) error {
	if err := w.value(reflect.ValueOf(v).Elem()); err != nil {
		return err
	}
	return w.out.Flush()
}

func (w *Writer) value(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return w.number(1)
		}
		return w.number(0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return w.number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return w.number(v.Uint())
	case reflect.Float64:
		return w.number(math.Float64bits(v.Float()))
	case reflect.String:
		return w.text(v.String())
	case reflect.Slice:
		return w.slice(v)
	case reflect.Map:
		if texts, ok := v.Interface().(map[string]string); ok {
			return w.texts(texts)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); !f.IsExported() {
				return fmt.Errorf("pack: %s.%s is not exported", v.Type(), f.Name)
			}
			if err := w.value(v.Field(i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Pointer:
		if v.IsNil() {
			return w.length(0)
		}
		if err := w.length(1); err != nil {
			return err
		}
		if w.depth++; w.depth > maxDepth {
			return fmt.Errorf("pack: more than %d pointers, one behind the other", maxDepth)
		}
		err := w.value(v.Elem())
		w.depth--
		return err
	case reflect.Interface:
		if v.IsNil() {
			return w.length(0)
		}
		held := v.Elem()
		if held.Kind() != reflect.Pointer || held.IsNil() || !slices.Contains(w.types, held.Type().Elem()) {
			return fmt.Errorf("pack: %s is not one of the types that an interface may hold", held.Type())
		}
		if err := w.length(1 + slices.Index(w.types, held.Type().Elem())); err != nil {
			return err
		}
		return w.value(held.Elem())
	}
	return fmt.Errorf("pack: %s is not packed", v.Type())
}

func (w *Writer) number(x uint64) error {
	_, err := w.out.Write(binary.LittleEndian.AppendUint64(w.out.AvailableBuffer(), x))
	return err
}

func (w *Writer) length(n int) error {
	_, err := w.out.Write(binary.AppendUvarint(w.out.AvailableBuffer(), uint64(n)))
	return err
}

func (w *Writer) text(s string) error {
	if err := w.length(len(s)); err != nil {
		return err
	}
	_, err := w.out.WriteString(s)
	return err
}

func (w *Writer) texts(m map[string]string) error {
	if m == nil {
		return w.length(0)
	}
	if err := w.length(1 + len(m)); err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if err := w.text(key); err != nil {
			return err
		}
		if err := w.text(m[key]); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) slice(v reflect.Value) error {
	if v.IsNil() {
		return w.length(0)
	}
	id := list{v.Type(), v.UnsafePointer(), v.Len()}
	if number, ok := w.lists[id]; ok {
		if err := w.length(1); err != nil {
			return err
		}
		return w.length(number)
	}
	if err := w.length(2 + v.Len()); err != nil {
		return err
	}
	if err := w.elements(v); err != nil || v.Len() == 0 {
		return err
	}
	w.lists[id] = len(w.lists) // behind those of the slices in it
	return nil
}

func (w *Writer) elements(v reflect.Value) error {
	switch x := v.Interface().(type) {
	case []int:
		return putInts(w, x)
	case []int32:
		return putInts(w, x)
	case []float64:
		return w.floats(x)
	case []uint8:
		_, err := w.out.Write(x)
		return err
	}
	for i := range v.Len() {
		if err := w.value(v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}
