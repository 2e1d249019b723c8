package solvers

import (
	"errors"
	"fmt"
	"strings"
)

// ErrUnsupported matches every *Unsupported in errors.Is.
var ErrUnsupported = errors.New("unsupported")

// Unsupported is the error for an objective that a solver does not take.
type Unsupported struct {
	Solver  string   // the Name of the solver; empty in the error of a Checker
	Lacks   []string // what the solver needs and the objective lacks, as predicates: "needs marginals; example 1 has ..."
	Instead []string // the names of solvers that would take the objective
}

// Lacking returns an *Unsupported with one formatted text in Lacks, for a Checker to return.
func Lacking(format string, args ...any) error {
	return &Unsupported{Lacks: []string{fmt.Sprintf(format, args...)}}
}

// Error lists what is missing, then the solvers that would do instead.
func (u *Unsupported) Error() string {
	text := ErrUnsupported.Error() + ": "
	if u.Solver != "" {
		text += u.Solver + " "
	}
	text += strings.Join(u.Lacks, "; ")
	if len(u.Instead) > 0 {
		text += "; accepted: " + strings.Join(u.Instead, ", ")
	}
	return text
}

// Is reports whether target is ErrUnsupported.
func (u *Unsupported) Is(target error) bool { return target == ErrUnsupported }
