package datasettest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// Written returns the sentences as text of the form `word/pos>head word/pos>head | ...`.
func Written(s *datasets.Sentences) string {
	var b strings.Builder
	for i := range s.Len() {
		if i > 0 {
			b.WriteString(" | ")
		}
		for t := s.Start[i]; t < s.Start[i+1]; t++ {
			if t > s.Start[i] {
				b.WriteByte(' ')
			}
			for k, c := range s.Columns {
				if k > 0 {
					b.WriteByte('/')
				}
				b.WriteString(c.Text[c.ID[t]])
			}
			if s.Heads != nil {
				fmt.Fprintf(&b, ">%d", s.Heads[t])
			}
		}
	}
	return b.String()
}

// Texts returns the texts of a column, token by token.
func Texts(t testing.TB, s *datasets.Sentences, name string) []string {
	t.Helper()
	c, err := s.Column(name)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]string, len(c.ID))
	for i, id := range c.ID {
		out[i] = c.Text[id]
	}
	return out
}

// CheckSegments checks that the first label of each segment in the column label begins with B-.
func CheckSegments(t testing.TB, s *datasets.Sentences) {
	t.Helper()
	if n := Headless(t, s); n > 0 {
		t.Errorf("segments that begin with I- = %d, want 0", n)
	}
}

// Headless returns the number of segments in the column label whose first label begins with I- and not with B-.
func Headless(t testing.TB, s *datasets.Sentences) (n int) {
	t.Helper()
	label := Texts(t, s, "label")
	for i := range s.Len() {
		before := "O"
		for _, y := range label[s.Start[i]:s.Start[i+1]] {
			if field, inside := strings.CutPrefix(y, "I-"); inside && before != y && before != "B-"+field {
				n++
			}
			before = y
		}
	}
	return n
}

// Fields returns the sorted names of the fields in the column label, without the prefixes B- and I-.
func Fields(t testing.TB, s *datasets.Sentences) []string {
	t.Helper()
	c, err := s.Column("label")
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]bool{}
	for y := range TextsUsed(c) {
		if y != "O" {
			fields[y[2:]] = true
		}
	}
	return slices.Sorted(maps.Keys(fields))
}
