package score

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// tagged returns a sentence whose column tag has the given labels.
func tagged(labels string) *datasets.Sentences {
	s := &datasets.Sentences{Start: []int{0}, Columns: []datasets.Column{{Name: "tag"}}}
	for i, label := range strings.Fields(labels) {
		s.Columns[0].ID = append(s.Columns[0].ID, int32(i))
		s.Columns[0].Text = append(s.Columns[0].Text, label)
	}
	s.Start = append(s.Start, len(s.Columns[0].ID))
	return s
}

// TestSpans checks that Lines returns the same lines as conlleval.pl prints for the same labels.
func TestSpans(t *testing.T) {
	for _, c := range []struct {
		truth, guess []string
		want         string
	}{
		{[]string{"B-NP I-NP O B-VP", "B-NP B-NP O"}, []string{"B-NP I-NP O I-VP", "B-NP I-NP O"},
			`processed 7 tokens with 4 phrases; found: 3 phrases; correct: 2.
accuracy:  71.43%; precision:  66.67%; recall:  50.00%; FB1:  57.14
               NP: precision:  50.00%; recall:  33.33%; FB1:  40.00  2
               VP: precision: 100.00%; recall: 100.00%; FB1: 100.00  1`},
		{[]string{"I-X I-Y I-Y O I-X"}, []string{"I-X I-X I-Y O O"},
			`processed 5 tokens with 3 phrases; found: 2 phrases; correct: 0.
accuracy:  60.00%; precision:   0.00%; recall:   0.00%; FB1:   0.00
                X: precision:   0.00%; recall:   0.00%; FB1:   0.00  1
                Y: precision:   0.00%; recall:   0.00%; FB1:   0.00  1`},
		{[]string{"B-X", "I-X"}, []string{"B-X", "B-X"}, // a span does not continue in the next sentence
			`processed 2 tokens with 2 phrases; found: 2 phrases; correct: 2.
accuracy:  50.00%; precision: 100.00%; recall: 100.00%; FB1: 100.00
                X: precision: 100.00%; recall: 100.00%; FB1: 100.00  2`},
		{[]string{"S-X S-X B-X I-X E-X O"}, []string{"S-X S-X B-X E-X S-X O"}, // IOBES
			`processed 6 tokens with 3 phrases; found: 4 phrases; correct: 2.
accuracy:  66.67%; precision:  50.00%; recall:  66.67%; FB1:  57.14
                X: precision:  50.00%; recall:  66.67%; FB1:  57.14  4`},
		{[]string{"U-X B-X L-X L-Y"}, []string{"U-X B-X L-X O"}, // BILOU
			`processed 4 tokens with 3 phrases; found: 2 phrases; correct: 2.
accuracy:  75.00%; precision: 100.00%; recall:  66.67%; FB1:  80.00
                X: precision: 100.00%; recall: 100.00%; FB1: 100.00  2
                Y: precision:   0.00%; recall:   0.00%; FB1:   0.00  0`},
		{[]string{"DT NN"}, []string{"DT VB"}, "accuracy:  50.00%; 1 of 2 tokens are wrong"},
		{[]string{"B-X O"}, []string{"B-X DT"}, "accuracy:  50.00%; 1 of 2 tokens are wrong"}, // not all are of a span scheme
		{[]string{"B-X DT"}, []string{"B-X O"}, "accuracy:  50.00%; 1 of 2 tokens are wrong"},
		{[]string{"O O"}, []string{"B-X O"}, "accuracy:  50.00%; 1 of 2 tokens are wrong"}, // no true spans
	} {
		s := New("tag")
		for i := range c.truth {
			s.Add(tagged(c.truth[i]), tagged(c.guess[i]))
		}
		if got := strings.Join(s.Lines(), "\n"); got != c.want || s.Examples != len(c.truth) {
			t.Errorf("%q, %q:\n%s\nwant\n%s", c.truth, c.guess, got, c.want)
		}
	}
}

// TestSpansAgainstSets checks the counts against a second implementation, which compares sets of spans.
func TestSpansAgainstSets(t *testing.T) {
	labels := []string{"O", "B-X", "I-X", "B-Y", "I-Y", "E-X", "S-X", "S-Y", "E-Y"}
	state := uint32(1)
	draw := func() string {
		state = state*1664525 + 1013904223
		return labels[state>>16%uint32(len(labels))]
	}
	for range 500 {
		var truth, guess []string
		for range 12 {
			truth, guess = append(truth, draw()), append(guess, draw())
		}
		s := New("tag")
		s.Add(tagged(strings.Join(truth, " ")), tagged(strings.Join(guess, " ")))
		a, b := spansOf(truth), spansOf(guess)
		both := 0
		for _, span := range a {
			if slices.Contains(b, span) {
				both++
			}
		}
		want := fmt.Sprintf("processed 12 tokens with %d phrases; found: %d phrases; correct: %d.", len(a), len(b), both)
		if got := s.Lines()[0]; got != want && len(a) > 0 {
			t.Fatalf("%q, %q: %s, want %s", truth, guess, got, want)
		}
	}
}

// spansOf returns the spans in labels, each as text with the type, the begin and the end of the span.
func spansOf(labels []string) (out []string) {
	for begin := 0; begin < len(labels); begin++ {
		if labels[begin] == "O" {
			continue
		}
		end := begin + 1
		for end < len(labels) && labels[end] != "O" && !strings.ContainsAny(labels[end][:1], "BS") &&
			!strings.ContainsAny(labels[end-1][:1], "ES") && labels[end][1:] == labels[begin][1:] {
			end++
		}
		out = append(out, fmt.Sprint(labels[begin][1:], begin, end))
		begin = end - 1
	}
	return out
}

func TestRows(t *testing.T) {
	rows := func(class string, classes ...string) *datasets.Labelled {
		return &datasets.Labelled{X: datasets.Rows{N: 1}, Y: []int{slices.Index(classes, class)}, Classes: classes}
	}
	s := New("")
	for _, truth := range []string{"1", "+1.0", "-1", "7"} {
		s.Add(rows(truth, truth), rows("1", "-1", "1"))
	}
	s.Add(&datasets.Labelled{X: datasets.Rows{N: 1}}, rows("1", "-1", "1"))
	if s.Examples != 5 || s.Labels != 4 || s.Wrong != 2 || !slices.Equal(s.Doubts(),
		[]string{"1 rows have labels that no training row has, and count as errors: 7"}) {
		t.Errorf("score = %+v, doubts = %q; want 5 examples, 4 labels, 2 wrong, and a doubt about class 7", s, s.Doubts())
	}
}
