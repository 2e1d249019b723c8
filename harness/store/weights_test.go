package store

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// some returns weights of many sizes, with sequences of zeros.
func some() []float64 {
	rng := rand.New(rand.NewPCG(1, 1))
	w := make([]float64, 3000)
	for j := range w {
		if j%1000 < 400 || j%7 == 0 {
			continue
		}
		w[j] = rng.NormFloat64() * math.Pow(10, float64(-rng.IntN(12)))
	}
	return w
}

// sample returns the bytes of a weights file.
func sample(exact bool) []byte {
	w := Weights{Model: "chain", Vocabulary: json.RawMessage(`{"labels":["a","b"]}`), W: some()}
	text, err := writeWeights(w, exact)
	if err != nil {
		panic(err)
	}
	return text
}

// content returns the decompressed content of a weights file.
func content(t testing.TB, file []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// compressed compresses the pieces of a weights file's content.
func compressed(t testing.TB, parts ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	for _, part := range parts {
		if _, err := z.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestWeightsComeBack checks that stored weights are read back with at most the documented rounding error, for all
// sizes of the largest weight and for small numbers of weights, even none.
func TestWeightsComeBack(t *testing.T) {
	for _, scale := range []float64{1, -3, 1e300, 1e-290, 5e-324, 0} {
		for _, exact := range []bool{true, false} {
			w := some()
			for j := range w {
				w[j] *= scale
			}
			text, err := writeWeights(Weights{W: w, Vocabulary: json.RawMessage("[1]")}, exact)
			if err != nil {
				t.Fatal(err)
			}
			got, err := readWeights(bytes.NewReader(text), "f")
			if err != nil {
				t.Fatalf("scale %g: %v", scale, err)
			}
			var largest, worst float64
			for j := range w {
				largest, worst = max(largest, math.Abs(w[j])), max(worst, math.Abs(w[j]-got.W[j]))
			}
			if bound := math.Ldexp(largest, -31); worst > bound || exact && worst > 0 {
				t.Errorf("scale %g, exact %v: error %g, want at most %g", scale, exact, worst, bound)
			}
			if string(got.Vocabulary) != "[1]" || got.Dim != len(w) {
				t.Errorf("vocabulary %s, %d weights, want those written", got.Vocabulary, got.Dim)
			}
		}
	}
	for n := range 3 {
		for _, exact := range []bool{true, false} {
			text, err := writeWeights(Weights{W: make([]float64, n), Vocabulary: json.RawMessage("[1]")}, exact)
			if err != nil {
				t.Fatal(err)
			}
			got, err := readWeights(bytes.NewReader(text), "f")
			if err != nil || !slices.Equal(got.W, make([]float64, n)) || (got.Step == 0) != exact ||
				string(got.Vocabulary) != "[1]" {
				t.Errorf("%d weights of 0, exact %v: %+v, %v; want those written", n, exact, got, err)
			}
		}
	}
	sparse := make([]float64, 100_000)
	sparse[70_000] = 1
	if text, err := writeWeights(Weights{W: sparse}, false); err != nil || len(text) > 1500 {
		t.Errorf("%d bytes for one weight that is not zero, %v; want at most 1500", len(text), err)
	}
}

// TestDamagedWeights checks that a change of any bit of the content gives an error, even if the changed content is
// compressed correctly. A file with more or less content must be refused.
func TestDamagedWeights(t *testing.T) {
	stride := 1
	if testing.Short() {
		stride = 23 // fewer positions, because compression is slow with the race detector
	}
	for _, exact := range []bool{true, false} {
		text := content(t, sample(exact))
		refuse := func(what string, text []byte) {
			t.Helper()
			_, err := readWeights(bytes.NewReader(compressed(t, text)), "f")
			if err == nil || !strings.HasPrefix(err.Error(), "f: ") {
				t.Errorf("%s: error %v, want one that names the file", what, err)
			}
		}
		for at := 0; at < len(text); at += stride * (1 + at/200) {
			broken := slices.Clone(text)
			broken[at] ^= 1 << (at % 8)
			refuse(fmt.Sprintf("bit of byte %d of %d", at, len(text)), broken)
			refuse(fmt.Sprintf("the first %d bytes", at), text[:at])
		}
		refuse("another byte", append(slices.Clone(text), 0))
		if _, err := readWeights(bytes.NewReader(compressed(t, text)), "f"); err != nil {
			t.Errorf("error for the undamaged file: %v, want none", err)
		}
	}
}

// TestDamagedCompression checks that a weights file is refused if a bit of its compressed bytes has changed, or if it
// is cut. The checksum and the length of gzip are the last eight bytes. Ten bytes of header come first; the time and
// the system in them do not matter.
func TestDamagedCompression(t *testing.T) {
	for _, exact := range []bool{true, false} {
		file := compressed(t, content(t, sample(exact)))
		for at := 10; at < len(file); at++ {
			if at > 60 && at < len(file)-60 && at%211 > 0 || at == len(file)-9 {
				continue // of the byte before the checksum, some bits are not used
			}
			broken := slices.Clone(file)
			broken[at] ^= 1 << (at % 8)
			for what, text := range map[string][]byte{"a changed bit": broken, "cut": file[:at]} {
				if _, err := readWeights(bytes.NewReader(text), "f"); err == nil || !strings.HasPrefix(err.Error(), "f: ") {
					t.Errorf("exact %v, %s at byte %d of %d: error %v, want one that names the file", exact, what, at, len(file),
						err)
				}
			}
		}
	}
}

// TestScalingComesBack checks that a scaling is read back bit by bit, that a file without a scaling has no line for it,
// and that a damaged scaling is refused. The lines of the vocabulary and of the scaling together must not be valid
// JSON. Then a program that does not know scalings refuses the file.
func TestScalingComesBack(t *testing.T) {
	factors := []float64{1. / 3, 5e-324, math.MaxFloat64, 1}
	for _, s := range []datasets.Scaling{{}, {Kind: "unit", Features: 4}, {Kind: "max", Features: 4, Factors: factors}} {
		for _, vocabulary := range []string{"", `{"features":4}`} {
			text, err := writeWeights(Weights{W: some(), Vocabulary: json.RawMessage(vocabulary), Scaling: s}, false)
			if err != nil {
				t.Fatal(err)
			}
			got, err := readWeights(bytes.NewReader(text), "f")
			if err != nil || string(got.Vocabulary) != vocabulary || !reflect.DeepEqual(got.Scaling, s) {
				t.Errorf("scaling %+v, vocabulary %s, error %v; want %+v, %s", got.Scaling, got.Vocabulary, err, s, vocabulary)
			}
			inner := content(t, text)
			begin := bytes.IndexByte(inner, '\n') + 1
			piece := inner[begin : begin+got.Lengths[0]]
			if vocabulary != "" && json.Valid(piece) != (s.Kind == "") || s.Kind == "" && len(piece) != len(vocabulary)+1 {
				t.Errorf("scaling %+v: the lines of the vocabulary are %q; want valid JSON only if there is no scaling", s, piece)
			}
		}
	}
	for _, s := range []datasets.Scaling{{Kind: "mean"}, {Kind: "max", Features: 5, Factors: factors},
		{Kind: "max", Features: 1, Factors: []float64{-1}}} {
		text, err := writeWeights(Weights{W: some(), Scaling: s}, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readWeights(bytes.NewReader(text), "f"); err == nil || !strings.HasPrefix(err.Error(), "f: damaged") {
			t.Errorf("scaling %+v: error %v, want one that calls the file damaged", s, err)
		}
	}
}

// TestTableComesBack checks that the columns of a table are read back, with and without a scaling before them, and that
// a damaged table is refused.
func TestTableComesBack(t *testing.T) {
	table := datasets.Table{Label: "kind", Columns: []datasets.TableColumn{{Name: "size"},
		{Name: "colour, \"of\"\nit", Values: []string{"blue", "red"}}}}
	for _, s := range []datasets.Scaling{{}, {Kind: "unit", Features: 4}} {
		for _, vocabulary := range []string{"", `{"features":4}`} {
			text, err := writeWeights(Weights{W: some(), Vocabulary: json.RawMessage(vocabulary), Scaling: s, Table: table},
				false)
			if err != nil {
				t.Fatal(err)
			}
			got, err := readWeights(bytes.NewReader(text), "f")
			if err != nil || string(got.Vocabulary) != vocabulary || !reflect.DeepEqual(got.Scaling, s) ||
				!reflect.DeepEqual(got.Table, table) {
				t.Errorf("table %+v, scaling %+v, vocabulary %s, error %v; want %+v, %+v, %s", got.Table, got.Scaling,
					got.Vocabulary, err, table, s, vocabulary)
			}
		}
	}
	for _, columns := range [][]datasets.TableColumn{{{Name: "kind"}}, {{Name: "a"}, {Name: "a"}}, {{Name: ""}},
		{{Name: "a", Values: []string{"y", "x"}}}} {
		text, err := writeWeights(Weights{W: some(), Table: datasets.Table{Label: "kind", Columns: columns}}, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readWeights(bytes.NewReader(text), "f"); err == nil || !strings.HasPrefix(err.Error(), "f: damaged") {
			t.Errorf("columns %+v: error %v, want one that calls the file damaged", columns, err)
		}
	}
}

// TestNotFinite checks that weights that are NaN or infinite are neither written nor read.
func TestNotFinite(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		_, err := writeWeights(Weights{W: []float64{1, x}}, false)
		if err == nil || !strings.Contains(err.Error(), "weight 1") {
			t.Errorf("writing %v: error %v, want one that names weight 1", x, err)
		}
		third := []byte(`{"format":"gaplab-weights/3","dim":1}` + "\n")
		bits := math.Float64bits(x)
		for range 8 {
			third = append(third, byte(bits))
			bits >>= 8
		}
		_, err = readWeights(bytes.NewReader(compressed(t, third)), "f")
		if err == nil || !strings.Contains(err.Error(), "weight 0") {
			t.Errorf("reading %v: error %v, want one that names weight 0", x, err)
		}
	}
	for multiple, finite := range map[int64]bool{1: true, 2: false, -2: false} {
		_, err := decode(binary.AppendVarint(nil, multiple), 1, math.MaxFloat64)
		if (err == nil) != finite || !finite && !strings.Contains(err.Error(), "weight 0") {
			t.Errorf("%d times the largest float64: error %v, want an error that names weight 0: %v", multiple, err, !finite)
		}
	}
}

// TestUnknownFormat checks that the error for a file of a later format, or of none, names the format that this program
// reads and, if it has one, its own.
func TestUnknownFormat(t *testing.T) {
	for text, want := range map[string]string{
		`{"format":"gaplab-weights/9","dim":1}`: `f: its format is "gaplab-weights/9", but this program reads ` +
			WeightsFormat + ": is the file from a newer gaplab?",
		`{"format":"gaplab-trace/2"}`: "f: damaged weights file: want the name of the format at its beginning, such as " +
			WeightsFormat,
	} {
		_, err := readWeights(bytes.NewReader(compressed(t, []byte(text+"\n"))), "f")
		if err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}

// TestEarlierFormats checks that the weights of earlier formats are read.
func TestEarlierFormats(t *testing.T) {
	for text, want := range map[string][]float64{
		`{"format":"gaplab-weights/3","dim":1,"vocabulary":{}}` + "\n\x00\x00\x00\x00\x00\x00\xf8\x3f": {1.5},
		`{"format":"gaplab-weights/2","features":1,"classes":["a"],"w":[2]}` + "\n":                    {2},
		` { "format": "gaplab-weights/1", "w": [3, 4]}`:                                                {3, 4},
	} {
		w, err := readWeights(bytes.NewReader(compressed(t, []byte(text))), "f")
		if err != nil || !slices.Equal(w.W, want) {
			t.Errorf("%q: weights %+v, %v; want %v", text, w, err, want)
		}
	}
}

// TestSmallFilesTakeLittleMemory checks that a small file is refused without much memory if its decompressed content is
// large, or if it declares much content.
func TestSmallFilesTakeLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("inflates hundreds of megabytes, which takes half a minute with the race detector")
	}
	const size, most = 100 << 20, 70 << 20
	zeros := make([]byte, size)
	head := func(rest string) []byte { return []byte(`{"format":"gaplab-weights/` + rest + "}\n") }
	for name, parts := range map[string][][]byte{
		"no weights file":          {zeros},
		"a long head":              {[]byte(`{"format":"gaplab-weights/4","x":"`), zeros},
		"more than declared":       {content(t, sample(false)), zeros},
		"more than declared, 3":    {head(`3","dim":1`), zeros},
		"many weights in no bytes": {head(`4","dim":9000000000,"step":1,"lengths":[0,0]`)},
		"many weights in few":      {head(`4","dim":1000000000000,"step":1,"lengths":[0,9000000000]`), zeros[:9]},
		"many exact weights":       {head(`4","dim":1000000000000,"lengths":[0,1]`), zeros[:9]},
		"many weights, 3":          {head(`3","dim":1000000000000`), zeros[:9]},
		"a long vocabulary":        {head(`4","dim":1,"lengths":[1000000000000,1]`), zeros[:9]},
	} {
		file := compressed(t, parts...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := readWeights(bytes.NewReader(file), "f")
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; err == nil || used > most {
			t.Errorf("%s: %d bytes of memory, error %v; want an error, and at most %d bytes", name, used, err, most)
		}
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
