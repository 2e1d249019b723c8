package expr

import (
	"errors"
	"fmt"
)

// untestable is the error of an expression that is correct but lacks evidence.
type untestable struct {
	why        string
	unmeasured bool // the runs exist, but lack a quantity that new runs have
}

// Error returns what is lacking.
func (u *untestable) Error() string { return u.why }

// cannot returns the error of a correct expression that lacks evidence.
func cannot(format string, args ...any) error {
	return &untestable{why: fmt.Sprintf(format, args...)}
}

// Lacks reports whether the expression is correct and only lacks evidence, such as points for a fit.
func Lacks(err error) bool {
	var lacking *untestable
	return errors.As(err, &lacking)
}

// Unmeasured reports whether the expression lacks a quantity that its runs did not measure and that repeated runs would
// measure.
func Unmeasured(err error) bool {
	var lacking *untestable
	return errors.As(err, &lacking) && lacking.unmeasured
}

// plain removes the position that the virtual machine adds to a lack of evidence. Other errors keep theirs.
func plain(err error) error {
	var lacking *untestable
	if errors.As(err, &lacking) {
		return lacking
	}
	return err
}
