package datasets

import "strings"

// Outside is the label of tokens in no span.
const Outside = "O"

// MarksSpan says whether a label is one of BIO, IOBES or BILOU: O, or one of B, I, E, L, S, U with a hyphen and a type.
func MarksSpan(label string) bool {
	return label == Outside || len(label) > 1 && label[1] == '-' && strings.IndexByte("BIELSU", label[0]) >= 0
}

// SpanBegins says whether a span begins at a label behind another one, by the rules of conlleval: at B, at I or E
// behind O or behind a span of another type, and behind E. L is as E; S and U are spans of one token.
func SpanBegins(before, now string) bool {
	return now != Outside && (strings.IndexByte("BSU", now[0]) >= 0 || strings.IndexByte("OELSU", before[0]) >= 0 ||
		SpanType(before) != SpanType(now))
}

// SpanEnds says whether a span ends in front of a label.
func SpanEnds(before, now string) bool {
	return before != Outside && (now == Outside || SpanBegins(before, now))
}

// SpanType is NP of B-NP and I-NP.
func SpanType(label string) string { return label[min(2, len(label)):] }
