package store

import (
	"maps"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

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
