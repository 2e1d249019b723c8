package real

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/datasets/internal/parse"
	"github.com/gaplab/gaplab/datasets/internal/shape"
)

// coverLine returns a line in the format of Covertype. The arguments area, soil and class are counted from 1.
func coverLine(quantities string, area, soil, class int) string {
	var b strings.Builder
	b.WriteString(quantities)
	for j := range shape.CoverIndicators {
		if j == area-1 || j == shape.CoverAreas+soil-1 {
			b.WriteString(",1")
		} else {
			b.WriteString(",0")
		}
	}
	fmt.Fprintf(&b, ",%d\n", class)
	return b.String()
}

func TestCoverRows(t *testing.T) {
	text := coverLine("2596,51,3,258,0,510,221,232,148,6279", 1, 29, 5) + "\r\n"
	text = strings.Replace(text, "\n\r\n", "\r\n", 1) +
		coverLine("1859,0,0,0,-173,0,0,0,0,32767", 4, 40, 1) +
		strings.TrimSuffix(coverLine("1,2,3,4,-32768,6,7,8,9,10", 2, 1, 7), "\n")
	in := parse.NewLines("f", strings.NewReader(text))
	want := []shape.CoverRow{
		{Quantity: [10]int16{2596, 51, 3, 258, 0, 510, 221, 232, 148, 6279}, Area: 0, Soil: 28, Class: 4},
		{Quantity: [10]int16{1859, 0, 0, 0, -173, 0, 0, 0, 0, 32767}, Area: 3, Soil: 39, Class: 0},
		{Quantity: [10]int16{1, 2, 3, 4, -32768, 6, 7, 8, 9, 10}, Area: 1, Soil: 0, Class: 6},
	}
	for i, w := range want {
		var got shape.CoverRow
		if err := readCoverRow(&got, &in); err != nil || got != w {
			t.Errorf("row %d = %v, error %v, want %v", i, got, err, w)
		}
	}
	var row shape.CoverRow
	if err := readCoverRow(&row, &in); err != io.EOF {
		t.Errorf("after the last row: error %v, want EOF", err)
	}
}

func TestCoverRowErrors(t *testing.T) {
	const ten = "1,2,3,4,5,6,7,8,9,10"
	good := coverLine(ten, 1, 1, 1)
	for _, c := range []struct{ line, want string }{
		{"", "f:2:1: want a whole number from -32768 to 32767 and then a comma for quantity 1 of 10"},
		{"1,2", "f:2:3: want a whole number"},
		{"1,2,x,4", "f:2:5: want a whole number from -32768 to 32767 and then a comma for quantity 3"},
		{"1,-,3", "f:2:3: want a whole number"},
		{"1,2.5,3", "f:2:3: want a whole number"},
		{"1,32768,3", "f:2:3: want a whole number"},
		{"1,99999999999999999999,3", "f:2:3: want a whole number"},
		{"1,-32769,3", "f:2:3: want a whole number"},
		{"1,2,3,4,5,6,7,8,9,10", "f:2:19: want a whole number"},
		{ten + ",1,0,0,0,1", "f:2:22: the rest of the line has 9 bytes: want 89, for 44 indicators (each 0 or 1, and " +
			"a comma) and the class (a digit)"},
		{strings.TrimSuffix(good, "\n") + "0", "f:2:22: the rest of the line has 90 bytes: want 89"},
		{strings.Replace(good, "10,1,", "10,2,", 1), `f:2:22: indicator "2,": want 0 or 1`},
		{strings.Replace(good, "10,1,", "10,1;", 1), `f:2:22: indicator "1;": want 0 or 1`},
		{coverLine(ten, 0, 1, 1), "f:2:22: 0 of the 4 wilderness areas are 1: want exactly one"},
		{coverLine(ten, 1, 99, 1), "f:2:30: 0 of the 40 types of soil are 1: want exactly one"},
		{strings.Replace(good, "10,1,0", "10,1,1", 1), "f:2:22: 2 of the 4 wilderness areas are 1"},
		{coverLine(ten, 1, 1, 8), `f:2:110: class "8": want 1 to 7`},
		{coverLine(ten, 1, 1, 0), `f:2:110: class "0": want 1 to 7`},
	} {
		in := parse.NewLines("f", strings.NewReader(good+strings.TrimSuffix(c.line, "\n")+"\n"))
		var row shape.CoverRow
		if err := readCoverRow(&row, &in); err != nil {
			t.Fatal(err)
		}
		err := readCoverRow(&row, &in)
		var syntax *datasets.SyntaxError
		if !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %s", c.line, err, c.want)
		}
	}
}

func FuzzCoverRow(f *testing.F) {
	f.Add(coverLine("1,2,3,4,-5,6,7,8,9,10", 1, 40, 7))
	f.Add("1,2,3,4,5,6,7,8,9,10,")
	f.Fuzz(func(t *testing.T, text string) {
		in := parse.NewLines("f", strings.NewReader(text))
		var row shape.CoverRow
		for readCoverRow(&row, &in) == nil {
			if row.Area >= shape.CoverAreas || row.Soil >= shape.CoverSoils || row.Class >= shape.CoverClasses {
				t.Fatalf("%q: row %v has an area, soil or class out of range", text, row)
			}
		}
	})
}

// smallCover returns a file of n rows. The first quantity of a row is the number of the row, from 0. The classes are 1
// to 7 in turn.
func smallCover(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(coverLine(fmt.Sprintf("%d,0,3,4,%d,6,7,8,9,10", i, -i%5), 1+i%4, 1+i%40, 1+i%7))
	}
	return b.String()
}

// coverRowsOf returns the numbers of rows that smallCover made.
func coverRowsOf(rows []shape.CoverRow) (numbers []int) {
	for i := range rows {
		numbers = append(numbers, int(rows[i].Quantity[0]))
	}
	return numbers
}

func TestCoverSplit(t *testing.T) {
	split := func(c Covertype) *coverSplit {
		s := newCoverSplit(90, 10, c)
		if err := s.read("f", strings.NewReader(smallCover(100))); err != nil {
			t.Fatal(err)
		}
		return s
	}
	whole := split(Covertype{Train: 90, Validation: 10, SplitSeed: 1})
	train, validation := coverRowsOf(whole.train), coverRowsOf(whole.validation)
	all := slices.Sorted(slices.Values(slices.Concat(train, validation)))
	if !slices.Equal(all, parse.Between(0, 100)) || slices.IsSorted(train) {
		t.Errorf("training rows %v, validation rows %v; want each row once, in random order", train, validation)
	}
	few := split(Covertype{Train: 7, Validation: 3, SplitSeed: 1})
	if !slices.Equal(coverRowsOf(few.train), train[:7]) || !slices.Equal(coverRowsOf(few.validation), validation[:3]) {
		t.Error("with Train 7 and Validation 3, the rows are not the first of the two portions")
	}
	if few.low != whole.low || few.high != whole.high || int(whole.low[0]) != slices.Min(train) ||
		int(whole.high[0]) != slices.Max(train) {
		t.Errorf("ranges with Train 7: %v to %v, with Train 90: %v to %v; want those of all 90 training rows", few.low,
			few.high, whole.low, whole.high)
	}
	if other := split(Covertype{Train: 90, Validation: 10, SplitSeed: 2}); slices.Equal(coverRowsOf(other.train), train) {
		t.Error("another seed gives the same rows")
	}
	for n, want := range map[int]string{99: "f: 99 rows: want 100", 101: "f:101:1: more than 100 rows"} {
		err := newCoverSplit(90, 10, Covertype{Train: 1}).read("f", strings.NewReader(smallCover(n)))
		if err == nil || err.Error() != want {
			t.Errorf("%d rows: error %v, want %s", n, err, want)
		}
	}
}

func TestLabelledCover(t *testing.T) {
	rows := []shape.CoverRow{
		{Quantity: [10]int16{10, 5, 0, 0, -20, 0, 0, 0, 0, 1}, Area: 3, Soil: 39, Class: 0},
		{Quantity: [10]int16{20, 5, 0, 0, 0, 0, 0, 0, 0, 3}, Area: 0, Soil: 0, Class: 6},
	}
	raw := shape.LabelledCover(rows, shape.CoverScale{}, false)
	datasettest.CheckLabelled(t, raw)
	if !slices.Equal(raw.X.Index, []int32{0, 1, 4, 9, 13, 53, 0, 1, 9, 10, 14}) ||
		!slices.Equal(raw.X.Value, []float64{10, 5, -20, 1, 1, 1, 20, 5, 3, 1, 1}) ||
		!slices.Equal(raw.Y, []int{0, 6}) || !slices.Equal(raw.Classes, []string{"1", "2", "3", "4", "5", "6", "7"}) ||
		raw.X.Dim != 54 {
		t.Errorf("rows with raw quantities = %+v, want those in the test", raw)
	}
	scale := shape.CoverScale{Unit: true, Low: [10]int16{10, 5, 0, 0, -20, 0, 0, 0, 0, 1},
		High: [10]int16{30, 5, 0, 0, 20, 0, 0, 0, 0, 2}}
	unit := shape.LabelledCover(rows, scale, true)
	datasettest.CheckLabelled(t, unit)
	if !slices.Equal(unit.X.Index, []int32{13, 53, 0, 4, 9, 10, 14}) ||
		!slices.Equal(unit.X.Value, []float64{1, 1, .5, .5, 2, 1, 1}) ||
		!slices.Equal(unit.Y, []int{1, 0}) || !slices.Equal(unit.Classes, []string{"-1", "+1"}) {
		t.Errorf("rows with scaled quantities and two classes = %+v, want those in the test", unit)
	}
}

// TestCovertype checks the whole file with settings other than the defaults. A test of package catalogue checks the
// default settings.
func TestCovertype(t *testing.T) {
	full := loadReal(t, "covertype",
		Covertype{Train: coverTrain, Validation: coverValidation, Scale: "raw", Classes: "all", SplitSeed: 7})
	train, validation := full.Train.(*datasets.Labelled), full.Validation.(*datasets.Labelled)
	count := make([]int, 7)
	for _, part := range []*datasets.Labelled{train, validation} {
		for _, y := range part.Y {
			count[y]++
		}
	}
	if !slices.Equal(count, []int{211840, 283301, 35754, 2747, 9493, 17367, 20510}) {
		t.Errorf("rows of each class = %v, want the published numbers", count)
	}
	if n := len(train.X.Value) + len(validation.X.Value); n != 6901775 {
		t.Errorf("there are %d values that are not 0, want 6901775", n)
	}
	for c, n := range count { // the validation rows of a class must be 10 % of its rows, within four standard deviations
		held := 0
		for _, y := range validation.Y {
			if y == c {
				held++
			}
		}
		if mean := .1 * float64(n); math.Abs(float64(held)-mean) > 4*math.Sqrt(.9*mean) {
			t.Errorf("validation rows of class %d = %d of %d, want about 10 %%", c+1, held, n)
		}
	}
	other := loadReal(t, "covertype", Covertype{Train: 1000, Scale: "unit", Classes: "binary", SplitSeed: 7})
	binary := other.Train.(*datasets.Labelled)
	for i, y := range binary.Y {
		indicators, _ := train.X.Row(i)
		same, _ := binary.X.Row(i)
		if (y == 1) != (train.Y[i] == 0) || !slices.Equal(same[len(same)-2:], indicators[len(indicators)-2:]) {
			t.Fatalf("row %d of a smaller set differs from that of the larger set, or has the wrong binary class", i)
		}
	}
	if low, high := slices.Min(binary.X.Value), slices.Max(binary.X.Value); low <= 0 || high > 1 {
		t.Errorf("unit values from %v to %v; want them in (0, 1]", low, high)
	}
	if other.Validation != nil || other.Checksum == full.Checksum {
		t.Error("there are validation rows although Validation is 0, or the checksum does not depend on the settings")
	}
}

// BenchmarkCoverRows measures the time of parsing rows. The rate is in bytes of decompressed text.
func BenchmarkCoverRows(b *testing.B) {
	text := []byte(smallCover(10000))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var row shape.CoverRow
	for b.Loop() {
		in := parse.NewLines("f", bytes.NewReader(text))
		rows := 0
		for readCoverRow(&row, &in) == nil {
			rows++
		}
		if rows != 10000 {
			b.Fatalf("parsed rows = %d, want 10000", rows)
		}
	}
}
