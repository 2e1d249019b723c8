package real

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

// ocrWord is a word and its fold.
type ocrWord struct {
	fold int
	word string
}

// ocrFile returns the lines of the letters of words, as the file of the data set has them. Letter i of the file has
// the pixels of ocrLine with the number i.
func ocrFile(words []ocrWord) string {
	var text strings.Builder
	number := 0
	for _, w := range words {
		for k, letter := range w.word {
			next := fmt.Sprint(k + 2)
			if k == len(w.word)-1 {
				next = "-1"
			}
			line := ocrLine(string(letter), next, number)
			text.WriteString(strings.Replace(line, "\t0\t", fmt.Sprintf("\t%d\t", w.fold), 1))
			number++
		}
	}
	return text.String()
}

// TestTinyOCR checks which words of a file become training and validation words, and which letters and pixels they
// have. It also checks that the checksum depends on the settings. In letter i of the file, only pixel i is black.
func TestTinyOCR(t *testing.T) {
	text := ocrFile([]ocrWord{{0, "azb"}, {1, "bc"}, {1, "y"}, {2, "z"}})
	src := datasets.Source{Data: t.TempDir(), Offline: true}
	files := []datasets.File{fixture(t, src.Data, "ocr-letters/tiny.gz", text)}
	sums := map[string]bool{}
	for _, c := range []struct {
		settings                  OCRLetters
		wantTrain, wantTest       int
		train, validation, pixels string
	}{
		{OCRLetters{TrainOn: "others"}, 3, 1, "[bc y z]", "[azb]", "[3 4 5 6]"},
		{OCRLetters{TrainOn: "fold"}, 1, 3, "[azb]", "[bc y z]", "[0 1 2]"},
		{OCRLetters{Fold: 1, TrainOn: "others"}, 2, 2, "[azb z]", "[bc y]", "[0 1 2 6]"},
		{OCRLetters{TrainOn: "others", TrainWords: 2}, 3, 1, "[bc y]", "[azb]", "[3 4 5]"},
		{OCRLetters{Fold: 1, TrainOn: "others", ValidationWords: 1}, 2, 2, "[azb z]", "[bc]", "[0 1 2 6]"},
		{OCRLetters{TrainOn: "others", TrainWords: 1}, 3, 1, "[bc]", "[azb]", "[3 4]"},
		{OCRLetters{TrainOn: "others", TrainWords: 1, HeldOut: true}, 3, 1, "[bc]", "[y z]", "[3 4]"},
		{OCRLetters{TrainOn: "others", TrainWords: 1, ValidationWords: 1, HeldOut: true}, 3, 1, "[bc]", "[y]", "[3 4]"},
		{OCRLetters{TrainOn: "others", TrainWords: 2, ValidationWords: 1, HeldOut: true}, 3, 1, "[bc y]", "[z]", "[3 4 5]"},
		{OCRLetters{Fold: 1, TrainOn: "fold", TrainWords: 1, HeldOut: true}, 2, 2, "[bc]", "[y]", "[3 4]"},
		{OCRLetters{Fold: 2, TrainOn: "others", TrainWords: 1, HeldOut: true}, 3, 1, "[azb]", "[bc y]", "[0 1 2]"},
		{OCRLetters{Fold: 2, TrainOn: "fold"}, 1, 3, "[z]", "[azb bc y]", "[6]"},
		{OCRLetters{Fold: 2, TrainOn: "fold", Unseen: true}, 1, 3, "[z]", "[azb bc y]", "[6]"},
		{OCRLetters{TrainOn: "others", TrainWords: 1, HeldOut: true, Unseen: true}, 3, 1, "[bc]", "[y z]", "[3 4]"},
	} {
		set, err := c.settings.load(context.Background(), src, files, c.wantTrain, c.wantTest)
		if err != nil {
			t.Fatal(err)
		}
		datasettest.CheckSet(t, set)
		train, validation := set.Train.(*datasets.Sequences), set.Validation.(*datasets.Sequences)
		if a, b, pixels := fmt.Sprint(spelt(train)), fmt.Sprint(spelt(validation)), fmt.Sprint(train.X.Index); a !=
			c.train || b != c.validation || pixels != c.pixels {
			t.Errorf("%+v: training words %s with pixels %s, validation words %s; want %s with %s, %s", c.settings, a, pixels,
				b, c.train, c.pixels, c.validation)
		}
		if sums[set.Checksum] {
			t.Errorf("%+v: other settings have the same checksum", c.settings)
		}
		sums[set.Checksum] = true
	}
	for _, c := range []struct {
		settings    OCRLetters
		train, test int
		want        string
	}{
		{OCRLetters{TrainOn: "others"}, 4, 1, "ocr-letters: 3 training and 1 test words: want 4 and 1"},
		{OCRLetters{TrainOn: "others"}, 3, 2, "ocr-letters: 3 training and 1 test words: want 3 and 2"},
		{OCRLetters{TrainOn: "others", TrainWords: 1, ValidationWords: 1}, 2, 2,
			"ocr-letters: 3 training and 1 test words: want 2 and 2"},
		{OCRLetters{TrainOn: "others", TrainWords: 1, ValidationWords: 1, HeldOut: true}, 2, 1,
			"ocr-letters: 3 training and 1 test words: want 2 and 1"},
	} {
		_, err := c.settings.load(context.Background(), src, files, c.train, c.test)
		if err == nil || err.Error() != c.want {
			t.Errorf("%+v: error of a file with other numbers of words = %v, want %s", c.settings, err, c.want)
		}
	}
}

// spelt returns the words of s as text, by the labels of their letters.
func spelt(s *datasets.Sequences) (words []string) {
	for i := range s.Len() {
		word := ""
		for _, y := range s.Y[s.Start[i]:s.Start[i+1]] {
			word += s.Labels[y]
		}
		words = append(words, word)
	}
	return words
}

// TestOCRFaults checks the errors for texts that are not in the format of the file.
func TestOCRFaults(t *testing.T) {
	pixels := strings.Repeat("0\t", 128)
	for _, c := range []struct{ text, want string }{
		{"1\ta\t-1\t1\t1\t0\t" + pixels[:200] + "\n", "f:1:214: want 0 or 1 and then a tab for pixel 101"},
		{"1\ta\t-1\t1\t1\t0\t" + pixels + "1\n", "f:1:270: more than 128 pixels"},
		{"1\tA\t-1\t1\t1\t0\t" + pixels + "\n",
			"f:1:1: want number, letter from a to z, next, word, position, fold from 0 to 9 and 128 pixels between tabs"},
		{"1\ta\t2\t1\t1\t0\t" + pixels + "\n1\ta\t-1\t1\t1\t3\t" + pixels + "\n", "f:2:1: fold 3 inside a word of fold 0"},
		{"1\ta\t2\t1\t1\t0\t" + pixels + "\n", "f: the last word is not complete: want -1 in column 3 of its last letter"},
		{"x\n", "f:1:1: want number"},
	} {
		part := newOCRPart(0)
		err := readOCR("f", strings.NewReader(c.text), func(int) *ocrPart { return part })
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.20q: error %v, want %s", c.text, err, c.want)
		}
	}
}

// TestUnseenOCR checks that unseen leaves out exactly the validation words that are spelt like a training word, with
// their pixels, and that it refuses to leave out all of them. In letter i of the file, only pixel i is black.
func TestUnseenOCR(t *testing.T) {
	text := ocrFile([]ocrWord{{0, "ab"}, {1, "ab"}, {1, "b"}, {2, "ab"}, {2, "aba"}})
	src := datasets.Source{Data: t.TempDir(), Offline: true}
	files := []datasets.File{fixture(t, src.Data, "ocr-letters/unseen.gz", text)}
	set, err := OCRLetters{TrainOn: "fold", Unseen: true}.load(context.Background(), src, files, 1, 4)
	if err != nil {
		t.Fatal(err)
	}
	datasettest.CheckSet(t, set)
	validation := set.Validation.(*datasets.Sequences)
	if got := fmt.Sprint(spelt(validation), validation.X.Index); got != "[b aba] [4 7 8 9]" {
		t.Errorf("validation words and pixels = %s, want [b aba] [4 7 8 9]", got)
	}
	_, err = OCRLetters{TrainOn: "fold", ValidationWords: 1, Unseen: true}.load(context.Background(), src, files, 1, 4)
	if err == nil || !strings.Contains(err.Error(), "unseen") {
		t.Errorf("error = %v, want one that names unseen", err)
	}
}
