package store

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gaplab/gaplab/datasets/internal/storetest"
)

// lzwText returns pseudo-random text: n words from a list with the given number of words, then n words from another
// list.
func lzwText(n, words int) string {
	var b strings.Builder
	random := rand.New(rand.NewPCG(1, 1))
	for _, letters := range []string{"etaoinshr", "BCDFGHJKL"} {
		list := make([]string, words)
		for i := range list {
			for range 3 + random.IntN(6) {
				list[i] += letters[random.IntN(len(letters)):][:1]
			}
		}
		for range n {
			b.WriteString(list[random.IntN(words)] + " ")
		}
	}
	return b.String()
}

// unlzw returns the decompressed content of packed.
func unlzw(packed string) (string, error) {
	z, err := newLZWReader(strings.NewReader(packed))
	if err != nil {
		return "", err
	}
	content, err := io.ReadAll(z)
	return string(content), err
}

// TestLZWOfCompress checks that files made by the program compress 4.2.4.6 are decompressed correctly.
func TestLZWOfCompress(t *testing.T) {
	for packed, want := range map[string]string{
		"1f9d90":             "",
		"1f9d906100":         "a",
		"1f9d9061020a1c2810": strings.Repeat("a", 13), // codes 97 and 257 to 260; each code is used as soon as it is defined
		"1f9d9074de80105306c41b3920dcbca10322e0c0322c0c2274485062c285": "to be or not to be, or to be or not",
	} {
		b, err := hex.DecodeString(packed)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := unlzw(string(b)); got != want || err != nil {
			t.Errorf("%s gives %q, error %v, want %q", packed, got, err, want)
		}
	}
	for _, c := range []struct{ name, want string }{
		{"b10-emptied.Z", lzwText(2000, 60)}, // -b 10: the table is emptied once
		{"b12-full.Z", lzwText(1500, 500)},   // -b 12
	} {
		packed := lzwFile(t, c.name)
		z, err := newLZWReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		if err := iotest.TestReader(z, []byte(c.want)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		z, err = newLZWReader(iotest.OneByteReader(bytes.NewReader(packed)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(iotest.OneByteReader(z)); string(got) != c.want || err != nil {
			t.Errorf("%s, byte by byte: %d bytes, error %v, want %d", c.name, len(got), err, len(c.want))
		}
	}
}

func lzwFile(t *testing.T, name string) []byte {
	t.Helper()
	packed, err := os.ReadFile(filepath.Join("testdata", "lzw", name))
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

// TestLZWWidths checks all widths of codes, full tables, emptied tables, and any bits in the rest of a group that is
// skipped.
func TestLZWWidths(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test compresses megabytes")
	}
	random := rand.New(rand.NewPCG(2, 1))
	for width := 10; width <= 16; width++ {
		noise := make([]byte, 2<<width) // random bytes need about one code each, so the table becomes full
		for i := range noise {
			noise[i] = byte(random.Uint32())
		}
		long := string(noise) + strings.Repeat("a", 100_000) + lzwText(500, 100)
		for _, f := range []storetest.LZW{{Width: width}, {Width: width, Patience: 1},
			{Width: width, Patience: 500, Padding: 1}} {
			packed := f.Pack(long)
			if got, err := unlzw(packed); got != long || err != nil {
				t.Errorf("%+v: %d bytes, error %v, want %d", f, len(got), err, len(long))
			}
		}
	}
}

func TestLZWDamage(t *testing.T) {
	cut := io.ErrUnexpectedEOF
	for _, c := range []struct {
		packed, want string
		is           error
	}{
		{"", "the file ends after 0 bytes, inside the header of 3", cut},
		{"1f9d", "the file ends after 2 bytes, inside the header of 3", cut},
		{"1f8b90", "bytes 0 and 1 are 1f8b: want 1f9d", nil},
		{"1f9d89", "byte 2 is 89: want 8a to 90 (block mode, codes of at most 10 to 16 bits)", nil},
		{"1f9d91", "byte 2 is 91: want 8a to 90", nil},
		{"1f9d10", "byte 2 is 10: want 8a to 90", nil},
		{"1f9db0", "byte 2 is b0: want 8a to 90", nil},
		{"1f9d9061", "the file ends after 4 bytes, inside a code of 9 bits", cut},
		{"1f9d906102", "the file ends after 5 bytes, inside a code of 9 bits", cut},
		{"1f9d900001", "code 256 at byte 3, while the table is empty: want 0 to 255", nil},
		{"1f9d900101", "code 257 at byte 3, while the table is empty: want 0 to 255", nil},
		{"1f9d90610402", "code 258 at byte 4: want at most 257", nil},
		{"1f9d90610002000000000000" + "0001", "code 256 at byte 12, while the table is empty", nil},
	} {
		b, err := hex.DecodeString(c.packed)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := unlzw(string(b)); err == nil || !strings.HasPrefix(err.Error(), c.want) || c.is != nil &&
			!errors.Is(err, c.is) {
			t.Errorf("%s gives %q, error %v, want %s", c.packed, got, err, c.want)
		}
	}
}

// TestLZWCutOff checks that the reader returns the beginning of the content if a file is cut off, and that it returns
// an error in at least half of the cases.
func TestLZWCutOff(t *testing.T) {
	packed, want := string(lzwFile(t, "b10-emptied.Z")), lzwText(2000, 60)
	noticed, cuts := 0, 0
	for n := 3; n < len(packed); n += 31 {
		got, err := unlzw(packed[:n])
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(want, got) || len(got) == len(want) {
			t.Fatalf("the first %d bytes give %d bytes, error %v; want the beginning of the text", n, len(got), err)
		}
		cuts++
		if err != nil {
			noticed++
		}
	}
	if noticed < cuts/2 {
		t.Errorf("cuts that gave an error = %d of %d, want at least half", noticed, cuts)
	}
	broken := errors.New("broken")
	z, err := newLZWReader(io.MultiReader(strings.NewReader(packed[:1000]), iotest.ErrReader(broken)))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := io.ReadAll(z); err != broken {
			t.Errorf("error = %v, want the error of the underlying reader", err)
		}
	}
}

func FuzzLZW(f *testing.F) {
	f.Add("\x1f\x9d\x90\x61\x02\x0a\x1c\x28\x10")
	f.Add(storetest.LZW{Width: 10, Patience: 1, Padding: 1}.Pack(lzwText(150, 100)))
	f.Fuzz(func(t *testing.T, packed string) {
		content, err := unlzw(packed)
		if err != nil || len(content) > 10_000 {
			return
		}
		form := storetest.LZW{Width: int(packed[2]) - 0x80, Patience: 2, Padding: 1}
		if again, err := unlzw(form.Pack(content)); again != content || err != nil {
			t.Errorf("%d bytes are %d bytes after compression and decompression, error %v; want the same bytes",
				len(content), len(again), err)
		}
	})
}
