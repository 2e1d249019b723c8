package solvers

import (
	"encoding/gob"
	"fmt"
	"io"
	"reflect"
)

// State saves all variables that the next steps of a run depend on, and loads them in another process. A solver whose
// runs can be resumed has one function that passes these variables to Carry. The function saves them in the first
// process and loads them in the second:
//
//	func (s *state) carry(to *solvers.State) { to.Carry(&s.w, &s.epoch, &s.rate) }
//
// The function leaves out variables that follow from the settings and the objective, and variables that a step writes
// before it reads them.
type State struct {
	to   *gob.Encoder
	from *gob.Decoder // reads the saved state; nil when saving
	err  error        // the first error, which SaveState or LoadState returns
}

// SaveState writes the variables that names passes to Carry. names is a function such as Iterate.State.
func SaveState(w io.Writer, names func(*State)) error {
	s := &State{to: gob.NewEncoder(w)}
	names(s)
	return s.err
}

// LoadState reads what SaveState wrote, and sets the variables that names passes to Carry. names must pass the same
// variables, in the same order, as it did to SaveState.
func LoadState(r io.Reader, names func(*State)) error {
	s := &State{from: gob.NewDecoder(r)}
	names(s)
	return s.err
}

// Carry saves or loads the variables to which the arguments point. The variables may be numbers, booleans, slices and
// arrays of these or of slices, and types that implement encoding.BinaryMarshaler, such as *rand.PCG. All bits are
// kept, but an empty slice becomes nil. After an error, Carry does nothing.
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
			fresh := reflect.New(to.Type().Elem()) // because gob leaves a variable unchanged if the saved value is zero
			if err = s.from.DecodeValue(fresh); err == nil {
				to.Elem().Set(fresh.Elem())
			}
		}
		if err != nil {
			s.err = fmt.Errorf("the state of the solver: %T: %w", v, err)
		}
	}
}

// Loading reports whether Carry loads variables and has had no error. A function that saves variables in a different
// form uses Loading to convert them back.
func (s *State) Loading() bool { return s.from != nil && s.err == nil }
