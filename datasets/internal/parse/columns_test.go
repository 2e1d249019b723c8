package parse

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

// readColumns reads the sentences of a text whose fields have the given names.
func readColumns(names, text string, comments bool) (*datasets.Sentences, error) {
	c := NewSentenceReader(strings.Fields(names), comments)
	err := c.Read("f", strings.NewReader(text))
	return &c.All, err
}

func TestColumns(t *testing.T) {
	long := strings.Repeat(" ", 1<<17)
	const conllu = "id word _ head"
	for _, c := range []struct {
		name, names, text string
		comments          bool
		want              string
	}{
		{"plain", "word pos", "a N\nb V\n\nc N\n\n", false, "a/N b/V | c/N"},
		{"no last blank line", "word pos", "a N\n\nc N\n", false, "a/N | c/N"},
		{"no last newline", "word pos", "a N\n\nc N", false, "a/N | c/N"},
		{"several blank lines", "word pos", "\n\na N\n\n \t\n\nc N\n\n\n", false, "a/N | c/N"},
		{"Windows line ends", "word pos", "a N\r\nb V\r\n\r\nc N\r\n", false, "a/N b/V | c/N"},
		{"byte order mark", "word", "\ufeffa\n", false, "a"},
		{"many spaces", "word pos", "  a    N  \nb  V\n", false, "a/N b/V"},
		{"tabs keep spaces", "word pos", "New York\tN\nb V\n", false, "New York/N b/V"},
		{"spaces inside tabs", "lemma pos", "a\t . \n", false, "a/ ."},
		{"space that is not ASCII", "word", "1\u00a0000\n", false, "1\u00a0000"},
		{"# is a token", "word pos", "# #\nb V\n", false, "#/# b/V"},
		{"# is a comment", "word pos", "# text\na N\n#\nb V\n", true, "a/N b/V"},
		{"comment after a space is a token", "word pos", " # N\n", true, "#/N"},
		{"beginnings of documents", "word pos", "-DOCSTART- -X- O\n\na N\n\n-DOCSTART- O\n\nb V\n", false, "a/N | b/V"},
		{"not read", "_ word _", "1 a x\n2 b y\n", false, "a b"},
		{"heads", "word head", "a 2\nb 0\n\nc 0\n", false, "a>2 b>0 | c>0"},
		{"several roots", "word head", "a 0\nb 0\n", false, "a>0 b>0"},
		{"multiword tokens and empty nodes", conllu, "# c\n1-2\tdel\t_\t_\n1\tde\t_\t2\n2\tel\t_\t0\n2.1\tx\t_\t_\n", true,
			"de>2 el>0"},
		{"a line beyond the buffer", "word pos", "a" + long + "N\nb V\n", false, "a/N b/V"},
	} {
		s, err := readColumns(c.names, c.text, c.comments)
		if err != nil || datasettest.Written(s) != c.want {
			t.Errorf("%s: %q, error %v, want %q", c.name, datasettest.Written(s), err, c.want)
			continue
		}
		datasettest.CheckSentences(t, s)
	}
}

func TestColumnFaults(t *testing.T) {
	for _, c := range []struct{ names, text, want string }{
		{"word pos chunk", "a N O\nb V\n", "f:2:3: 2 instead of 3 columns: want word pos chunk"},
		{"word pos", "a N\nb V x y\n", "f:2:5: 4 instead of 2 columns: want word pos"},
		{"word pos", "a\n", "f:1:1: 1 instead of 2 columns: want word pos"},
		{"word pos", "a\tN\t\tx\n", "f:1:5: 4 instead of 2 columns: want word pos"},
		{"word pos", "# sent_id 1\n",
			"f:1:11: 3 instead of 2 columns: want word pos; if lines that begin with # are comments, set comments: true"},
		{"word pos", "a\tN\n\tV\n", "f:2:1: column word is empty: want a text without tabs, such as _"},
		{"word pos x", "a\t\tx\n", "f:1:3: column pos is empty: want a text without tabs, such as _"},
		{"word head", "a x\n", `f:1:3: head "x" is not a whole number: want 0 for the root, or the number of a token`},
		{"word head", "a -1\n", `f:1:3: head "-1" is not a whole number: want 0 for the root, or the number of a token`},
		{"word head", "a 0\nb 3\n\n", "f:2:3: head 3: want 0 for the root, or a token from 1 to 2"},
		{"word head", "a 0\n\n\nb 1\n", "f:4:3: token 1 is its own head: want another token, or 0 for the root"},
		{"word head", "a 2\nb 1\n", "f:1:3: the sentence has no root: want head 0 for one of its tokens"},
		{"word head", "r 0\na 3\nb 2\n", "f:2:3: token 2 is in a cycle of heads: want a tree with the root 0"},
		{"id word", "1 a\n3 b\n", `f:2:1: id "3": want 2, the number of the token in its sentence`},
		{"id word", "1 a\n\n2 b\n", `f:3:1: id "2": want 1, the number of the token in its sentence`},
		{"id word", "x-y a\n", `f:1:1: id "x-y": want 1, the number of the token in its sentence`},
		{"word", "a\nb\xe9\n", "f:2:2: byte 0xe9 is not text: want a file in UTF-8"},
		{"word", "\xff\xfea\x00\n", "f:1:1: byte 0xff is not text: want a file in UTF-8"},
		{"word", "a\x00\n", "f:1:2: byte 0x00 is not text: want a file in UTF-8"},
		{"word", "\n \n", "f:2:1: no sentences: want lines of word"},
		{"word pos", "", "f:1:1: no sentences: want lines of word pos"},
		{"word pos", "-DOCSTART- O\n\n", "f:2:1: no sentences: want lines of word pos"},
	} {
		_, err := readColumns(c.names, c.text, false)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: error %v, want %s", c.text, err, c.want)
		}
	}
}

// TestColumnsRoundTrip checks that sentences are read as they were written, with tabs between columns, and also with
// spaces if no text contains a space.
func TestColumnsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		separator := rapid.SampledFrom([]string{" ", "\t", "   "}).Draw(t, "separator")
		alphabet := "abc#-_.(é本"
		if separator == "\t" {
			alphabet += " "
		}
		text := rapid.StringOfN(rapid.SampledFrom([]rune(alphabet)), 1, 4,
			-1).Filter(func(s string) bool { return strings.TrimSpace(s) == s })
		newline := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "newline")
		var file bytes.Buffer
		var want strings.Builder
		for i := range rapid.IntRange(1, 5).Draw(t, "sentences") {
			if i > 0 {
				file.WriteString(strings.Repeat(newline, rapid.IntRange(1, 2).Draw(t, "blank")))
				want.WriteString(" | ")
			}
			for k, head := range datasettest.DrawHeads(t, rapid.IntRange(1, 6).Draw(t, "tokens")) {
				word, pos := text.Draw(t, "word"), text.Draw(t, "pos")
				fmt.Fprintf(&file, "%d%s%s%s%s%s%d%s", k+1, separator, word, separator, pos, separator, head, newline)
				if k > 0 {
					want.WriteByte(' ')
				}
				fmt.Fprintf(&want, "%s/%s>%d", word, pos, head)
			}
		}
		s, err := readColumns("id word pos head", file.String(), true)
		if err != nil || datasettest.Written(s) != want.String() {
			t.Fatalf("%q\nread as %q, %v\nwant %q", file.String(), datasettest.Written(s), err, want.String())
		}
	})
}

// TestColumnsTakeAnyBytes checks that for any bytes the reader returns valid sentences, or an error that contains its
// position.
func TestColumnsTakeAnyBytes(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "1", "2", "0", "3", "1-2", "#", " ", "\t", "\n", "\n\n", "\r", "\x00", "\xff",
		"é", "9999999999"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "text"), "")
		if rapid.Bool().Draw(t, "bytes") {
			text = string(rapid.SliceOf(rapid.Byte()).Draw(t, "text"))
		}
		names := rapid.SampledFrom([]string{"word", "word head", "id word head", "word _ head pos"}).Draw(t, "names")
		s, err := readColumns(names, text, rapid.Bool().Draw(t, "comments"))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("%q: error %v, want one with a position", text, err)
			}
			return
		}
		if token, what := wrongSentence(s); token > 0 {
			t.Fatalf("%q: token %d: %s", text, token, what)
		}
	})
}

// wrongSentence searches for a sentence that is empty or whose heads do not form a tree. It returns a token of this
// sentence and a description of the fault.
func wrongSentence(s *datasets.Sentences) (token int, what string) {
	for i := range s.Len() {
		if s.Start[i+1] <= s.Start[i] {
			return s.Start[i] + 1, "an empty sentence"
		}
		if s.Heads == nil {
			continue
		}
		if token, what := datasets.HeadFault(s.Heads[s.Start[i]:s.Start[i+1]]); token > 0 {
			return s.Start[i] + token, what
		}
	}
	if len(s.Columns[0].ID) != s.Start[s.Len()] {
		return s.Start[s.Len()], "tokens outside of sentences"
	}
	return 0, ""
}
