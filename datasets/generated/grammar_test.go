package generated

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestSentenceGrammarIsSound checks that every symbol can be drawn, that it has either words or rules, that every rule
// has 1 to 8 children and a head, and that every tag has a coarse tag.
func TestSentenceGrammarIsSound(t *testing.T) {
	g := sentenceGrammar()
	reached := make([]bool, len(g.symbols))
	open := []int{g.start}
	reached[g.start] = true
	for len(open) > 0 {
		s := &g.symbols[open[len(open)-1]]
		open = open[:len(open)-1]
		if (s.words == nil) == (s.rules == nil) || len(s.sums) != len(s.words)+len(s.rules) {
			t.Errorf("%s has %d words, %d rules and %d weights; want words or rules, and as many weights", s.label, len(s.words),
				len(s.rules), len(s.sums))
		}
		for _, r := range s.rules {
			if len(r.children) == 0 || len(r.children) > 8 || r.head >= len(r.children) {
				t.Errorf("symbol %s: a rule has %d children and the head %d; want 1 to 8 children, one of them the head",
					s.label, len(r.children), r.head)
			}
			for _, c := range r.children {
				if !reached[c] {
					reached[c] = true
					open = append(open, c)
				}
			}
		}
	}
	coarse := coarseTags()
	for name, i := range g.index {
		s := &g.symbols[i]
		if !reached[i] {
			t.Errorf("symbol %s is in no rule that can be drawn", name)
		}
		if s.words != nil && coarse[s.label] == "" {
			t.Errorf("tag %s has no coarse tag in coarseTags", s.label)
		}
		if words := slices.Clone(s.words); len(words) > 0 {
			slices.Sort(words)
			if n := len(slices.Compact(words)); n != len(s.words) {
				t.Errorf("symbol %s has %d words, of which %d are different; want only different words", name, len(s.words), n)
			}
		}
	}
}

// TestSentenceRulesMarkTheirHeads checks that every rule with several children marks its head. Without a mark the first
// child would be the head, and no other test would detect this.
func TestSentenceRulesMarkTheirHeads(t *testing.T) {
	for line := range strings.Lines(sentenceRules) {
		_, right, _ := strings.Cut(strings.TrimSpace(line), " ")
		for expansion := range strings.SplitSeq(right, "|") {
			if fields := strings.Fields(expansion); len(fields) > 2 && strings.Count(expansion, "*") != 1 {
				t.Errorf("rule %q marks %d heads, want 1", expansion, strings.Count(expansion, "*"))
			}
		}
	}
}

func TestForms(t *testing.T) {
	got := forms(strings.Fields("A-f 2 *V-f NP"))
	want := [][]string{{"A-s", "2", "*V-s", "NP"}, {"A-p", "2", "*V-p", "NP"}, {"A-i", "2", "*V-i", "NP"}}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("the rules for the suffix -f are %q, want %q", got, want)
	}
	if got := forms(strings.Fields("S 1 NP-n *VP-n")); len(got) != 2 || got[1][2] != "NP-p" || got[1][3] != "*VP-p" {
		t.Errorf("rules for the suffix -n are %q, want one with -s and one with -p", got)
	}
	if got := forms(strings.Fields("NP-p 1 N-p")); len(got) != 1 {
		t.Errorf("rules without -n and -f are %q, want the rule itself", got)
	}
}

func TestEnded(t *testing.T) {
	for word, want := range map[string]string{
		"plan": "plans", "company": "companies", "day": "days", "buy": "buys", "pass": "passes", "tax": "taxes",
		"beach": "beaches", "crash": "crashes",
	} {
		if got := ended(word); got != want {
			t.Errorf("ended(%s) = %s, want %s", word, got, want)
		}
	}
}

// TestGrammarKeepsItsWeights checks that rules are drawn in proportion to their weights.
func TestGrammarKeepsItsWeights(t *testing.T) {
	g := newGrammar("S 3 A *B | 1 *B",
		[]wordClass{{symbol: "A", tag: "X", words: "a"}, {symbol: "B", tag: "Y", words: "b c"}}, "S")
	rng := rand.New(rand.NewPCG(1, 1))
	const n = 20000
	var long, second int
	for range n {
		d := g.sentence(rng, 1, 2)
		if len(d.children) == 2 {
			long++
		}
		if d.children[len(d.children)-1].word == "c" {
			second++
		}
	}
	if p := float64(long) / n; p < .73 || p > .77 {
		t.Errorf("frequency of a rule with weight 3 of 4 = %.3f, want about 0.75", p)
	}
	if p := float64(second) / n; p < .31 || p > .36 {
		t.Errorf("the second of two words is drawn with frequency %.3f, want 1/3", p)
	}
	for range 100 {
		if d := g.sentence(rng, 2, 2); len(d.children) != 2 {
			t.Fatal("a sentence is shorter than the least length")
		}
		if d := g.sentence(rng, 1, 1); len(d.children) != 1 {
			t.Fatal("a sentence is longer than the greatest length")
		}
	}
}

func TestFaultyGrammarPanics(t *testing.T) {
	for _, rules := range []string{"S x A", "S 1 B"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("rules %q: newGrammar does not panic, want a panic", rules)
				}
			}()
			newGrammar(rules, []wordClass{{symbol: "A", tag: "X", words: "a"}}, "S")
		}()
	}
}
