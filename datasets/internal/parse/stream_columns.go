package parse

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
)

// Line implements datasets.Stream.
func (s *SentenceStream) Line() int { return s.lines[0].number }

// Append implements datasets.Stream. It writes the lines of the sentence and a blank line. A predicted head replaces
// the head in the line, and _ the fields that describe the old head (see outdated). A predicted label is written in an
// additional column, as taggers commonly do. If s.inPlace is true, the label replaces the text in the target column.
// The score is written as a comment before the first token. A probability is written in an additional column. If
// s.inPlace is true, the probability is written in the last column, for example as Probability=0.9. Cells are written
// in additional columns, and the names of all columns in a comment if beside asks for them: a file in CoNLL-U becomes
// one in CoNLL-U Plus.
func (s *SentenceStream) Append(to []byte, predicted datasets.Data, beside datasets.Beside) []byte {
	p := predicted.(*datasets.Sentences)
	var labels *datasets.Column
	at := slices.Index(s.fields, s.target)
	if s.target != datasets.Heads {
		labels, _ = p.Column(s.target)
		if !s.inPlace {
			at = len(s.fields)
		}
	}
	more := 0 // number of columns that are appended to the lines
	if at == len(s.fields) {
		more++
	}
	if beside.Marginals != nil && !s.inPlace {
		more++
	}
	more += len(beside.Columns)
	if beside.Header {
		to = s.appendNames(to, at, beside)
	}
	begin, t := 0, 0
	for _, line := range s.lines {
		text := s.text[begin:line.end]
		if more > 0 && line.kind != otherLine {
			text = bytes.TrimRight(text, " \t")
		}
		switch line.kind {
		case otherLine:
			to = append(to, text...)
		case docLine:
			to = further(append(to, text...), text, more, "O")
		case rangeLine:
			to = further(append(to, text...), text, more, "_")
		case tokenLine:
			if t == 0 && beside.Score != nil {
				to = strconv.AppendFloat(append(to, "# score = "...), *beside.Score, 'g', 10, 64)
				to = append(to, '\n')
			}
			to = s.appendToken(to, text, begin, t, at, prediction(p, labels, t), beside.Marginals)
			for _, cell := range beside.CellsAt(t) {
				to = further(to, text, 1, cell)
			}
			t++
		}
		to, begin = append(to, '\n'), line.end
	}
	return append(to, '\n')
}

// appendNames appends a comment with the names of all columns, as in the first line of a file in CoNLL-U Plus. The
// predictions are in the column with the index at.
func (s *SentenceStream) appendNames(to []byte, at int, beside datasets.Beside) []byte {
	names := slices.Clone(s.fields)
	if s.inPlace && len(names) == len(universal()) {
		names = universal()
	}
	if at == len(s.fields) {
		names = append(names, "predicted")
	}
	if beside.Marginals != nil && !s.inPlace {
		names = append(names, "marginal")
	}
	to = append(to, "# global.columns ="...)
	for _, name := range append(names, beside.Columns...) {
		to = append(append(to, ' '), name...)
	}
	return append(to, '\n')
}

// universal returns the names of the ten columns of CoNLL-U in files in CoNLL-U Plus.
func universal() []string {
	return []string{"ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"}
}

// prediction returns the predicted label of token t, or the predicted head if labels is nil.
func prediction(p *datasets.Sentences, labels *datasets.Column, t int) string {
	if labels == nil {
		return strconv.Itoa(int(p.Heads[t]))
	}
	return labels.Text[labels.ID[t]]
}

// appendToken appends the line of token t with the prediction of the token: label becomes the field with the index at.
// The line begins at byte begin of s.text.
func (s *SentenceStream) appendToken(to, line []byte, begin, t, at int, label string, marginals []float64) []byte {
	copied := 0 // number of bytes of line that are in the buffer or replaced
	for f := range s.fields {
		text := label
		if s.outdated(f) {
			text = FieldSkip
		} else if f != at {
			continue
		}
		from, end := s.span(t, f)
		to = append(append(to, line[copied:from-begin]...), text...)
		copied = end - begin
	}
	to = append(to, line[copied:]...)
	if at == len(s.fields) {
		to = further(to, line, 1, label)
	}
	if marginals == nil {
		return to
	}
	probability := strconv.FormatFloat(marginals[t], 'f', 6, 64)
	if !s.inPlace {
		return further(to, line, 1, probability)
	}
	last := len(s.fields) - 1
	if from, end := s.span(t, last); s.outdated(last) || string(s.text[from:end]) == FieldSkip {
		to = to[:len(to)-1]
	} else {
		to = append(to, '|')
	}
	return append(append(to, "Probability="...), probability...)
}

// outdated reports whether a field describes the arc to the old head, so that it is wrong beside a predicted head:
// DEPREL, and after it DEPS in CoNLL-U or PHEAD in CoNLL-X. The text _ replaces it, since no model predicts it.
func (s *SentenceStream) outdated(f int) bool {
	if s.target != datasets.Heads {
		return false
	}
	standard := len(s.fields) == len(universal()) && s.fields[6] == FieldHead
	return s.fields[f] == "deprel" || standard && (f == 7 || f == 8)
}

// further appends n additional columns with the given text to the buffer to. It uses the separator of the columns in
// line.
func further(to, line []byte, n int, text string) []byte {
	separator := byte(' ')
	if bytes.IndexByte(line, '\t') >= 0 {
		separator = '\t'
	}
	for range n {
		to = append(append(to, separator), text...)
	}
	return to
}
