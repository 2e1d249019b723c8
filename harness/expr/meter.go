package expr

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"

	"github.com/gaplab/gaplab/harness/trace"
)

// The bounds of an expression. They are far above the needs of real claims, so that only an expression that would
// exhaust the time or the memory of the machine reaches them. An evaluation within the bounds takes about a second.
const (
	mostCharacters = 20_000
	mostNodes      = 10_000
	mostSteps      = 20_000_000
	mostBytes      = 64 << 20
	mostElements   = 1_000_000 // of the lists that the virtual machine of the expression library makes
)

// bootstrapSteps is the number of steps counted for a paired bootstrap, whatever its real work.
const bootstrapSteps = mostSteps / 100

// observationBytes is the approximate memory of an observation, in bytes.
const observationBytes = 200

// meter adds up the work and the memory of one evaluation of an expression. A step is one node that is evaluated for an
// element of a list, or one element that a function reads or makes.
type meter struct {
	steps, bytes int
	most         int // the largest accepted number of steps
}

// excess is the error of an expression that exceeds a bound.
type excess struct{ text string }

// Error returns what exceeds the bound, and the bound.
func (e *excess) Error() string { return e.text }

// exceeds reports whether an error means that an expression exceeds a bound.
func exceeds(err error) bool {
	var e *excess
	return errors.As(err, &e)
}

// spend adds steps. It returns an error if the total exceeds the accepted number of steps.
func (m *meter) spend(steps int) error {
	if m.steps += steps; m.steps > m.most || steps < 0 {
		return &excess{fmt.Sprintf("the expression needs more than %d steps; accepted: at most %[1]d", m.most)}
	}
	return nil
}

// take adds the memory of a value, in bytes, and one step for every eight bytes. It returns an error if a total exceeds
// its bound.
func (m *meter) take(bytes int) error {
	if m.bytes += bytes; m.bytes > mostBytes || bytes < 0 {
		return &excess{fmt.Sprintf("the expression makes lists of more than %d MB; accepted: at most %[1]d MB",
			mostBytes>>20)}
	}
	return m.spend(bytes / 8)
}

// length returns the number of elements of a list, and 0 for any other value.
func length(v any) int {
	switch v := v.(type) {
	case nil, bool, int, float64, string, fields, *trace.Curve, map[string]any, Bounded:
		return 0
	case []float64:
		return len(v)
	case []any:
		return len(v)
	}
	if r := reflect.ValueOf(v); r.Kind() == reflect.Slice || r.Kind() == reflect.Array {
		return r.Len()
	}
	return 0
}

// bytesOf returns the approximate size of a list in bytes, and 0 for any other value.
func bytesOf(v any) int {
	switch v := v.(type) {
	case []any:
		return 24 * len(v)
	case []bool:
		return len(v)
	}
	return 8 * length(v)
}

// mapBytes returns the approximate size of a map in bytes.
func mapBytes(m map[string]any) int { return 350 + 40*len(m) }

// metered returns a function that calls f and counts its work: the elements of the arguments and of the value. fresh
// states whether f returns a new list, whose memory is counted too.
func metered(r *reader, fresh bool, f func(args ...any) (any, error)) func(args ...any) (any, error) {
	return func(args ...any) (any, error) {
		work := 4
		for _, a := range args {
			work += length(a)
		}
		if err := r.spend(work); err != nil {
			return nil, err
		}
		v, err := f(args...)
		if err == nil && fresh {
			err = r.take(bytesOf(v))
		}
		return v, err
	}
}

// tooMany is the value with which counter panics, to stop ast.Walk.
type tooMany struct{}

// counter counts the nodes of a syntax tree.
type counter struct{ nodes int }

// Visit counts a node, and panics if there are more than mostNodes.
func (c *counter) Visit(*ast.Node) {
	if c.nodes++; c.nodes > mostNodes {
		panic(tooMany{})
	}
}

// checkSize returns an error if a syntax tree has too many nodes. In a chain a <= b <= c, the node b occurs twice, so a
// short text of nested chains may have a tree of any size.
func checkSize(n ast.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(tooMany); !ok {
				panic(p)
			}
			err = tooLarge()
		}
	}()
	ast.Walk(&n, &counter{})
	return nil
}

// tooLarge returns the error of an expression with too many nodes.
func tooLarge() error {
	return &excess{fmt.Sprintf("the expression has more than %d names, constants and operators; accepted: at most %[1]d",
		mostNodes)}
}

// translate replaces the expression library's errors about its bounds by ours, which state the bound.
func translate(err error) error {
	var at *file.Error
	if !errors.As(err, &at) {
		return err
	}
	switch at.Message {
	case "compilation failed: expression exceeds maximum allowed nodes":
		return tooLarge()
	case "memory budget exceeded":
		return &excess{fmt.Sprintf("the expression makes lists of more than %d elements in all; accepted: at most %[1]d",
			mostElements)}
	}
	return err
}
