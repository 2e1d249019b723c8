package parse

import (
	"cmp"
	"slices"
	"strings"
)

// LabelTable assigns numbers to texts, such as labels, in the order of their first occurrence. These texts are called
// tokens.
type LabelTable struct {
	ids    map[string]int
	Tokens []string // Tokens[i] is the token with the number i
}

// NewLabelTable returns an empty table.
func NewLabelTable() *LabelTable { return &LabelTable{ids: map[string]int{}} }

// ID returns the number of a token. A new token gets the next number.
func (t *LabelTable) ID(token []byte) int {
	if id, ok := t.ids[string(token)]; ok {
		return id
	}
	id := len(t.Tokens)
	t.Tokens = append(t.Tokens, string(token))
	t.ids[t.Tokens[id]] = id
	return id
}

// numbers converts all tokens to numbers and returns these. If a token is not a number, ok is false.
func (t *LabelTable) numbers() (values []float64, ok bool) {
	values = make([]float64, len(t.Tokens))
	for i, token := range t.Tokens {
		v, ok := parseDecimal([]byte(token))
		if !ok {
			return nil, false
		}
		values[i] = v
	}
	return values, true
}

// classes returns the sorted names of the classes, and the class of each token. If every token is a number, classes are
// sorted by value, and equal numbers (1, +1, 1.0) are one class, whose name is the first of these tokens. Otherwise
// each token is a class, and names are sorted as text.
func (t *LabelTable) classes() (names []string, class []int) {
	values, numeric := t.numbers()
	compare := func(a, b int) int { return strings.Compare(t.Tokens[a], t.Tokens[b]) }
	if numeric {
		compare = func(a, b int) int { return cmp.Compare(values[a], values[b]) }
	}
	order := make([]int, len(t.Tokens))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	class = make([]int, len(order))
	for i, id := range order {
		if i == 0 || compare(order[i-1], id) != 0 {
			names = append(names, t.Tokens[id])
		}
		class[id] = len(names) - 1
	}
	return names, class
}

// ClassFinder returns a function that finds the class of a token in the list names, which are the names of the classes
// of another file. If all names are numbers, tokens that are equal as numbers, such as 1 and +1, are one class.
func ClassFinder(names []string) func(token []byte) (class int, ok bool) {
	byName := make(map[string]int, len(names))
	table := NewLabelTable()
	for c, name := range names {
		byName[name] = c
		table.ID([]byte(name))
	}
	values, numeric := table.numbers()
	return func(token []byte) (int, bool) {
		if c, ok := byName[string(token)]; ok {
			return c, true
		}
		if !numeric {
			return 0, false
		}
		v, ok := parseDecimal(token)
		if !ok {
			return 0, false
		}
		return slices.BinarySearch(values, v)
	}
}
