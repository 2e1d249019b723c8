package datasettest

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// TestHeadless counts segments whose first label is I-, in sentences separated by |. A segment ends at the end of its
// sentence, at O, at a B-, and at a label of another field.
func TestHeadless(t *testing.T) {
	for text, want := range map[string]int{
		"":                              0,
		"O O O":                         0,
		"B-x I-x I-x I-x":               0,
		"B-x B-x I-x O B-y":             0,
		"I-x":                           1,
		"I-x I-x I-x":                   1,
		"I-x O I-x":                     2,
		"I-x I-y I-x":                   3,
		"B-x I-y I-y":                   1,
		"B-x I-x I-y I-y":               1,
		"B-x I-x | I-x I-x":             1,
		"B-x | I-x | I-x":               2,
		"O I-x B-x I-x I-y I-y O | I-y": 3,
		"I-x B-x I-x":                   1,
	} {
		s := &datasets.Sentences{Start: []int{0}, Columns: []datasets.Column{{Name: "label"}}}
		c := &s.Columns[0]
		for _, sentence := range strings.Split(text, "|") {
			for _, label := range strings.Fields(sentence) {
				c.ID, c.Text = append(c.ID, int32(len(c.Text))), append(c.Text, label)
			}
			s.Start = append(s.Start, len(c.ID))
		}
		if got := Headless(t, s); got != want {
			t.Errorf("%q: %d segments without head, want %d", text, got, want)
		}
	}
}
