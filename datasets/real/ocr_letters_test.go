package real

import (
	"strings"
	"testing"
)

// A file of the catalogue's name may hold anything.
func TestOCRFaults(t *testing.T) {
	pixels := strings.Repeat("0\t", 128)
	for _, c := range []struct{ text, want string }{
		{"1\ta\t-1\t1\t1\t0\t" + pixels[:200] + "\n", "f:1:214: want 0 or 1 for pixel 101, and a tab behind it"},
		{"1\ta\t-1\t1\t1\t0\t" + pixels + "1\n", "f:1:270: more than 128 pixels"},
		{"1\tA\t-1\t1\t1\t0\t" + pixels + "\n",
			"f:1:1: want number, letter from a to z, next, word, position, fold from 0 to 9 and 128 pixels between tabs"},
		{"1\ta\t2\t1\t1\t0\t" + pixels + "\n1\ta\t-1\t1\t1\t3\t" + pixels + "\n", "f:2:1: fold 3 inside a word of fold 0"},
		{"1\ta\t2\t1\t1\t0\t" + pixels + "\n", "f: the last word has no end: want -1 in column 3 of its last letter"},
		{"x\n", "f:1:1: want number"},
	} {
		part := newOCRPart(0)
		err := readOCR("f", strings.NewReader(c.text), func(int) *ocrPart { return part })
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.20q: %v: want %s", c.text, err, c.want)
		}
	}
}
