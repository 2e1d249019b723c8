package real

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// FuzzOCRLetters checks that no text causes a panic in the reader of whole files or in the stream, that an error
// contains the path of the file, and that the reader and the stream read the same number of words.
func FuzzOCRLetters(f *testing.F) {
	line := func(number, letter, next, fold string) string {
		return number + "\t" + letter + "\t" + next + "\t1\t1\t" + fold + "\t" + strings.Repeat("0\t1\t", ocrPixels/2) + "\n"
	}
	f.Add([]byte(line("1", "a", "2", "3") + line("2", "b", "-1", "3") + line("3", "z", "-1", "9")))
	f.Add([]byte(line("1", "_", "-1", "0") + line("2", "b", "3", "0")))
	f.Fuzz(func(t *testing.T, text []byte) {
		named := func(err error) {
			if err != nil && !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("error %q does not name the file", err)
			}
		}
		part := newOCRPart(0)
		readErr := readOCR("f", bytes.NewReader(text), func(int) *ocrPart { return part })
		named(readErr)
		if n := part.X.N; readErr == nil && (len(part.Y) != n || part.Start[len(part.Start)-1] != n) {
			t.Fatalf("%d letters, %d labels, offsets of words %v; want one label per letter, and their number as last offset",
				n, len(part.Y), part.Start)
		}
		s, err := OCRLetters{}.Stream("f", bytes.NewReader(text), "")
		if err != nil {
			t.Fatal(err)
		}
		words := 0
		for {
			data, err := s.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				named(err)
				return
			}
			s.Append(nil, data.(*datasets.Sequences), datasets.Beside{})
			words++
		}
		if readErr == nil && words != part.words {
			t.Fatalf("words of readOCR = %d, of the stream = %d; want the same number", part.words, words)
		}
	})
}
