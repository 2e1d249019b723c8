package parse

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
)

// SequenceStream reads sequences of rows one at a time, in the format of SVM-HMM, with or without labels:
//
//	label qid:number index:value index:value ...   # comment
//
// A sequence ends at a blank line, and also when qid changes. AppendSequence describes how the predicted labels of a
// sequence are written.
type SequenceStream struct {
	rows    *rowScanner
	pending bool   // if true, the last row that was read begins the next sequence
	qid     []byte // qid of the current sequence
	begin   int    // line at which the current sequence begins
	data    datasets.Sequences
}

// NewSequenceStream returns a stream of sequences whose indices count from 1.
func NewSequenceStream(path string, r io.Reader) *SequenceStream {
	rows := newRowScanner(path, r, false)
	rows.unlabelled, rows.grouped = true, true
	return &SequenceStream{rows: rows}
}

// Next implements datasets.Stream.
func (s *SequenceStream) Next() (datasets.Data, error) {
	d := &s.data
	d.X = datasets.Rows{Start: append(d.X.Start[:0], 0), Index: d.X.Index[:0], Value: d.X.Value[:0]}
	if d.X.Index == nil { // a sequence without features: Index must not be nil, which would mean dense rows
		d.X.Index = []int32{}
	}
	d.Y, d.Labels = d.Y[:0], d.Labels[:0]
	if s.pending {
		s.keep()
	} else {
		s.rows.dim = 0
	}
	for {
		kind, err := s.rows.step()
		switch {
		case errors.Is(err, io.EOF) && d.X.N == 0:
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			return s.sequence(), nil
		case err != nil:
			return nil, err
		case kind == blankLine && d.X.N > 0:
			return s.sequence(), nil
		case kind != rowLine:
			continue
		case d.X.N > 0 && !bytes.Equal(s.rows.qid, s.qid):
			s.pending = true
			return s.sequence(), nil
		}
		s.keep()
	}
}

// keep appends the current row of the scanner to the current sequence.
func (s *SequenceStream) keep() {
	x := &s.data.X
	if s.pending || x.N == 0 {
		s.qid, s.begin = append(s.qid[:0], s.rows.qid...), s.rows.Line
	}
	s.pending = false
	x.Index, x.Value = append(x.Index, s.rows.index...), append(x.Value, s.rows.value...)
	x.N++
	x.Start = append(x.Start, len(x.Index))
	if len(s.rows.label) > 0 {
		s.data.Y = append(s.data.Y, len(s.data.Y))
		s.data.Labels = append(s.data.Labels, string(s.rows.label))
	}
}

// sequence returns the current sequence, whose rows have all been read. The sequence has labels if each of its rows has
// a label.
func (s *SequenceStream) sequence() datasets.Data {
	d := &s.data
	d.X.Dim = s.rows.dim
	d.Start = append(d.Start[:0], 0, d.X.N)
	if len(d.Y) < d.X.N {
		d.Y, d.Labels = d.Y[:0], d.Labels[:0]
	}
	return d
}

// Line implements datasets.Stream.
func (s *SequenceStream) Line() int { return s.begin }

// Append implements datasets.Stream.
func (*SequenceStream) Append(to []byte, predicted datasets.Data, beside datasets.Beside) []byte {
	return AppendSequence(to, predicted.(*datasets.Sequences), beside)
}

// AppendSequence appends the predictions for a sequence: a comment with the score, a line for each position with the
// label, its probability and its cells, and a blank line. Score, probabilities and cells are written if they are given,
// and the names of the columns if beside asks for them. A position without a prediction has the label ?.
func AppendSequence(to []byte, p *datasets.Sequences, beside datasets.Beside) []byte {
	header := beside
	header.Score = nil
	to = appendHeader(to, "label", header)
	if beside.Score != nil {
		to = append(strconv.AppendFloat(append(to, "# score = "...), *beside.Score, 'g', 10, 64), '\n')
	}
	for t, y := range p.Y {
		if y < len(p.Labels) {
			to = append(to, p.Labels[y]...)
		} else {
			to = append(to, '?')
		}
		own := datasets.Beside{}
		if n := len(beside.Marginals); n > 0 {
			own.Marginals = beside.Marginals[min(t, n-1):]
		}
		if t < len(beside.Cells) {
			own.Cells = beside.Cells[t:]
		}
		to = appendBeside(to, own)
	}
	return append(to, '\n')
}
