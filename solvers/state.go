package solvers

import (
	"encoding/gob"
	"fmt"
	"io"
	"reflect"
)

// State carries all that the next steps of a run depend on from one process to another. A solver whose runs can go on
// elsewhere has one function that names these variables; it writes them in the one process and sets them in the other:
//
//	func (s *state) carry(to *solvers.State) { to.Carry(&s.w, &s.epoch, &s.rate) }
//
// Left out is what follows from the settings and the objective, and what a step writes before it reads it.
type State struct {
	to   *gob.Encoder
	from *gob.Decoder // nil while variables are written
	err  error        // the first, which SaveState or LoadState returns
}

// SaveState writes the variables that names names, as Iterate.State does.
func SaveState(w io.Writer, names func(*State)) error {
	s := &State{to: gob.NewEncoder(w)}
	names(s)
	return s.err
}

// LoadState sets them to what SaveState wrote of the same variables.
func LoadState(r io.Reader, names func(*State)) error {
	s := &State{from: gob.NewDecoder(r)}
	names(s)
	return s.err
}

// Carry writes or sets variables, given by pointers: numbers, booleans, slices and arrays of these or of slices, and
// types that implement encoding.BinaryMarshaler, such as *rand.PCG. All bits are kept; an empty slice becomes nil.
// After an error Carry does nothing.
func (s *State) Carry(variables ...any) {
	for _, v := range variables {
		if s.err != nil {
			return
		}
		to := reflect.ValueOf(v)
		var err error
		if s.from == nil {
			err = s.to.EncodeValue(to)
		} else {
			fresh := reflect.New(to.Type().Elem()) // gob leaves a variable as it is if it reads no value for it
			if err = s.from.DecodeValue(fresh); err == nil {
				to.Elem().Set(fresh.Elem())
			}
		}
		if err != nil {
			s.err = fmt.Errorf("the state of the solver: %T: %w", v, err)
		}
	}
}

// Loading reports whether Carry sets variables rather than writes them, and has met no error. A function that carries
// variables in another form than it holds them rebuilds its own form only then.
func (s *State) Loading() bool { return s.from != nil && s.err == nil }
