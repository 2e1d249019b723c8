package parse

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// TestDoubtsOfColumns compares the warnings about the columns of random tables with the three rules: all values that
// are not numbers have a decimal comma; fewer than half of more than three values are not numbers; and, in 20 rows or
// more, more than half as many values as rows. The first rule that holds gives the warning.
func TestDoubtsOfColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	seen := [4]int{} // numbers of columns for which each rule holds, and no rule
	for range 500 {
		n := 17 + rng.IntN(6)
		kinds := 1 + rng.IntN(n)
		values := make([]string, n) // of the column
		texts := rng.IntN(4)        // kind of texts among the numbers
		share := rng.IntN(5)
		for i := range values {
			k := rng.IntN(kinds)
			values[i] = fmt.Sprint(k)
			if k%5 < share {
				values[i] = []string{"%d,5", "t%d", "-1,%d", "%d,5,1"}[texts]
				values[i] = fmt.Sprintf(values[i], k)
			}
		}
		var distinct, odd []string
		for _, v := range values {
			if slices.Contains(distinct, v) {
				continue
			}
			distinct = append(distinct, v)
			if _, err := strconv.ParseFloat(v, 64); err != nil {
				odd = append(odd, v)
			}
		}
		rule, want := 3, ""
		switch {
		case len(odd) == 0: // a numeric column
		case texts == 0 || texts == 2:
			rule, want = 0, fmt.Sprintf("column \"v\" is read as categorical, since numbers need a decimal point, and %d of "+
				"its %d values have a comma, such as %s", len(odd), len(distinct), odd[0])
		case len(distinct) > 3 && 2*len(odd) < len(distinct):
			list := strings.Join(odd[:min(10, len(odd))], ", ")
			if len(odd) > 10 {
				list += fmt.Sprintf(", ... (%d values)", len(odd))
			}
			rule, want = 1, fmt.Sprintf("column \"v\" is read as categorical, since %d of its %d values are not numbers: %s",
				len(odd), len(distinct), list)
		case n >= 20 && 2*len(distinct) > n:
			rule, want = 2, fmt.Sprintf("column \"v\" has %d values in %d rows: if it identifies the rows, remove it from "+
				"the file", len(distinct), n)
		}
		seen[rule]++
		text := "w;v;y\n"
		for i, v := range values {
			text += fmt.Sprintf("%d;%s;%c\n", i, v, 'a'+i%2)
		}
		for _, limit := range []int{1, 1000} { // the warnings are about the whole file
			_, _, total, doubts, err := ReadTable(textOf(text), CSVForm{Comma: ';'}, limit)
			if err != nil || total != n || strings.Join(doubts, "\n") != want {
				t.Fatalf("values %q, limit %d: warnings %q, error %v; want %q", values, limit, doubts, err, want)
			}
		}
	}
	if slices.Min(seen[:]) < 20 {
		t.Errorf("the rules hold for %v columns, want each and none for at least 20", seen)
	}
}

// doubtful is a stream with doubts and with values that no training row has.
type doubtful struct{ said }

func (doubtful) Doubts() []string           { return []string{"a doubt"} }
func (doubtful) Unknown() map[string]string { return map[string]string{"colour": "green"} }

// TestEncodedStreamsKeepTheirDoubts checks that a stream in any encoding still tells its doubts and new values, and
// that a stream that has none tells none.
func TestEncodedStreamsKeepTheirDoubts(t *testing.T) {
	for _, name := range []string{"", "ISO-8859-1", "UTF-16"} {
		e, err := FindEncoding(name)
		if err != nil {
			t.Fatal(err)
		}
		s := e.Encode(doubtful{"x"})
		if got := s.(datasets.Doubter).Doubts(); !slices.Equal(got, []string{"a doubt"}) {
			t.Errorf("encoding %q: doubts %q", name, got)
		}
		if got := s.(datasets.Novel).Unknown(); len(got) != 1 || got["colour"] != "green" {
			t.Errorf("encoding %q: new values %v", name, got)
		}
		plain := e.Encode(said("x"))
		if d, ok := plain.(datasets.Doubter); ok && d.Doubts() != nil {
			t.Errorf("encoding %q: doubts %q of a stream without doubts", name, d.Doubts())
		}
		if n, ok := plain.(datasets.Novel); ok && n.Unknown() != nil {
			t.Errorf("encoding %q: new values %v of a stream without them", name, n.Unknown())
		}
		if plain.Line() != 0 {
			t.Errorf("encoding %q: line %d", name, plain.Line())
		}
	}
}
