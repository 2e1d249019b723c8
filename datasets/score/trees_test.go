package score

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

func read(t *testing.T, text string) *datasets.Treebank {
	t.Helper()
	r := parse.NewTreeReader(0, parse.TreeForm{})
	if err := r.Read("f", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return &datasets.Treebank{Trees: r.Trees}
}

// TestBrackets checks that the counts are those that EVALB prints with COLLINS.prm: true, predicted and matched
// brackets, first labelled and then unlabelled; trees with a complete match; and words with the right tag.
func TestBrackets(t *testing.T) {
	for _, c := range []struct{ truth, guess, want string }{
		{"(S (NP (D a) (N b)) (VP (V c)))", "(S (NP (D a) (N b)) (VP (V c)))", "3 3 3, 3 3 3, 1 of 1, 3 of 3"},
		{"(S (NP (D a) (N b)) (VP (V c)))", "(S (NP (D a)) (VP (N b) (V c)))", "3 3 1, 3 3 1, 0 of 1, 3 of 3"},
		{"(S (NP (D a)) (VP (V c)))", "(S (VP (D a)) (NP (N c)))", "3 3 1, 3 3 3, 0 of 1, 1 of 2"},
		{"(TOP (S (A a) (B b)))", "(S (A a) (B b))", "1 1 1, 1 1 1, 1 of 1, 2 of 2"}, // TOP is not counted
		// two predicted constituents have the words a b
		{"(S (A a) (B b) (. .))", "(S (X (A a) (B b)) (. .))", "1 2 1, 1 2 1, 0 of 1, 2 of 2"},
		// commas are not counted as words
		{"(S (NP (A a)) (, ,) (B b))", "(S (NP (A a) (, ,)) (B b))", "2 2 2, 2 2 2, 1 of 1, 2 of 2"},
		{"(S (X (: -)) (B b))", "(S (X (: -)) (B b))", "1 1 1, 1 1 1, 1 of 1, 1 of 1"},      // without -, X is empty
		{"(S (PRT (A a)) (B b))", "(S (ADVP (A a)) (B b))", "2 2 2, 2 2 2, 1 of 1, 2 of 2"}, // PRT and ADVP are equal
		{"(S (S (A a) (B b)) (C c))", "(S (A a) (S (B b) (C c)))", "2 2 1, 2 2 1, 0 of 1, 3 of 3"},
		{"(S (NP (NP (A a))) (B b))", "(S (NP (A a)) (B b))", "3 2 2, 3 2 2, 0 of 1, 2 of 2"}, // NP occurs twice
	} {
		s := New("")
		s.Add(read(t, c.truth), read(t, c.guess))
		l, u := s.brackets.labelled, s.brackets.unlabelled
		if got := fmt.Sprintf("%d %d %d, %d %d %d, %d of %d, %d of %d", l.is, l.guess, l.both, u.is, u.guess, u.both,
			s.brackets.complete, s.Labels, s.brackets.tags, s.brackets.words); got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.truth, c.guess, got, c.want)
		}
	}
	s := New("")
	s.Add(read(t, "(S (NP (NP (A a))) (B b))"), read(t, "(S (NP (A a)) (B b))"))
	s.Add(read(t, "(S (A a))"), &datasets.Treebank{Trees: []*datasets.Tree{nil}})
	s.Add(&datasets.Treebank{Trees: []*datasets.Tree{{Children: []*datasets.Tree{{Word: "a"}}}}}, read(t, "(S (A a))"))
	want := []string{"labelled brackets:   precision: 100.00%; recall:  50.00%; FB1:  66.67",
		"unlabelled brackets: precision: 100.00%; recall:  50.00%; FB1:  66.67", "complete match:   0.00%; tags:  66.67%"}
	if s.Examples != 3 || s.Labels != 2 || s.Wrong != 1 || !slices.Equal(s.Lines(), want) {
		t.Errorf("score = %+v, lines = %q; want 3 examples, 2 labels, 1 wrong, and %q", s, s.Lines(), want)
	}
}

// TestSampleOfEVALB checks counts for the sample file of EVALB against the output of EVALB: matched, true and predicted
// brackets, right tags, and words. The test omits sentences that EVALB reports as errors. By EVALB's parameters, the
// tag TT is the same as T.
func TestSampleOfEVALB(t *testing.T) {
	const test = "(S (A (P this)) (B (Q is) (A (R a) (T test))))"
	const long = " (A (P this)) (B (Q is) (A (R a) (T test)))"
	all := New("")
	for _, c := range []struct{ truth, guess, want string }{
		{test, test, "4 4 4 4 4"},
		{test, "(S (A (P this)) (B (Q is) (C (R a) (T test))))", "3 4 4 4 4"},
		{test, "(S (A (P this)) (B (Q is) (A (R a) (U test))))", "4 4 4 3 4"},
		{test, "(S (C (P this)) (B (Q is) (A (R a) (U test))))", "3 4 4 3 4"},
		{test, "(S (A (P this)) (B (Q is) (R a) (A (T test))))", "3 4 4 4 4"},
		{test, "(S (A (P this) (Q is)) (A (R a) (T test)))", "2 4 3 4 4"},
		{test, "(S (P this) (Q is) (R a) (T test))", "1 4 1 4 4"},
		{test, "((P this) (Q is) (R a) (T test))", "0 4 0 4 4"},
		{test, "(S (A (P this)) (B (Q is) (A (A (R a) (T test)))))", "4 4 5 4 4"},
		{test, "(S (A (P this)) (B (Q is) (A (A (A (A (A (R a) (T test))))))))", "4 4 8 4 4"},
		{test, "(TOP " + test + ")", "4 4 4 4 4"},
		{test, "(S (A (P this)) (B (Q is) (A (R a) (T test))))", "4 4 4 4 4"}, // the sample has the tag TT here
		{test, "(S (A (P This)) (B (Q is) (A (R a) (T test))))", "4 4 4 4 4"},
		{"(S (A-SBJ-1 (P this)) (B-WHATEVER (Q is) (A (R a) (T test))))", test, "4 4 4 4 4"},
		{"(S" + strings.Repeat(long, 11) + ")", "(S" + strings.Repeat(long, 11) + ")", "34 34 34 44 44"},
		{"(S" + long + " (-NONE- *))", "(S" + long + " (-NONE- *))", "4 4 4 4 4"},
		{"(S" + long + " (: *))", "(S" + long + " (: *))", "4 4 4 4 4"},
	} {
		s := New("")
		for _, to := range []*Score{s, all} {
			to.Add(read(t, c.truth), read(t, c.guess))
		}
		l := s.brackets.labelled
		if got := fmt.Sprint(l.both, l.is, l.guess, s.brackets.tags, s.brackets.words); got != c.want {
			t.Errorf("%s: %s, want %s", c.guess, got, c.want)
		}
	}
	// the summaries that EVALB prints, with its parameters and with LABELED 0
	want := []string{"labelled brackets:   precision:  90.53%; recall:  87.76%; FB1:  89.12",
		"unlabelled brackets: precision:  92.63%; recall:  89.80%; FB1:  91.19",
		"complete match:  52.94%; tags:  98.15%"}
	if got := all.Lines(); !slices.Equal(got, want) || all.Examples != 17 {
		t.Errorf("%d sentences: %q, want %q", all.Examples, got, want)
	}
}

// TestBracketsAgainstLists checks the counts against a second implementation, which searches each bracket in a list.
func TestBracketsAgainstLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var text func(words []string) string
	text = func(words []string) string {
		label := string("SXY"[rng.IntN(3)])
		if len(words) == 1 && rng.IntN(2) == 0 {
			return "(T " + words[0] + ")"
		}
		cut := 1 + rng.IntN(max(1, len(words)-1))
		out := "(" + label + " " + text(words[:cut])
		if cut < len(words) {
			out += " " + text(words[cut:])
		}
		return out + ")"
	}
	for range 300 {
		words := strings.Split("abcdefgh"[:2+rng.IntN(7)], "")
		a, b := "(R "+text(words)+")", "(R "+text(words)+")"
		s := New("")
		s.Add(read(t, a), read(t, b))
		is, guess := yields(a), yields(b)
		both := 0
		for _, x := range is {
			if i := slices.Index(guess, x); i >= 0 {
				both++
				guess = slices.Delete(guess, i, i+1)
			}
		}
		if l := s.brackets.labelled; l.both != both || l.is != len(is) || l.guess != len(guess)+both {
			t.Fatalf("%s, %s: %+v, want %d common brackets", a, b, l, both)
		}
	}
}

// yields returns the brackets in the text of a tree, each as a text with the label and the words of the bracket.
func yields(text string) (out []string) {
	var open []string
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '(':
			open = append(open, text[i+1:i+2]+" ")
		case text[i] == ')':
			if last := open[len(open)-1]; last[0] != 'T' {
				out = append(out, last)
			}
			open = open[:len(open)-1]
		case strings.IndexByte("abcdefgh", text[i]) >= 0:
			for k := range open {
				open[k] += text[i : i+1]
			}
		}
	}
	return out
}

// TestHeads checks the attachment score of two texts in columns against a second count, line by line.
func TestHeads(t *testing.T) {
	truth := "1 Go 0\n2 on 1\n3 , 1\n4 Bo 1\n5 ! 1\n\n1 A 2\n2 man 0\n3 ... 2\n\n"
	guess := "1 Go 2\n2 on 0\n3 , 1\n4 Bo 1\n5 ! 2\n\n1 A 2\n2 man 0\n3 ... 1\n\n"
	stream := func(text string) *parse.SentenceStream {
		names := []string{"id", "word", "head"}
		out, err := parse.NewSentenceStream("f", strings.NewReader(text), names, true, true, datasets.Heads)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	s, a, b := New(datasets.Heads), stream(truth), stream(guess)
	for {
		x, err := a.Next()
		y, other := b.Next()
		if err != nil || other != nil {
			break
		}
		s.Add(x, y)
	}
	right, words, rightWords, heads := 0, 0, 0, 0
	other := strings.Split(guess, "\n")
	for i, line := range strings.Split(truth, "\n") {
		field := strings.Fields(line)
		if len(field) == 0 {
			continue
		}
		heads++
		same := strings.Fields(other[i])[2] == field[2]
		letters := strings.ContainsAny(field[1], "ABGmno")
		if same {
			right++
		}
		if letters {
			words++
		}
		if letters && same {
			rightWords++
		}
	}
	want := []string{
		fmt.Sprintf("unlabelled attachment: %6.2f%%; %d of 8 heads are wrong", 100*float64(right)/8, heads-right),
		fmt.Sprintf("without punctuation:   %6.2f%%; %d of 5 heads are wrong", 100*float64(rightWords)/5, words-rightWords)}
	if !slices.Equal(s.Lines(), want) || heads != 8 {
		t.Errorf("%q, want %q", s.Lines(), want)
	}
}
