package trace_test

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/trace"
)

func manifest() trace.Manifest {
	return trace.Manifest{
		Format:     trace.Format,
		Experiment: "eg/fig06",
		Key:        "k1",
		Scale:      "smoke",
		Labels:     map[string]any{"as": "eg", "C": 10.0, "lambda": 0.01},
		Data:       trace.DataManifest{Name: "digits", Synthetic: true, Checksum: "abc"},
		Size:       trace.Size{N: 1000},
	}
}

func row(pairs ...any) trace.Row {
	r := trace.Row{Values: map[string]float64{}}
	for i := 0; i < len(pairs); i += 2 {
		switch v := pairs[i+1].(type) {
		case int:
			r.Values[pairs[i].(string)] = float64(v)
		case float64:
			r.Values[pairs[i].(string)] = v
		}
	}
	return r
}

// create begins a trace with a Writer at path. It also creates a missing folder of path.
func create(path string, m trace.Manifest) (*trace.Writer, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return trace.NewWriter(file, m)
}

// write writes a trace with a Writer and returns its path.
func write(t testing.TB, rows []trace.Row, end *trace.End) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "eg", "run.jsonl")
	w, err := create(path, manifest())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if err := w.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	if end != nil {
		if err := w.Close(*end); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func rowGenerator() *rapid.Generator[trace.Row] {
	return rapid.Custom(func(t *rapid.T) trace.Row {
		finite := rapid.Float64().Filter(func(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) })
		return trace.Row{
			Values:   rapid.MapOfN(rapid.String(), finite, 1, 6).Draw(t, "values"),
			Warnings: rapid.SliceOfN(rapid.StringMatching(`[a-z <>&"\n]*`), 0, 3).Draw(t, "warnings"),
		}
	})
}

// TestRoundTrip checks that any rows are read back with the same bits, and that Save writes the same bytes again.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows := rapid.SliceOfN(rowGenerator(), 0, 8).Draw(rt, "rows")
		for _, r := range rows {
			for name := range r.Values {
				if strings.ToValidUTF8(name, "") != name {
					rt.Skip("not a column name")
				}
			}
		}
		path := write(t, rows, &trace.End{Status: trace.Done, Why: "gap < 0.1", Rule: "gap", Seconds: 1.5,
			Labels: map[string]any{"chosen": true}})
		got, err := trace.Read(path)
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(rows, got.Rows, cmpopts.EquateEmpty()); diff != "" {
			rt.Fatalf("rows differ (-written +read):\n%s", diff)
		}
		if diff := cmp.Diff(manifest(), got.Manifest); diff != "" {
			rt.Fatalf("manifests differ:\n%s", diff)
		}
		if got.End == nil || got.End.Rows != len(rows) || got.End.Labels["chosen"] != true {
			rt.Fatalf("end = %+v, want %d rows and the label chosen", got.End, len(rows))
		}
		again := filepath.Join(filepath.Dir(path), "new", "folder", "again.jsonl") // Save makes the folder
		if err := got.Save(again); err != nil {
			rt.Fatal(err)
		}
		first, _ := os.ReadFile(path)
		second, _ := os.ReadFile(again)
		if !bytes.Equal(first, second) {
			rt.Fatalf("saved bytes differ:\n%s\n%s", first, second)
		}
	})
}

// TestRowsAreOnDiskAtOnce checks that a row is in the file when Append has returned.
func TestRowsAreOnDiskAtOnce(t *testing.T) {
	path := write(t, []trace.Row{row("passes", 0), row("passes", 1)}, nil)
	f, err := trace.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Rows) != 2 || f.Status() != trace.Interrupted || len(f.Warnings) != 0 {
		t.Errorf("%d rows, status %s, warnings %q; want 2, interrupted, none", len(f.Rows), f.Status(), f.Warnings)
	}
}

// TestAppendRefuses checks that Append returns an error for a row that has a value that is not finite, or that has no
// columns.
func TestAppendRefuses(t *testing.T) {
	w, err := create(filepath.Join(t.TempDir(), "x.jsonl"), manifest())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close(trace.End{})
	for name, r := range map[string]trace.Row{
		`"primal" is NaN`:  row("passes", 1, "primal", math.NaN()),
		`"primal" is +Inf`: row("primal", math.Inf(1)),
		"no column":        {},
	} {
		if err := w.Append(r); err == nil || !strings.Contains(err.Error(), name) ||
			!strings.Contains(err.Error(), "x.jsonl: row 1: ") {
			t.Errorf("Append: error %v, want %s", err, name)
		}
	}
}

// TestCloseRefuses checks that an end with a value that is not finite is an error that names the file, and that the
// file then reads as a run without an end.
func TestCloseRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	w, err := create(path, manifest())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(row("passes", 1)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(trace.End{Status: trace.Done, Seconds: math.NaN()}); err == nil ||
		!strings.HasPrefix(err.Error(), path+": end: ") {
		t.Errorf("Close: error %v, want one that begins with %s: end", err, path)
	}
	if f, err := trace.Read(path); err != nil || len(f.Rows) != 1 || f.Status() != trace.Interrupted {
		t.Errorf("after a refused end: %+v, %v; want one row and no end", f, err)
	}
}

// TestShortFiles checks that Read returns an error for all beginnings of a file that end within the line of the
// manifest, and for other short texts.
func TestShortFiles(t *testing.T) {
	text, err := os.ReadFile(write(t, []trace.Row{row("passes", 0)}, &trace.End{Status: trace.Done}))
	if err != nil {
		t.Fatal(err)
	}
	line := bytes.IndexByte(text, '\n')
	texts := [][]byte{[]byte("\n"), []byte("{}\n"), []byte("\"}\n"), []byte("{\"end\":{}}\n"), []byte("[]")}
	for n := range line {
		texts = append(texts, text[:n])
	}
	path := filepath.Join(t.TempDir(), "short.jsonl")
	for _, text := range texts {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if f, err := trace.Read(path); err == nil {
			t.Errorf("Read(%q) = %+v, want an error", text, f)
		}
	}
}

// first turns a manifest line into a manifest line of the first layout of traces, which had no digests.
func first(manifest string) string { return strings.Replace(manifest, "trace/2", "trace/1", 1) }

// TestReadDamage checks which damages of a file are errors, and that an incomplete last line only gives a warning.
func TestReadDamage(t *testing.T) {
	path := write(t, []trace.Row{row("passes", 0), row("passes", 1)}, &trace.End{Status: trace.Done})
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	m, r0, r1, end := lines[0], lines[1], lines[2], lines[3]
	for _, test := range []struct {
		name, text string
		rows       int
		warnings   int
		err        string
	}{
		{"whole", m + r0 + r1 + end, 2, 0, ""},
		{"no last newline", m + r0 + r1 + strings.TrimSpace(end), 0, 0, ": damaged: its end line has no digest"},
		{"first layout", first(m) + r0 + r1 + `{"end":{"status":"done","why":"","rows":2,"seconds":0}}`, 2, 0, ""},
		{"other value", m + r0 + strings.Replace(r1, "1", "3", 1) + end, 0, 0, ": damaged: its digest does not match"},
		{"no digest", m + r0 + r1 + `{"end":{"status":"done","why":"","rows":2,"seconds":0}}`, 0, 0,
			": damaged: its end line has no digest"},
		{"no end", m + r0, 1, 0, ""},
		{"torn row", m + r0 + r1[:7], 1, 1, ""},
		{"torn end", m + r0 + r1 + end[:9], 2, 1, ""},
		{"empty", "", 0, 0, ":1: the file is empty"},
		{"torn manifest", m[:20], 0, 0, ":1: not a line of a trace"},
		{"no manifest", r0 + r1, 0, 0, ":1: the first line is not a manifest"},
		{"two manifests", m + m, 0, 0, ":2: a second manifest"},
		{"damage inside", m + r0[:5] + "\n" + r1, 0, 0, ":2: not a line of a trace"},
		{"empty line", m + "\n" + r1, 0, 0, ":2: an empty line"},
		{"two objects", m + strings.TrimSpace(r0) + r1, 0, 0, ":2: more text"},
		{"unknown key", m + `{"rwo":{"a":1}}` + "\n", 0, 0, `:2: not a line of a trace: json: unknown field "rwo"`},
		{"two kinds", m + `{"row":{"a":1},"end":{"status":"done"}}` + "\n", 0, 0, ":2: a line must have exactly one"},
		{"warnings without a row", m + `{"warnings":["w"],"end":{"status":"done","why":"","rows":0,"seconds":0}}` + "\n", 0,
			0, `:2: "warnings" belong to a "row" only`},
		{"nothing", m + "null\n", 0, 0, ":2: a line must have exactly one"},
		{"text for a number", m + `{"row":{"a":"1"}}` + "\n", 0, 0, ":2: not a line of a trace"},
		{"number too large", m + `{"row":{"a":1e999}}` + "\n", 0, 0, ":2: not a line of a trace"},
		{"lost row", m + r0 + end, 0, 0, ":3: the end line counts 2 rows, but the file has 1"},
		{"after the end", m + r0 + r1 + end + r0, 0, 0, ":5: a line after the end line"},
		{"other format", strings.Replace(m, "trace/2", "trace/9", 1), 0, 0,
			`:1: format "gaplab-trace/9": not a layout that this program reads`},
		{"later layout", strings.Replace(m, `"format":"gaplab-trace/2"`, `"later":[1],"format":"gaplab-trace/3"`, 1), 0, 0,
			`:1: format "gaplab-trace/3": not a layout`},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.jsonl")
			if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := trace.Read(path)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), path+test.err) {
					t.Fatalf("error %v, want %s", err, test.err)
				}
				kinds := map[error]bool{trace.ErrDamaged: !strings.Contains(test.err, ": format "),
					trace.ErrFormat: strings.Contains(test.err, ": format "), fs.ErrNotExist: false}
				for kind, want := range kinds {
					if errors.Is(err, kind) != want {
						t.Errorf("error %v: is %q: %v, want %v", err, kind, !want, want)
					}
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Rows) != test.rows || len(f.Warnings) != test.warnings {
				t.Errorf("%d rows, warnings %q; want %d rows and %d warnings", len(f.Rows), f.Warnings, test.rows, test.warnings)
			}
		})
	}
}

// TestEveryBit checks that a file with a flipped bit, or a shortened file, is not read as a complete run.
func TestEveryBit(t *testing.T) {
	path := write(t, []trace.Row{row("passes", 0, "primal", 0.7), row("passes", 1, "primal", 0.25)},
		&trace.End{Status: trace.Done, Why: "gap 0.001"})
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := trace.Parse(path, text); err != nil || f.End == nil {
		t.Fatal(err)
	}
	for i := range text {
		for bit := range 8 {
			text[i] ^= 1 << bit
			if f, err := trace.Parse(path, text); err == nil && f.End != nil {
				t.Errorf("a flip of bit %d of byte %d (now %q) was not noticed", bit, i, text[i])
			}
			text[i] ^= 1 << bit
		}
		if f, err := trace.Parse(path, text[:i]); err == nil && f.End != nil {
			t.Errorf("the loss of the last %d bytes was not noticed", len(text)-i)
		}
	}
}

// FuzzRead checks that Read returns either an error or a file whose curves have all rows and can be written as CSV.
func FuzzRead(f *testing.F) {
	path := write(f, []trace.Row{row("passes", 0, "primal", 2, "dual", 0.5), row("passes", 1, "primal", 1)},
		&trace.End{Status: trace.Done})
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[:len(text)-7])
	f.Add([]byte(`{"manifest":{"format":"gaplab-trace/1","labels":{"lambda":[1]}}}` + "\n" +
		`{"row":{"stage":1e300,"primal":0}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "x.jsonl")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := trace.Read(path)
		if err != nil {
			return
		}
		set := trace.NewSet([]*trace.File{file})
		rows := 0
		for _, c := range set.Curves {
			rows += c.Len()
		}
		if rows != len(file.Rows) {
			t.Errorf("rows of all curves = %d, want %d, the rows of the file", rows, len(file.Rows))
		}
		var out bytes.Buffer
		if err := trace.WriteCSV(&out, set); err != nil {
			t.Error(err)
		}
		trace.Thin(file.Rows, 2)
	})
}
