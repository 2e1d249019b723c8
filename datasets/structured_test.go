package datasets

import (
	"slices"
	"testing"
)

// checkData holds both parts of a set against the promises of their types.
func checkData(t testing.TB, set *Set) {
	t.Helper()
	for _, part := range []Data{set.Train, set.Validation} {
		switch d := part.(type) {
		case nil:
		case *Labelled:
			checkLabelled(t, d)
		case *Sequences:
			checkSequences(t, d)
		case *Sentences:
			checkSentences(t, d)
		case *Discrete:
			checkDiscrete(t, d)
		case *CellCounts:
			if len(d.Counts) != d.Steps*d.Cells {
				t.Fatalf("%d counts of %d cells at %d steps", len(d.Counts), d.Cells, d.Steps)
			}
		case *Treebank:
			for i, tree := range d.Trees {
				if !soundTree(tree) {
					t.Fatalf("tree %d is not sound: %s", i, bracketed(tree))
				}
			}
		default:
			t.Fatalf("no check of %T", d)
		}
	}
	checkShared(t, set)
}

// checkShared holds the two parts of a set against each other.
func checkShared(t testing.TB, set *Set) {
	t.Helper()
	switch train := set.Train.(type) {
	case *Labelled:
		if v, ok := set.Validation.(*Labelled); ok && (v.X.Dim != train.X.Dim || !slices.Equal(v.Classes, train.Classes)) {
			t.Error("training and validation data differ in their features or classes")
		}
	case *Sequences:
		if v, ok := set.Validation.(*Sequences); ok && (v.X.Dim != train.X.Dim || !slices.Equal(v.Labels, train.Labels)) {
			t.Error("training and validation data differ in their features or labels")
		}
	case *Sentences:
		v, ok := set.Validation.(*Sentences)
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

// checkStarts holds the offsets of n tokens.
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

func checkSequences(t testing.TB, s *Sequences) {
	t.Helper()
	checkStarts(t, s.Start, s.X.N)
	checkLabelled(t, &Labelled{X: s.X, Y: s.Y, Classes: s.Labels})
}

func checkSentences(t testing.TB, s *Sentences) {
	t.Helper()
	if len(s.Columns) == 0 {
		t.Fatal("sentences without columns")
	}
	checkStarts(t, s.Start, len(s.Columns[0].ID))
	for _, c := range s.Columns {
		if len(c.ID) != len(s.Columns[0].ID) {
			t.Fatalf("column %s has %d tokens of %d", c.Name, len(c.ID), len(s.Columns[0].ID))
		}
		for i, id := range c.ID {
			if id < 0 || int(id) >= len(c.Text) {
				t.Fatalf("column %s, token %d: text %d of %d", c.Name, i, id, len(c.Text))
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
		t.Fatalf("%d heads of %d tokens", len(s.Heads), len(s.Columns[0].ID))
	}
	for i := range s.Len() {
		if token, what := headFault(s.Heads[s.Start[i]:s.Start[i+1]]); token > 0 {
			t.Fatalf("sentence %d: %s", i, what)
		}
	}
}

// soundTree reports whether every leaf has a tag and a word, and every phrase a label and children, none a trace.
func soundTree(tree *Tree) bool {
	if tree.Label == "" || tree.Label == "-NONE-" {
		return false
	}
	if tree.Children == nil {
		return tree.Word != ""
	}
	return tree.Word == "" && len(tree.Children) > 0 &&
		!slices.ContainsFunc(tree.Children, func(c *Tree) bool { return !soundTree(c) })
}

// countsOf are the counts of a set, as the catalogue states them.
func countsOf(set *Set) Counts {
	c := Counts{Train: set.Train.Len()}
	if set.Validation != nil {
		c.Validation = set.Validation.Len()
		c.ValidationTokens = tokensOf(set.Validation)
	}
	c.Tokens = tokensOf(set.Train)
	switch d := set.Train.(type) {
	case *Labelled:
		c.Features, c.Classes, c.NonZeros = d.X.Dim, len(d.Classes), len(d.X.Value)
	case *Sequences:
		c.Features, c.Classes, c.NonZeros = d.X.Dim, len(d.Labels), len(d.X.Value)
	case *Discrete:
		c.Features, c.Classes = len(d.Variables)-1, len(d.Variables[d.Class].Values)
	}
	return c
}

// tokensOf counts the positions or words of structured data.
func tokensOf(d Data) int {
	n := 0
	switch d := d.(type) {
	case *Sequences:
		n = d.X.N
	case *Sentences:
		n = d.Start[d.Len()]
	case *Treebank:
		for _, tree := range d.Trees {
			n += len(tree.Leaves(nil))
		}
	}
	return n
}

// textsUsed are the texts of a column that stand at some token.
func textsUsed(c *Column) map[string]int {
	count := map[string]int{}
	for _, id := range c.ID {
		count[c.Text[id]]++
	}
	return count
}

// bracketed writes a tree in the form that is read.
func bracketed(tree *Tree) string {
	if tree.Children == nil {
		return "(" + tree.Label + " " + tree.Word + ")"
	}
	s := "(" + tree.Label
	for _, c := range tree.Children {
		s += " " + bracketed(c)
	}
	return s + ")"
}
