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
}

// SaveState writes the variables that names names, as Iterate.State does.
func SaveState(w io.Writer, names func(*State)) error {
	return (&State{to: gob.NewEncoder(w)}).do(names)
}

// LoadState sets them to what SaveState wrote of the same variables.
func LoadState(r io.Reader, names func(*State)) error {
	return (&State{from: gob.NewDecoder(r)}).do(names)
}

// stateError carries an error out of the solver's function.
type stateError struct{ error }

func (s *State) do(names func(*State)) (err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(stateError)
			if !ok {
				panic(r)
			}
			err = e.error
		}
	}()
	names(s)
	return nil
}

// Carry names variables, by pointers: numbers, booleans, slices and arrays of these or of slices, and what implements
// encoding.BinaryMarshaler, such as *rand.PCG. All bits are kept; an empty slice becomes nil. It panics with an error,
// which SaveState or LoadState returns.
func (s *State) Carry(variables ...any) {
	for _, v := range variables {
		to := reflect.ValueOf(v)
		if s.from == nil {
			if err := s.to.EncodeValue(to); err != nil {
				panic(stateError{fmt.Errorf("the state of the solver: %T: %w", v, err)})
			}
			continue
		}
		fresh := reflect.New(to.Type().Elem()) // gob would leave in place what it reads no value of
		if err := s.from.DecodeValue(fresh); err != nil {
			panic(stateError{fmt.Errorf("the state of the solver: %T: %w", v, err)})
		}
		to.Elem().Set(fresh.Elem())
	}
}

// Writes says whether variables are written now, not set: for a state that is brought into another form for that.
func (s *State) Writes() bool { return s.from == nil }
