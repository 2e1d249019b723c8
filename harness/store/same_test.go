package store

import (
	"bytes"
	"encoding/json"
	"maps"
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

// TestWeightsHead checks that each field of the weights arrives in the file and is read back, and that writing leaves
// the bytes behind the vocabulary alone, which may belong to somebody else.
func TestWeightsHead(t *testing.T) {
	for _, exact := range []bool{true, false} {
		var w Weights
		for name, at := range fieldsOf(reflect.TypeFor[Weights]()) {
			switch name {
			case "Vocabulary", "Scaling", "Table", "W", "Step", "Lengths", "Format", "Dim":
			default:
				change(reflect.ValueOf(&w).Elem().FieldByIndex(at))
			}
		}
		w.Data.Params, w.Settings.Params = map[string]any{"n": 3.0}, map[string]any{"loss": "log"}
		buffer := []byte(`{"a":1}beyond`)
		w.Vocabulary, w.W = json.RawMessage(buffer[:7]), []float64{0.5, 0, -3}
		w.Format, w.Dim = "other", 99 // the file states its own
		text, err := writeWeights(w, exact)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readWeights(bytes.NewReader(text), "f")
		if err != nil {
			t.Fatal(err)
		}
		if string(buffer) != `{"a":1}beyond` || w.Format != "other" || len(w.W) != 3 {
			t.Errorf("writing changed the argument: %s, %+v", buffer, w)
		}
		if (got.Step == 0) != exact {
			t.Errorf("exact %v: the step is %v", exact, got.Step)
		}
		w.Format, w.Dim, w.Step, w.Lengths = WeightsFormat, 3, got.Step, got.Lengths
		if !reflect.DeepEqual(*got, w) {
			t.Errorf("exact %v: read %+v, want %+v", exact, *got, w)
		}
		if !got.Complete() || (&Weights{Format: weightsFirst}).Complete() || !(&Weights{Format: weightsSecond}).Complete() {
			t.Error("want all weights complete except those of the first format")
		}
	}
}

// TestSecondFormat checks what the numbers of features and the classes of the second format become: the kind of the
// data and a vocabulary. Without them, and in other formats, the head stays as it is.
func TestSecondFormat(t *testing.T) {
	for text, want := range map[string]Weights{
		`{"format":"gaplab-weights/2","features":2,"classes":["a","b"],"w":[2]}`: {Kind: "labelled rows",
			Vocabulary: json.RawMessage(`{"classes":["a","b"],"features":2}`)},
		`{"format":"gaplab-weights/2","features":1,"w":[2]}`: {Kind: "labelled rows",
			Vocabulary: json.RawMessage(`{"classes":null,"features":1}`)},
		`{"format":"gaplab-weights/2","kind":"x","w":[2]}`:              {Kind: "x"},
		`{"format":"gaplab-weights/1","kind":"x","features":1,"w":[2]}`: {Kind: "x"},
		`{"format":"gaplab-weights/3","kind":"x","features":1}`:         {Kind: "x"},
	} {
		w, err := readWeights(bytes.NewReader(compressed(t, []byte(text))), "f")
		if err != nil || w.Kind != want.Kind || string(w.Vocabulary) != string(want.Vocabulary) {
			t.Errorf("%s: kind %q, vocabulary %s, error %v; want %q, %s", text, w.Kind, w.Vocabulary, err, want.Kind,
				want.Vocabulary)
		}
	}
}

// TestPackText checks the whole text of a pack, from whose layout other programs read it: the common fields in the
// head, a constant column, a value that a row lacks, warnings, characters of HTML, and a shared run.
func TestPackText(t *testing.T) {
	run := func(key, why string, rows ...trace.Row) packed {
		return packed{file: &trace.File{Manifest: trace.Manifest{Format: trace.Format, Experiment: "p/b", Scale: "smoke",
			Key: key, Labels: map[string]any{"as": "a<b", "C": 1.5}, Warnings: []string{key}}, Rows: rows,
			End: &trace.End{Why: why}}}
	}
	row := func(warning []string, values ...any) trace.Row {
		r := trace.Row{Values: map[string]float64{}, Warnings: warning}
		for i := 0; i < len(values); i += 2 {
			r.Values[values[i].(string)] = values[i+1].(float64)
		}
		return r
	}
	text, err := pack("p/b", "smoke", []packed{
		{shared: &sharedRun{In: "p/a", Key: "s", Order: 4}},
		run("k", "<1>", row(nil, "x", 1e-7, "z", 2.0), row([]string{"a, [b]", "<c>"}, "x", 0.1, "y", 1e21, "z", 2.0)),
		run("l", "", row([]string{"w"}, "x", 3.0)),
		run("m", ""),
		{shared: &sharedRun{In: "p/a", Key: "t", Labels: map[string]any{"C": 2}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	const head = `{"pack":{"format":"gaplab-pack/1","experiment":"p/b","scale":"smoke","runs":5,"common":{"cpu":"",` +
		`"data":{"checksum":"","name":"","synthetic":false},"dim":0,"go":"","labels":{"C":1.5,"as":"a<b"},"n":0,` +
		`"order":0,"platform":"","spec":null,"start":"","workers":0}}}` + "\n"
	const end = `,"rows":0,"seconds":0}}}` + "\n"
	const want = head + `{"shared":{"in":"p/a","key":"s","order":4}}` + "\n" +
		`{"run":{"manifest":{"key":"k","warnings":["k"]},"columns":["x","y"],"constants":{"z":2},"rows":2,` +
		`"end":{"status":"","why":"<1>"` + end + "[1e-7,null]\n" + `[0.1,1e+21,["a, [b]","<c>"]]` + "\n" +
		`{"run":{"manifest":{"key":"l","warnings":["l"]},"constants":{"x":3},"rows":1,"end":{"status":"","why":""` + end +
		`[["w"]]` + "\n" + `{"run":{"manifest":{"key":"m","warnings":["m"]},"rows":0,"end":{"status":"","why":""` + end +
		`{"shared":{"in":"p/a","key":"t","order":0,"labels":{"C":2}}}` + "\n"
	if got := string(text[:max(0, len(text)-len(`{"digest":""}`)-65)]); got != want {
		t.Errorf("the pack is\n%s\nwant\n%s", got, want)
	}
	head2, runs, err := unpack("f", text)
	if err != nil || head2.Runs != 5 || len(runs) != 5 {
		t.Fatalf("the pack is read as %+v, %d runs, %v", head2, len(runs), err)
	}
	if l := runs[4].shared.Labels["C"]; l != 2.0 {
		t.Errorf("a label of a shared run is %v (%[1]T), want the float 2", l)
	}
	if r := runs[1].file.Rows; len(r) != 2 || !maps.Equal(r[1].Values, map[string]float64{"x": 0.1, "y": 1e21, "z": 2}) ||
		!maps.Equal(r[0].Values, map[string]float64{"x": 1e-7, "z": 2}) || !slices.Equal(r[1].Warnings, []string{"a, [b]",
		"<c>"}) {
		t.Errorf("the rows are read as %+v", r)
	}
}
