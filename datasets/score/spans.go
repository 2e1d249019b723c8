package score

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// outside is the label of tokens in no span.
const outside = "O"

// MarksSpan says whether a label is one of BIO, IOBES or BILOU: O, or one of B, I, E, L, S, U with a hyphen and a type.
func MarksSpan(label string) bool {
	return label == outside || len(label) > 1 && label[1] == '-' && strings.IndexByte("BIELSU", label[0]) >= 0
}

// SpanBegins says whether a span begins at a label behind another one, by the rules of conlleval: at B, at I or E
// behind O or behind a span of another type, and behind E. L is as E; S and U are spans of one token.
func SpanBegins(before, now string) bool {
	return now != outside && (strings.IndexByte("BSU", now[0]) >= 0 || strings.IndexByte("OELSU", before[0]) >= 0 ||
		SpanType(before) != SpanType(now))
}

// SpanEnds says whether a span ends in front of a label.
func SpanEnds(before, now string) bool {
	return before != outside && (now == outside || SpanBegins(before, now))
}

// SpanType is NP of B-NP and I-NP.
func SpanType(label string) string { return label[min(2, len(label)):] }

// spans counts spans by type.
type spans struct {
	of            map[string]*spanCounts
	is, guess     string // the labels before
	same          bool   // the present spans began together, with one type
	others, spans bool   // labels that mark no spans were there; some span was
}

// spanCounts are numbers of spans: true ones, predicted ones, and those that are both.
type spanCounts struct{ is, guess, both int }

func newSpans() spans { return spans{of: map[string]*spanCounts{}, is: outside, guess: outside} }

// marked says whether all labels mark spans.
func (s *spans) marked() bool { return s.spans && !s.others }

func (s *spans) counts(label string) *spanCounts {
	kind := SpanType(label)
	c := s.of[kind]
	if c == nil {
		c = new(spanCounts)
		s.of[strings.Clone(kind)] = c
	}
	return c
}

// add adds the labels of the next token.
func (s *spans) add(is, guess string) {
	if s.others = s.others || !MarksSpan(is) || !MarksSpan(guess); s.others {
		return
	}
	s.spans = s.spans || is != outside
	ends, guessEnds := SpanEnds(s.is, is), SpanEnds(s.guess, guess)
	if s.same && ends && guessEnds {
		s.counts(s.is).both++
	}
	s.same = s.same && !ends && !guessEnds
	begins, guessBegins := SpanBegins(s.is, is), SpanBegins(s.guess, guess)
	if begins {
		s.counts(is).is++
	}
	if guessBegins {
		s.counts(guess).guess++
	}
	s.same = s.same || begins && guessBegins && SpanType(is) == SpanType(guess)
	s.is, s.guess = strings.Clone(is), guess
}

// lines are those of conlleval.
func (s *spans) lines(tokens int, accuracy float64) []string {
	var all spanCounts
	for _, c := range s.of {
		all.is, all.guess, all.both = all.is+c.is, all.guess+c.guess, all.both+c.both
	}
	out := []string{
		fmt.Sprintf("processed %d tokens with %d phrases; found: %d phrases; correct: %d.", tokens, all.is, all.guess,
			all.both),
		fmt.Sprintf("accuracy: %6.2f%%; %s", accuracy, all),
	}
	for _, kind := range slices.Sorted(maps.Keys(s.of)) {
		c := s.of[kind]
		out = append(out, fmt.Sprintf("%17s: %s  %d", kind, c, c.guess))
	}
	return out
}

// String is precision, recall and F1, in percent.
func (c spanCounts) String() string {
	return fmt.Sprintf("precision: %6.2f%%; recall: %6.2f%%; FB1: %6.2f", percent(c.both, c.guess), percent(c.both, c.is),
		percent(2*c.both, c.guess+c.is))
}

// percent is 100 a/b, and 0 of nothing.
func percent(a, b int) float64 { return 100 * float64(a) / float64(max(1, b)) }
