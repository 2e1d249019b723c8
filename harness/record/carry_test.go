package record

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unsafe"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/solvers"
)

// variables calls visit for each variable of an execution that changes during the run, with a name such as keep.since.
// For a struct, it calls visit for each field, including the fields that are not exported.
func variables(x *execution, visit func(name string, v reflect.Value)) {
	var walk func(name string, v reflect.Value)
	walk = func(name string, v reflect.Value) {
		if v.Kind() != reflect.Struct {
			visit(name, v)
			return
		}
		for i := range v.NumField() {
			field := reflect.NewAt(v.Field(i).Type(), unsafe.Pointer(v.Field(i).UnsafeAddr())).Elem()
			walk(name+"."+v.Type().Field(i).Name, field)
		}
	}
	for name, part := range map[string]any{"at": &x.at, "pace": &x.pace, "stage": &x.stage, "keep": &x.keep,
		"timer.spent": &x.timer.spent, "timer.aside": &x.timer.aside, "timer.recording": &x.timer.recording,
		"timer.elsewhere": &x.timer.elsewhere, "times": &x.saver.times} {
		walk(name, reflect.ValueOf(part).Elem())
	}
}

// TestStateHasAllVariables checks that the state of a run contains every variable that changes during the run. The test
// sets each variable, writes the state, reads it into another run, and compares the values.
func TestStateHasAllVariables(t *testing.T) {
	fixed := []string{"keep.rule", "keep.weights", "keep.metrics", "pace.mark"} // from the plan; a mark is tested below
	old, read := &execution{calls: newCalls(1)}, &execution{calls: newCalls(1)}
	n, want := 0, map[string]any{}
	variables(old, func(name string, v reflect.Value) {
		if slices.Contains(fixed, name) {
			return
		}
		n++
		switch v.Kind() {
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Int, reflect.Int64:
			v.SetInt(int64(n))
		case reflect.Float64:
			v.SetFloat(float64(n) / 3)
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			if e := v.Index(0); e.Kind() == reflect.Float64 {
				e.SetFloat(float64(n))
			} else if e.Kind() == reflect.String {
				e.SetString(name)
			} else {
				e.Set(reflect.ValueOf([]float64{float64(n)}))
			}
		default:
			t.Fatalf("%s has the type %v: extend this test", name, v.Type())
		}
		want[name] = v.Interface()
	})
	read.pace.mark = &lang.At{Passes: 1}
	var state bytes.Buffer
	if err := solvers.SaveState(&state, old.carry); err != nil {
		t.Fatal(err)
	}
	if err := solvers.LoadState(&io.LimitedReader{R: &state, N: int64(state.Len())}, read.carry); err != nil {
		t.Fatal(err)
	}
	variables(read, func(name string, v reflect.Value) {
		if w, ok := want[name]; ok && !reflect.DeepEqual(v.Interface(), w) {
			t.Errorf("%s = %v after the state is read, want %v", name, v, w)
		}
	})
	if read.pace.mark != nil {
		t.Error("the run had reached the point of comparison, but after the state is read the point is not reached")
	}
}

// TestStateWithoutRoom checks that a state that is longer than the memory is refused before it is read.
func TestStateWithoutRoom(t *testing.T) {
	x := &execution{calls: newCalls(1)}
	x.saver.From = &io.LimitedReader{R: iotest.ErrReader(errors.New("it was read")), N: math.MaxInt64}
	err := x.load()
	if err == nil || !strings.HasPrefix(err.Error(), "the state of the run has ") ||
		!strings.Contains(err.Error(), " leaves only ") || x.saver.resuming {
		t.Errorf("error %v, resuming %v; want an error with both sizes, and false", err, x.saver.resuming)
	}
}
