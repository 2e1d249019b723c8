package pack

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
)

// errForeign is the error of bytes that no Writer of these types has written.
var errForeign = errors.New("pack: not what was packed")

// Reader unpacks values, in the order in which they were packed. Whatever it reads, it neither panics nor asks for more
// than eight times the memory that the rest of its input would fill.
type Reader struct {
	in    *bufio.Reader
	left  int64 // bytes that are still to come
	types []reflect.Type
	lists []reflect.Value // slices so far
	depth int             // pointers that lead to the present value
}

// NewReader unpacks the size bytes of r.
func NewReader(r io.Reader, size int64, types []reflect.Type) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, chunk), left: size, types: types}
}

// Get unpacks into what v points to, a value of the type that was packed. Arrays are filled in place: nothing is held
// twice.
func (r *Reader) Get(v any) error { return r.value(reflect.ValueOf(v).Elem()) }

// End is an error unless all was read.
func (r *Reader) End() error {
	if r.left != 0 {
		return errForeign
	}
	_, err := r.in.ReadByte()
	if err == io.EOF {
		return nil
	}
	return errForeign
}

func (r *Reader) value(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Bool:
		x, err := r.number()
		v.SetBool(x == 1)
		return err
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x, err := r.number()
		v.SetInt(int64(x))
		return err
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		x, err := r.number()
		v.SetUint(x)
		return err
	case reflect.Float64:
		x, err := r.number()
		v.SetFloat(math.Float64frombits(x))
		return err
	case reflect.String:
		s, err := r.text()
		v.SetString(s)
		return err
	case reflect.Slice:
		return r.slice(v)
	case reflect.Map:
		texts, err := r.texts()
		if err != nil || v.Type() != reflect.TypeOf(texts) {
			return errors.Join(errForeign, err)
		}
		v.Set(reflect.ValueOf(texts))
		return nil
	case reflect.Struct:
		for i := range v.NumField() {
			if !v.Field(i).CanSet() {
				return fmt.Errorf("pack: %s.%s is not exported", v.Type(), v.Type().Field(i).Name)
			}
			if err := r.value(v.Field(i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Pointer:
		is, err := r.length(1)
		if err != nil || is == 0 {
			return err
		}
		if r.depth++; r.depth > maxDepth {
			return errForeign
		}
		v.Set(reflect.New(v.Type().Elem()))
		err = r.value(v.Elem())
		r.depth--
		return err
	case reflect.Interface:
		k, err := r.length(len(r.types))
		if err != nil || k == 0 {
			return err
		}
		held := reflect.New(r.types[k-1])
		if !held.Type().Implements(v.Type()) {
			return errForeign
		}
		v.Set(held)
		return r.value(held.Elem())
	}
	return fmt.Errorf("pack: %s is not packed", v.Type())
}

// take returns the next n bytes, at most a chunk, valid until the next call.
func (r *Reader) take(n int) ([]byte, error) {
	if int64(n) > r.left {
		return nil, errForeign
	}
	b, err := r.in.Peek(n)
	if err != nil {
		return nil, err
	}
	r.left -= int64(n)
	_, err = r.in.Discard(n) // the bytes stay where they are
	return b, err
}

func (r *Reader) number() (uint64, error) {
	b, err := r.take(8)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(b), nil
}

// length reads a number that is at most limit.
func (r *Reader) length(limit int) (int, error) {
	n, err := binary.ReadUvarint(countedByte{r})
	if err == nil && n > uint64(limit) {
		err = errForeign
	}
	return int(n), err
}

// countedByte reads single bytes.
type countedByte struct{ r *Reader }

func (c countedByte) ReadByte() (byte, error) {
	b, err := c.r.take(1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

// items reads the length of something whose items take at least a byte each.
func (r *Reader) items() (int, error) { return r.length(int(min(r.left, math.MaxInt))) }

func (r *Reader) text() (string, error) {
	n, err := r.items()
	if err != nil {
		return "", err
	}
	if n <= chunk {
		b, err := r.take(n)
		return string(b), err
	}
	b := make([]byte, n)
	err = r.bytes(b)
	return string(b), err
}

func (r *Reader) bytes(b []byte) error {
	if int64(len(b)) > r.left {
		return errForeign
	}
	r.left -= int64(len(b))
	_, err := io.ReadFull(r.in, b)
	return err
}

func (r *Reader) texts() (map[string]string, error) {
	n, err := r.items()
	if err != nil || n == 0 {
		return nil, err
	}
	m := map[string]string{}
	for range n - 1 {
		var key, value string
		if key, err = r.text(); err == nil {
			value, err = r.text()
		}
		if err != nil {
			break
		}
		m[key] = value
	}
	return m, err
}

func (r *Reader) slice(v reflect.Value) error {
	n, err := r.length(int(min(r.left, math.MaxInt-2)) + 2)
	if err != nil || n == 0 {
		return err
	}
	if n == 1 {
		k, err := r.length(len(r.lists))
		if err != nil || k == len(r.lists) || r.lists[k].Type() != v.Type() {
			return errors.Join(errForeign, err)
		}
		v.Set(r.lists[k])
		return nil
	}
	n -= 2
	switch x := v.Addr().Interface().(type) {
	case *[]int:
		*x, err = getInts[int](r, n)
	case *[]int32:
		*x, err = getInts[int32](r, n)
	case *[]float64:
		*x, err = r.floats(n)
	case *[]uint8:
		*x = make([]uint8, n)
		err = r.bytes(*x)
	default:
		err = r.elements(v, n)
	}
	if err == nil && n > 0 {
		r.lists = append(r.lists, v)
	}
	return err
}

// elements fills a slice of n values. It grows with what is read, since a value may take more memory than it did bytes.
func (r *Reader) elements(v reflect.Value, n int) error {
	size := max(1, int(v.Type().Elem().Size()))
	v.Set(reflect.MakeSlice(v.Type(), 0, min(n, chunk/size+1)))
	for i := range n {
		v.Grow(1)
		v.SetLen(i + 1)
		if err := r.value(v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}
