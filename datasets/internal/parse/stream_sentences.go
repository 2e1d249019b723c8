package parse

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/datasets"
)

// SentenceStream reads the format of SentenceReader one sentence at a time, and writes the lines again with
// predictions, as SentenceStream.Append describes. The target column, which is to be predicted, may be missing in all
// lines. An unknown head may be written as _.
type SentenceStream struct {
	inPlace bool // if true, lines keep their number of fields: a predicted label replaces the target

	reader *SentenceReader // splits lines into fields
	in     Lines
	target string   // name of the column to predict
	begun  bool     // if true, a token has been read, which determines fields
	fields []string // names of the fields in the lines of this text
	places []int    // for each column of the data: its index in fields

	text  []byte     // the lines of the current sentence, and the lines between the previous sentence and this sentence
	lines []textLine // the position and the kind of each line in text
	spans []int      // for each field of each token: the bytes of text at which it begins and ends
	heads []int32
	data  datasets.Sentences
}

// textLine is one of the lines that belong to a sentence.
type textLine struct {
	number int // number of the line in the file
	end    int // byte in text at which the line ends
	kind   lineKind
}

type lineKind byte

const (
	otherLine lineKind = iota // a comment, or a blank line in front of the sentence
	tokenLine                 // a token
	docLine                   // the beginning of a document
	rangeLine                 // a multiword token or an empty node
)

// NewSentenceStream returns a stream of lines with the named fields, one of which is the target of predictions. If
// inPlace is true, lines keep their number of fields when they are written, as CoNLL-U requires.
func NewSentenceStream(path string, r io.Reader, names []string, comments, inPlace bool,
	target string) (*SentenceStream, error) {
	if !slices.Contains(names, target) || target == FieldID || target == FieldSkip {
		return nil, fmt.Errorf("%s: the column to predict, %q, is not among %s", path, target, strings.Join(names, " "))
	}
	return &SentenceStream{inPlace: inPlace, reader: NewSentenceReader(names, comments), in: NewLines(path, r),
		fields: names, target: target}, nil
}

// Fields implements datasets.Columnar.
func (s *SentenceStream) Fields() []string { return s.fields }

// Token implements datasets.Columnar.
func (s *SentenceStream) Token() []string {
	var token []string
	for _, name := range s.fields {
		switch {
		case name == FieldID:
			token = append(token, "1")
		case name == FieldHead, name == FieldSkip, name == s.target && s.inPlace:
			token = append(token, "_")
		case name != s.target:
			token = append(token, name)
		}
	}
	return token
}

// Next implements datasets.Stream.
func (s *SentenceStream) Next() (datasets.Data, error) {
	s.text, s.lines, s.spans = s.text[:0], s.lines[:0], s.spans[:0]
	for {
		line, err := s.in.ReadText()
		end := errors.Is(err, io.EOF)
		if err != nil && !end {
			return nil, err
		}
		blank := SkipSpace(line, 0) == len(line)
		switch {
		case blank && len(s.spans) > 0:
			return s.sentence()
		case end:
			return nil, io.EOF
		case blank && len(s.lines) == 0:
			continue
		}
		kind := otherLine
		if !blank && !(s.reader.comments && line[0] == '#') {
			if kind, err = s.token(line); err != nil {
				return nil, err
			}
		}
		s.text = append(s.text, line...)
		s.lines = append(s.lines, textLine{s.in.Line, len(s.text), kind})
	}
}

// begin determines whether the lines have the target column, from the number of fields of the first token.
func (s *SentenceStream) begin(fields int) {
	if fields == len(s.fields)-1 && s.target != datasets.Heads {
		s.fields = slices.DeleteFunc(slices.Clone(s.fields), func(name string) bool { return name == s.target })
	}
	for f, name := range s.fields {
		if name != FieldID && name != FieldHead && name != FieldSkip {
			s.data.Columns, s.places = append(s.data.Columns, datasets.Column{Name: name}), append(s.places, f)
		}
	}
	s.begun = true
}

// tokens returns the number of tokens in the current sentence so far.
func (s *SentenceStream) tokens() int { return len(s.spans) / max(2, 2*len(s.fields)) }

// span returns the bytes of text at which field f of token t begins and ends.
func (s *SentenceStream) span(t, f int) (begin, end int) {
	at := 2 * (t*len(s.fields) + f)
	return s.spans[at], s.spans[at+1]
}

// token checks a line, and returns the kind of the line. If the line is a token, it stores the positions of the fields
// in s.spans.
func (s *SentenceStream) token(line []byte) (lineKind, error) {
	r := s.reader
	r.cut(line)
	if string(r.field[0]) == docStart {
		return docLine, nil
	}
	optional := ""
	if !s.begun {
		s.begin(len(r.field))
		if slices.Contains(s.fields, s.target) && s.target != datasets.Heads {
			optional = fmt.Sprintf(" (%s may be absent)", s.target)
		}
	}
	if len(r.field) != len(s.fields) {
		return 0, s.in.Fault(r.at[min(len(s.fields), len(r.at)-1)], "%d instead of %d columns: want %s%s", len(r.field),
			len(s.fields), strings.Join(s.fields, " "), optional)
	}
	for f, name := range s.fields {
		text := r.field[f]
		if len(text) == 0 {
			return 0, s.in.Fault(r.at[f], "column %s is empty: want a text without tabs, such as _", name)
		}
		if name != FieldID {
			continue
		}
		if isRange(text) {
			return rangeLine, nil
		}
		if n, ok := parseIndex(text); !ok || int(n) != s.tokens()+1 {
			return 0, s.in.Fault(r.at[f], "id %q: want %d, the number of the token in its sentence", text, s.tokens()+1)
		}
	}
	for f, text := range r.field {
		begin := len(s.text) + r.at[f]
		s.spans = append(s.spans, begin, begin+len(text))
	}
	return tokenLine, nil
}

// sentence returns the current sentence, whose lines have all been read.
func (s *SentenceStream) sentence() (datasets.Data, error) {
	text, n := string(s.text), s.tokens()
	s.data.Start = append(s.data.Start[:0], 0, n)
	for k, f := range s.places {
		c := &s.data.Columns[k]
		c.ID, c.Text = c.ID[:0], c.Text[:0]
		for t := range n {
			begin, end := s.span(t, f)
			c.ID, c.Text = append(c.ID, int32(t)), append(c.Text, text[begin:end])
		}
	}
	s.data.Heads = nil
	if s.target == datasets.Heads {
		if err := s.readHeads(slices.Index(s.fields, FieldHead)); err != nil {
			return nil, err
		}
	}
	return &s.data, nil
}

// readHeads reads the heads, which are in field f. If a head is not known, the sentence gets no heads.
func (s *SentenceStream) readHeads(f int) error {
	s.heads = s.heads[:0]
	for t := range s.tokens() {
		begin, end := s.span(t, f)
		if string(s.text[begin:end]) == FieldSkip {
			return nil
		}
		head, ok := parseIndex(s.text[begin:end])
		if !ok {
			return s.fault(begin, "this head is not a whole number: want 0 for the root, the number of a token, or _ if it is "+
				"not known")
		}
		s.heads = append(s.heads, int32(head))
	}
	if t, what := datasets.HeadFault(s.heads); t > 0 {
		begin, _ := s.span(t-1, f)
		return s.fault(begin, what)
	}
	s.data.Heads = s.heads
	return nil
}

// fault returns an error with the line and the column of the byte at of s.text.
func (s *SentenceStream) fault(at int, what string) error {
	line, begin := s.lines[0], 0
	for i := 1; line.end <= at; i++ {
		line, begin = s.lines[i], line.end
	}
	return &datasets.SyntaxError{Path: s.in.Path, Line: line.number, Column: at - begin + 1, Msg: what}
}
