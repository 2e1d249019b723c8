package parse

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// through reads a stream and returns a text that describes it: the line number of each example, the example as show
// prints it, and the error at the end.
func through(s datasets.Stream, show func(datasets.Data) string) string {
	var out strings.Builder
	for {
		data, err := s.Next()
		if errors.Is(err, io.EOF) {
			return out.String()
		}
		if err != nil {
			return out.String() + err.Error()
		}
		fmt.Fprintf(&out, "%d: %s; ", s.Line(), show(data))
	}
}

// TestSequenceStream checks that a sequence ends at a blank line or when qid changes, and that it has labels only if
// all its rows have one.
func TestSequenceStream(t *testing.T) {
	show := func(data datasets.Data) string {
		s := data.(*datasets.Sequences)
		if s.Len() != 1 || s.Start[1] != s.X.N || s.X.Index == nil || len(s.X.Start) != s.X.N+1 {
			return fmt.Sprintf("%+v", s)
		}
		return fmt.Sprint(s.Labels, s.X.Start, s.X.Index, s.X.Value)
	}
	for _, c := range []struct{ text, want string }{
		{"a qid:1 1:1\nb qid:1 3:2 # x\nc qid:2 2:1", "1: [a b] [0 1 2] [0 2] [1 2]; 3: [c] [0 1] [1] [1]; "},
		{"a 1:1\n# c\nb 2:1\n\n\nc\n", "1: [a b] [0 1 2] [0 1] [1 1]; 6: [c] [0 0] [] []; "},
		{"qid:7 1:1\nqid:7 2:1\nx qid:8\n", "1: [] [0 1 2] [0 1] [1 1]; 3: [x] [0 0] [] []; "},
		{"a 1:1\n1:2\n", "1: [] [0 1 2] [0 0] [1 2]; "}, // one row has no label
		{"a qid:1 1:1\n\nb qid:1 1:2\n", "1: [a] [0 1] [0] [1]; 3: [b] [0 1] [0] [2]; "},
		{"\n#\n", ""},
		{"a qid:1 1:1\nb 1:1 qid:1\n", `f:2:7: index "qid" is not a whole number from 1 to 2147483647`},
		{"a 1:1\nb 1:x\n", `f:2:5: value "x" is not a finite decimal number`},
	} {
		if got := through(NewSequenceStream("f", strings.NewReader(c.text)), show); got != c.want {
			t.Errorf("the results for %q are %s, want %s", c.text, got, c.want)
		}
	}
	score := 1.5
	p := &datasets.Sequences{Start: []int{0, 2}, Y: []int{1, 2}, Labels: []string{"a", "b"}}
	out := string(AppendSequence([]byte("-"), p, datasets.Beside{Score: &score, Marginals: []float64{0.25, 1, 0.5}}))
	if want := "-# score = 1.5\nb\t0.250000\n?\t1.000000\n\n"; out != want {
		t.Errorf("written %q, want %q", out, want)
	}
	if out = string(AppendSequence(nil, p, datasets.Beside{Marginals: []float64{0.25}})); out !=
		"b\t0.250000\n?\t0.250000\n\n" {
		t.Errorf("text with one probability for the whole sequence = %q, want this probability in each line", out)
	}
}

// TestTableStream checks tables whose names are given or in the first line, rows without the class, and the positions
// in errors.
func TestTableStream(t *testing.T) {
	show := func(data datasets.Data) string {
		d := data.(*datasets.Discrete)
		out := fmt.Sprint(d.Class)
		for v, x := range d.Row(0) {
			out += " " + d.Variables[v].Name + "=" + d.Variables[v].Values[x]
		}
		return out
	}
	for _, c := range []struct{ names, text, want string }{
		{"", "\ufeffa,c,b\n1,x,\"2,3\"\n\n4, y,5\n", "2: 1 a=1 c=x b=2,3; 4: 1 a=4 c=y b=5; "},
		{"", "a,b\n1,2\n", "2: -1 a=1 b=2; "},
		{"", "a,b\n", ""},
		{"", "", ""},
		{"a b c", "1,2,x\n", "1: 2 a=1 b=2 c=x; "},
		{"a b c", "1,2\n3,4\n", "1: -1 a=1 b=2; 2: -1 a=3 b=4; "},
		{"c a b", "1,2\n", "1: -1 a=1 b=2; "},
		{"a c b", "1,x,2\n", "1: 1 a=1 c=x b=2; "},
		{"a b c", "1,2\n3,4,x\n", "1: -1 a=1 b=2; f:2:3: 3 values: want 2, from a to b"},
		{"a b c", "1\n", "f:1:1: 1 values: want 3, from a to c"},
		{"a b", "1,2\"\n", `f:1:4: bare " in non-quoted-field`},
		{"a b", "1,\xff\n", `f:1:3: "\xff" is not text: want a file in UTF-8`},
	} {
		names := strings.Fields(c.names)
		if len(names) == 0 {
			names = nil
		}
		if got := through(NewTableStream("f", strings.NewReader(c.text), names, "c"), show); got != c.want {
			t.Errorf("columns %s, %q: got %s, want %s", c.names, c.text, got, c.want)
		}
	}
}
