package generated

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// grammar is a probabilistic context-free grammar whose rules mark a head. A derivation gives a constituency tree,
// tags, chunks and a dependency tree. In the dependency tree, the head of a word w is the head word of the smallest
// phrase that contains w and whose head word is not w.
type grammar struct {
	symbols []symbol
	index   map[string]int // index of each symbol, by its name
	start   int            // index of the start symbol
}

// symbol is a symbol of the grammar: a phrase with its rules, or a preterminal with its words.
type symbol struct {
	label string
	rules []rule
	words []string
	sums  []float64 // sums[k] is the sum of the weights of the rules or words 0 .. k
}

type rule struct {
	children []int
	head     int // index in children of the child that is the head
}

// newGrammar makes a grammar from the text of its rules (see sentenceRules) and a lexicon. It panics if they have a
// fault, since the program passes only constants.
func newGrammar(rules string, lexicon []wordClass, start string) *grammar {
	g := &grammar{index: map[string]int{}}
	for _, class := range lexicon {
		g.addWords(class)
	}
	for line := range strings.Lines(rules) {
		if left, right, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			for expansion := range strings.SplitSeq(right, "|") {
				for _, form := range forms(append([]string{left}, strings.Fields(expansion)...)) {
					g.addRule(form)
				}
			}
		}
	}
	for name, i := range g.index {
		if len(g.symbols[i].sums) == 0 {
			panic(fmt.Sprintf("datasets: symbol %s of the grammar has no rule and no word", name))
		}
	}
	g.start = g.symbol(start)
	return g
}

// symbol returns the index of the symbol with the given name. It adds the symbol if the grammar does not have it.
func (g *grammar) symbol(name string) int {
	i, ok := g.index[name]
	if !ok {
		i = len(g.symbols)
		label, _, _ := strings.Cut(name, "-")
		g.symbols = append(g.symbols, symbol{label: label})
		g.index[name] = i
	}
	return i
}

// addWords adds a preterminal with its words. The weights of the words follow Zipf's law: the r-th word has the weight
// 1/r.
func (g *grammar) addWords(class wordClass) {
	i := g.symbol(class.symbol)
	s := &g.symbols[i]
	s.label = class.tag
	for rank, word := range strings.Fields(class.words) {
		if class.inflected {
			word = ended(word)
		}
		s.words = append(s.words, word)
		s.weigh(1 / float64(rank+1))
	}
}

// addRule adds one rule. The fields are the symbol, the weight, and then the children, among which * marks the head.
func (g *grammar) addRule(fields []string) {
	weight, err := strconv.ParseFloat(fields[1], 64)
	if err != nil {
		panic(fmt.Sprintf("datasets: rule %q: %v", fields, err))
	}
	var r rule
	for k, name := range fields[2:] {
		name, head := strings.CutPrefix(name, "*")
		if head {
			r.head = k
		}
		r.children = append(r.children, g.symbol(name))
	}
	i := g.symbol(fields[0])
	s := &g.symbols[i]
	s.rules = append(s.rules, r)
	s.weigh(weight)
}

// forms expands a rule that abbreviates several rules. A rule with the suffix -n gives one rule with -s and one with
// -p. A rule with the suffix -f gives rules with -s, -p and -i.
func forms(fields []string) [][]string {
	ends := func(suffix string) bool {
		return slices.ContainsFunc(fields, func(f string) bool { return strings.HasSuffix(f, suffix) })
	}
	var suffix, letters string
	switch {
	case ends("-f"):
		suffix, letters = "-f", "spi"
	case ends("-n"):
		suffix, letters = "-n", "sp"
	default:
		return [][]string{fields}
	}
	var out [][]string
	for _, letter := range letters {
		form := slices.Clone(fields)
		for k, f := range form {
			if stem, ok := strings.CutSuffix(f, suffix); ok {
				form[k] = stem + "-" + string(letter)
			}
		}
		out = append(out, form)
	}
	return out
}

// weigh appends the next cumulative weight to s.sums, for a new rule or word with the given weight.
func (s *symbol) weigh(weight float64) {
	if n := len(s.sums); n > 0 {
		weight += s.sums[n-1]
	}
	s.sums = append(s.sums, weight)
}

// pick draws the index of a rule or word in proportion to its weight.
func (s *symbol) pick(rng *rand.Rand) int {
	k, _ := slices.BinarySearch(s.sums, rng.Float64()*s.sums[len(s.sums)-1])
	return min(k, len(s.sums)-1)
}

// node is a phrase of a derivation, or a word.
type node struct {
	label    string
	word     string
	head     int // index in children of the child that is the head
	children []*node
}

// sentence draws a derivation whose number of words is from least to most. It uses rejection: it draws derivations
// until one has such a length. So each derivation has its conditional probability under the grammar, given a length in
// this range.
func (g *grammar) sentence(rng *rand.Rand, least, most int) *node {
	for {
		left := most
		if n := g.derive(rng, g.start, &left); left >= 0 && most-left >= least {
			return n
		}
	}
}

// derive expands the symbol i at random. It subtracts the number of words from left. It returns nil as soon as left is
// negative, since the sentence is then too long.
func (g *grammar) derive(rng *rand.Rand, i int, left *int) *node {
	s := &g.symbols[i]
	k := s.pick(rng)
	if s.words != nil {
		*left--
		return &node{label: s.label, word: s.words[k]}
	}
	r := &s.rules[k]
	if len(r.children) == 1 && g.symbols[r.children[0]].label == s.label {
		return g.derive(rng, r.children[0], left)
	}
	n := &node{label: s.label, head: r.head, children: make([]*node, 0, len(r.children))}
	for _, child := range r.children {
		c := g.derive(rng, child, left)
		if *left < 0 {
			return nil
		}
		n.children = append(n.children, c)
	}
	return n
}
