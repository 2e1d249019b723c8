package score

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// TestDrawnLabels compares the scores of rows, sequences, rows of discrete variables and tokens with a count of unequal
// names, for true and predicted labels drawn at random. The truth and the prediction number the labels differently, and
// the truth has labels that are never predicted. A position or row may lack a prediction or a true label.
func TestDrawnLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 400 {
		names := []string{"a", "b", "c", "7"}
		theirs := slices.Clone(names)
		rng.Shuffle(len(theirs), func(i, j int) { theirs[i], theirs[j] = theirs[j], theirs[i] })
		theirs = theirs[:2+rng.IntN(2)]
		kind := rng.IntN(4)
		s := New([]string{"", "", "", "tag"}[kind])
		unit := []string{"rows", "positions", "rows", "tokens"}[kind]
		labels, wrong, unknown, examples := 0, 0, 0, 1+rng.IntN(4)
		odd := map[string]bool{}
		for range examples {
			n := []int{1, 1 + rng.IntN(5), 1, 1 + rng.IntN(5)}[kind]
			truth, guess := make([]int, n), make([]int, n)
			for i := range n {
				truth[i], guess[i] = rng.IntN(len(names)), rng.IntN(len(theirs))
			}
			bare := kind != 3 && rng.IntN(5) == 0
			if kind == 1 && rng.IntN(3) == 0 {
				guess[rng.IntN(n)] = len(theirs) // no label was predicted
			}
			for i := 0; i < n && !bare; i++ {
				labels++
				if guess[i] == len(theirs) || names[truth[i]] != theirs[guess[i]] {
					wrong++
				}
				if !slices.Contains(theirs, names[truth[i]]) {
					unknown++
					odd[names[truth[i]]] = true
				}
			}
			known := truth
			if bare {
				known = nil
			}
			switch kind {
			case 0:
				s.Add(&datasets.Labelled{X: datasets.Rows{N: n}, Y: known, Classes: names},
					&datasets.Labelled{X: datasets.Rows{N: n}, Y: guess, Classes: theirs})
			case 1:
				s.Add(&datasets.Sequences{Start: []int{0, n}, Y: known, Labels: names},
					&datasets.Sequences{Start: []int{0, n}, Y: guess, Labels: theirs})
			case 2:
				other := datasets.Variable{Name: "other", Values: []string{"x", "y"}}
				class := 0
				if bare {
					class = -1
				}
				s.Add(&datasets.Discrete{Variables: []datasets.Variable{{Name: "class", Values: names}, other}, Class: class,
					Value: []uint8{uint8(truth[0]), uint8(rng.IntN(2))}},
					&datasets.Discrete{Variables: []datasets.Variable{other, {Name: "class", Values: theirs}}, Class: 1,
						Value: []uint8{uint8(rng.IntN(2)), uint8(guess[0])}})
			case 3:
				sentence := func(list []int, text []string) *datasets.Sentences {
					out := &datasets.Sentences{Start: []int{0, n}, Columns: []datasets.Column{{Name: "word", Text: []string{"w"},
						ID: make([]int32, n)}, {Name: "tag", Text: text}}}
					for _, i := range list {
						out.Columns[1].ID = append(out.Columns[1].ID, int32(i))
					}
					return out
				}
				s.Add(sentence(truth, names), sentence(guess, theirs))
			}
		}
		if s.Examples != examples || s.Unit != unit || s.Labels != labels || s.Wrong != wrong {
			t.Fatalf("%d %s, %d labels, %d wrong; want %d %s, %d, %d", s.Examples, s.Unit, s.Labels, s.Wrong, examples, unit,
				labels, wrong)
		}
		var lines []string
		if labels > 0 {
			lines = []string{fmt.Sprintf("accuracy: %6.2f%%; %d of %d %s are wrong",
				100*(1-float64(wrong)/float64(labels)), wrong, labels, unit)}
		}
		if !slices.Equal(s.Lines(), lines) {
			t.Fatalf("lines %q, want %q", s.Lines(), lines)
		}
		one := strings.TrimSuffix(unit, "s")
		var list []string
		for _, name := range slices.Sorted(slices.Values(names)) {
			if odd[name] {
				list = append(list, name)
			}
		}
		var doubts []string
		if unknown > 0 {
			doubts = []string{fmt.Sprintf("%d %ss have labels that no training %s has, and count as errors: %s", unknown, one,
				one, strings.Join(list, ", "))}
		}
		if !slices.Equal(s.Doubts(), doubts) {
			t.Fatalf("doubts %q, want %q", s.Doubts(), doubts)
		}
	}
}

// TestLinesOfSpans compares all lines about spans with the numbers of equal spans in sets, of each type.
func TestLinesOfSpans(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	labels := []string{"O", "O", "B-X", "I-X", "B-Y", "I-Y", "E-X", "S-X", "S-Y", "E-Y"}
	ratio := func(a, b int) float64 {
		if b == 0 {
			return 0
		}
		return 100 * float64(a) / float64(b)
	}
	measures := func(c [3]int) string {
		return fmt.Sprintf("precision: %6.2f%%; recall: %6.2f%%; FB1: %6.2f", ratio(c[2], c[1]), ratio(c[2], c[0]),
			ratio(2*c[2], c[0]+c[1]))
	}
	for range 300 {
		s := New("tag")
		counts := map[string]*[3]int{"X": {}, "Y": {}} // true, predicted and equal spans
		var all [3]int
		tokens, right, spans := 0, 0, false
		for range 1 + rng.IntN(3) {
			var truth, guess []string
			for range 1 + rng.IntN(6) {
				truth, guess = append(truth, labels[rng.IntN(len(labels))]), append(guess, labels[rng.IntN(len(labels))])
				if rng.IntN(2) == 0 {
					guess[len(guess)-1] = truth[len(truth)-1]
				}
				if tokens++; truth[len(truth)-1] == guess[len(guess)-1] {
					right++
				}
				spans = spans || truth[len(truth)-1] != "O"
			}
			s.Add(tagged(strings.Join(truth, " ")), tagged(strings.Join(guess, " ")))
			lists := [3][]string{spansOf(truth), spansOf(guess)}
			for _, span := range lists[0] {
				if slices.Contains(lists[1], span) {
					lists[2] = append(lists[2], span)
				}
			}
			for k, list := range lists {
				for _, span := range list {
					counts[span[1:2]][k]++ // a span is a text such as -X 3 5
					all[k]++
				}
			}
		}
		want := []string{fmt.Sprintf("accuracy: %6.2f%%; %d of %d tokens are wrong", ratio(right, tokens), tokens-right,
			tokens)}
		if spans {
			want = []string{fmt.Sprintf("processed %d tokens with %d phrases; found: %d phrases; correct: %d.", tokens, all[0],
				all[1], all[2]), fmt.Sprintf("accuracy: %6.2f%%; %s", ratio(right, tokens), measures(all))}
			for _, kind := range []string{"X", "Y"} {
				if c := *counts[kind]; c[0]+c[1] > 0 {
					want = append(want, fmt.Sprintf("%17s: %s  %d", kind, measures(c), c[1]))
				}
			}
		}
		if got := s.Lines(); !slices.Equal(got, want) {
			t.Fatalf("lines\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestEqualTrees checks which predicted trees count as right: those whose text is the same after constituents that
// repeat the label of their only child are removed from both texts. Other trees count as wrong.
func TestEqualTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	var draw func(words []string) string
	draw = func(words []string) string {
		label := string("XY"[rng.IntN(2)])
		switch {
		case len(words) == 1 && rng.IntN(2) == 0:
			return "(" + label + " " + words[0] + ")"
		case len(words) == 1 || rng.IntN(3) == 0:
			return "(" + label + " " + draw(words) + ")"
		}
		cut := 1 + rng.IntN(len(words)-1)
		return "(" + label + " " + draw(words[:cut]) + " " + draw(words[cut:]) + ")"
	}
	// plain removes, from a tree without spaces, constituents such as the outer one of (X(X...)).
	plain := func(text string) string {
		text = strings.ReplaceAll(text, " ", "")
		for i := 0; i+3 < len(text); i++ {
			if text[i] != '(' || text[i+2] != '(' || text[i+1] != text[i+3] {
				continue
			}
			depth, end := 0, i+2
			for ; depth > 0 || end == i+2; end++ {
				depth += map[byte]int{'(': 1, ')': -1}[text[end]]
			}
			if text[end] == ')' { // the inner constituent is the only child
				text = text[:i] + text[i+2:end] + text[end+1:]
				i = -1
			}
		}
		return text
	}
	again := regexp.MustCompile(`\((X|Y) ([a-z])\)`)
	equal, other := 0, 0
	for range 2000 {
		words := strings.Split("abc"[:1+rng.IntN(3)], "")
		a, b := draw(words), draw(words)
		if rng.IntN(3) == 0 {
			b = again.ReplaceAllString(a, "($1 ($1 $2))")
		}
		if rng.IntN(20) == 0 {
			b = strings.Replace(b, " a)", " d)", 1)
		}
		s := New("")
		s.Add(read(t, a), read(t, b))
		want := plain(a) == plain(b)
		if (s.Wrong == 0) != want || s.Labels != 1 {
			t.Fatalf("%s and %s: %d of %d trees are wrong, want equal: %v", a, b, s.Wrong, s.Labels, want)
		}
		if want {
			equal++
		} else {
			other++
		}
	}
	if min(equal, other) < 200 {
		t.Errorf("%d equal and %d other trees, want at least 200 of each", equal, other)
	}
}
