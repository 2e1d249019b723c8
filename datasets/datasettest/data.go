package datasettest

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// CheckSet checks that the training and the validation data of a set have the properties that package datasets
// documents for their types.
func CheckSet(t testing.TB, set *datasets.Set) {
	t.Helper()
	for _, part := range []datasets.Data{set.Train, set.Validation} {
		switch d := part.(type) {
		case nil:
		case *datasets.Labelled:
			CheckLabelled(t, d)
		case *datasets.Sequences:
			checkSequences(t, d)
		case *datasets.Sentences:
			CheckSentences(t, d)
		case *datasets.Discrete:
			CheckDiscrete(t, d)
		case *datasets.CellCounts:
			if len(d.Counts) != d.Steps*d.Cells {
				t.Fatalf("%d counts, want one for each of %d cells at each of %d steps", len(d.Counts), d.Cells, d.Steps)
			}
		case *datasets.Treebank:
			for i, tree := range d.Trees {
				if !SoundTree(tree) {
					t.Fatalf("tree %d has a trace, or a node without its label, word or children: %s", i, Bracketed(tree))
				}
			}
		default:
			t.Fatalf("CheckSet has no check for data of type %T", d)
		}
	}
	checkShared(t, set)
}

// checkShared checks that the training and the validation data of a set have the same features, classes and texts.
func checkShared(t testing.TB, set *datasets.Set) {
	t.Helper()
	switch train := set.Train.(type) {
	case *datasets.Labelled:
		if v, ok := set.Validation.(*datasets.Labelled); ok &&
			(v.X.Dim != train.X.Dim || !slices.Equal(v.Classes, train.Classes)) {
			t.Error("training and validation data differ in their features or classes")
		}
	case *datasets.Sequences:
		if v, ok := set.Validation.(*datasets.Sequences); ok &&
			(v.X.Dim != train.X.Dim || !slices.Equal(v.Labels, train.Labels)) {
			t.Error("training and validation data differ in their features or labels")
		}
	case *datasets.Sentences:
		v, ok := set.Validation.(*datasets.Sentences)
		if !ok {
			return
		}
		if len(v.Columns) != len(train.Columns) || (v.Heads == nil) != (train.Heads == nil) {
			t.Fatal("training and validation data differ in their columns")
		}
		for k, c := range train.Columns {
			if v.Columns[k].Name != c.Name || !slices.Equal(v.Columns[k].Text, c.Text) {
				t.Errorf("training and validation data do not share the texts of %s", c.Name)
			}
		}
	}
}

// checkStarts checks that the offsets in start begin at 0, end at n and increase.
func checkStarts(t testing.TB, start []int, n int) {
	t.Helper()
	if len(start) == 0 || start[0] != 0 || start[len(start)-1] != n {
		t.Fatalf("offsets do not run from 0 to %d", n)
	}
	for i := 1; i < len(start); i++ {
		if start[i] <= start[i-1] {
			t.Fatalf("sequence %d is empty", i-1)
		}
	}
}

func checkSequences(t testing.TB, s *datasets.Sequences) {
	t.Helper()
	checkStarts(t, s.Start, s.X.N)
	CheckLabelled(t, &datasets.Labelled{X: s.X, Y: s.Y, Classes: s.Labels})
}

// CheckSentences checks that offsets, columns and heads are as the comments of datasets.Sentences state.
func CheckSentences(t testing.TB, s *datasets.Sentences) {
	t.Helper()
	if len(s.Columns) == 0 {
		t.Fatal("sentences without columns")
	}
	checkStarts(t, s.Start, len(s.Columns[0].ID))
	for _, c := range s.Columns {
		if len(c.ID) != len(s.Columns[0].ID) {
			t.Fatalf("column %s has %d tokens, want %d as in the first column", c.Name, len(c.ID), len(s.Columns[0].ID))
		}
		for i, id := range c.ID {
			if id < 0 || int(id) >= len(c.Text) {
				t.Fatalf("column %s, token %d: the index of its text is %d, but the column has %d texts", c.Name, i, id,
					len(c.Text))
			}
		}
		if texts := slices.Sorted(slices.Values(c.Text)); len(slices.Compact(texts)) != len(c.Text) ||
			slices.Contains(texts, "") {
			t.Fatalf("column %s stores a text twice, or an empty one", c.Name)
		}
	}
	if s.Heads == nil {
		return
	}
	if len(s.Heads) != len(s.Columns[0].ID) {
		t.Fatalf("%d heads for %d tokens, want one for each", len(s.Heads), len(s.Columns[0].ID))
	}
	for i := range s.Len() {
		if token, what := datasets.HeadFault(s.Heads[s.Start[i]:s.Start[i+1]]); token > 0 {
			t.Fatalf("sentence %d: %s", i, what)
		}
	}
}

// SoundTree reports whether every leaf has a tag and a word, every phrase has a label and children, and no node is a
// trace.
func SoundTree(tree *datasets.Tree) bool {
	if tree.Label == "" || tree.Label == "-NONE-" {
		return false
	}
	if tree.Children == nil {
		return tree.Word != ""
	}
	return tree.Word == "" && len(tree.Children) > 0 &&
		!slices.ContainsFunc(tree.Children, func(c *datasets.Tree) bool { return !SoundTree(c) })
}

// countsOf returns the numbers of examples, features, classes, non-zeros and tokens of a set.
func countsOf(set *datasets.Set) datasets.Counts {
	c := datasets.Counts{Train: set.Train.Len()}
	if set.Validation != nil {
		c.Validation = set.Validation.Len()
		c.ValidationTokens = TokensOf(set.Validation)
	}
	c.Tokens = TokensOf(set.Train)
	switch d := set.Train.(type) {
	case *datasets.Labelled:
		c.Features, c.Classes, c.NonZeros = d.X.Dim, len(d.Classes), len(d.X.Value)
	case *datasets.Sequences:
		c.Features, c.Classes, c.NonZeros = d.X.Dim, len(d.Labels), len(d.X.Value)
	case *datasets.Discrete:
		c.Features, c.Classes = len(d.Variables)-1, len(d.Variables[d.Class].Values)
	}
	return c
}

// TokensOf returns the number of positions or words of structured data.
func TokensOf(d datasets.Data) int {
	n := 0
	switch d := d.(type) {
	case *datasets.Sequences:
		n = d.X.N
	case *datasets.Sentences:
		n = d.Start[d.Len()]
	case *datasets.Treebank:
		for _, tree := range d.Trees {
			n += len(tree.Leaves(nil))
		}
	}
	return n
}

// TextsUsed returns the texts that occur in a column, and how often each occurs.
func TextsUsed(c *datasets.Column) map[string]int {
	count := map[string]int{}
	for _, id := range c.ID {
		count[c.Text[id]]++
	}
	return count
}

// Bracketed returns a tree as bracketed text.
func Bracketed(tree *datasets.Tree) string {
	if tree.Children == nil {
		return "(" + tree.Label + " " + tree.Word + ")"
	}
	s := "(" + tree.Label
	for _, c := range tree.Children {
		s += " " + Bracketed(c)
	}
	return s + ")"
}

// CheckLabelled checks that training rows, sparse or dense, are as the comments of datasets.Labelled and datasets.Rows
// state.
func CheckLabelled(t testing.TB, l *datasets.Labelled) {
	t.Helper()
	x := l.X
	dense := x.Index == nil && len(x.Start) == 0 && len(x.Value) == x.N*x.Dim
	sparse := x.Index != nil && len(x.Start) == x.N+1 && x.Start[0] == 0 && x.Start[x.N] == len(x.Index) &&
		len(x.Index) == len(x.Value)
	if len(l.Y) != x.N || !dense && !sparse {
		t.Fatalf("lengths do not agree: N %d, Dim %d, Y %d, Start %d, Index %d, Value %d", x.N, x.Dim, len(l.Y), len(x.Start),
			len(x.Index), len(x.Value))
	}
	for i := range x.N {
		if l.Y[i] < 0 || l.Y[i] >= len(l.Classes) {
			t.Fatalf("row %d: the class is %d, want 0 to %d", i, l.Y[i], len(l.Classes)-1)
		}
		index, value := x.Row(i)
		last := int32(-1)
		for k, v := range value {
			if math.IsNaN(v) || math.IsInf(v, 0) || sparse && v == 0 {
				t.Fatalf("row %d: stored value %v: want a finite number and, in sparse rows, not 0", i, v)
			}
			if dense {
				continue
			}
			if j := index[k]; j <= last || int(j) >= x.Dim {
				t.Fatalf("row %d: feature %d after feature %d (-1: none): want increasing numbers below %d", i, j, last, x.Dim)
			}
			last = index[k]
		}
	}
}

// CheckDiscrete checks that every value exists for its variable, and that variables have unique names and 2 to 256
// values.
func CheckDiscrete(t testing.TB, d *datasets.Discrete) {
	t.Helper()
	if d.Class < 0 || d.Class >= len(d.Variables) || len(d.Value) != d.Len()*len(d.Variables) {
		t.Fatalf("the class is variable %d of %d, from 0, and there are %d values: want an existing variable, and whole rows",
			d.Class, len(d.Variables), len(d.Value))
	}
	seen := map[string]bool{}
	for _, v := range d.Variables {
		if v.Name == "" || seen[v.Name] || len(v.Values) < 2 || len(v.Values) > 256 {
			t.Fatalf("variable %q has %d values; want a unique name and 2 to 256 values", v.Name, len(v.Values))
		}
		seen[v.Name] = true
	}
	for i := range d.Len() {
		for v, x := range d.Row(i) {
			if int(x) >= len(d.Variables[v].Values) {
				t.Fatalf("row %d: the value %d does not exist for the variable %s", i, x, d.Variables[v].Name)
			}
		}
	}
}
