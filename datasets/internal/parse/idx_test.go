package parse

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/datasets/internal/shape"
)

func TestReadIDX(t *testing.T) {
	images := "\x00\x00\x08\x03\x00\x00\x00\x03\x00\x00\x00\x01\x00\x00\x00\x02abcdef"
	for _, c := range []struct {
		name, content string
		keep          int
		want, wrong   string
	}{
		{"all", images, 3, "abcdef", ""},
		{"the first two", images, 2, "abcd", ""},
		{"none", images, 0, "", ""},
		{"empty", "", 3, "", "IDX header: EOF"},
		{"header cut off", images[:10], 3, "", "IDX header: unexpected EOF"},
		{"type of signed bytes", "\x00\x00\x09" + images[3:], 3, "", "magic number is 0x00000903: want 0x00000803"},
		{"one dimension", "\x00\x00\x08\x01" + images[4:], 3, "", "magic number"},
		{"another count", "\x00\x00\x08\x03\x00\x00\x00\x04" + images[8:], 3, "", "IDX dimension 1 is 4: want 3"},
		{"huge dimension", images[:12] + "\xff\xff\xff\xff", 3, "", "IDX dimension 3 is 4294967295: want 2"},
		{"data cut off", images[:len(images)-1], 3, "", "ends after 5 bytes: want 6"},
		{"data cut off after the kept items", images[:len(images)-1], 2, "", "is 5 bytes: want 6"},
		{"data too long", images + "g", 3, "", "is 7 bytes: want 6"},
	} {
		got, err := ReadIDX("f.idx", strings.NewReader(c.content), c.keep, 3, 1, 2)
		switch {
		case c.wrong != "":
			if err == nil || !strings.Contains(err.Error(), "f.idx: ") || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s: error %v, want %q", c.name, err, c.wrong)
			}
		case err != nil || string(got) != c.want:
			t.Errorf("%s: %q, error %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestPixelRows(t *testing.T) {
	l := shape.PixelRows([]byte{0, 255, 51, 0, 0, 0}, []byte{7, 0}, 3)
	datasettest.CheckLabelled(t, l)
	index, value := l.X.Row(0)
	if !bytes.Equal([]byte{byte(index[0]), byte(index[1])}, []byte{1, 2}) || value[0] != 1 || value[1] != .2 {
		t.Errorf("row 0 has indices %v, values %v; want [1 2], [1 0.2]", index, value)
	}
	if index, _ := l.X.Row(1); len(index) != 0 || l.Classes[l.Y[0]] != "7" {
		t.Errorf("row 1 has indices %v, the class of row 0 is %q; want none and 7", index, l.Classes[l.Y[0]])
	}
}
