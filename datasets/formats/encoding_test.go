package formats

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/datasets/internal/storetest"
)

// encodings returns the encodings that the tests use, by their IANA names.
func encodings() map[string]encoding.Encoding {
	return map[string]encoding.Encoding{
		"ISO-8859-1":   charmap.ISO8859_1,
		"windows-1252": charmap.Windows1252,
		"UTF-16":       unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), // with a byte order mark, as Windows writes it
		"UTF-16BE":     unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	}
}

// inEncoding returns a loader for each format. The key of a loader is an example text in its format. The loaders read
// the files at path and validation in the encoding with the given name.
func inEncoding(path string, validation Held, name string) map[string]datasets.Streamer {
	return map[string]datasets.Streamer{
		"años N 2\nVámonos V 0\n\nfin N 0\n": CoNLL{Path: path, Validation: validation, Columns: "word pos head",
			Encoding: name},
		"1\tVámonos\tir\tV\tv\t_\t0\troot\t_\t_\n2\tseñor\tseñor\tN\tn\t_\t1\tvoc\t_\t_\n": CoNLLU{Path: path,
			Validation: validation, Encoding: name},
		"(S (NP (N señor)) (VP (V está)))\n(S (NP (N él)))\n": PTB{Path: path, Validation: validation, Encoding: name},
		"sí 1:1 2:0.5\nno 1:2 # quizás\nsí 2:1\n":             LIBSVM{Path: path, Validation: validation, Encoding: name},
	}
}

// TestEncoding checks that a file in another encoding gives the same data as in UTF-8, and that a stream writes in the
// encoding that it reads.
func TestEncoding(t *testing.T) {
	dir := t.TempDir()
	for name, e := range encodings() {
		for text, plain := range inEncoding("plain", "plain", "") {
			storetest.Write(t, dir, "plain", text)
			there, err := e.NewEncoder().String(text)
			if err != nil {
				t.Fatal(err)
			}
			storetest.Write(t, dir, "there", there)
			l := inEncoding("there", "there", name)[text]
			want, got := loadOwn(t, dir, plain), loadOwn(t, dir, l)
			if datasettest.Bits(got) != datasettest.Bits(want) || got.Checksum == want.Checksum {
				t.Errorf("%T in %s: want the same data as in UTF-8, and another checksum", l, name)
			}
			target := ""
			if s, ok := want.Train.(*datasets.Sentences); ok {
				target = s.Columns[len(s.Columns)-1].Name
			}
			back := encoded(t, name, copied(t, plain, text, target))
			if got := copied(t, l, encoded(t, name, text), target); got != back {
				t.Errorf("%T in %s: the stream of %q writes %q, want %q", l, name, text, got, back)
			}
		}
	}
}

// encodingOf returns the encoding in which a stream writes. For UTF-16 this is big-endian order.
func encodingOf(name string) encoding.Encoding {
	if name == "UTF-16" {
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	}
	return encodings()[name]
}

func encoded(t *testing.T, name, text string) string {
	t.Helper()
	out, err := encodingOf(name).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// copied reads a text as a stream and returns what the stream writes if the predictions are the true values.
func copied(t *testing.T, form datasets.Form, text, target string) string {
	t.Helper()
	s, err := form.Stream("text", strings.NewReader(text), target)
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	for {
		data, err := s.Next()
		if errors.Is(err, io.EOF) {
			return string(out)
		}
		if err != nil {
			t.Fatal(err)
		}
		out = s.Append(out, data, datasets.Beside{})
	}
}

// TestWrongEncoding checks that the error for a file in another encoding names the file, the line and the key encoding.
func TestWrongEncoding(t *testing.T) {
	dir := t.TempDir()
	for text, l := range inEncoding("latin", "latin", "") {
		there, err := charmap.ISO8859_1.NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		storetest.Write(t, dir, "latin", there)
		_, err = l.Load(context.Background(), datasets.Source{Dir: dir})
		want := filepath.Join(dir, "latin") + ":1:"
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "under the key encoding") {
			t.Errorf("%T: error %v, want one that contains %s and the key encoding", l, err, want)
		}
		bad := inEncoding("latin", "", "latin-x")[text]
		var setting *datasets.SettingError
		if err := bad.(datasets.Validator).Validate(); !errors.As(err, &setting) || setting.Key != "encoding" {
			t.Errorf("%T: error of the encoding latin-x = %v, want a SettingError of encoding", bad, err)
		}
	}
}

// TestEncodedTreebank checks that the sentences of a Spanish treebank are the same when its file is in three different
// encodings.
func TestEncodedTreebank(t *testing.T) {
	folder := os.Getenv("GAPLAB_DATA")
	path := filepath.Join(folder, "spanish-cast3lb", "esp.test.gz")
	if _, err := os.Stat(path); folder == "" || err != nil {
		t.Skip("GAPLAB_DATA has no Spanish treebank")
	}
	var text string
	if _, err := (datasets.Source{}).ReadOwn(context.Background(), path, func(_ string, r io.Reader) error {
		b, err := io.ReadAll(r)
		text = string(b)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	dir, columns := t.TempDir(), "id word lemma cpos pos feats head deprel _ _"
	want := loadOwn(t, dir, CoNLL{Path: path, Columns: columns})
	for name := range encodings() {
		storetest.Write(t, dir, name, encoded(t, name, text))
		got := loadOwn(t, dir, CoNLL{Path: name, Columns: columns, Encoding: name})
		if got.Train.Len() != 563 || datasettest.Bits(got) != datasettest.Bits(want) {
			t.Errorf("%s: %d sentences; want 563, the same as in UTF-8", name, got.Train.Len())
		}
	}
}

// TestTreesWithLemmas checks that the loader reads trees whose leaves have three fields, with comments between and
// inside trees.
func TestTreesWithLemmas(t *testing.T) {
	dir := t.TempDir()
	storetest.Write(t, dir, "plain", "(S (NP (D the) (N dogs)) (VP (V run)))\n(S (V go))\n")
	storetest.Write(t, dir, "lemmas",
		"%% a corpus\n(S (NP (the D the)\n%% in a tree )\n (dogs N dog)) (VP (run V run)))\n%%\n(S (go V go))\n")
	p := PTB{Path: "lemmas", Comments: "%%", Leaf: "word tag lemma"}
	want, got := loadOwn(t, dir, PTB{Path: "plain"}), loadOwn(t, dir, p)
	if datasettest.Bits(got) != datasettest.Bits(want) {
		t.Errorf("trees with lemmas and comments = %v, want the same as without", got.Train)
	}
	seen := []string{got.Checksum}
	for _, other := range []PTB{{Path: "lemmas", Comments: "%%", Leaf: "word tag _"},
		{Path: "lemmas", Comments: "%", Leaf: "word tag lemma"}, {Path: "lemmas", Comments: "%%", Leaf: "tag word lemma"}} {
		sum := loadOwn(t, dir, other).Checksum
		if slices.Contains(seen, sum) {
			t.Errorf("%+v has the same checksum as other settings, want a different one", other)
		}
		seen = append(seen, sum)
	}
	text := "%% one\n(S (NP (the D the)) (VP (runs V run)))\nthe dog runs\n%% two\n"
	if out := copied(t, p, text, ""); out != "(S (NP (D the)) (VP (V runs)))\n( ( the) ( dog) ( runs))\n" {
		t.Errorf("written trees = %q, want leaves of a tag and a word", out)
	}
	for _, c := range []struct {
		p          PTB
		text, want string
	}{
		{p, "(S (NP (the D))", "bad:1:14: the bracket ends after \"D\": want (word TAG lemma)"},
		{p, "(S (NP (the D the x)))", "bad:1:19: \"x\" after \"the\": want (word TAG lemma)"},
		{p, "(S (NP (the D (x))))", "bad:1:15: a bracket beside \"D\": want (word TAG lemma)"},
		{p, "(S (NP (the)))", "bad:1:12: the bracket holds no word: want (word TAG lemma) or (LABEL (word TAG lemma) ...)"},
		{PTB{Leaf: "tag lemma"}, "", "dataset: leaf is \"tag lemma\": want tag and word once each, such as: tag word lemma"},
		{PTB{Leaf: "tag word word"}, "", "dataset: leaf is \"tag word word\": want tag and word once each"},
		{PTB{Leaf: " "}, "", "dataset: leaf is \" \": want tag and word once each"},
		{PTB{Comments: "(*"}, "", "dataset: comments is \"(*\": want a text that does not begin with a bracket, such as %%"},
	} {
		storetest.Write(t, dir, "bad", c.text+"\n")
		c.p.Path = "bad"
		if _, err := c.p.Load(context.Background(), datasets.Source{Dir: dir}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %s", c.text, err, c.want)
		}
	}
}
