package datasets

import "strings"

// Outside is the label of tokens that belong to no span.
const Outside = "O"

// MarksSpan reports whether a label belongs to the schemes BIO, IOBES or BILOU. Such a label is O, or one of the
// letters B, I, E, L, S, U followed by a hyphen and a type.
func MarksSpan(label string) bool {
	return label == Outside || len(label) > 1 && label[1] == '-' && strings.IndexByte("BIELSU", label[0]) >= 0
}

// SpanBegins reports whether a span begins at the label now, which follows the label before, by the rules of conlleval.
// S and U are spans of one token, and L means the same as E. A span begins at each B, S and U. It also begins at an I
// or E that follows O, E, S, U or a label of another type.
func SpanBegins(before, now string) bool {
	return now != Outside && (strings.IndexByte("BSU", now[0]) >= 0 || strings.IndexByte("OELSU", before[0]) >= 0 ||
		SpanType(before) != SpanType(now))
}

// SpanEnds reports whether a span ends at the label before, which the label now follows.
func SpanEnds(before, now string) bool {
	return before != Outside && (now == Outside || SpanBegins(before, now))
}

// SpanType returns the type of a label, such as NP for B-NP and I-NP.
func SpanType(label string) string { return label[min(2, len(label)):] }
