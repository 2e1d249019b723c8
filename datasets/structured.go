package datasets

import (
	"fmt"
	"strings"
)

// Sequences are labelled sequences with a feature vector at each position, such as the image of a letter.
type Sequences struct {
	X      Rows     // one row per position, sequence after sequence
	Start  []int    // n+1 offsets: sequence i has the positions Start[i] .. Start[i+1]−1
	Y      []int    // label of each position, 0 ≤ Y[t] < len(Labels); len(Labels): no label was predicted here
	Labels []string // names of the labels; the same for training and validation data
}

// Sentences are sentences of tokens, with columns of annotation as text and, optionally, heads.
type Sentences struct {
	Start   []int    // n+1 offsets: sentence i has the tokens Start[i] .. Start[i+1]−1
	Columns []Column // columns of annotation, such as word, pos (part of speech) and chunk
	Heads   []int32  // head of each token: its position 1, 2, ... in the sentence, 0 for the root; nil: no heads
}

// Column is one column of annotation. Each distinct text is stored once. Training and validation data share Text.
type Column struct {
	Name string   // name of the column, such as pos for part-of-speech tags
	ID   []int32  // ID[t] is the index in Text of the text of token t
	Text []string // Text[ID[t]] is the text of token t
}

// Treebank is a list of constituency trees.
type Treebank struct {
	Trees []*Tree // in the order of the file
}

// Tree is a constituent: either a phrase with Children, or a preterminal with a Word and without Children.
type Tree struct {
	Label    string  // category of the phrase, or tag of the word
	Word     string  // word of a preterminal; "" for a phrase
	Children []*Tree // children of a phrase, from left to right; nil for a preterminal
}

var (
	_ Data = (*Sequences)(nil)
	_ Data = (*Sentences)(nil)
	_ Data = (*Treebank)(nil)
)

// Len returns the number of sequences.
func (s *Sequences) Len() int { return len(s.Start) - 1 }

// Kind returns "labelled sequences".
func (s *Sequences) Kind() string { return "labelled sequences" }

// Len returns the number of sentences.
func (s *Sentences) Len() int { return len(s.Start) - 1 }

// Kind returns "sentences" or "sentences with heads".
func (s *Sentences) Kind() string {
	if s.Heads != nil {
		return "sentences with heads"
	}
	return "sentences"
}

// Column returns the column with the given name.
func (s *Sentences) Column(name string) (*Column, error) {
	names := make([]string, len(s.Columns))
	for i := range s.Columns {
		if names[i] = s.Columns[i].Name; names[i] == name {
			return &s.Columns[i], nil
		}
	}
	return nil, fmt.Errorf("the sentences have no column %q; they have only %s", name, strings.Join(names, ", "))
}

// Pick returns a copy of the sentences with the given indices, in this order. The copy shares Column.Text with s.
func (s *Sentences) Pick(list []int) *Sentences {
	out := &Sentences{Start: []int{0}}
	var tokens []int
	for _, i := range list {
		for t := s.Start[i]; t < s.Start[i+1]; t++ {
			tokens = append(tokens, t)
		}
		out.Start = append(out.Start, len(tokens))
	}
	for _, c := range s.Columns {
		ids := make([]int32, len(tokens))
		for k, t := range tokens {
			ids[k] = c.ID[t]
		}
		out.Columns = append(out.Columns, Column{Name: c.Name, ID: ids, Text: c.Text})
	}
	if s.Heads != nil {
		out.Heads = make([]int32, len(tokens))
		for k, t := range tokens {
			out.Heads[k] = s.Heads[t]
		}
	}
	return out
}

// Len returns the number of trees.
func (t *Treebank) Len() int { return len(t.Trees) }

// Kind returns "bracketed trees".
func (t *Treebank) Kind() string { return "bracketed trees" }

// Append appends the tree in brackets, on one line. For a nil tree, which stands for a failed parse, it appends (()),
// as EVALB expects.
func (t *Tree) Append(to []byte) []byte {
	if t == nil {
		return append(to, "(())"...)
	}
	to = append(append(to, '('), t.Label...)
	if t.Children == nil {
		to = append(append(to, ' '), t.Word...)
	}
	for _, c := range t.Children {
		to = c.Append(append(to, ' '))
	}
	return append(to, ')')
}

// Leaves appends the preterminals of the tree to a slice, from left to right, and returns the slice.
func (t *Tree) Leaves(to []*Tree) []*Tree {
	if t.Children == nil {
		return append(to, t)
	}
	for _, c := range t.Children {
		to = c.Leaves(to)
	}
	return to
}
