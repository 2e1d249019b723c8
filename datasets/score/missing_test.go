package score

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// columns returns a sentence with the given columns, each a name with its texts, and heads, which may be nil.
func columns(heads []int32, texts ...string) *datasets.Sentences {
	s := &datasets.Sentences{Heads: heads}
	for _, text := range texts {
		name, list, _ := strings.Cut(text, ": ")
		c := tagged(list).Columns[0]
		c.Name = name
		s.Columns = append(s.Columns, c)
		s.Start = []int{0, len(c.ID)}
	}
	return s
}

// TestMissingTruth checks that examples without true values are counted, but not their labels, also beside examples
// with true values, and that sentences without words have a score of heads but no score without punctuation.
func TestMissingTruth(t *testing.T) {
	tree := func(text string) *datasets.Treebank { return read(t, text) }
	bare := &datasets.Treebank{Trees: []*datasets.Tree{{Children: []*datasets.Tree{{Word: "a"}, {Word: "b"}}}}}
	for _, c := range []struct {
		name         string
		target       string
		bare, guess  datasets.Data // without the true values, and the prediction
		truth        datasets.Data // with the true values
		unit         string
		labels       int
		wrong        int
		lines        []string
		linesOfOther []string // with another prediction, of the truth itself
	}{
		{"heads", datasets.Heads, columns(nil, "word: a b"), columns([]int32{0, 1}, "word: a b"),
			columns([]int32{2, 0}, "word: a ."), "heads", 2, 2,
			[]string{"unlabelled attachment:   0.00%; 2 of 2 heads are wrong",
				"without punctuation:     0.00%; 1 of 1 heads are wrong"},
			[]string{"unlabelled attachment: 100.00%; 0 of 2 heads are wrong",
				"without punctuation:   100.00%; 0 of 1 heads are wrong"}},
		{"heads without words", datasets.Heads, columns(nil, "pos: a b"), columns([]int32{0, 1}, "pos: a b"),
			columns([]int32{0, 0}, "pos: a b"), "heads", 2, 1,
			[]string{"unlabelled attachment:  50.00%; 1 of 2 heads are wrong",
				"without punctuation:     0.00%; 0 of 0 heads are wrong"},
			[]string{"unlabelled attachment: 100.00%; 0 of 2 heads are wrong",
				"without punctuation:     0.00%; 0 of 0 heads are wrong"}},
		{"a column", "tag", columns(nil, "word: a b"), columns(nil, "word: a b", "tag: X Y"),
			columns(nil, "tag: X X", "word: a b"), "tokens", 2, 1,
			[]string{"accuracy:  50.00%; 1 of 2 tokens are wrong"},
			[]string{"accuracy: 100.00%; 0 of 2 tokens are wrong"}},
		{"spans", "tag", columns(nil, "word: a b"), columns(nil, "tag: B-X O"), columns(nil, "tag: B-X I-X"), "tokens", 2, 1,
			[]string{"processed 2 tokens with 1 phrases; found: 1 phrases; correct: 0.",
				"accuracy:  50.00%; precision:   0.00%; recall:   0.00%; FB1:   0.00",
				"                X: precision:   0.00%; recall:   0.00%; FB1:   0.00  1"},
			[]string{"processed 2 tokens with 1 phrases; found: 1 phrases; correct: 1.",
				"accuracy: 100.00%; precision: 100.00%; recall: 100.00%; FB1: 100.00",
				"                X: precision: 100.00%; recall: 100.00%; FB1: 100.00  1"}},
		{"trees", "", bare, tree("(S (A a) (B b))"), tree("(S (A a) (C b))"), "trees", 1, 1,
			[]string{"labelled brackets:   precision: 100.00%; recall: 100.00%; FB1: 100.00",
				"unlabelled brackets: precision: 100.00%; recall: 100.00%; FB1: 100.00", "complete match: 100.00%; tags:  50.00%"},
			[]string{"labelled brackets:   precision: 100.00%; recall: 100.00%; FB1: 100.00",
				"unlabelled brackets: precision: 100.00%; recall: 100.00%; FB1: 100.00", "complete match: 100.00%; tags: 100.00%"}},
	} {
		s := New(c.target)
		if len(s.Lines()) != 0 || len(s.Doubts()) != 0 {
			t.Errorf("%s: lines %q, doubts %q of no examples", c.name, s.Lines(), s.Doubts())
		}
		s.Add(c.bare, c.guess)
		if s.Examples != 1 || s.Labels != 0 || s.Wrong != 0 || s.Unit != c.unit || len(s.Lines()) != 0 {
			t.Errorf("%s, without the truth: %d examples, %d of %d %s are wrong, lines %q; want 1 example and no labels",
				c.name, s.Examples, s.Wrong, s.Labels, s.Unit, s.Lines())
		}
		s.Add(c.truth, c.guess)
		s.Add(c.bare, c.guess)
		if s.Examples != 3 || s.Labels != c.labels || s.Wrong != c.wrong || !slices.Equal(s.Lines(), c.lines) {
			t.Errorf("%s: %d examples, %d of %d are wrong, lines\n%s\nwant 3 examples, %d of %d, and\n%s", c.name, s.Examples,
				s.Wrong, s.Labels, strings.Join(s.Lines(), "\n"), c.wrong, c.labels, strings.Join(c.lines, "\n"))
		}
		right := New(c.target)
		right.Add(c.truth, c.truth)
		if right.Wrong != 0 || !slices.Equal(right.Lines(), c.linesOfOther) {
			t.Errorf("%s: lines of the truth itself\n%s\nwant\n%s", c.name, strings.Join(right.Lines(), "\n"),
				strings.Join(c.linesOfOther, "\n"))
		}
	}
	s := New("tag")
	s.Add(columns(nil, "tag: X"), columns(nil, "word: a"))
	if s.Examples != 1 || s.Labels != 0 {
		t.Errorf("a sentence without predicted labels: %+v, want one example and no labels", s)
	}
}

// TestTagsOfPunctuation checks which tags of the true tree mark words that do not count, and that the tags of the
// predicted tree do not decide it.
func TestTagsOfPunctuation(t *testing.T) {
	for tag, counts := range map[string]bool{",": false, ":": false, "``": false, "''": false, ".": false, "$": true,
		"#": true, "-LRB-": true, "-RRB-": true, "SYM": true, "NN": true, "\"": true} {
		s := New("")
		s.Add(read(t, "(S (NP (A a)) ("+tag+" x) (B b))"), read(t, "(S (NP (A a) (C x)) (. b))"))
		want := "words 2, tags 1, brackets 2 of 2" // without x, NP is over the same word
		if counts {
			want = "words 3, tags 1, brackets 1 of 2"
		}
		b := s.brackets
		if got := fmt.Sprintf("words %d, tags %d, brackets %d of %d", b.words, b.tags, b.labelled.both,
			b.labelled.is); got != want {
			t.Errorf("tag %s: %s, want %s", tag, got, want)
		}
	}
}

// TestOtherLabelAnywhere checks that one label that is of no span scheme, true or predicted, in the first or the last
// of several sentences, gives the accuracy and no spans.
func TestOtherLabelAnywhere(t *testing.T) {
	for at := range 3 {
		for _, predicted := range []bool{false, true} {
			s := New("tag")
			for k := range 3 {
				truth, guess := "B-X I-X O", "B-X I-X O"
				if k == at && predicted {
					guess = "B-X I-X DT"
				} else if k == at {
					truth = "B-X I-X DT"
				}
				s.Add(tagged(truth), tagged(guess))
			}
			if got := s.Lines(); !slices.Equal(got, []string{"accuracy:  88.89%; 1 of 9 tokens are wrong"}) {
				t.Errorf("a label DT in sentence %d, predicted %v: %q", at, predicted, got)
			}
		}
	}
}

// TestNumbersOfPositions checks that labels of positions that are equal as numbers are one class, if all classes that
// the model has are numbers, and that other labels are only equal as texts.
func TestNumbersOfPositions(t *testing.T) {
	for _, c := range []struct {
		classes []string
		wrong   int
		doubt   string
	}{{[]string{"1", "2"}, 1, "1 positions have labels that no training position has, and count as errors: x"},
		{[]string{"1", "x"}, 2, "2 positions have labels that no training position has, and count as errors: +1.0, 2.0"}} {
		s := New("")
		for range 2 { // in two sequences, whose labels are numbered differently
			for _, label := range []string{"+1.0", "2.0", "x", "1"} {
				guess := slices.Index([]string{"+1.0", "2.0", "x", "1"}, label)
				predicted := &datasets.Sequences{Start: []int{0, 1}, Labels: c.classes,
					Y: []int{[]int{0, 1, 1, 0}[guess]}}
				s.Add(&datasets.Sequences{Start: []int{0, 1}, Y: []int{0}, Labels: []string{label}}, predicted)
			}
		}
		doubt := strings.Replace(c.doubt, fmt.Sprint(c.wrong, " positions"), fmt.Sprint(2*c.wrong, " positions"), 1)
		if s.Labels != 8 || s.Wrong != 2*c.wrong || !slices.Equal(s.Doubts(), []string{doubt}) {
			t.Errorf("classes %q: %d of %d are wrong, doubts %q; want %d of 8, %q", c.classes, s.Wrong, s.Labels, s.Doubts(),
				2*c.wrong, doubt)
		}
	}
}
