package datasets

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Punctuation reports whether a word consists of punctuation only, as the evaluation of the CoNLL-X shared task defines
// it.
func Punctuation(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return !unicode.IsPunct(r) }) < 0
}

// Projective reports whether a dependency tree is projective: no two arcs cross when they are drawn above the sentence,
// including the arcs from the root at position 0. heads[t] is the head of token t+1.
func Projective(heads []int32) bool {
	type arc struct{ left, right int32 }
	arcs := make([]arc, len(heads))
	for t, h := range heads {
		m := int32(t + 1)
		arcs[t] = arc{min(h, m), max(h, m)}
	}
	slices.SortFunc(arcs, func(a, b arc) int { return cmp.Or(cmp.Compare(a.left, b.left), cmp.Compare(b.right, a.right)) })
	var open []int32 // right ends of the arcs that span the current position, from the longest arc to the shortest
	for _, a := range arcs {
		for len(open) > 0 && open[len(open)-1] <= a.left {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && open[len(open)-1] < a.right {
			return false
		}
		open = append(open, a.right)
	}
	return true
}

// HeadFault checks that heads form a tree with the root 0. If not, HeadFault returns the position of a token whose head
// is wrong, counted from 1, and a description of the fault. If there is no fault, the position is 0.
func HeadFault(heads []int32) (token int, fault string) {
	rooted := false
	for t, h := range heads {
		switch {
		case h < 0 || int(h) > len(heads):
			return t + 1, fmt.Sprintf("head %d: want 0 for the root, or a token from 1 to %d", h, len(heads))
		case int(h) == t+1:
			return t + 1, fmt.Sprintf("token %d is its own head: want another token, or 0 for the root", h)
		}
		rooted = rooted || h == 0
	}
	if !rooted {
		return 1, "the sentence has no root: want head 0 for one of its tokens"
	}
	const onPath, done = 1, 2 // states of a token: on the current path; known to lead to the root
	state := make([]byte, len(heads)+1)
	state[0] = done
	for t := range heads {
		at := t + 1
		for state[at] == 0 {
			state[at] = onPath
			at = int(heads[at-1])
		}
		if state[at] == onPath {
			return at, fmt.Sprintf("token %d is in a cycle of heads: want a tree with the root 0", at)
		}
		for at := t + 1; state[at] == onPath; at = int(heads[at-1]) {
			state[at] = done
		}
	}
	return 0, ""
}
