package solvers

import (
	"errors"
	"fmt"
	"strings"
)

// ErrUnsupported is the error that errors.Is finds in every *Unsupported.
var ErrUnsupported = errors.New("unsupported")

// Unsupported is the error for an objective that a solver does not support.
type Unsupported struct {
	Solver  string   // the Name of the solver; empty in the error of a Checker
	Lacks   []string // what the objective lacks; the solver is the subject: "needs marginals; example 1 has ..."
	Instead []string // the names of solvers that support the objective
}

// Lacking returns an *Unsupported with one formatted text in Lacks. A Checker uses it.
func Lacking(format string, args ...any) error {
	return &Unsupported{Lacks: []string{fmt.Sprintf(format, args...)}}
}

// Error lists what the objective lacks, and then the solvers that support the objective.
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
