package parse

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/datasets"
)

// TreeStream reads bracketed trees or sentences one at a time. A line that does not begin with a bracket is a sentence.
// For each tree or sentence, the stream writes one line: the predicted tree, then the score if it is given. If parsing
// a sentence failed, the line is (()), as EVALB expects. The stream does not write comments. Brackets in the words of a
// sentence become -LRB- and -RRB-.
type TreeStream struct {
	reader *TreeReader
	in     Lines
	data   datasets.Treebank
}

// NewTreeStream returns a stream of trees of any length.
func NewTreeStream(path string, r io.Reader, form TreeForm) *TreeStream {
	return &TreeStream{reader: NewTreeReader(0, form), in: NewLines(path, r)}
}

// Next implements datasets.Stream. For a line of words, the result is a tree whose labels are empty.
func (s *TreeStream) Next() (datasets.Data, error) {
	r := s.reader
	for len(r.Trees) == 0 {
		line, err := s.in.ReadText()
		if errors.Is(err, io.EOF) {
			if err := r.closed(s.in.Path); err != nil {
				return nil, err
			}
			return nil, io.EOF
		}
		if err != nil {
			return nil, err
		}
		if r.comment(line) {
			continue
		}
		if len(r.open) == 0 {
			clear(r.intern)
			if at := SkipSpace(line, 0); at < len(line) && line[at] != '(' {
				r.Trees = append(r.Trees, sentence(string(line)))
				continue
			}
		}
		if err := r.line(&s.in, line); err != nil {
			return nil, err
		}
	}
	s.data.Trees = append(s.data.Trees[:0], r.Trees[0])
	r.Trees = r.Trees[:copy(r.Trees, r.Trees[1:])]
	return &s.data, nil
}

func sentence(line string) *datasets.Tree {
	t := &datasets.Tree{}
	brackets := strings.NewReplacer("(", "-LRB-", ")", "-RRB-")
	for word := range strings.FieldsSeq(line) {
		t.Children = append(t.Children, &datasets.Tree{Word: brackets.Replace(word)})
	}
	return t
}

// Line implements datasets.Stream. It returns the line on which the tree ends.
func (s *TreeStream) Line() int { return s.in.Line }

// Append implements datasets.Stream.
func (s *TreeStream) Append(to []byte, predicted datasets.Data, beside datasets.Beside) []byte {
	to = predicted.(*datasets.Treebank).Trees[0].Append(to)
	if beside.Score != nil {
		to = strconv.AppendFloat(append(to, '\t'), *beside.Score, 'g', 10, 64)
	}
	return append(to, '\n')
}
