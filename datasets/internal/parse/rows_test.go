package parse

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// drawnRow is a row that is drawn at random: its label, and its values by index.
type drawnRow struct {
	label  string
	values map[int]float64
}

// drawRows draws n rows whose indices are below dim.
func drawRows(rng *rand.Rand, n, dim int, labels []string) (rows []drawnRow) {
	for range n {
		r := drawnRow{labels[rng.IntN(len(labels))], map[int]float64{}}
		for range rng.IntN(4) {
			r.values[rng.IntN(dim)] = float64(rng.IntN(7)-2) / 4
		}
		rows = append(rows, r)
	}
	return rows
}

// rowText returns the rows in LIBSVM format, with comments and blank lines between them.
func rowText(rng *rand.Rand, rows []drawnRow, first int) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString([]string{"", "# c 1:2\n", "\n"}[rng.IntN(3)] + r.label)
		for i := range 20 {
			if v, ok := r.values[i]; ok {
				fmt.Fprintf(&b, "%s%d:%v", []string{" ", "  ", "\t"}[rng.IntN(3)], i+first, v)
			}
		}
		b.WriteString([]string{"\n", " # note\n", "\r\n"}[rng.IntN(3)])
	}
	return b.String()
}

// rowFiles returns the files of a part of a data set.
func rowFiles(texts ...string) RowFiles {
	return func(parse func(string, io.Reader) error) error {
		for i, text := range texts {
			if err := parse(fmt.Sprint("file ", i), strings.NewReader(text)); err != nil {
				return err
			}
		}
		return nil
	}
}

// tell writes rows as texts of the class and of the values that are not zero.
func tell(d *datasets.Labelled) (out []string) {
	for i := range d.Len() {
		line := fmt.Sprint(d.Y[i])
		index, values := d.X.Row(i)
		for k, j := range index {
			line += fmt.Sprintf(" %d:%v", j, values[k])
		}
		out = append(out, line)
	}
	return out
}

// TestDrawnRowFiles compares training and validation rows, read from one or two files each, with rows drawn at random:
// features and classes are those of all training rows, also beyond the limit; classes are sorted by value if all labels
// are numbers, and else as text; in validation rows, features that no training row has are dropped and counted, and a
// class that no training row has gets the number after the last class.
func TestDrawnRowFiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	dropped, unknown := 0, 0
	for range 300 {
		numeric, zeroBased := rng.IntN(2) == 0, rng.IntN(2) == 0
		labels := []string{"b", "a", "10", "9"}
		if numeric {
			labels = []string{"10", "9", "-1", "+9", "9.0"}
		}
		first := 1
		if zeroBased {
			first = 0
		}
		// the first row has a feature, as in every file that can be learned from
		train, other := drawRows(rng, 2+rng.IntN(8), 6, labels[:2+rng.IntN(2)]), drawRows(rng, 2+rng.IntN(8), 9, labels)
		train[0].values[0] = 1
		limit, cut := 1+rng.IntN(len(train)+2), 1+rng.IntN(len(train)-1)
		rows, total, err := ReadTraining(rowFiles(rowText(rng, train[:cut], first), rowText(rng, train[cut:], first)),
			limit, zeroBased)
		if err != nil {
			t.Fatal(err)
		}
		dim := 0
		var classes []string // one for each class, in order
		key := func(label string) string {
			if v, err := strconv.ParseFloat(label, 64); err == nil && numeric {
				return fmt.Sprintf("%05.1f", v+100)
			}
			return label
		}
		// If only the labels 10 and 9 were drawn, they are numbers.
		asNumbers := !slices.ContainsFunc(train, func(r drawnRow) bool { return r.label == "a" || r.label == "b" })
		numeric = asNumbers
		for _, r := range train {
			if !slices.Contains(classes, key(r.label)) {
				classes = append(classes, key(r.label))
			}
			for i := range r.values {
				dim = max(dim, i+1)
			}
		}
		slices.Sort(classes)
		line := func(r drawnRow) string {
			class := slices.Index(classes, key(r.label))
			if class < 0 {
				class = len(classes)
			}
			out := fmt.Sprint(class)
			for i := range dim {
				if v := r.values[i]; v != 0 {
					out += fmt.Sprintf(" %d:%v", i, v)
				}
			}
			return out
		}
		var want []string
		for _, r := range train[:min(limit, len(train))] {
			want = append(want, line(r))
		}
		if got := tell(rows); !slices.Equal(got, want) || total != len(train) || rows.X.Dim != dim ||
			len(rows.Classes) != len(classes) {
			t.Fatalf("%+v: rows %q of %d, %d features, classes %q; want %q of %d, %d features, %d classes", train, got, total,
				rows.X.Dim, rows.Classes, want, len(train), dim, len(classes))
		}
		most := 1 + rng.IntN(len(other)+2)
		cut = 1 + rng.IntN(len(other)-1)
		held, doubts, err := ReadValidation(rowFiles(rowText(rng, other[:cut], first), rowText(rng, other[cut:], first)),
			rows, most, zeroBased)
		if err != nil {
			t.Fatal(err)
		}
		want = nil
		far, odd := 0, 0
		for _, r := range other[:min(most, len(other))] {
			want = append(want, line(r))
			for i, v := range r.values {
				if i >= dim && v != 0 {
					far++
				}
			}
			if !slices.Contains(classes, key(r.label)) {
				odd++
			}
		}
		if got := tell(held); !slices.Equal(got, want) || held.X.Dim != dim || !slices.Equal(held.Classes, rows.Classes) {
			t.Fatalf("%+v after %+v: validation rows %q, %d features, want %q, %d", other, train, got, held.X.Dim, want, dim)
		}
		var texts []string
		if far > 0 {
			texts = append(texts, fmt.Sprintf("dropped %d values of features beyond the %d of the training rows", far, dim))
		}
		if odd > 0 {
			texts = append(texts, fmt.Sprintf("%d validation rows have labels that no training row has, and count as errors: ",
				odd))
		}
		for i, text := range texts {
			if len(doubts) != len(texts) || !strings.HasPrefix(doubts[i], text) {
				t.Fatalf("doubts %q, want %q", doubts, texts)
			}
		}
		dropped, unknown = dropped+far, unknown+odd
	}
	if min(dropped, unknown) < 20 {
		t.Errorf("%d values were dropped and %d labels were unknown, want at least 20 of each", dropped, unknown)
	}
}
