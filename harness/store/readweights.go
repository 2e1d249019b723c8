package store

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"regexp"

	"github.com/gaplab/gaplab/datasets"
)

// Limits in bytes on the length of the first line of a weights file. In the current format, this line is short. In
// earlier formats, it also contains the vocabulary and perhaps the weights.
const (
	longestHead  = 1 << 20
	longestFirst = 1 << 28
)

var (
	anyFormat = regexp.MustCompile(`^\s*\{\s*"format"\s*:\s*"(gaplab-weights/[0-9]+)"`)
	errLong   = errors.New("it is longer than its head declares")
)

// weightsFile reads the content of a weights file piece by piece.
type weightsFile struct {
	path string
	in   *bufio.Reader // the decompressed content
	sum  hash.Hash     // hash of what has been read so far
}

// unzip begins to decompress a weights file. Errors name it by path.
func unzip(file io.Reader, path string) (*weightsFile, error) {
	z, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: not a weights file of gaplab (want gzip of JSON): %w", path, err)
	}
	return &weightsFile{path: path, in: bufio.NewReaderSize(z, 1<<16), sum: sha256.New()}, nil
}

// damaged returns an error that wraps err and names the file as damaged.
func (f *weightsFile) damaged(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%s: damaged weights file: %w", f.path, err)
}

// next returns the next n bytes. Its memory is proportional to the number of bytes in the file, even if n is larger.
func (f *weightsFile) next(n int) ([]byte, error) {
	var out bytes.Buffer
	if n < 0 {
		return nil, fmt.Errorf("a section of the file claims a length of %d bytes: want 0 or more", n)
	}
	out.Grow(min(n, 1<<25) + bytes.MinRead) // ReadFrom needs free room at the end
	_, err := io.CopyN(&out, f.in, int64(n))
	f.sum.Write(out.Bytes())
	return out.Bytes(), err
}

// end returns an error unless the whole file has been read. It makes gzip verify its checksum.
func (f *weightsFile) end() error {
	switch _, err := f.in.ReadByte(); err {
	case io.EOF:
		return nil
	case nil:
		return errLong
	default:
		return err
	}
}

// line returns the first line with its newline, which may be missing in earlier formats. If the line does not begin as
// in a weights file, line returns an error before it reads much.
func (f *weightsFile) line() ([]byte, error) {
	begin, err := f.in.Peek(256)
	if err != nil && err != io.EOF {
		return nil, f.damaged(err)
	}
	format := anyFormat.FindSubmatch(begin)
	if format == nil {
		return nil, f.damaged(errors.New("want the name of the format at its beginning, such as " + WeightsFormat))
	}
	longest := longestFirst
	switch string(format[1]) {
	case WeightsFormat:
		longest = longestHead
	case weightsFirst, weightsSecond, weightsThird:
	default:
		return nil, fmt.Errorf("%s: its format is %q, but this program reads %s: is the file from a newer gaplab?", f.path,
			format[1], WeightsFormat)
	}
	var line []byte
	for {
		part, err := f.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > longest:
			return nil, f.damaged(fmt.Errorf("its first line has more than %d bytes", longest))
		case err == nil || err == io.EOF:
			f.sum.Write(line)
			return line, nil
		case err != bufio.ErrBufferFull:
			return nil, f.damaged(err)
		}
	}
}

// head reads the first line and decodes it.
func (f *weightsFile) head() (*Weights, error) {
	line, err := f.line()
	if err != nil {
		return nil, err
	}
	var w struct {
		Weights
		Features int      `json:"features"` // only in the second format, like Classes
		Classes  []string `json:"classes"`
	}
	if err := json.Unmarshal(line, &w); err != nil {
		return nil, f.damaged(err)
	}
	if w.Format == weightsSecond && w.Features > 0 {
		w.Kind = (*datasets.Labelled)(nil).Kind()
		w.Vocabulary, err = json.Marshal(map[string]any{"features": w.Features, "classes": w.Classes})
	}
	return &w.Weights, err
}

func readWeights(file io.Reader, path string) (*Weights, error) {
	f, err := unzip(file, path)
	if err != nil {
		return nil, err
	}
	w, err := f.head()
	if err != nil {
		return nil, err
	}
	switch w.Format {
	case WeightsFormat:
		err = f.rest(w)
	case weightsThird:
		w.W, err = f.floats(w.Dim)
	}
	if err == nil {
		err = f.end()
	}
	if err != nil {
		return nil, f.damaged(err)
	}
	return w, nil
}

// floats reads dim weights in the form of little-endian float64 values.
func (f *weightsFile) floats(dim int) ([]float64, error) {
	if dim < 0 || dim > math.MaxInt/8 {
		return nil, fmt.Errorf("the file declares %d weights; want a number from 0 that fits in memory", dim)
	}
	text, err := f.next(8 * dim)
	if err != nil {
		return nil, fmt.Errorf("%d bytes of weights, want 8 for each of %d: %w", len(text), dim, err)
	}
	w := make([]float64, dim)
	for j := range w {
		w[j] = math.Float64frombits(binary.LittleEndian.Uint64(text[8*j:]))
	}
	return w, finite(w)
}

// rest reads everything after the first line of the current format, and compares it with the digest at the end of the
// file.
func (f *weightsFile) rest(w *Weights) error {
	vocabulary, err := f.next(w.Lengths[0])
	if err != nil {
		return fmt.Errorf("vocabulary: %w", err)
	}
	if err := w.readVocabulary(vocabulary); err != nil {
		return err
	}
	if w.Step == 0 {
		w.W, err = f.floats(w.Dim)
	} else {
		w.W, err = f.multiples(w)
	}
	if err != nil {
		return err
	}
	want := f.sum.Sum(nil)
	switch got, err := f.next(len(want)); {
	case err != nil:
		return fmt.Errorf("digest: %w", err)
	case !bytes.Equal(got, want):
		return errors.New("its content differs from its digest")
	}
	return nil
}

// readVocabulary reads the lines of the vocabulary, the scaling and the table.
func (w *Weights) readVocabulary(lines []byte) error {
	newline := []byte("\n")
	var scaling, table []byte
	w.Vocabulary, scaling, _ = bytes.Cut(lines, newline)
	scaling, table, _ = bytes.Cut(scaling, newline)
	if len(scaling) > 0 {
		if err := json.Unmarshal(scaling, &w.Scaling); err != nil {
			return fmt.Errorf("scaling: %w", err)
		}
		if err := w.Scaling.Check(); err != nil {
			return err
		}
	}
	if len(table) > 0 {
		if err := json.Unmarshal(table, &w.Table); err != nil {
			return fmt.Errorf("table: %w", err)
		}
		return w.Table.Check()
	}
	return nil
}

// multiples reads weights that were stored as multiples of a step.
func (f *weightsFile) multiples(w *Weights) ([]float64, error) {
	n := w.Lengths[1]
	if w.Dim < 0 || w.Dim/(zeroRun/2) > n { // also if n is negative
		return nil, fmt.Errorf("%d bytes are too few for %d weights", n, w.Dim)
	}
	text, err := f.next(n)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	return decode(text, w.Dim, w.Step)
}
