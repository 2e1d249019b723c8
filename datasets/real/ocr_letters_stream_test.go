package real

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// ocrLine returns a line in the format of the OCR letters, in which only pixel j is 1. next is the field for the next
// letter, −1 at the last letter of a word.
func ocrLine(letter, next string, j int) string {
	pixels := []byte(strings.Repeat("0\t", ocrPixels))
	pixels[2*j] = '1'
	return fmt.Sprintf("1\t%s\t%s\t1\t1\t0\t%s\n", letter, next, pixels)
}

// TestOCRStream checks that the stream returns the words of the text, and that a word has no labels if one of its
// letters is _.
func TestOCRStream(t *testing.T) {
	text := ocrLine("b", "2", 3) + ocrLine("a", "-1", 127) + ocrLine("_", "2", 0) + ocrLine("c", "-1", 5)
	s, err := OCRLetters{}.Stream("f", strings.NewReader(text), "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for {
		data, err := s.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		w := data.(*datasets.Sequences)
		got = append(got, fmt.Sprint(w.Start, w.Y, w.X.Index, w.X.Dim, len(w.Labels)))
	}
	if want := "[[0 2] [1 0] [3 127] 128 26 [0 2] [] [0 5] 128 26]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
	for text, want := range map[string]string{
		ocrLine("b", "2", 3):       "f: the last word is not complete",
		"1\tb\n":                   "f:1:1: want number, letter",
		ocrLine("b", "-1", 3)[:20]: "f:1:22: want 0 or 1 and then a tab for pixel 5",
	} {
		s, _ := OCRLetters{}.Stream("f", strings.NewReader(text), "")
		if _, err := s.Next(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

// TestConnect4Stream checks that the stream reads lines with and without the class.
func TestConnect4Stream(t *testing.T) {
	squares := strings.Repeat("b,", 41) + "x"
	for text, class := range map[string]int{squares + ",win\n": connect4Squares, squares + "\n": -1} {
		s, err := Connect4{}.Stream("f", strings.NewReader(text), "class")
		if err != nil {
			t.Fatal(err)
		}
		data, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		d := data.(*datasets.Discrete)
		if last := d.Variables[41]; d.Class != class || last.Name != "g6" || last.Values[0] != "x" || d.Len() != 1 {
			t.Errorf("%q: class = %d, last square = %+v; want the class of the test case and one row with g6 = x",
				text, d.Class, last)
		}
	}
}
