package solvers

import (
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
)

// In the form of a saved state, a number has 8 bytes (little-endian) and a boolean has one. A text, a slice and a map
// begin with the number of their elements, in 8 bytes; the elements follow. The name of a variable's type, as a text,
// precedes the variable. Since an element has at least one byte, a length that exceeds the rest of the file is refused
// before memory is allocated.

// put writes a value.
func (s *State) put(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		s.note(s.to.WriteByte(map[bool]byte{true: 1}[v.Bool()]))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s.putNumber(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		s.putNumber(v.Uint())
	case reflect.Float32, reflect.Float64:
		s.putNumber(math.Float64bits(v.Float()))
	case reflect.String:
		s.putText(v.String())
	case reflect.Slice:
		s.putNumber(uint64(v.Len()))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			s.put(v.Index(i))
		}
	case reflect.Map:
		m := map[string]reflect.Value{}
		for key, value := range v.Seq2() {
			m[key.String()] = value
		}
		s.putNumber(uint64(len(m)))
		for _, key := range slices.Sorted(maps.Keys(m)) {
			s.putText(key)
			value := reflect.New(v.Type().Elem()).Elem() // because a value of a map has no address
			value.Set(m[key])
			s.put(value)
		}
	default:
		m, ok := v.Addr().Interface().(encoding.BinaryMarshaler)
		if !ok {
			s.note(errNoForm)
			return
		}
		text, err := m.MarshalBinary()
		s.note(err)
		s.putText(string(text))
	}
}

// get reads a value that put wrote into v, which must be zero.
func (s *State) get(v reflect.Value) {
	if s.err != nil {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		var one [1]byte
		s.fill(one[:])
		v.SetBool(one[0] != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(s.number()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(s.number())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(math.Float64frombits(s.number()))
	case reflect.String:
		v.SetString(s.text())
	case reflect.Slice:
		n := s.length(least(v.Type().Elem()))
		if n == 0 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		fallthrough
	case reflect.Array:
		for i := 0; i < v.Len() && s.err == nil; i++ {
			s.get(v.Index(i))
		}
	case reflect.Map:
		n := s.length(8 + least(v.Type().Elem()))
		v.Set(reflect.MakeMap(v.Type()))
		for range n {
			key, value := s.text(), reflect.New(v.Type().Elem()).Elem()
			if s.get(value); s.err != nil {
				return
			}
			v.SetMapIndex(reflect.ValueOf(key), value)
		}
	default:
		m, ok := v.Addr().Interface().(encoding.BinaryUnmarshaler)
		if !ok {
			s.note(errNoForm)
			return
		}
		if text := s.text(); s.err == nil {
			s.note(m.UnmarshalBinary([]byte(text)))
		}
	}
}

var errNoForm = errors.New("this type cannot be saved; accepted: numbers, booleans, texts, slices, arrays, maps of " +
	"texts, types that implement encoding.BinaryMarshaler and BinaryUnmarshaler")

// least returns the smallest number of bytes that put writes for a value of type t, or 1 if put writes none.
func least(t reflect.Type) int {
	switch t.Kind() {
	case reflect.Bool:
		return 1
	case reflect.Array:
		return max(1, t.Len()*least(t.Elem()))
	}
	return 8
}

// note stores err, unless an earlier error is stored.
func (s *State) note(err error) {
	if s.err == nil {
		s.err = err
	}
}

// putNumber writes the number bits in 8 bytes.
func (s *State) putNumber(bits uint64) {
	_, err := s.to.Write(binary.LittleEndian.AppendUint64(s.to.AvailableBuffer(), bits))
	s.note(err)
}

// putText writes the length of a text and its bytes.
func (s *State) putText(text string) {
	s.putNumber(uint64(len(text)))
	_, err := s.to.WriteString(text)
	s.note(err)
}

// fill reads len(p) bytes into p, unless there was an error before.
func (s *State) fill(p []byte) {
	if s.err == nil {
		_, err := io.ReadFull(s.from, p)
		s.note(err)
	}
}

// number reads a number of 8 bytes.
func (s *State) number() uint64 {
	var b [8]byte
	s.fill(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// length reads the number of elements of a slice, a text or a map. Each element has at least `each` bytes. If the
// elements have more bytes than remain in the file, length stores an error and returns 0.
func (s *State) length(each int) int {
	n := s.number()
	if s.err == nil && n > uint64(s.from.N)/uint64(each) {
		s.note(fmt.Errorf("%d elements should follow, but only %d bytes do", n, s.from.N))
	}
	if s.err != nil {
		return 0
	}
	return int(n)
}

// text reads a text that putText wrote.
func (s *State) text() string {
	text := make([]byte, s.length(1))
	s.fill(text)
	return string(text)
}

// expect reads a text, which must be the given one.
func (s *State) expect(want string) {
	if n := s.number(); n != uint64(len(want)) {
		s.note(fmt.Errorf("the file has another variable here; want one of type %s", want))
		return
	}
	got := make([]byte, len(want))
	if s.fill(got); s.err == nil && string(got) != want {
		s.note(fmt.Errorf("the file has a variable of type %s here; want %s", got, want))
	}
}
