package solvers

import (
	"bufio"
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
// before it reads them. Anybody may have written the file, so a loaded number must not become the length of allocated
// memory before the function has compared the number with the lengths of loaded slices. The function panics if they
// differ.
type State struct {
	to   *bufio.Writer
	from *io.LimitedReader // reads the saved state; nil when saving
	err  error             // the first error, which SaveState or LoadState returns
}

// SaveState writes the variables that names passes to Carry. names is a function such as Iterate.State.
func SaveState(w io.Writer, names func(*State)) error {
	s := &State{to: bufio.NewWriter(w)}
	names(s)
	if s.err != nil {
		return s.err
	}
	return s.to.Flush()
}

// LoadState reads what SaveState wrote, and sets the variables that names passes to Carry. names must pass the same
// variables, in the same order, as it did to SaveState. LoadState allocates at most eight times the r.N bytes that may
// be read, whatever these bytes are. If names panics, because the loaded variables are inconsistent, LoadState returns
// an error.
func LoadState(r *io.LimitedReader, names func(*State)) (err error) {
	s := &State{from: r}
	defer func() {
		if v := recover(); v != nil {
			err = s.err // names may panic because Carry has not set a variable
			if err == nil {
				err = fmt.Errorf("the saved variables are inconsistent: %v", v)
			}
		}
	}()
	names(s)
	return s.err
}

// Carry saves or loads the variables to which the arguments point. The variables may be numbers, booleans, texts,
// slices, arrays and maps with texts as keys, and structs that implement encoding.BinaryMarshaler, such as rand.PCG.
// All bits are kept, but an empty slice becomes nil. After an error, Carry does nothing.
func (s *State) Carry(variables ...any) {
	for _, v := range variables {
		to := reflect.ValueOf(v).Elem()
		if s.from == nil {
			s.putText(to.Type().String())
			s.put(to)
		} else if s.expect(to.Type().String()); s.err == nil {
			fresh := reflect.New(to.Type()).Elem()
			if s.get(fresh); s.err == nil {
				to.Set(fresh)
			}
		}
		if s.err != nil {
			if _, named := s.err.(*stateError); !named {
				s.err = &stateError{fmt.Sprintf("%T", v), s.err}
			}
			return
		}
	}
}

// stateError is an error of saving or loading a variable. kind is the type of the variable.
type stateError struct {
	kind  string
	cause error
}

func (e *stateError) Error() string {
	return e.kind + ": " + e.cause.Error()
}
func (e *stateError) Unwrap() error { return e.cause }

// Loading reports whether Carry loads variables and has had no error. A function that saves variables in a different
// form uses Loading to convert them back.
func (s *State) Loading() bool { return s.from != nil && s.err == nil }
