package trace_test

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// fillAll sets each field of a struct, and of the structs in it, to a value that no other field has.
func fillAll(t *testing.T, v reflect.Value, next *int) {
	t.Helper()
	*next++
	n := *next
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fillAll(t, v.Field(i), next)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillAll(t, v.Elem(), next)
	case reflect.String:
		v.SetString(fmt.Sprint("<text & ", n, ">"))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(n))
	case reflect.Float64:
		v.SetFloat(float64(n) / 7)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fillAll(t, v.Index(0), next)
		fillAll(t, v.Index(1), next)
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		if value.Kind() == reflect.Interface {
			value.Set(reflect.ValueOf(float64(n)))
		} else {
			fillAll(t, value, next)
		}
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf(fmt.Sprint("key", n)), value)
	default:
		t.Fatalf("a field of type %v: extend this test", v.Type())
	}
}

// TestEveryField checks that each field of a manifest and of an end is read back as it was written, by a Writer and by
// Save, except for the layout and the number of rows, which they set, and that neither changes its argument. Texts are
// in the file as they are.
func TestEveryField(t *testing.T) {
	var m trace.Manifest
	var end trace.End
	n := 0
	fillAll(t, reflect.ValueOf(&m).Elem(), &n)
	fillAll(t, reflect.ValueOf(&end).Elem(), &n)
	rows := []trace.Row{row("passes", 0), row("passes", 1), row("passes", 2)}
	dir := t.TempDir()
	written, saved := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl")
	w, err := create(written, m)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if err := w.Append(trace.Row{}); err == nil { // a refused row does not count
			t.Error("a row without columns is written")
		}
		if err := w.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(end); err != nil {
		t.Fatal(err)
	}
	f := &trace.File{Manifest: m, Rows: rows, End: &end}
	before := end.Rows
	if err := f.Save(saved); err != nil {
		t.Fatal(err)
	}
	if end.Rows != before || f.Manifest.Format == trace.Format {
		t.Errorf("Save has changed the run: %d rows in the end, layout %q", end.Rows, f.Manifest.Format)
	}
	a, _ := os.ReadFile(written)
	b, _ := os.ReadFile(saved)
	if !bytes.Equal(a, b) || !bytes.Contains(a, []byte("<text & ")) || bytes.Count(a, []byte("\n")) != 5 {
		t.Errorf("a Writer and Save write\n%s\n%s\nwant equal files of 5 lines, with plain texts", a, b)
	}
	got, err := trace.Read(written)
	if err != nil {
		t.Fatal(err)
	}
	m.Format, end.Rows = trace.Format, 3
	if !reflect.DeepEqual(got.Manifest, m) {
		t.Errorf("the manifest is\n%+v, want\n%+v", got.Manifest, m)
	}
	if !reflect.DeepEqual(*got.End, end) {
		t.Errorf("the end is\n%+v, want\n%+v", *got.End, end)
	}
}

// TestCopiesOfSets checks that the copies of a set that OnWall and OfRepetition make have all its other fields, that
// the curves keep their labels and repetitions, and that the set stays as it was.
func TestCopiesOfSets(t *testing.T) {
	files := repeated(1, 3, 8)
	for _, f := range files {
		for i, r := range f.Rows {
			r.Values[trace.Seconds] = 10 + float64(i)
		}
	}
	without := run(labels("b", 1), row("passes", 1, "seconds", 3))
	set := trace.NewSet(append(files, without))
	set.Missing, set.Partial, set.Warnings = []*trace.Curve{trace.NewMissing(labels("c", 1), trace.Missing, "")}, true,
		[]string{"w"}
	set.Err = fmt.Errorf("why")
	columns, curves := maps.Clone(set.Curves[0].Columns), slices.Clone(set.Curves)
	wall, on := set.OnWall()
	for name, other := range map[string]*trace.Set{"OnWall": wall, "OfRepetition": set.OfRepetition(1)} {
		if !on || !slices.Equal(other.Missing, set.Missing) || !other.Partial || other.Err != set.Err ||
			!slices.Equal(other.Warnings, set.Warnings) || len(other.Curves) != 2 {
			t.Errorf("%s: %+v, want the fields of %+v", name, other, set)
		}
		c := other.Curves[0]
		if !reflect.DeepEqual(c.Labels, set.Curves[0].Labels) || len(c.Repeats) != 3 || c.Status != trace.Done ||
			c.Stage != -1 || c.Labels[trace.Repetition] != nil {
			t.Errorf("%s: the curve is %+v, want the labels and repetitions of %+v", name, c, set.Curves[0])
		}
	}
	if c := wall.Curves[0]; c.Final(trace.CPUSeconds) != 11 || c.Final("qp_cpu_seconds") != 1.5 ||
		c.Final(trace.Primal) != 2 {
		t.Errorf("OnWall: the columns are %v, want wall-clock times as CPU times", c.Columns)
	}
	for k, want := range []float64{2, 6, 16, 2, 6} {
		if c := set.OfRepetition(k).Curves[0]; c.Final(trace.CPUSeconds) != want || c.File != files[k%3] {
			t.Errorf("repetition %d ends after %v s of CPU time, want %v", k, c.Final(trace.CPUSeconds), want)
		}
	}
	if !slices.Equal(set.Curves, curves) || !reflect.DeepEqual(set.Curves[0].Columns, columns) {
		t.Error("the set has changed")
	}
	l := map[string]any{"as": "a", trace.Repetition: 2.}
	if got := trace.Unrepeated(l); len(got) != 1 || got["as"] != "a" || len(l) != 2 {
		t.Errorf("without the repetition: %v, of %v", got, l)
	}
}

// TestThinByLogarithm checks the half of the rows that Thin spreads by the logarithm of the passes: the first row at or
// after each of these numbers of passes is kept, whatever their distances.
func TestThinByLogarithm(t *testing.T) {
	for _, shape := range []func(i int) float64{
		func(i int) float64 { return float64(i) },
		func(i int) float64 { return 0.01 * float64(i*i) },
		func(i int) float64 { return math.Floor(float64(i) / 3) },
		func(i int) float64 { return math.Exp(float64(i)/40) - 1 },
	} {
		var rows []trace.Row
		for i := range 400 {
			rows = append(rows, row("passes", shape(i), "epoch", i))
		}
		for _, n := range []int{2, 3, 20, 21} {
			kept := map[float64]bool{}
			for _, r := range trace.Thin(rows, n) {
				kept[r.Values["epoch"]] = true
			}
			first := slices.IndexFunc(rows, func(r trace.Row) bool { return r.Values["passes"] > 0 })
			low, high := math.Log(rows[first].Values["passes"]), math.Log(rows[399].Values["passes"])
			half := n - n/2
			for k := range half {
				x := math.Exp(low + (high-low)*float64(k)/float64(half))
				at := slices.IndexFunc(rows, func(r trace.Row) bool { return r.Values["passes"] >= x*(1-1e-9) })
				if !kept[float64(at)] && !kept[float64(at+1)] {
					t.Errorf("Thin(%d) has not kept row %d, the first after %v passes", n, at, x)
				}
			}
			if !kept[0] || !kept[399] || len(kept) > n+2 {
				t.Errorf("Thin(%d) kept the rows %v", n, slices.Sorted(maps.Keys(kept)))
			}
		}
	}
}

// TestWarningsByExperiment checks that uncertain optima of two experiments have warnings of their own, with one number
// if all gaps are equal, and from which width of its interval an optimum is uncertain.
func TestWarningsByExperiment(t *testing.T) {
	var files []*trace.File
	for i, name := range []string{"a/a", "b/b", "a/a", "b/b", "b/b", "c/c", "c/c"} {
		f := run(labels("eg", float64(i+1)), row("passes", 1, "primal", 4, "dual", 3))
		if f.Manifest.Experiment = name; name == "b/b" {
			f.Rows[0].Values["dual"] = 4 - float64(i)/2
		}
		if name == "c/c" {
			f.Rows[0].Values["dual"] = 4 * (1 - 1e-4*map[int]float64{5: 0.5, 6: 1.5}[i])
		}
		files = append(files, f)
	}
	const end = "the runs ended before the optimum, at "
	want := []string{"a/a 2 problems: " + end + "a relative gap of 0.25; allow more passes for a smaller gap",
		"b/b 3 problems: " + end + "relative gaps from 0.12 to 0.5; allow more passes for smaller gaps",
		"c/c C=7: " + end + "a relative gap of 0.00015; allow more passes for a smaller gap"}
	set := trace.NewSet(files)
	if !slices.Equal(set.Warnings, want) {
		t.Errorf("warnings %q, want %q", set.Warnings, want)
	}
	if a, b := set.Curves[5].Doubt, set.Curves[6].Doubt; a != "" || !strings.Contains(b, "lie in [3.9994, 4]") {
		t.Errorf("doubts %q and %q, want one of the second", a, b)
	}
	none := trace.NewSet([]*trace.File{run(labels("eg", 1), row("passes", 1, "primal", 4))}).Curves[0]
	if none.Doubt != "no run has a dual: the optimum is only known to be at most 4" {
		t.Errorf("without a dual: doubt %q", none.Doubt)
	}
}

// TestExactTexts checks texts and digests that are compared byte by byte: labels in CSV have all digits, a zero with a
// sign is another value, and columns are compared in their order.
func TestExactTexts(t *testing.T) {
	l := labels("eg", 1)
	l["eta"], l["lambda"] = 0.12345678901234566, 1e-3
	var out bytes.Buffer
	if err := trace.WriteCSV(&out, trace.NewSet([]*trace.File{run(l, row("passes", 1, "zeal", 1.0/3))})); err != nil ||
		out.String() != "as,model,loss,C,lambda,scale,status,eta,passes,zeal\n"+
			"eg,multiclass,log,1,0.001,smoke,done,0.12345678901234566,1,0.3333333333333333\n" {
		t.Errorf("the table is (%v)\n%s", err, &out)
	}
	a, b := row("passes", 0, "a", 1, "primal", 2), row("passes", math.Copysign(0, -1), "a", 2, "primal", 3)
	for _, want := range []string{"passes is 0 against -0", "primal is 2 against 3", "a is 1 against 2", ""} {
		if got := trace.DiffRow(a, b); got != want {
			t.Errorf("difference %q, want %q", got, want)
		}
		if name, _, ok := strings.Cut(want, " "); ok {
			b.Values[name] = a.Values[name]
		}
	}
	if got := trace.Digest([]byte("abc")); got != "ba7816bf8f01cfea" {
		t.Errorf("the digest of abc is %s", got)
	}
	for column, want := range map[string][2]bool{"mycpu_seconds": {true, false}, "seconds_of_qp": {true, false},
		"milliseconds": {}, "cpu_seconds_left": {true, false}, "data_cpu_seconds": {true, true}} {
		if got := [2]bool{trace.Clock(column), trace.CPUClock(column)}; got != want {
			t.Errorf("Clock(%s), CPUClock(%[1]s) = %v, want %v", column, got, want)
		}
	}
}
