package score

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/datasets"
)

// spans counts spans by type.
type spans struct {
	of            map[string]*spanCounts // counts by type
	is, guess     string                 // true and predicted label of the previous token
	same          bool                   // a true and a predicted span of one type began at one token, and both continue
	others, spans bool                   // others: a label did not belong to a span scheme; spans: there was a true span
}

// spanCounts holds the numbers of true spans (is), of predicted spans (guess), and of spans that are both.
type spanCounts struct{ is, guess, both int }

func (c *spanCounts) add(is, guess, both int) {
	c.is, c.guess, c.both = c.is+is, c.guess+guess, c.both+both
}

func newSpans() spans {
	return spans{of: map[string]*spanCounts{}, is: datasets.Outside, guess: datasets.Outside}
}

// marked reports whether there are true spans and all labels belong to span schemes (see datasets.MarksSpan).
func (s *spans) marked() bool { return s.spans && !s.others }

func (s *spans) counts(label string) *spanCounts {
	kind := datasets.SpanType(label)
	c := s.of[kind]
	if c == nil {
		c = new(spanCounts)
		s.of[strings.Clone(kind)] = c
	}
	return c
}

// add adds the true label is and the predicted label guess of the next token.
func (s *spans) add(is, guess string) {
	if s.others = s.others || !datasets.MarksSpan(is) || !datasets.MarksSpan(guess); s.others {
		return
	}
	s.spans = s.spans || is != datasets.Outside
	ends, guessEnds := datasets.SpanEnds(s.is, is), datasets.SpanEnds(s.guess, guess)
	if s.same && ends && guessEnds {
		s.counts(s.is).both++
	}
	s.same = s.same && !ends && !guessEnds
	begins, guessBegins := datasets.SpanBegins(s.is, is), datasets.SpanBegins(s.guess, guess)
	if begins {
		s.counts(is).is++
	}
	if guessBegins {
		s.counts(guess).guess++
	}
	s.same = s.same || begins && guessBegins && datasets.SpanType(is) == datasets.SpanType(guess)
	if s.is != is {
		s.is = strings.Clone(is) // a copy, since a substring would keep the text of the whole sentence in memory
	}
	s.guess = guess
}

// lines returns the same lines as conlleval prints.
func (s *spans) lines(tokens int, accuracy float64) []string {
	var all spanCounts
	for _, c := range s.of {
		all.add(c.is, c.guess, c.both)
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

// String returns precision, recall and F1 in percent, as conlleval prints them.
func (c spanCounts) String() string {
	return fmt.Sprintf("precision: %6.2f%%; recall: %6.2f%%; FB1: %6.2f", percent(c.both, c.guess), percent(c.both, c.is),
		percent(2*c.both, c.guess+c.is))
}

// percent returns 100 a/b, and 0 if b is 0.
func percent(a, b int) float64 { return 100 * float64(a) / float64(max(1, b)) }
