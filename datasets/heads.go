package datasets

import (
	"cmp"
	"fmt"
	"slices"
)

// Projective reports whether no two arcs of a dependency tree cross when they are drawn above the sentence, the arc
// from the root at position 0 included. heads[t] is the head of token t+1.
func Projective(heads []int32) bool {
	type arc struct{ left, right int32 }
	arcs := make([]arc, len(heads))
	for t, h := range heads {
		m := int32(t + 1)
		arcs[t] = arc{min(h, m), max(h, m)}
	}
	slices.SortFunc(arcs, func(a, b arc) int { return cmp.Or(cmp.Compare(a.left, b.left), cmp.Compare(b.right, a.right)) })
	var open []int32 // right ends of the arcs above the present place, the innermost last
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

// headFault finds what keeps heads from being a tree from the root 0: the token at fault, from 1, and what is wrong
// there; or 0.
func headFault(heads []int32) (token int, fault string) {
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
	const onPath, done = 1, 2 // a token on the way up from the present one, and one that leads to the root
	state := make([]byte, len(heads)+1)
	state[0] = done
	for t := range heads {
		at := t + 1
		for state[at] == 0 {
			state[at] = onPath
			at = int(heads[at-1])
		}
		if state[at] == onPath {
			return at, fmt.Sprintf("the heads from token %d on lead back to it: want a tree from the root 0", at)
		}
		for at := t + 1; state[at] == onPath; at = int(heads[at-1]) {
			state[at] = done
		}
	}
	return 0, ""
}

// projectiveOnly keeps those of the listed sentences whose heads are projective, all of them if there are no heads, and
// says how many it left out.
func (s *Sentences) projectiveOnly(list []int) (kept []int, dropped int) {
	if s.Heads == nil {
		return list, 0
	}
	for _, i := range list {
		if Projective(s.Heads[s.Start[i]:s.Start[i+1]]) {
			kept = append(kept, i)
		}
	}
	return kept, len(list) - len(kept)
}

// rootDoubts warns of sentences that hang from the root by more than one token.
func (s *Sentences) rootDoubts(part string) []string {
	if s.Heads == nil {
		return nil
	}
	several := 0
	for i := range s.Len() {
		roots := 0
		for _, h := range s.Heads[s.Start[i]:s.Start[i+1]] {
			if h == 0 {
				roots++
			}
		}
		if roots > 1 {
			several++
		}
	}
	if several == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d %s sentences have several roots", several, s.Len(), part)}
}
