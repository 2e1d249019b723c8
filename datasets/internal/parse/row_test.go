package parse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

// dump reads the rows of a text and returns them as text of the form `label index=value ...;`.
func dump(text string, zeroBased bool) (string, error) {
	var b strings.Builder
	s := newRowScanner("f", strings.NewReader(text), zeroBased)
	for {
		switch err := s.next(); {
		case err == io.EOF:
			return b.String(), nil
		case err != nil:
			return b.String(), err
		}
		b.Write(s.label)
		for k, j := range s.index {
			fmt.Fprintf(&b, " %d=%v", j, s.value[k])
		}
		b.WriteByte(';')
	}
}

func TestRowScanner(t *testing.T) {
	long := strings.Repeat(" ", 1<<17)
	for _, c := range []struct{ name, text, want string }{
		{"plain", "+1 1:0.5 3:-2\n-1 2:1e-3\n", "+1 0=0.5 2=-2;-1 1=0.001;"},
		{"no last newline", "a 1:1", "a 0=1;"},
		{"Windows line ends", "a 1:1\r\nb 2:2\r\n", "a 0=1;b 1=2;"},
		{"byte order mark", "\ufeffa 1:1\n", "a 0=1;"},
		{"tabs and many spaces", "  a\t1:1   2:2 \t\n", "a 0=1 1=2;"},
		{"blank lines", "\n \na 1:1\n\n\n", "a 0=1;"},
		{"comments", "# head\na 1:1 # x:y\n  # more\nb 2:2#z\nc#1 1:1\n", "a 0=1;b 1=2;c#1 0=1;"},
		{"a row without features", "a\nb 1:1\n", "a;b 0=1;"},
		{"zeros are not stored", "a 1:0 2:0.0 3:-0 4:1", "a 3=1;"},
		{"signs and exponents", "a 1:+1.5 2:-.5 3:1. 4:1E+2", "a 0=1.5 1=-0.5 2=1 3=100;"},
		{"too small for a double", "a 1:1e-999 2:1", "a 1=1;"},
		{"a line beyond the buffer", "a 1:1" + long + "2:2\nb 1:1", "a 0=1 1=2;b 0=1;"},
		{"largest index", "a 2147483647:1", "a 2147483646=1;"},
		{"empty", "", ""},
		{"nothing but comments", "# a\n\n# b", ""},
	} {
		if got, err := dump(c.text, false); err != nil || got != c.want {
			t.Errorf("%s: %q, error %v, want %q", c.name, got, err, c.want)
		}
	}
	if got, err := dump("a 0:1 2:1", true); err != nil || got != "a 0=1 2=1;" {
		t.Errorf("row with indices from 0 = %q, error %v; want a 0=1 2=1", got, err)
	}
}

func TestRowScannerFaults(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no label", "1:2 2:3", `f:1:1: "1:2" is in the place of the label`},
		{"query id", "1 qid:3 1:1", `f:1:3: index "qid" is not a whole number from 1`},
		{"no colon", "a 1:1\n\na 1:1 22 3:1", `f:3:7: "22" has no colon`},
		{"no value", "a 1:", `f:1:5: value "" is not`},
		{"no index", "a :1", `f:1:3: index "" is not`},
		{"word as a value", "a 1:1 2:x", `f:1:9: value "x" is not a finite decimal number`},
		{"two colons", "a 1:1:1", `f:1:5: value "1:1" is not`},
		{"NaN", "a 1:nan", `f:1:5: value "nan" is not a finite`},
		{"Inf", "a 1:-Inf", `f:1:5: value "-Inf" is not a finite`},
		{"too large for a double", "a 1:1e999", `f:1:5: value "1e999" is not a finite`},
		{"hexadecimal", "a 1:0x10", `f:1:5: value "0x10" is not`},
		{"comma as the point", "a 1:0,5", `f:1:5: value "0,5" is not`},
		{"index 0", "a 0:1", `f:1:3: index 0: LIBSVM counts features from 1; if this file counts from 0, set zero_based: ` +
			`true`},
		{"negative index", "a -1:1", `f:1:3: index "-1" is not a whole number from 1`},
		{"fractional index", "a 1.5:1", `f:1:3: index "1.5" is not`},
		{"index too large", "a 2147483648:1", `f:1:3: index "2147483648" is not a whole number from 1 to 2147483647`},
		{"absurd index", "a 99999999999999999999:1", `is not a whole number`},
		{"index twice", "a 2:1 2:1", `f:1:7: index 2 occurs twice`},
		{"falling indices", "a 3:1 2:1", `f:1:7: index 2 after 3: want increasing`},
		{"binary", "\x00\x01\x02 1:1", `is not text`},
		{"not UTF-8", "\xff\xfe1:1", `f:1:1:`},
		{"a very long token", "a " + strings.Repeat("x", 1000), `xxx..." has no colon`},
	} {
		_, err := dump(c.text, false)
		var fault *datasets.SyntaxError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 250 {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := dump("a 2:1 2:1", true); err == nil || !strings.Contains(err.Error(), "index 2 occurs twice") {
		t.Errorf("zero-based: error = %v, want one with the index as written", err)
	}
}

// TestRowScannerRoundTrip checks that rows are read as they were written, to the bit.
func TestRowScannerRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zeroBased := rapid.Bool().Draw(t, "zero based")
		first := 1
		if zeroBased {
			first = 0
		}
		var text, want strings.Builder
		for range rapid.IntRange(0, 8).Draw(t, "rows") {
			label := rapid.StringMatching(`[-+]?[A-Za-z0-9.é]{1,6}`).Draw(t, "label")
			text.WriteString(label)
			want.WriteString(label)
			at := 0
			for range rapid.IntRange(0, 6).Draw(t, "features") {
				at += rapid.IntRange(1, 1000).Draw(t, "step")
				v := rapid.Float64().Filter(func(v float64) bool { return v != 0 && !math.IsInf(v, 0) }).Draw(t, "value")
				fmt.Fprintf(&text, " %d:%s", at+first, strconv.FormatFloat(v, 'g', -1, 64))
				fmt.Fprintf(&want, " %d=%v", at, v)
			}
			text.WriteString("\n")
			want.WriteString(";")
		}
		if got, err := dump(text.String(), zeroBased); err != nil || got != want.String() {
			t.Fatalf("got %q, error %v, want %q", got, err, want.String())
		}
	})
}

// TestDroppedFeatures checks on random rows that validation rows lose exactly the features beyond those of the training
// rows, and that a warning says how many values were dropped.
func TestDroppedFeatures(t *testing.T) {
	of := func(text string) RowFiles {
		return func(parse func(string, io.Reader) error) error { return parse("f", strings.NewReader(text)) }
	}
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(1, 6).Draw(t, "dim")
		train, _, err := ReadTraining(of(fmt.Sprintf("a 1:1\nb %d:1\n", dim)), math.MaxInt, false)
		if err != nil {
			t.Fatal(err)
		}
		var text string
		var want [][]int32
		dropped := 0
		for range rapid.IntRange(1, 5).Draw(t, "rows") {
			text += "b"
			kept := []int32{}
			for _, k := range rapid.SliceOfDistinct(rapid.IntRange(1, 9), func(k int) int { return k }).Filter(
				slices.IsSorted[[]int]).Draw(t, "features") {
				text += fmt.Sprintf(" %d:2", k)
				if k > dim {
					dropped++
				} else {
					kept = append(kept, int32(k-1))
				}
			}
			want, text = append(want, kept), text+"\n"
		}
		rows, doubts, err := ReadValidation(of(text), train, math.MaxInt, false)
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range want {
			if got, _ := rows.X.Row(i); !slices.Equal(got, w) {
				t.Errorf("row %d of %q with %d features: %v, want %v", i, text, dim, got, w)
			}
		}
		said := fmt.Sprintf("[dropped %d values of features beyond the %d of the training rows]", dropped, dim)
		if dropped == 0 {
			said = "[]"
		}
		if fmt.Sprint(doubts) != said {
			t.Errorf("rows %q with %d features: doubts %q, want %s", text, dim, doubts, said)
		}
	})
}

// TestFarFeatures checks on random rows, some without features, when a warning names a training row with a feature far
// above those of all other rows: its number is more than 1000 times the largest number of the others.
func TestFarFeatures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, last := "", []int{} // the largest feature of each row, from 1; 0 if the row has none
		for range rapid.IntRange(2, 5).Draw(t, "rows") {
			k := rapid.SampledFrom([]int{0, 1, 2, 3, 999, 1000, 1999, 2000, 2001, 5000}).Draw(t, "feature")
			text, last = text+"a", append(last, k)
			if k > 1 {
				text += " 1:1"
			}
			if k > 0 {
				text += fmt.Sprintf(" %d:1", k)
			}
			text += "\n"
		}
		train, _, err := ReadTraining(func(parse func(string, io.Reader) error) error {
			return parse("f", strings.NewReader(text))
		}, math.MaxInt, false)
		if err != nil {
			return // no row has a feature
		}
		most := slices.Max(last)
		at := slices.Index(last, most)
		next := slices.Max(slices.Concat(last[:at], last[at+1:]))
		want := next > 0 && most > 1000*next
		said := fmt.Sprintf("training row %d has feature %d, and all other rows have none above %d:", at+1, most, next)
		doubts := strings.Join(Doubts(train), "\n")
		if strings.Contains(doubts, said) != want || strings.Contains(doubts, "training row ") != want {
			t.Errorf("rows %q: doubts %q, want %s: %v", text, doubts, said, want)
		}
	})
}

// FuzzLIBSVM checks that no input causes a panic, that accepted rows are valid, and that errors name the file.
func FuzzLIBSVM(f *testing.F) {
	for _, s := range []string{
		"+1 1:0.5 3:-2\n-1 2:1e-3 # c\n", "a 0:1\n", "a 2:1 1:1", "\ufeff1 1:1\r\n\r\n", "a 1:nan", "1:1", "a 1:1:1 #",
		"\x00", "a 2147483647:1", "b\n\n#\nc 1:-0",
	} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, zeroBased bool) {
		part := func(parse func(string, io.Reader) error) error { return parse("f", bytes.NewReader(text)) }
		train, total, err := ReadTraining(part, math.MaxInt, zeroBased)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("error %q does not name the file", err)
			}
			return
		}
		datasettest.CheckLabelled(t, train)
		if total != train.Len() || total == 0 {
			t.Fatalf("%d rows stored of %d, want all", train.Len(), total)
		}
		validation, doubts, err := ReadValidation(part, train, math.MaxInt, zeroBased)
		if err != nil || len(doubts) > 0 || datasettest.Fingerprint(validation, validation.Len()) !=
			datasettest.Fingerprint(train, train.Len()) {
			t.Fatalf("the training file read as validation file: error %v, doubts %q; want the same rows", err, doubts)
		}
	})
}

func BenchmarkRowScanner(b *testing.B) {
	var text bytes.Buffer
	for i := range 1000 {
		fmt.Fprintf(&text, "%d", i%10)
		for j := range 100 {
			fmt.Fprintf(&text, " %d:%.6g", 3*j+1, float64(i*j%997)/997)
		}
		text.WriteByte('\n')
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		s := newRowScanner("f", bytes.NewReader(text.Bytes()), false)
		for s.next() == nil {
		}
	}
}

// TestPlainDecimal compares the bits of decimals with those of strconv.
func TestPlainDecimal(t *testing.T) {
	plain := 0
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[-+]?[0-9]{0,17}(\.[0-9]{0,17})?(e-?[0-9]{1,2})?`).Draw(t, "text")
		want, err := strconv.ParseFloat(text, 64)
		got, ok := parseDecimal([]byte(text))
		if ok != (err == nil) || ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%q is %v, %v; want %v, error %v", text, got, ok, want, err)
		}
		got, end := plainDecimal([]byte(text+" 1"), 0)
		switch {
		case end == len(text) && math.Float64bits(got) != math.Float64bits(want):
			t.Fatalf("plainDecimal(%q) = %v, want %v", text, got, want)
		case end == len(text):
			plain++
		}
	})
	if plain == 0 {
		t.Error("plainDecimal read none of the numbers, want some")
	}
}

// sizedText is a text of known length.
type sizedText struct {
	io.Reader
	size int64
}

func (s sizedText) TextSize() int64 { return s.size }

// TestExpectedRows checks that rows are the same whether the length of the text is known, unknown or wrong. It reads
// two files, each with longer rows at its end.
func TestExpectedRows(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test reads megabytes")
	}
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, "%d", i%3)
		for j := range 3 + 10*(i/15_000) {
			fmt.Fprintf(&text, " %d:%d.5", 2*j+1+i%2, i%10)
		}
		text.WriteByte('\n')
	}
	read := func(size int64, limit int) *datasets.Labelled {
		rows, total, err := ReadTraining(func(parse func(string, io.Reader) error) error {
			for range 2 {
				if err := parse("f", sizedText{strings.NewReader(text.String()), size}); err != nil {
					return err
				}
			}
			return nil
		}, limit, false)
		if err != nil || total != 40_000 {
			t.Fatalf("%d rows, error %v; want 40,000", total, err)
		}
		return rows
	}
	for _, limit := range []int{math.MaxInt, 40_000, 17_000, 1} {
		want := read(0, limit)
		for _, size := range []int64{int64(text.Len()), int64(text.Len()) / 3, 5 * int64(text.Len()), 1 << 40} {
			if got := read(size, limit); !reflect.DeepEqual(got, want) {
				t.Errorf("with the stated size %d of %d bytes and the limit %d, the rows differ from those of an unknown size",
					size, text.Len(), limit)
			}
		}
	}
}

// TestLongDecimals compares the bits of decimals of 14 to 18 digits with those of strconv: a number of more than 15
// digits need not be exact before it is divided by a power of ten.
func TestLongDecimals(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 20_000 {
		digits := make([]byte, 14+rng.IntN(5))
		for i := range digits {
			digits[i] = '0' + byte(rng.IntN(10))
		}
		digits[0] = '9' - byte(rng.IntN(2)*rng.IntN(9)) // mostly above 2⁵³ ≈ 9.007·10¹⁵, if there are 16 digits
		point := rng.IntN(len(digits) + 1)
		text := string(digits[:point]) + "." + string(digits[point:])
		want, err := strconv.ParseFloat(text, 64)
		got, ok := parseDecimal([]byte(text))
		_, value, end := plainFeature([]byte("7:"+text), 0)
		if err != nil || !ok || got != want || end > 0 && value != want {
			t.Fatalf("%s is %v, %v and %v in a feature; want %v, %v", text, got, ok, value, want, err)
		}
	}
}
