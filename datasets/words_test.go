package datasets

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestPunctuation checks which words do not count in the attachment score without punctuation.
func TestPunctuation(t *testing.T) {
	for word, want := range map[string]bool{".": true, "...": true, "``": false, "''": true, "«": true, "-": true,
		"—": true,
		"¿": true, "(": true, "%": true, "$": false, "+": false, "=": false, "a": false, "a.": false, ".a": false,
		"3":    false,
		"U.S.": false, "": true} {
		if got := Punctuation(word); got != want {
			t.Errorf("%q is punctuation: %v, want %v", word, got, want)
		}
	}
}

// TestSpanLabels checks which labels belong to span schemes, their types, and where spans begin and end, for each pair
// of labels of two types.
func TestSpanLabels(t *testing.T) {
	for label, want := range map[string]bool{"O": true, "B-X": true, "I-X": true, "E-X": true, "L-X": true, "S-X": true,
		"U-X": true, "B-": true, "": false, "B": false, "BX": false, "X-B": false, "o": false, "OO": false, "O-X": false} {
		if got := MarksSpan(label); got != want {
			t.Errorf("%q belongs to a span scheme: %v, want %v", label, got, want)
		}
	}
	labels := []string{"O"}
	for _, kind := range []string{"X", "YZ"} {
		for _, letter := range "BIELSU" {
			labels = append(labels, string(letter)+"-"+kind)
		}
	}
	for _, before := range labels {
		for _, now := range labels {
			// within: one span goes on from the first label to the second
			within := before != "O" && now != "O" && slices.Contains([]byte("BI"), before[0]) &&
				slices.Contains([]byte("IEL"), now[0]) && before[1:] == now[1:]
			if got := SpanBegins(before, now); got != (now != "O" && !within) {
				t.Errorf("a span begins at %s after %s: %v", now, before, got)
			}
			if got := SpanEnds(before, now); got != (before != "O" && !within) {
				t.Errorf("a span ends at %s before %s: %v", before, now, got)
			}
		}
	}
	if got := SpanType("B-NP-SBJ") + SpanType("O") + SpanType("I-X"); got != "NP-SBJX" {
		t.Errorf("types of spans: %s, want NP-SBJ, none and X", got)
	}
}

// TestUnknownLabels checks the warning about labels that no training example has: the number of examples, and at most
// twenty names, each once and sorted.
func TestUnknownLabels(t *testing.T) {
	for _, n := range []int{0, 1, 19, 20, 21, 50} {
		var u Unknown
		var names []string
		for i := range 2 * n {
			name := fmt.Sprintf("%02d", (i*11)%n)
			if u.Add(name); !slices.Contains(names, name) && len(names) <= 20 {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		var want []string
		if n > 0 {
			text := strings.Join(names[:min(20, len(names))], ", ")
			if n > 20 {
				text += ", ..."
			}
			want = []string{fmt.Sprintf("%d validation rows have labels that no training row has, and count as errors: %s", 2*n,
				text)}
		}
		if got := u.Doubts("validation ", "row"); !slices.Equal(got, want) {
			t.Errorf("%d labels: %q, want %q", n, got, want)
		}
	}
}

// TestTablesFromFiles checks which tables are accepted when they are read from a file, their numbers of features, and
// that the values of a column are found.
func TestTablesFromFiles(t *testing.T) {
	column := func(name string, values ...string) TableColumn { return TableColumn{Name: name, Values: values} }
	for _, c := range []struct {
		columns  []TableColumn
		features int
		fault    string
	}{
		{nil, 0, "no columns"},
		{[]TableColumn{column("a")}, 1, ""},
		{[]TableColumn{column("a"), column("b", "x")}, 2, ""},
		{[]TableColumn{column("a", "x", "y", "z"), column("b"), column("c", "u", "v")}, 6, ""},
		{[]TableColumn{column("a"), column("a")}, 2, `two columns "a"`},
		{[]TableColumn{column("kind")}, 1, `two columns "kind"`},
		{[]TableColumn{column("a"), column("")}, 2, "without a name"},
		{[]TableColumn{column("a", "x", "x")}, 2, `values of column "a": "x" after "x"`},
		{[]TableColumn{column("b"), column("a", "x", "z", "y")}, 4, `values of column "a": "y" after "z"`},
	} {
		table := Table{Label: "kind", Columns: c.columns}
		if got := table.Features(); got != c.features {
			t.Errorf("%+v: %d features, want %d", table, got, c.features)
		}
		if err := table.Check(); (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%+v: error %v, want %q", table, err, c.fault)
		}
		for _, c := range c.columns {
			if c.Categorical() != (len(c.Values) > 0) {
				t.Errorf("column %+v is categorical: %v", c, c.Categorical())
			}
		}
	}
	c := column("a", "p", "q", "r")
	for text, want := range map[string]int{"p": 0, "q": 1, "r": 2, "": -1, "pp": -1, "z": -1} {
		if at, ok := c.Value(text); ok != (want >= 0) || ok && at != want {
			t.Errorf("value %q: %d, %v; want %d", text, at, ok, want)
		}
	}
}

// TestFindEntry checks that a data set is found by its name, and that the error of another name recommends the nearest.
func TestFindEntry(t *testing.T) {
	list := []Entry{{Name: "digits", Revision: 1}, {Name: "words", Revision: 2}, {Name: "trees", Revision: 3}}
	for _, e := range list {
		if got, err := Find(list, e.Name); err != nil || got.Revision != e.Revision {
			t.Errorf("%s: %+v, %v", e.Name, got, err)
		}
	}
	if _, err := Find(list, "wrods"); err == nil || !strings.Contains(err.Error(), `no data set "wrods"`) ||
		!strings.Contains(err.Error(), "words") {
		t.Errorf("error of a misspelt name: %v, want one that recommends words", err)
	}
}
