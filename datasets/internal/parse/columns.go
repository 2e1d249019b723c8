package parse

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/gaplab/gaplab/datasets"
)

// Names of fields that do not become columns of the data.
const (
	FieldID   = "id"   // position of the token in its sentence, from 1; the reader checks it
	FieldHead = "head" // position of the token's head, 0 for the root
	FieldSkip = "_"    // a field that is not read
)

// docStart is the first field of the lines that begin a document in the files of CoNLL-2003. Such lines are not tokens.
const docStart = "-DOCSTART-"

// SentenceReader reads the sentences of column files, which have one token per line and blank lines between sentences:
//
//	Confidence NN B-NP
//	in         IN B-PP
//
// If a line has a tab, its fields are separated by tabs and may contain spaces; else they are separated by white space.
// Lines that begin with -DOCSTART- are skipped. If there is a field id, lines of multiword tokens (1-2) and of empty
// nodes (1.1) are skipped as well. Heads must form a tree with the root 0.
type SentenceReader struct {
	names    []string // names of the fields of a line
	comments bool     // if true, a line that begins with # is a comment, not a token

	All   datasets.Sentences // all sentences so far
	texts []*LabelTable      // distinct texts of each column
	id    int                // index of the field id in names, −1 if there is none

	field  [][]byte // fields of the current line, valid until the next line is read
	at     []int    // byte at which each field begins
	lines  []int    // line of each token of the current sentence
	headAt []int    // byte at which the head of each token of the current sentence begins
}

// NewSentenceReader returns a reader of lines whose fields have the given names.
func NewSentenceReader(names []string, comments bool) *SentenceReader {
	c := &SentenceReader{names: names, comments: comments, id: -1}
	c.All.Start = []int{0}
	for f, name := range names {
		switch name {
		case FieldID:
			c.id = f
		case FieldHead:
			c.All.Heads = []int32{}
		case FieldSkip:
		default:
			c.All.Columns = append(c.All.Columns, datasets.Column{Name: name})
			c.texts = append(c.texts, NewLabelTable())
		}
	}
	return c
}

// Read appends the sentences of one file to c.All.
func (c *SentenceReader) Read(path string, r io.Reader) error {
	in := NewLines(path, r)
	before := c.All.Len()
	for {
		line, err := in.ReadText()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch {
		case SkipSpace(line, 0) == len(line):
			err = c.end(&in)
		case c.comments && line[0] == '#':
		default:
			err = c.token(&in, line)
		}
		if err != nil {
			return err
		}
	}
	if err := c.end(&in); err != nil {
		return err
	}
	if c.All.Len() == before {
		return &datasets.SyntaxError{Path: path, Line: max(1, in.Line), Column: 1,
			Msg: "no sentences: want lines of " + strings.Join(c.names, " ")}

	}
	for k := range c.All.Columns {
		c.All.Columns[k].Text = c.texts[k].Tokens
	}
	return nil
}

// cut splits a line into its fields.
func (c *SentenceReader) cut(line []byte) {
	c.field, c.at = c.field[:0], c.at[:0]
	for len(line) > 0 && IsSpace(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	if bytes.IndexByte(line, '\t') < 0 {
		for at := SkipSpace(line, 0); at < len(line); {
			end := skipToken(line, at)
			c.field, c.at = append(c.field, line[at:end]), append(c.at, at)
			at = SkipSpace(line, end)
		}
		return
	}
	for at := 0; at <= len(line); {
		end := len(line)
		if tab := bytes.IndexByte(line[at:], '\t'); tab >= 0 {
			end = at + tab
		}
		c.field, c.at = append(c.field, line[at:end]), append(c.at, at)
		at = end + 1
	}
}

// token appends the token in the given line to the current sentence.
func (c *SentenceReader) token(in *Lines, line []byte) error {
	c.cut(line)
	if string(c.field[0]) == docStart {
		return nil
	}
	if len(c.field) != len(c.names) {
		hint := ""
		if line[0] == '#' && !c.comments {
			hint = "; if lines that begin with # are comments, set comments: true"
		}
		return in.Fault(c.at[min(len(c.names), len(c.at)-1)], "%d instead of %d columns: want %s%s",
			len(c.field), len(c.names), strings.Join(c.names, " "), hint)
	}
	if c.id >= 0 {
		number := c.field[c.id]
		if isRange(number) {
			return nil
		}
		if n, ok := parseIndex(number); !ok || int(n) != len(c.lines)+1 {
			return in.Fault(c.at[c.id], "id %q: want %d, the number of the token in its sentence", number, len(c.lines)+1)
		}
	}
	k, headAt := 0, 0
	for f, name := range c.names {
		text := c.field[f]
		if len(text) == 0 {
			return in.Fault(c.at[f], "column %s is empty: want a text without tabs, such as _", name)
		}
		switch name {
		case FieldID, FieldSkip:
		case FieldHead:
			head, ok := parseIndex(text)
			if !ok {
				return in.Fault(c.at[f], "head %q is not a whole number: want 0 for the root, or the number of a token", text)
			}
			c.All.Heads = append(c.All.Heads, int32(head))
			headAt = c.at[f]
		default:
			c.All.Columns[k].ID = append(c.All.Columns[k].ID, int32(c.texts[k].ID(text)))
			k++
		}
	}
	c.lines, c.headAt = append(c.lines, in.Line), append(c.headAt, headAt)
	return nil
}

// end ends the current sentence and checks that its heads form a tree. It does nothing if no sentence has begun.
func (c *SentenceReader) end(in *Lines) error {
	n := len(c.lines)
	if n == 0 {
		return nil
	}
	start := c.All.Start[c.All.Len()]
	if c.All.Heads != nil {
		if t, what := datasets.HeadFault(c.All.Heads[start:]); t > 0 {
			return &datasets.SyntaxError{Path: in.Path, Line: c.lines[t-1], Column: c.headAt[t-1] + 1, Msg: what}
		}
	}
	c.All.Start = append(c.All.Start, start+n)
	c.lines, c.headAt = c.lines[:0], c.headAt[:0]
	return nil
}

// isRange reports whether an id belongs to a multiword token (1-2) or to an empty node (1.1).
func isRange(id []byte) bool {
	at := bytes.IndexAny(id, "-.")
	if at < 0 {
		return false
	}
	_, first := parseIndex(id[:at])
	_, last := parseIndex(id[at+1:])
	return first && last
}
