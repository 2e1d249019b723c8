package expr

import (
	"errors"
	"fmt"
)

// untestable is the error of an expression that is correct but cannot be evaluated, because something that it reads is
// missing.
type untestable struct {
	why        string // text that states what is missing
	unmeasured bool   // whether new runs would measure what is missing
	lost       bool   // whether what is missing is the result of a planned run
	open       bool   // whether what is missing is the end of a run that its limit ended (see Bounded)
}

// Error describes what is missing.
func (u *untestable) Error() string { return u.why }

// cannot returns the error of a correct expression that cannot be evaluated because something is missing, such as
// points for a fit. Its text gives the reason.
func cannot(format string, args ...any) error {
	return &untestable{why: fmt.Sprintf(format, args...)}
}

// Lacks reports whether an error means that the expression is correct, but that something it reads is missing, such as
// points for a fit.
func Lacks(err error) bool {
	var lacking *untestable
	return errors.As(err, &lacking)
}

// lost returns the error of an expression that reads a planned run which has no result.
func lost(format string, args ...any) error {
	return &untestable{why: fmt.Sprintf(format, args...), unmeasured: true, lost: true}
}

// Lost reports whether an error means that the expression reads a planned run which has no result: its trace is missing
// or damaged, or the run failed or was interrupted.
func Lost(err error) bool {
	var lacking *untestable
	return errors.As(err, &lacking) && lacking.lost
}

// open returns the error of a comparison that a run would decide if it had not ended at its limit.
func open(format string, args ...any) error {
	return &untestable{why: fmt.Sprintf(format, args...), open: true}
}

// Open reports whether an error means that a run ended at its limit, and that its values up to there decide nothing.
func Open(err error) bool {
	var lacking *untestable
	return errors.As(err, &lacking) && lacking.open
}

// Unmeasured reports whether an error means that new runs would measure what is missing: a quantity that the runs did
// not measure, or the result of a run (Lost).
func Unmeasured(err error) bool {
	var lacking *untestable
	return errors.As(err, &lacking) && lacking.unmeasured
}

// plain removes the position that the virtual machine of the expression library adds to an error, if Lacks recognises
// the error or the expression exceeds a bound. Other errors keep their positions.
func plain(err error) error {
	var lacking *untestable
	if errors.As(err, &lacking) {
		return lacking
	}
	var bound *excess
	if errors.As(err, &bound) {
		return bound
	}
	return err
}
