package parse

import (
	"io"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

func TestFindEncoding(t *testing.T) {
	for name, want := range map[string]string{
		"ISO-8859-1":   "caf\xe9 \xa4",
		"latin1":       "caf\xe9 \xa4",
		"ISO-8859-15":  "caf\xe9 \x1a", // it has € in place of ¤, so ¤ becomes the replacement \x1a
		"Windows-1252": "caf\xe9 \xa4",
		"cp1252":       "caf\xe9 \xa4", // cp1252 is a name that web pages use
		"UTF-16":       "\xfe\xff\x00c\x00a\x00f\x00\xe9\x00 \x00\xa4",
		"utf-16le":     "c\x00a\x00f\x00\xe9\x00 \x00\xa4\x00",
		"UTF-8":        "café ¤",
		"":             "café ¤",
	} {
		e, err := FindEncoding(name)
		if err != nil {
			t.Errorf("encoding %s: error = %v, want nil", name, err)
			continue
		}
		text := string(e.Encode(said("café ¤")).Append(nil, nil, datasets.Beside{}))
		if text != want {
			t.Errorf("%s writes %q, want %q", name, text, want)
		}
		back, err := io.ReadAll(e.Decode(strings.NewReader(text)))
		if err != nil || strings.Trim(string(back), "\ufeff") != strings.Replace("café ¤", "¤",
			map[bool]string{true: "\x1a", false: "¤"}[name == "ISO-8859-15"], 1) {
			t.Errorf("encoding %s: the text is read as %q, error %v; want the text that was written", name, back, err)
		}
	}
	for _, name := range []string{"latin", "\x00", "replacement", "UTF-7", strings.Repeat("x", 10_000)} {
		if e, err := FindEncoding(name); err == nil {
			t.Errorf("FindEncoding(%.20q) = %q, want an error", name, e.Name())
		}
	}
}

// said is a stream that writes every example as the same text.
type said string

func (said) Next() (datasets.Data, error) { return nil, io.EOF }
func (said) Line() int                    { return 0 }
func (s said) Append(to []byte, _ datasets.Data, _ datasets.Beside) []byte {
	return append(to, s...)
}

// TestEncodedTwice checks that a byte order mark is written only once, at the beginning of the text.
func TestEncodedTwice(t *testing.T) {
	e, err := FindEncoding("UTF-16")
	if err != nil {
		t.Fatal(err)
	}
	s := e.Encode(said("a"))
	text := s.Append(nil, nil, datasets.Beside{})
	if got := string(s.Append(text, nil, datasets.Beside{})); got != "\xfe\xff\x00a\x00a" {
		t.Errorf("two encoded examples = %q, want one byte order mark at the start", got)
	}
}

// TestBytesThatAreNoText checks that the error for bytes that are not text contains the file, the line, and the key
// encoding.
func TestBytesThatAreNoText(t *testing.T) {
	const key = ", or its encoding under the key encoding, such as ISO-8859-1"
	const other = ": is the file in another encoding?"
	for _, c := range []struct{ name, text, want string }{
		{"", "a\ncaf\xe9\n", "f:2:4: byte 0xe9 is not text: want a file in UTF-8" + key},
		{"", "\xff\xfea\x00", "f:1:1: byte 0xff is not text: want a file in UTF-8" + key},
		{"", "ab\x00", "f:1:3: byte 0x00 is not text: want a file in UTF-8" + key},
		{"ISO-8859-1", "a\nb\x00\n", "f:2:2: byte 0x00 is not text: is the file in another encoding than ISO-8859-1?"},
		{"UTF-16", "\xff\xfea\x00\n\x00b", "f:2:1: these bytes are not a character in the encoding UTF-16" + other},
		{"Shift_JIS", "a\n\n\x82\xff\n", "f:3:1: these bytes are not a character in the encoding Shift_JIS" + other},
	} {
		e, err := FindEncoding(c.name)
		if err != nil {
			t.Fatal(err)
		}
		in := NewLines("f", e.Decode(strings.NewReader(c.text)))
		for err == nil {
			_, err = in.ReadText()
		}
		if err.Error() != c.want {
			t.Errorf("%q in %s: error %v, want %s", c.text, c.name, err, c.want)
		}
	}
	in := NewLines("f", strings.NewReader("\xe9"))
	if _, err := in.ReadText(); err == nil || strings.Contains(err.Error(), "key") {
		t.Errorf("error for a text whose encoding is not a setting = %v, want one without the key", err)
	}
}
