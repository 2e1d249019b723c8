package store

import (
	"reflect"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// fieldsOf returns the names of the fields of a struct, including those of its embedded structs, each with its index.
func fieldsOf(of reflect.Type) map[string][]int {
	fields := map[string][]int{}
	for _, f := range reflect.VisibleFields(of) {
		if !f.Anonymous {
			fields[f.Name] = f.Index
		}
	}
	return fields
}

// change gives a value another content that is not empty.
func change(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Float64:
		v.SetFloat(v.Float() + 0.5)
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		change(p.Elem())
		v.Set(p)
	case reflect.Slice:
		one := reflect.New(v.Type().Elem()).Elem()
		change(one)
		v.Set(reflect.Append(v, one))
	case reflect.Map:
		one := reflect.New(v.Type().Elem()).Elem()
		change(one)
		m := reflect.MakeMap(v.Type())
		m.SetMapIndex(reflect.ValueOf("name"), one)
		v.Set(m)
	case reflect.Interface:
		v.Set(reflect.ValueOf("content"))
	case reflect.Struct:
		for i := range v.NumField() {
			change(v.Field(i))
		}
	default:
		panic(v.Kind())
	}
}

// TestSameByField changes each field of a manifest and of an end in turn, and checks which changes make a run another
// one. Two runs in full are the same only if all agree that the run itself decides. References may differ in all that
// depends on the machine and its load; a reference stays beside a run that was alone only if it was alone, too.
func TestSameByField(t *testing.T) {
	run := func() *trace.File {
		f := &trace.File{Manifest: trace.Manifest{Key: "k", Plan: "p", Thinning: trace.Thinning{Exact: "abc"},
			Data: trace.DataManifest{Name: "d"}}, End: &trace.End{Status: trace.Done}}
		for i := range 3 {
			f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{trace.Passes: float64(i), trace.Seconds: 1}})
		}
		return f
	}
	full := []string{"Format", "Experiment", "Order", "Labels", "Because"} // may differ in runs that are stored in full
	own := []string{"Key", "Plan", "Exact", "Thinned", "N", "Dim", "Data", "Spec", "Alone"}
	for name, at := range fieldsOf(reflect.TypeFor[trace.Manifest]()) {
		a, b := run(), run()
		change(reflect.ValueOf(&b.Manifest).Elem().FieldByIndex(at))
		if got, want := same(a, b, false), slices.Contains(full, name); got != want {
			t.Errorf("runs with another %s are the same: %v, want %v", name, got, want)
		}
		if got, want := same(a, b, true), !slices.Contains(own, name); got != want {
			t.Errorf("references with another %s are the same: %v, want %v", name, got, want)
		}
		if got, want := same(b, a, true), !slices.Contains(own, name) || name == "Alone"; got != want {
			t.Errorf("references with another %s, swapped, are the same: %v, want %v", name, got, want)
		}
	}
	times := []string{"Seconds", "CPUSeconds", "RecordSeconds", "Load", "GC", "PeakBytes", "Resumed", "Weights"}
	for name, at := range fieldsOf(reflect.TypeFor[trace.End]()) {
		a, b := run(), run()
		change(reflect.ValueOf(b.End).Elem().FieldByIndex(at))
		if same(a, b, false) {
			t.Errorf("runs whose ends have another %s are the same", name)
		}
		if got, want := same(a, b, true), slices.Contains(times, name); got != want || same(b, a, true) != want {
			t.Errorf("references whose ends have another %s are the same: %v, want %v", name, got, want)
		}
	}
	for _, c := range []struct {
		name              string
		edit              func(f *trace.File)
		full, referencing bool
	}{
		{"nothing", func(*trace.File) {}, true, true},
		{"no end", func(f *trace.File) { f.End = nil }, false, false},
		{"no last row", func(f *trace.File) { f.Rows = f.Rows[:2] }, false, false},
		{"the last passes", func(f *trace.File) { f.Rows[2].Values[trace.Passes]++ }, false, false},
		{"the last seconds", func(f *trace.File) { f.Rows[2].Values[trace.Seconds]++ }, false, true},
		{"another column", func(f *trace.File) { f.Rows[2].Values["x"] = 0 }, false, false},
		{"a warning", func(f *trace.File) { f.Rows[2].Warnings = []string{"w"} }, false, false},
		{"no digest, and other rows kept", func(f *trace.File) { f.Manifest.Exact, f.Manifest.Kept = "", []int{1} }, true,
			false},
	} {
		a, b := run(), run()
		c.edit(b)
		if same(a, b, false) != c.full || same(b, a, false) != c.full {
			t.Errorf("%s: the runs are the same: %v, want %v", c.name, !c.full, c.full)
		}
		if same(a, b, true) != c.referencing || same(b, a, true) != c.referencing {
			t.Errorf("%s: the references are the same: %v, want %v", c.name, !c.referencing, c.referencing)
		}
	}
	a, b := run(), run()
	a.End, b.End = nil, nil
	if !same(a, b, false) || !same(a, b, true) {
		t.Error("two runs without an end differ")
	}
	a.Manifest.Exact, b.Manifest.Exact = "", ""
	if same(a, b, true) {
		t.Error("two references without a digest are the same, want that this is not known")
	}
}
