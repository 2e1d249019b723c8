package parse

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

// The fuzz targets in this file check the same properties of all readers. No text causes a panic, or needs much more
// memory than its length. An error contains the file and the position. A stream accepts every text that a reader of
// whole files accepts. A text that a stream has written can be read again, with the same result.

// drained reads the examples of a stream until the end or an error. It lets the stream write each example with the
// predictions that the function each returns for the example. It returns the written text.
func drained(t *testing.T, s datasets.Stream, each func(datasets.Data) datasets.Data) (written []byte, err error) {
	t.Helper()
	for {
		data, err := s.Next()
		if errors.Is(err, io.EOF) {
			return written, nil
		}
		if err != nil {
			named(t, err)
			return written, err
		}
		if data.Len() != 1 || s.Line() < 1 {
			t.Fatalf("Next returns %d examples at line %d, want 1 at line 1 or later", data.Len(), s.Line())
		}
		written = s.Append(written, each(data), datasets.Beside{})
	}
}

func named(t *testing.T, err error) {
	t.Helper()
	if !strings.HasPrefix(err.Error(), "f:") {
		t.Fatalf("error %q does not name the file", err)
	}
}

// formsOfSentences returns the columns of CoNLL-2000, CoNLL-X and CoNLL-U.
func formsOfSentences() [][]string {
	return [][]string{{"word", "pos", "chunk"}, {FieldID, "word", FieldHead, "pos"},
		{FieldID, "word", "lemma", "upos", "xpos", FieldSkip, FieldHead, "deprel", FieldSkip, FieldSkip}}
}

func FuzzSentences(f *testing.F) {
	for _, s := range []string{"the DT B-NP\ncat NN I-NP\n\nruns VB O\n", "# c\na\tb c\td\n\n-DOCSTART- -X- O\n\n# d e\n",
		"1 the 2 D\n2 dog 0 N\n\n1-2 a _ b\n1 a 0 b\n", "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n1.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n"} {
		for form := range formsOfSentences() {
			f.Add([]byte(s), byte(form), true)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, form byte, comments bool) {
		names := formsOfSentences()[int(form)%len(formsOfSentences())]
		inPlace := len(names) == 10
		reader := NewSentenceReader(names, comments)
		readErr := reader.Read("f", bytes.NewReader(text))
		if readErr != nil {
			named(t, readErr)
		} else {
			datasettest.CheckSentences(t, &reader.All)
		}
		target := "pos"
		if inPlace {
			target = datasets.Heads
		}
		stream := func(text []byte) (words []string, written []byte, err error) {
			s, err := NewSentenceStream("f", bytes.NewReader(text), names, comments, inPlace, target)
			if err != nil {
				t.Fatal(err)
			}
			written, err = drained(t, s, func(data datasets.Data) datasets.Data {
				d := *data.(*datasets.Sentences)
				if target == datasets.Heads && d.Heads == nil {
					d.Heads = make([]int32, d.Start[1]) // the text has no heads: predict head 0 for each token
				}
				if _, err := d.Column(target); target != datasets.Heads && err != nil {
					d.Columns = append(slices.Clone(d.Columns), d.Columns[0]) // the text has no labels: predict the word as the label
					d.Columns[len(d.Columns)-1].Name = target
				}
				words = append(words, datasettest.Texts(t, &d, "word")...)
				return &d
			})
			return words, written, err
		}
		words, written, err := stream(text)
		if readErr == nil && (err != nil || !slices.Equal(words, datasettest.Texts(t, &reader.All, "word"))) {
			t.Fatalf("Read succeeds, but the stream has the error %v or other words: %q", err, words)
		}
		if err == nil && inPlace {
			again, twice, err := stream(written)
			if err != nil || !slices.Equal(again, words) || !bytes.Equal(twice, written) {
				t.Fatalf("%q is written as %q, which is written as %q with error %v; want no change", text, written, twice, err)
			}
		}
	})
}

func FuzzTrees(f *testing.F) {
	for _, s := range []string{"( (S (NP-SBJ-1 (NNP Mr.)) (VP (VBZ is) (-NONE- *T*-1))) )\n", "(S (NN a))(X (Y y))\n",
		"% c\n(S (the D the)\n% d\n (dog N x))\n", "the dog (runs)\n\n", "((A a) (B b))", "(S (", ")"} {
		f.Add([]byte(s), "", false)
		f.Add([]byte(s), "%", true)
	}
	f.Fuzz(func(t *testing.T, text []byte, comments string, lemmas bool) {
		form := TreeForm{Comments: comments}
		if lemmas {
			form.Leaf = []string{FieldWord, FieldTag, "lemma"}
		}
		reader := NewTreeReader(0, form)
		readErr := reader.Read("f", bytes.NewReader(text))
		if readErr != nil {
			named(t, readErr)
		}
		for _, tree := range reader.Trees {
			if readErr == nil && !datasettest.SoundTree(tree) {
				t.Fatalf("in the tree %s, a node is a trace, or lacks its label, word or children", datasettest.Bracketed(tree))
			}
		}
		var trees []string
		written, err := drained(t, NewTreeStream("f", bytes.NewReader(text), form), func(data datasets.Data) datasets.Data {
			tree := data.(*datasets.Treebank).Trees[0]
			if tree.Label == "" { // a line of words, not a tree
				for _, leaf := range tree.Children {
					leaf.Label = "X"
				}
				tree.Label = "S"
			}
			trees = append(trees, datasettest.Bracketed(tree))
			return data
		})
		if readErr == nil && (err != nil || len(trees) != len(reader.Trees)) {
			t.Fatalf("Read returns %d trees, but the stream %d with error %v", len(reader.Trees), len(trees), err)
		}
		if err != nil || len(trees) == 0 {
			return
		}
		again := NewTreeReader(0, TreeForm{})
		if err := again.Read("f", bytes.NewReader(written)); err != nil || len(again.Trees) != len(trees) {
			t.Fatalf("%q is written as %q, which has %d of %d trees; error %v", text, written, len(again.Trees), len(trees),
				err)
		}
		for i, tree := range again.Trees {
			if datasettest.Bracketed(tree) != trees[i] {
				t.Fatalf("%s is read as %s after it was written", trees[i], datasettest.Bracketed(tree))
			}
		}
	})
}

func FuzzSequences(f *testing.F) {
	f.Add([]byte("a qid:1 1:1 2:0.5\nb qid:1 2:1\na qid:2 1:1 # c\n\n1:1\n"))
	f.Add([]byte("qid:1 1:1\n\n# c\n\nb 7:2"))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, _ = drained(t, NewSequenceStream("f", bytes.NewReader(text)), func(data datasets.Data) datasets.Data {
			d := data.(*datasets.Sequences)
			if n := d.Start[1]; d.X.N != n || n == 0 || len(d.X.Start) != n+1 || len(d.Y) != 0 && len(d.Y) != n {
				t.Fatalf("%d rows with %d labels: %+v; want 1 row or more, and labels for all or none", d.X.N, len(d.Y), d)
			}
			return d
		})
		rows, _ := drained(t, NewRowStream("f", bytes.NewReader(text), true), func(data datasets.Data) datasets.Data {
			if d := data.(*datasets.Labelled); d.Y == nil {
				d.Y, d.Classes = []int{0}, []string{"a"}
			}
			return data
		})
		if n := bytes.Count(text, []byte("\n")) + 1; bytes.Count(rows, []byte("\n")) > n {
			t.Fatalf("a text of %d lines has %d rows, want at most one for each line", n, bytes.Count(rows, []byte("\n")))
		}
	})
}

func FuzzTable(f *testing.F) {
	f.Add([]byte("a,b,c\nx,1,y\n\"x,\",2,\"z\n\"\n"), "c")
	f.Add([]byte("a,b\n1,2,3\n"), "c")
	f.Add([]byte("\ufeffc\n\xff\n"), "c")
	f.Fuzz(func(t *testing.T, text []byte, target string) {
		_, _ = drained(t, NewTableStream("f", bytes.NewReader(text), nil, target), func(data datasets.Data) datasets.Data {
			d := data.(*datasets.Discrete)
			if len(d.Value) != len(d.Variables) || d.Class >= len(d.Variables) {
				t.Fatalf("row = %+v, want a value for each variable, and a class among the variables", d)
			}
			d.Class = max(0, d.Class)
			return d
		})
	})
}

func FuzzIDX(f *testing.F) {
	f.Add([]byte("\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x03abcdef"), uint8(2), uint8(2), uint8(3))
	f.Add([]byte("\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x03abc"), uint8(1), uint8(2), uint8(3))
	f.Fuzz(func(t *testing.T, file []byte, keep, items, width uint8) {
		data, err := ReadIDX("f", bytes.NewReader(file), min(int(keep), int(items)), int(items), int(width))
		if err != nil {
			named(t, err)
		} else if len(data) != min(int(keep), int(items))*int(width) || !bytes.HasPrefix(file[12:], data) {
			t.Fatalf("ReadIDX returns %d bytes: %q; want the first bytes of the data", len(data), data)
		}
	})
}

// FuzzEncoding checks that each line of a decoded text is valid UTF-8 or is refused, and that a text is the same after
// encoding and decoding.
func FuzzEncoding(f *testing.F) {
	for _, name := range []string{"", "ISO-8859-1", "UTF-16", "Shift_JIS", "gb18030", "ISO-2022-JP", "EUC-KR", "Big5",
		"IBM037", "koi8-r", "hz-gb-2312", "x-user-defined"} {
		f.Add(name, []byte("caf\xe9 N\n\x82\xa0 V\x00\n"))
		f.Add(name, []byte("\xff\xfea\x00\n\x00\xe9\x00"))
	}
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		e, err := FindEncoding(name)
		if err != nil {
			return
		}
		in := NewLines("f", e.Decode(bytes.NewReader(text)))
		var lines []byte
		for {
			line, err := in.ReadText()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				named(t, err)
				return
			}
			lines = append(append(lines, line...), '\n')
		}
		back, err := io.ReadAll(e.Decode(bytes.NewReader(e.Encode(said(lines)).Append(nil, nil, datasets.Beside{}))))
		if err != nil || len(back) > 0 && back[len(back)-1] != '\n' && len(lines) > 0 {
			t.Fatalf("%s: %q is %q after encoding and decoding, error %v; want the same text", name, lines, back, err)
		}
	})
}
