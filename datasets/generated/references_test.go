package generated

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

// TestReferencesResembleCitations checks that the references resemble the UMass data in their fields, in the number of
// tokens per reference (about 26; UMass: 26 to 28), and in the frequencies of the most common fields.
func TestReferencesResembleCitations(t *testing.T) {
	train, _ := sample[*datasets.Sentences](t, References{Names: namesWhole, Train: 2000, Seed: 1})
	datasettest.CheckSegments(t, train)
	if got := strings.Join(datasettest.Fields(t, train),
		" "); got != "address author booktitle edition editor institution "+
		"journal month note number pages publisher series title type volume year" {
		t.Errorf("fields of the references = %s, want the 18 fields of the test", got)
	}
	used := datasettest.TextsUsed(&train.Columns[1])
	for _, c := range []struct {
		label     string
		low, high float64 // limits of the mean number of such segments per reference
	}{
		{"B-author", 1.5, 2.3}, {"B-year", .95, 1}, {"B-title", .8, .95}, {"B-journal", .45, .65}, {"B-pages", .6, .85},
		{"B-volume", .45, .7}, {"B-booktitle", .15, .35}, {"B-publisher", .2, .45}, {"B-editor", .1, .3}, {"O", 6, 10},
	} {
		if n := float64(used[c.label]) / 2000; n < c.low || n > c.high {
			t.Errorf("mean number of %s per reference = %.2f, want %.2f to %.2f", c.label, n, c.low, c.high)
		}
	}
	if n := float64(datasettest.TokensOf(train)) / 2000; n < 23 || n > 31 {
		t.Errorf("tokens per reference = %.1f, want 23 to 31", n)
	}
	parts, _ := sample[*datasets.Sentences](t, References{Names: namesParts, Train: 2000, Seed: 1})
	datasettest.CheckSegments(t, parts)
	count := datasettest.TextsUsed(&parts.Columns[1])
	if count["B-person-last"] != used["B-author"] || count["B-person-first"] != used["B-author"] ||
		count["B-editor-last"] != used["B-editor"] || count["B-author"] > 0 {
		t.Errorf("labels with names: parts = %v; want a first and a last name for each author, a last name for each editor",
			count)
	}
}

// TestReferencesHaveOneTitle checks that a reference has at most one segment of some fields, such as title and year.
// Experiments use this as a constraint that a chain cannot express.
func TestReferencesHaveOneTitle(t *testing.T) {
	train, _ := sample[*datasets.Sentences](t, References{Names: namesWhole, Train: 500, Seed: 3})
	label := datasettest.Texts(t, train, "label")
	for i := range train.Len() {
		for _, field := range []string{"B-title", "B-year", "B-journal", "B-booktitle", "B-pages", "B-volume"} {
			n := 0
			for _, y := range label[train.Start[i]:train.Start[i+1]] {
				if y == field {
					n++
				}
			}
			if n > 1 {
				t.Errorf("reference %d has %d segments %s, want at most 1", i, n, field)
			}
		}
	}
}

// TestReferenceLayouts checks that every single capital letter in a layout is a field, that brackets are paired, and
// that a layout begins with the authors and has one year.
func TestReferenceLayouts(t *testing.T) {
	styles := referenceStyles()
	if len(styles) != 12 {
		t.Errorf("there are %d styles, want 12", len(styles))
	}
	for i, s := range styles {
		for _, layout := range []string{s.article, s.paper, s.book, s.chapter, s.thesis, s.report} {
			open := false
			for token := range strings.FieldsSeq(layout) {
				switch {
				case token == "{" && !open, token == "}" && open:
					open = !open
				case token == "{", token == "}":
					t.Errorf("style %d: layout %s: want each { closed by a } before the next {", i, layout)
				case len(token) == 1 && token[0] >= 'A' && token[0] <= 'Z' && !strings.Contains("ATJCUDEYVSLOMNPKI", token):
					t.Errorf("style %d: layout %s: %s is not the letter of a field", i, layout, token)
				}
			}
			if open || !strings.HasPrefix(layout, "A ") || strings.Count(layout, "Y") != 1 {
				t.Errorf("style %d: layout %s: want paired brackets, the authors first and one year", i, layout)
			}
		}
	}
}
