package generated

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

func drawnReferences(t testing.TB, r References) (train, validation *datasets.Sentences, set *datasets.Set) {
	t.Helper()
	set, err := r.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	datasettest.CheckSet(t, set)
	validation, _ = set.Validation.(*datasets.Sentences)
	return set.Train.(*datasets.Sentences), validation, set
}

// referencesPrint hashes the texts of the first n references.
func referencesPrint(s *datasets.Sentences, n int) string {
	h := fnv.New64a()
	for i := range n {
		for t := s.Start[i]; t < s.Start[i+1]; t++ {
			for _, c := range s.Columns {
				fmt.Fprintf(h, "%s ", c.Text[c.ID[t]])
			}
			fmt.Fprintln(h)
		}
		fmt.Fprintln(h)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// TestReferencesBits checks the bits of some references, which are part of the gate's reference curves. A change of
// these bits needs a new referencesVersion.
func TestReferencesBits(t *testing.T) {
	train, validation, _ := drawnReferences(t, References{Names: namesWhole, Train: 100, Validation: 50, Seed: 1})
	if got, want := referencesPrint(train, 100)+" "+referencesPrint(validation, 50),
		"a1e195236588dbc4 b67625a5f5b07de0"; got != want {
		t.Errorf("the references of seed 1 have fingerprints %s: want %s", got, want)
	}
}

func TestReferencesDependOnTheirSeedOnly(t *testing.T) {
	train, validation, set := drawnReferences(t, References{Names: namesWhole, Train: 60, Validation: 20, Seed: 7})
	longer, same, other := drawnReferences(t, References{Names: namesWhole, Train: 90, Validation: 20, Seed: 7})
	if referencesPrint(validation, 20) != referencesPrint(same, 20) {
		t.Error("validation references change with the number of training references")
	}
	if referencesPrint(longer, 60) != referencesPrint(train, 60) ||
		!slices.Equal(longer.Columns[0].ID[:len(train.Columns[0].ID)], train.Columns[0].ID) {
		t.Error("the first 60 of 90 references are not the 60 references")
	}
	if referencesPrint(train, 20) == referencesPrint(validation, 20) {
		t.Error("training and validation references are the same")
	}
	reseeded, none, _ := drawnReferences(t, References{Names: namesWhole, Train: 60, Seed: 8})
	if referencesPrint(reseeded, 20) == referencesPrint(train, 20) || none != nil {
		t.Error("seeds 7 and 8 give the same references, or validation: 0 gives some")
	}
	parts, _, named := drawnReferences(t, References{Names: namesParts, Train: 60, Validation: 20, Seed: 7})
	if !slices.Equal(datasettest.Texts(t, parts, "word"), datasettest.Texts(t, train, "word")) {
		t.Error("names: parts changes the words")
	}
	if !set.Synthetic || set.Checksum == other.Checksum || set.Checksum == named.Checksum {
		t.Error("not synthetic, or the checksum does not tell the settings apart")
	}
}

// TestReferencesResembleCitations checks the properties that make the references similar to the UMass data: its fields,
// about 26 tokens a reference (there 26 to 28) and the shares of the commoner fields.
func TestReferencesResembleCitations(t *testing.T) {
	train, _, _ := drawnReferences(t, References{Names: namesWhole, Train: 2000, Seed: 1})
	datasettest.CheckSegments(t, train)
	if got := strings.Join(datasettest.Fields(t, train),
		" "); got != "address author booktitle edition editor institution "+
		"journal month note number pages publisher series title type volume year" {
		t.Errorf("fields %s", got)
	}
	used := datasettest.TextsUsed(&train.Columns[1])
	for _, c := range []struct {
		label     string
		low, high float64 // a reference
	}{
		{"B-author", 1.5, 2.3}, {"B-year", .95, 1}, {"B-title", .8, .95}, {"B-journal", .45, .65}, {"B-pages", .6, .85},
		{"B-volume", .45, .7}, {"B-booktitle", .15, .35}, {"B-publisher", .2, .45}, {"B-editor", .1, .3}, {"O", 6, 10},
	} {
		if n := float64(used[c.label]) / 2000; n < c.low || n > c.high {
			t.Errorf("%.2f %s a reference: want %.2f to %.2f", n, c.label, c.low, c.high)
		}
	}
	if n := float64(datasettest.TokensOf(train)) / 2000; n < 23 || n > 31 {
		t.Errorf("%.1f tokens a reference", n)
	}
	parts, _, _ := drawnReferences(t, References{Names: namesParts, Train: 2000, Seed: 1})
	datasettest.CheckSegments(t, parts)
	count := datasettest.TextsUsed(&parts.Columns[1])
	if count["B-person-last"] != used["B-author"] || count["B-person-first"] != used["B-author"] ||
		count["B-editor-last"] != used["B-editor"] || count["B-author"] > 0 {
		t.Errorf("parts of names: %v", count)
	}
}

// TestReferencesHaveOneTitle checks that a reference has at most one title and one year: experiments use this as a
// constraint that a chain lacks.
func TestReferencesHaveOneTitle(t *testing.T) {
	train, _, _ := drawnReferences(t, References{Names: namesWhole, Train: 500, Seed: 3})
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
				t.Errorf("reference %d has %d segments %s", i, n, field)
			}
		}
	}
}

func TestReferencesStopWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if set, err := (References{Names: namesWhole, Train: 1000}).Load(ctx, datasets.Source{}); !errors.Is(err,
		context.Canceled) ||
		set != nil {
		t.Errorf("under a cancelled context: %v, %v", set, err)
	}
}

// TestReferenceLayouts checks the small language of layouts: every token must be a field, a bracket of a pair, or
// text.
func TestReferenceLayouts(t *testing.T) {
	styles := referenceStyles()
	if len(styles) != 12 {
		t.Errorf("%d styles: want 12", len(styles))
	}
	for i, s := range styles {
		for _, layout := range []string{s.article, s.paper, s.book, s.chapter, s.thesis, s.report} {
			open := false
			for token := range strings.FieldsSeq(layout) {
				switch {
				case token == "{" && !open, token == "}" && open:
					open = !open
				case token == "{", token == "}":
					t.Errorf("style %d: %s: brackets do not pair", i, layout)
				case len(token) == 1 && token[0] >= 'A' && token[0] <= 'Z' && !strings.Contains("ATJCUDEYVSLOMNPKI", token):
					t.Errorf("style %d: %s: no field %s", i, layout, token)
				}
			}
			if open || !strings.HasPrefix(layout, "A ") || strings.Count(layout, "Y") != 1 {
				t.Errorf("style %d: %s: want brackets that pair, authors first and one year", i, layout)
			}
		}
	}
}
