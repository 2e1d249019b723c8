package show

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// Conforms runs the conformance suite on a solver, with the promises that hold for the solver. It prints the verdict
// and the first complaints. It returns true if there are no complaints.
func Conforms(solver solvers.Solver, promises ...solvertest.Option) bool {
	complaints, name := complaints(solver, promises), solvers.Name(solver)
	if named, ok := solver.(interface{ Name() string }); ok {
		name = named.Name()
	}
	if len(complaints) == 0 {
		fmt.Printf("%s: accepted\n", name)
		return true
	}
	const most = 5
	fmt.Printf("%s: rejected, with %d complaints:\n", name, len(complaints))
	for _, c := range complaints[:min(most, len(complaints))] {
		line, _, _ := strings.Cut(c, "\n")
		fmt.Println("  " + line)
	}
	if more := len(complaints) - most; more > 0 {
		fmt.Printf("  and %d more\n", more)
	}
	return false
}

// complaints runs the conformance suite and returns its complaints. It runs the suite in a separate goroutine, because
// a fatal complaint ends the goroutine in which it occurs.
func complaints(solver solvers.Solver, promises []solvertest.Option) []string {
	t, ended := &listing{}, make(chan struct{})
	go func() {
		defer close(ended)
		defer t.cleanUp()
		defer func() {
			if v := recover(); v != nil {
				t.Errorf("panic: %v", v)
			}
		}()
		solvertest.Check(t, solver, promises...)
	}()
	<-ended
	return t.complaints
}

// listing implements the methods of testing.TB that the suite calls, for use outside of tests. It collects complaints.
type listing struct {
	testing.TB
	complaints []string
	cleanups   []func()
}

func (*listing) Helper() {}

func (t *listing) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }

func (t *listing) Errorf(format string, args ...any) {
	t.complaints = append(t.complaints, fmt.Sprintf(format, args...))
}

func (t *listing) Fatal(args ...any) { t.Fatalf("%s", fmt.Sprint(args...)) }

func (t *listing) Fatalf(format string, args ...any) {
	t.Errorf(format, args...)
	runtime.Goexit()
}

func (t *listing) cleanUp() {
	for i := len(t.cleanups) - 1; i >= 0; i-- {
		t.cleanups[i]()
	}
}
