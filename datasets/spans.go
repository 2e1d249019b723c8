package datasets

import "strings"

// Outside is the label of tokens in no span.
const Outside = "O"

// MarksSpan reports whether a label is one of BIO, IOBES or BILOU: O, or one of B, I, E, L, S, U with a hyphen and a
// type.
func MarksSpan(label string) bool {
	return label == Outside || len(label) > 1 && label[1] == '-' && strings.IndexByte("BIELSU", label[0]) >= 0
}

// SpanBegins reports whether a span begins at the label now, which follows the label before, by the rules of conlleval.
// A span begins at B; at I or E after O, after E or after a span of another type. L means the same as E; S and U are
// spans of one token.
func SpanBegins(before, now string) bool {
	return now != Outside && (strings.IndexByte("BSU", now[0]) >= 0 || strings.IndexByte("OELSU", before[0]) >= 0 ||
		SpanType(before) != SpanType(now))
}

// SpanEnds reports whether a span ends between two neighbouring labels.
func SpanEnds(before, now string) bool {
	return before != Outside && (now == Outside || SpanBegins(before, now))
}

// SpanType returns the type of a label: NP for B-NP and I-NP.
func SpanType(label string) string { return label[min(2, len(label)):] }
