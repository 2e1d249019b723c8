package real

import (
	"io"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// Stream implements datasets.Streamer, for files in the same format. In these files, _ means an unknown letter. The
// stream writes one predicted letter per line, and a blank line after each word.
func (OCRLetters) Stream(path string, r io.Reader, _ string) (datasets.Stream, error) {
	return &ocrStream{in: ocrReader{Lines: parse.NewLines(path, r), unknown: true}}, nil
}

// ocrStream reads words one at a time.
type ocrStream struct{ in ocrReader }

// Next implements datasets.Stream.
func (s *ocrStream) Next() (datasets.Data, error) {
	word, unknown := newOCRPart(0), false
	for {
		if err := s.in.next(); err != nil {
			return nil, err
		}
		if err := word.letter(&s.in.Lines, s.in.letter, s.in.pixels, s.in.at); err != nil {
			return nil, err
		}
		unknown = unknown || s.in.letter == '_'
		if s.in.inside {
			continue
		}
		if word.Start = append(word.Start, word.X.N); unknown {
			word.Y = nil
		}
		return &word.Sequences, nil
	}
}

// Line implements datasets.Stream. It returns the line of the word's last letter.
func (s *ocrStream) Line() int { return s.in.Line }

// Append implements datasets.Stream.
func (*ocrStream) Append(to []byte, predicted datasets.Data, beside datasets.Beside) []byte {
	return parse.AppendSequence(to, predicted.(*datasets.Sequences), beside)
}
