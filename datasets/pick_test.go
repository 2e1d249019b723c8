package datasets_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// TestPick checks that Pick copies the chosen examples of each kind of data, in the chosen order. Rows, sentences and
// discrete rows are compared as lists of texts.
func TestPick(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for range 50 {
		n := 1 + rng.IntN(6)
		rows := &datasets.Labelled{X: datasets.Rows{N: n, Dim: 4, Start: []int{0}, Index: []int32{}}, Classes: []string{"a"}}
		sentences := &datasets.Sentences{Start: []int{0}, Heads: []int32{},
			Columns: []datasets.Column{{Name: "word", Text: []string{"x", "y", "z"}}, {Name: "pos", Text: []string{"N", "V"}}}}
		discrete := &datasets.Discrete{Class: 1, Variables: []datasets.Variable{{Name: "u"}, {Name: "v"}, {Name: "w"}}}
		for range n {
			for j := range 4 {
				if rng.IntN(2) == 0 {
					rows.X.Index, rows.X.Value = append(rows.X.Index, int32(j)), append(rows.X.Value, rng.NormFloat64())
				}
			}
			rows.X.Start, rows.Y = append(rows.X.Start, len(rows.X.Index)), append(rows.Y, rng.IntN(9))
			for range rng.IntN(4) {
				sentences.Heads = append(sentences.Heads, int32(rng.IntN(4)))
				for c := range sentences.Columns {
					column := &sentences.Columns[c]
					column.ID = append(column.ID, int32(rng.IntN(len(column.Text))))
				}
			}
			sentences.Start = append(sentences.Start, len(sentences.Heads))
			for range discrete.Variables {
				discrete.Value = append(discrete.Value, uint8(rng.IntN(5)))
			}
		}
		list := make([]int, rng.IntN(8))
		for k := range list {
			list[k] = rng.IntN(n)
		}
		same(t, texts(rows), texts(rows.Pick(list)), list)
		same(t, texts(sentences), texts(sentences.Pick(list)), list)
		same(t, texts(discrete), texts(discrete.Pick(list)), list)
		sentences.Heads = nil
		if got := sentences.Pick(list); got.Heads != nil {
			t.Errorf("heads of sentences without heads = %v, want nil", got.Heads)
		}
		same(t, texts(sentences), texts(sentences.Pick(list)), list)
	}
}

// same checks that got has the elements of all with the indices in list.
func same(t *testing.T, all, got []string, list []int) {
	t.Helper()
	var want []string
	for _, i := range list {
		want = append(want, all[i])
	}
	if !slices.Equal(got, want) {
		t.Errorf("Pick(%v) = %q, want %q", list, got, want)
	}
}

// texts returns a text with all that data contain about each example.
func texts(d datasets.Data) (out []string) {
	for i := range d.Len() {
		text := ""
		add := func(s string) { text += " " + s }
		number := func(x float64) { add(strconv.FormatFloat(x, 'g', -1, 64)) }
		switch d := d.(type) {
		case *datasets.Labelled:
			index, value := d.X.Row(i)
			for k, j := range index {
				number(float64(j))
				number(value[k])
			}
			number(float64(d.Y[i]))
			number(float64(d.X.Dim))
			add(d.Classes[0])
		case *datasets.Sentences:
			for token := d.Start[i]; token < d.Start[i+1]; token++ {
				for _, c := range d.Columns {
					add(c.Name + "=" + c.Text[c.ID[token]])
				}
				if d.Heads != nil {
					number(float64(d.Heads[token]))
				}
			}
		case *datasets.Discrete:
			for v, x := range d.Row(i) {
				add(d.Variables[v].Name)
				number(float64(x))
			}
			number(float64(d.Class))
		}
		out = append(out, text)
	}
	return out
}

// TestNarrow compares Narrow with the definition on dense matrices: entry j of a narrow row is entry j of the row, or 0
// if the row has no such entry.
func TestNarrow(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 6))
	for range 50 {
		n, dim, narrow := 1+rng.IntN(4), 1+rng.IntN(5), rng.IntN(7)
		dense := datasets.Rows{N: n, Dim: dim}
		for range n * dim {
			dense.Value = append(dense.Value, float64(rng.IntN(3)))
		}
		sparse := dense.Narrow(dim)
		for name, rows := range map[string]datasets.Rows{"dense": dense, "sparse": sparse} {
			got := rows.Narrow(narrow)
			if got.N != n || got.Dim != narrow || len(got.Start) != n+1 {
				t.Fatalf("%s: %d rows of %d features, want %d of %d", name, got.N, got.Dim, n, narrow)
			}
			for i := range n {
				row := make([]float64, narrow)
				index, value := got.Row(i)
				for k, j := range index {
					if value[k] == 0 || k > 0 && j <= index[k-1] {
						t.Errorf("%s: row %d has the indices %v and the values %v, want rising indices of values that are not 0",
							name, i, index, value)
					}
					row[j] = value[k]
				}
				want := make([]float64, narrow)
				copy(want, dense.Value[i*dim:(i+1)*dim])
				if !slices.Equal(row, want) {
					t.Errorf("%s: row %d with %d of %d features = %v, want %v", name, i, narrow, dim, row, want)
				}
			}
		}
	}
}

// TestTree checks the text and the words of trees whose brackets are known.
func TestTree(t *testing.T) {
	word := func(tag, word string) *datasets.Tree { return &datasets.Tree{Label: tag, Word: word} }
	phrase := func(label string, c ...*datasets.Tree) *datasets.Tree {
		return &datasets.Tree{Label: label, Children: c}
	}
	tree := phrase("S", phrase("NP", word("D", "the"), word("N", "cat")), phrase("VP", word("V", "sat")))
	if got, want := string(tree.Append([]byte("1: "))), "1: (S (NP (D the) (N cat)) (VP (V sat)))"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if got := string((*datasets.Tree)(nil).Append(nil)); got != "(())" {
		t.Errorf("text of no tree = %q, want (())", got)
	}
	var words []string
	for _, leaf := range tree.Leaves([]*datasets.Tree{word("", "before")}) {
		words = append(words, leaf.Word)
	}
	if want := []string{"before", "the", "cat", "sat"}; !slices.Equal(words, want) {
		t.Errorf("words %q, want %q", words, want)
	}
}

// TestColumn checks that a column is found by its name, and that the error for another name lists the columns.
func TestColumn(t *testing.T) {
	s := &datasets.Sentences{Columns: []datasets.Column{{Name: "word"}, {Name: "pos"}}}
	for k, name := range []string{"word", "pos"} {
		if c, err := s.Column(name); err != nil || c != &s.Columns[k] {
			t.Errorf("column %q = %v, %v, want column %d", name, c, err, k)
		}
	}
	if _, err := s.Column("chunk"); err == nil || !strings.HasSuffix(err.Error(), "they have only word, pos") {
		t.Errorf("error %v, want one that lists word and pos", err)
	}
}

// TestPickCopies checks that changes of picked examples, even if all are picked in their order, do not change the
// examples from which they were picked.
func TestPickCopies(t *testing.T) {
	rows := &datasets.Labelled{X: datasets.Rows{N: 2, Dim: 2, Start: []int{0, 1, 3}, Index: []int32{1, 0, 1},
		Value: []float64{1, 2, 3}}, Y: []int{0, 1}, Classes: []string{"a", "b"}}
	sentences := &datasets.Sentences{Start: []int{0, 1, 3}, Heads: []int32{0, 2, 0},
		Columns: []datasets.Column{{Name: "word", ID: []int32{0, 1, 1}, Text: []string{"x", "y"}}}}
	discrete := &datasets.Discrete{Variables: []datasets.Variable{{Name: "u"}, {Name: "v"}}, Value: []uint8{1, 2, 3, 4}}
	for _, list := range [][]int{{0, 1}, {1}, {0}} {
		before := slices.Concat(texts(rows), texts(sentences), texts(discrete))
		r, s, d := rows.Pick(list), sentences.Pick(list), discrete.Pick(list)
		clear(r.X.Start)
		clear(r.X.Value)
		clear(r.X.Index)
		clear(r.Y)
		clear(s.Start)
		clear(s.Heads)
		clear(s.Columns[0].ID)
		s.Columns[0].Name = "other"
		clear(d.Value)
		r.Y, s.Heads, d.Value = append(r.Y, 9), append(s.Heads, 9), append(d.Value, 9)
		if after := slices.Concat(texts(rows), texts(sentences), texts(discrete)); !slices.Equal(before, after) {
			t.Errorf("Pick(%v): the examples are now %q, want %q", list, after, before)
		}
	}
}

// TestKinds checks the names of the kinds of data, which error messages show and by which text formats are found, and
// the numbers of examples.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		data datasets.Data
		kind string
		n    int
	}{
		{&datasets.Labelled{X: datasets.Rows{N: 3}}, "labelled rows", 3},
		{&datasets.Sequences{X: datasets.Rows{N: 5}, Start: []int{0, 2, 5}}, "labelled sequences", 2},
		{&datasets.Sentences{Start: []int{0, 2, 5}}, "sentences", 2},
		{&datasets.Sentences{Start: []int{0}}, "sentences", 0},
		{&datasets.Sentences{Start: []int{0, 1}, Heads: []int32{0}}, "sentences with heads", 1},
		{&datasets.Treebank{Trees: make([]*datasets.Tree, 4)}, "bracketed trees", 4},
		{&datasets.Discrete{Variables: make([]datasets.Variable, 2), Value: make([]uint8, 6)}, "rows of discrete variables",
			3},
		{&datasets.CellCounts{Cells: 4, Steps: 3}, "counts of a population", 1},
	} {
		if c.data.Kind() != c.kind || c.data.Len() != c.n {
			t.Errorf("%T: %d examples of kind %q, want %d of %q", c.data, c.data.Len(), c.data.Kind(), c.n, c.kind)
		}
	}
}
