package parse

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/datasets"
)

// TestRowStream checks each row of a stream: its line, its label, which the row before does not lend it, its features,
// and their number; and what is written for a prediction.
func TestRowStream(t *testing.T) {
	show := func(data datasets.Data) string {
		d := data.(*datasets.Labelled)
		return fmt.Sprint(d.Classes, d.Y, d.X.N, d.X.Dim, d.X.Start, d.X.Index, d.X.Value)
	}
	text := "a 1:1 5:2\n\n# c\n2:3\nb\n3:0\nc 1:4 2:5"
	for zeroBased, want := range map[bool]string{
		false: "1: [a] [0] 1 5 [0 2] [0 4] [1 2]; 4: [] [] 1 2 [0 1] [1] [3]; 5: [b] [0] 1 0 [0 0] [] []; " +
			"6: [] [] 1 3 [0 0] [] []; 7: [c] [0] 1 2 [0 2] [0 1] [4 5]; ",
		true: "1: [a] [0] 1 6 [0 2] [1 5] [1 2]; 4: [] [] 1 3 [0 1] [2] [3]; 5: [b] [0] 1 0 [0 0] [] []; " +
			"6: [] [] 1 4 [0 0] [] []; 7: [c] [0] 1 3 [0 2] [1 2] [4 5]; ",
	} {
		if got := through(NewRowStream("f", strings.NewReader(text), zeroBased), show); got != want {
			t.Errorf("zero based %v: rows %s, want %s", zeroBased, got, want)
		}
	}
	for _, text := range []string{"1:1\n", "\n"} { // a first row without a label, or without features
		data, err := NewRowStream("f", strings.NewReader(text), false).Next()
		if d, ok := data.(*datasets.Labelled); ok && (d.Y != nil || d.X.Index == nil) || ok != (err == nil) {
			t.Errorf("%q: row %+v, error %v", text, data, err)
		}
	}
}

// TestWrittenRows checks the lines that the streams of rows and tables write for predictions, with each set of further
// columns and with the names of the columns.
func TestWrittenRows(t *testing.T) {
	score := 1.5
	labelled := &datasets.Labelled{Y: []int{1, 0}, Classes: []string{"no", "yes"}}
	discrete := &datasets.Discrete{Variables: []datasets.Variable{{Name: "a", Values: []string{"x", "y"}},
		{Name: "kind", Values: []string{"no", "maybe", "yes"}}}, Class: 1, Value: []uint8{1, 2}}
	csv := NewCSVStream("f", strings.NewReader("size\n1\n"), ',', datasets.Table{Label: "kind",
		Columns: []datasets.TableColumn{{Name: "size"}}})
	if _, err := csv.Next(); err != nil {
		t.Fatal(err)
	}
	for set := range 16 {
		head, line := "", "yes"
		var beside datasets.Beside
		if set&1 != 0 {
			beside.Marginals = []float64{0.25, 1}
			head, line = head+"\tmarginal", line+"\t0.250000"
		}
		if set&2 != 0 {
			beside.Score = &score
			head, line = head+"\tscore", line+"\t1.5"
		}
		if set&4 != 0 {
			beside.Columns, beside.Cells = []string{"c", "d"}, [][]string{{"1", "2"}, {"3", "4"}}
			head, line = head+"\tc\td", line+"\t1\t2"
		}
		names := map[string]string{"label": "", "kind": ""}
		if set&8 != 0 {
			beside.Header = true
			names = map[string]string{"label": "label" + head + "\n", "kind": "kind" + head + "\n"}
		}
		for name, got := range map[string]string{
			"label":  string((*RowStream)(nil).Append([]byte("-"), labelled, beside)),
			"kind":   string(csv.Append([]byte("-"), labelled, beside)),
			"kind 2": string(NewTableStream("f", strings.NewReader(""), nil, "kind").Append([]byte("-"), discrete, beside)),
		} {
			name, _, _ = strings.Cut(name, " ")
			if want := "-" + names[name] + line + "\n"; got != want {
				t.Errorf("columns %b of a stream with the target %s: written %q, want %q", set, name, got, want)
			}
		}
	}
}

// TestNewValuesOfAStream checks which values of each row of a table no training row has, that they are forgotten with
// the next row, and the doubts at the end: the number of rows and the first value of each column.
func TestNewValuesOfAStream(t *testing.T) {
	table := datasets.Table{Label: "y", Columns: []datasets.TableColumn{{Name: "a", Values: []string{"p", "q"}},
		{Name: "n"}, {Name: "b", Values: []string{"r", "s"}}}}
	s := NewCSVStream("f", strings.NewReader("b,y,a,n\nr,1,p,5\nR,,x,0\n\ns,2,y,6\nS,1,q,7\nr,1,q,8\n"), ',', table)
	if doubts := s.Doubts(); doubts != nil {
		t.Errorf("doubts before the first row: %q", doubts)
	}
	for _, c := range []struct {
		line    int
		unknown map[string]string
		row     []float64
		label   []string
	}{{2, nil, []float64{1, 0, 5, 1, 0}, []string{"1"}},
		{3, map[string]string{"a": "x", "b": "R"}, []float64{0, 0, 0, 0, 0}, nil},
		{5, map[string]string{"a": "y"}, []float64{0, 0, 6, 0, 1}, []string{"2"}},
		{6, map[string]string{"b": "S"}, []float64{0, 1, 7, 0, 0}, []string{"1"}},
		{7, nil, []float64{0, 1, 8, 1, 0}, []string{"1"}}} {
		data, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		d := data.(*datasets.Labelled)
		if diff := cmp.Diff(c.unknown, s.Unknown()); diff != "" {
			t.Errorf("line %d: new values differ (-want +got):\n%s", c.line, diff)
		}
		if s.Line() != c.line || !slices.Equal(spread(d, 0), c.row) || !slices.Equal(d.Classes, c.label) ||
			len(d.Y) != len(c.label) {
			t.Errorf("line %d: row %v of class %q %v in line %d, want %v of %q", c.line, spread(d, 0), d.Classes, d.Y, s.Line(),
				c.row, c.label)
		}
	}
	want := []string{`column "a" has values that no training row has, and that get no feature: in 2 rows, first "x"`,
		`column "b" has values that no training row has, and that get no feature: in 2 rows, first "R"`}
	if diff := cmp.Diff(want, s.Doubts()); diff != "" {
		t.Errorf("doubts differ (-want +got):\n%s", diff)
	}
}

// TestFillSentences compares the selected sentences of random data with their texts: the training sentences up to the
// limit and all validation sentences, in the order of the lists. The numbers of texts are those of their first
// occurrence in all training sentences, then in the validation sentences. Sentences with several roots are counted.
func TestFillSentences(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 11))
	for range 300 {
		var text strings.Builder
		var words [][]string
		var roots []bool // whether a sentence has several roots
		for range 2 + rng.IntN(6) {
			var own []string
			for range 1 + rng.IntN(3) {
				own = append(own, string(rune('a'+rng.IntN(5)))+" "+string(rune('A'+rng.IntN(3))))
			}
			several := len(own) > 1 && rng.IntN(3) == 0
			for k, w := range own {
				head := k // of a chain, which is projective
				if several {
					head = 0
				}
				fmt.Fprintln(&text, w, head)
			}
			text.WriteByte('\n')
			words, roots = append(words, own), append(roots, several)
		}
		order := rng.Perm(len(words))
		cut := 1 + rng.IntN(len(order))
		parts := SentenceParts{Train: order[:cut], Validation: order[cut:], Limit: rng.IntN(cut + 1),
			Projective: rng.IntN(2) == 0}
		all, err := readColumns("word pos head", text.String(), false)
		if err != nil {
			t.Fatal(err)
		}
		set := &datasets.Set{Name: "s"}
		if err := FillSentences(set, all, parts); err != nil {
			t.Fatal(err)
		}
		number := [2]map[string]int32{{}, {}}
		for _, i := range order {
			for _, w := range words[i] {
				for k, f := range strings.Fields(w) {
					if _, ok := number[k][f]; !ok {
						number[k][f] = int32(len(number[k]))
					}
				}
			}
		}
		used := order[:cut]
		if parts.Limit > 0 {
			used = order[:parts.Limit]
		}
		var warnings []string
		for _, part := range []struct {
			name string
			list []int
			data datasets.Data
		}{{"training", used, set.Train}, {"validation", order[cut:], set.Validation}} {
			if len(part.list) == 0 {
				if part.data != nil {
					t.Fatalf("%s sentences %+v, want none", part.name, part.data)
				}
				continue
			}
			s := part.data.(*datasets.Sentences)
			if s.Len() != len(part.list) {
				t.Fatalf("%d %s sentences, want those of %v", s.Len(), part.name, part.list)
			}
			several, at := 0, 0
			for n, i := range part.list {
				if roots[i] {
					several++
				}
				if s.Start[n] != at {
					t.Fatalf("%s sentence %d begins at %d, want %d", part.name, n, s.Start[n], at)
				}
				for _, w := range words[i] {
					for k, f := range strings.Fields(w) {
						if id := s.Columns[k].ID[at]; s.Columns[k].Text[id] != f || id != number[k][f] {
							t.Fatalf("%s token %d: text %q with the number %d, want %q with %d", part.name, at,
								s.Columns[k].Text[id], id, f, number[k][f])
						}
					}
					at++
				}
			}
			if several > 0 {
				warnings = append(warnings, fmt.Sprintf("%d of %d %s sentences have several roots", several, len(part.list),
					part.name))
			}
		}
		if diff := cmp.Diff(warnings, set.Warnings); diff != "" {
			t.Fatalf("warnings differ (-want +got):\n%s", diff)
		}
	}
}

// TestFillTrees checks which trees are the training and the validation trees of a set, and the warning about trees
// without words.
func TestFillTrees(t *testing.T) {
	r := NewTreeReader(0, TreeForm{})
	if err := r.Read("f", strings.NewReader("(A a) (B b) (X (-NONE- *)) (C c) (D d) (Y (-NONE- *))\n")); err != nil {
		t.Fatal(err)
	}
	told := func(data datasets.Data) (out string) {
		if data == nil {
			return "none"
		}
		for _, tree := range data.(*datasets.Treebank).Trees {
			out += tree.Label
		}
		return out
	}
	for _, c := range []struct {
		train, validation []int
		limit             int
		want, held        string
	}{
		{[]int{2, 0, 3}, []int{1}, 0, "CAD", "B"}, {[]int{2, 0, 3}, []int{1, 3}, 1, "C", "BD"},
		{[]int{0, 1, 2, 3}, nil, 4, "ABCD", "none"}, {[]int{3}, []int{3}, 0, "D", "D"},
	} {
		set := &datasets.Set{Name: "s", Warnings: []string{"before"}}
		err := FillTrees(set, r, c.train, c.validation, c.limit)
		if err != nil || told(set.Train) != c.want || told(set.Validation) != c.held ||
			!slices.Equal(set.Warnings, []string{"before", "left out 2 trees without words"}) {
			t.Errorf("%+v: trees %s and %s, warnings %q, error %v", c, told(set.Train), told(set.Validation), set.Warnings, err)
		}
	}
	if err := FillTrees(&datasets.Set{Name: "s"}, r, []int{0, 1}, nil, 3); err == nil {
		t.Error("three of two trees: no error")
	}
}

// TestDoubts checks the warnings about classes of training rows: classes without rows, one class for all rows, and
// nearly as many classes as rows.
func TestDoubts(t *testing.T) {
	rows := func(classes int, y ...int) *datasets.Labelled {
		d := &datasets.Labelled{Y: y, X: datasets.Rows{N: len(y), Dim: 1, Start: make([]int, len(y)+1), Index: []int32{}}}
		for c := range classes {
			d.Classes = append(d.Classes, fmt.Sprint("c", c))
		}
		return d
	}
	upTo := func(n, k int) (y []int) {
		for i := range n {
			y = append(y, i%k)
		}
		return y
	}
	for _, c := range []struct {
		rows *datasets.Labelled
		want []string
	}{
		{rows(2, 0, 1), nil},
		{rows(4, 1, 1, 3), []string{"no training rows of class c0, c2"}},
		{rows(1, 0, 0), []string{"all rows are of one class, c0"}},
		{rows(3, 0, 0), []string{"no training rows of class c1, c2"}},
		{rows(11, upTo(20, 11)...), []string{"11 classes in 20 rows: are the labels numbers to predict, not classes?"}},
		{rows(10, upTo(20, 10)...), nil},
		{rows(19, upTo(19, 19)...), nil},
	} {
		if diff := cmp.Diff(c.want, Doubts(c.rows)); diff != "" {
			t.Errorf("classes %q of the rows %v: warnings differ (-want +got):\n%s", c.rows.Classes, c.rows.Y, diff)
		}
	}
}
