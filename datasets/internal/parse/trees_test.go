package parse

import (
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

// readTrees reads the trees of a text and returns them as bracketed text, separated by |.
func readTrees(text string, maxWords int) (string, *TreeReader, error) {
	r := NewTreeReader(maxWords, TreeForm{})
	err := r.Read("f", strings.NewReader(text))
	var all []string
	for _, tree := range r.Trees {
		all = append(all, datasettest.Bracketed(tree))
	}
	return strings.Join(all, " | "), r, err
}

func TestTrees(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"labelled", "(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (VP (VB b)))"},
		{"outer bracket removed", "( (S (NN a)) )", "(S (NN a))"},
		{"outer bracket of several", "( (S (NN a)) (. .) )", "(TOP (S (NN a)) (. .))"},
		{"root with one child is kept", "(ROOT (S (NN a)))", "(ROOT (S (NN a)))"},
		{"several lines, two trees", "\n( (S\n    (NN a)\n) )\n(X\r\n\t(Y y))\n", "(S (NN a)) | (X (Y y))"},
		{"no spaces", "((S(NN a)(VB b)))(X(Y y))", "(S (NN a) (VB b)) | (X (Y y))"},
		{"space before a label", "( S ( NN a ) )", "(S (NN a))"},
		{"a leaf alone", "(UH yes)", "(UH yes)"},
		{"functions", "(S (NP-SBJ-1 (NN a)) (NP=2 (NN b)) (ADVP|PRT (RP c)) (NP-SBJ=1-3 (NN d)))",
			"(S (NP (NN a)) (NP (NN b)) (ADVP (RP c)) (NP (NN d)))"},
		{"tags are whole", "(S (-LRB- -LCB-) (PRP$ my) (NN=x a) (NN-x b))", "(S (-LRB- -LCB-) (PRP$ my) (NN=x a) (NN-x b))"},
		{"traces", "(S (NP-SBJ (-NONE- *-1)) (VP (VB go) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))))", "(S (VP (VB go)))"},
		{"a tree of traces", "(S (NP (-NONE- *))) (X (Y y))", "(X (Y y))"},
		{"unary chains stay", "(S (S (NP (NP (NN a)))))", "(S (S (NP (NP (NN a)))))"},
	} {
		got, r, err := readTrees(c.text, 0)
		if err != nil || got != c.want {
			t.Errorf("%s: %s, error %v, want %s", c.name, got, err, c.want)
		}
		for _, tree := range r.Trees {
			if !datasettest.SoundTree(tree) {
				t.Errorf("%s: in the tree %s, a node is a trace, or lacks its label, word or children", c.name,
					datasettest.Bracketed(tree))
			}
		}
	}
}

// TestTreesOfManyWords checks that traces do not count in the length of a sentence.
func TestTreesOfManyWords(t *testing.T) {
	got, r, err := readTrees("(S (A a) (B b) (-NONE- *)) (S (A a) (B b) (C c)) (S (A a))", 2)
	if err != nil || got != "(S (A a) (B b)) | (S (A a))" || r.Longer != 1 || r.Empty != 0 {
		t.Errorf("trees = %s, omitted as too long = %d, error %v; want 2 trees, 1 omitted, no error", got, r.Longer, err)
	}
}

func TestTreeFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"(S (NN a)\n(VB b)", "f:1:1: the bracket that opens here is not closed"},
		{"(X (Y y))\n (S (NN a)", "f:2:2: the bracket that opens here is not closed"},
		{"(S (NN a)))", "f:1:11: no bracket is open here"},
		{"(S (NN a)) dog", `f:1:12: "dog" outside of brackets`},
		{"(S (NN a)\n())", "f:2:2: the bracket holds no word: want (TAG word) or (LABEL (TAG word) ...)"},
		{"(S (NN))", "f:1:7: the bracket holds no word: want (TAG word) or (LABEL (TAG word) ...)"},
		{"(S (NNP New York))", `f:1:13: "York" after "New": want (TAG word)`},
		{"(S the (NN dog))", `f:1:8: a bracket beside "the": want (TAG word)`},
		{"(S (NN dog) barks)", `f:1:13: word "barks" beside brackets: want (TAG word)`},
		{"( (S (NN dog)) barks)", `f:1:16: word "barks" beside brackets: want (TAG word)`},
		{"(S ((NN a)))", "f:1:5: want a label before this bracket: only the outermost bracket may have none"},
		{"(S (NN caf\xe9))", "f:1:11: byte 0xe9 is not text: want a file in UTF-8"},
		{strings.Repeat("(X ", 1001), "f:1:3001: more than 1000 brackets are open: is a closing bracket missing?"},
		{"", "f: no trees"},
		{"(S (-NONE- *))", "f: no trees"},
		{"(S (A a) (A a) (A a))", "f: no trees of at most 2 words"},
	} {
		if _, _, err := readTrees(c.text, 2); err == nil || err.Error() != c.want {
			t.Errorf("%.40q: error %v, want %s", c.text, err, c.want)
		}
	}
}

// drawPhrase draws a random tree in which the reader has nothing to remove.
func drawPhrase(t *rapid.T, depth int) *datasets.Tree {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("abX.$'é-*")), 1, 3, -1)
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
		return &datasets.Tree{Label: text.Draw(t, "tag"), Word: text.Draw(t, "word")}
	}
	tree := &datasets.Tree{Label: rapid.SampledFrom([]string{"S", "NP", "VP", "-X-", "É"}).Draw(t, "label")}
	for range rapid.IntRange(1, 4).Draw(t, "children") {
		tree.Children = append(tree.Children, drawPhrase(t, depth-1))
	}
	return tree
}

func TestTreesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want, file []string
		for range rapid.IntRange(1, 4).Draw(t, "trees") {
			tree := datasettest.Bracketed(drawPhrase(t, 4))
			want = append(want, tree)
			if rapid.Bool().Draw(t, "outer") {
				tree = "( " + tree + " )"
			}
			tree = strings.ReplaceAll(tree, " (", rapid.SampledFrom([]string{" (", "\n  (", "("}).Draw(t, "gap"))
			space := rapid.SampledFrom([]string{" ", "  ", "\n", " \n "}).Draw(t, "space")
			file = append(file, strings.ReplaceAll(tree, " ", space))
		}
		text := strings.Join(file, "\n\n")
		got, _, err := readTrees(text, 0)
		if err != nil || got != strings.Join(want, " | ") {
			t.Fatalf("%q\nread as %s, %v\nwant %s", file, got, err, strings.Join(want, " | "))
		}
		stream := NewTreeStream("f", strings.NewReader(text), TreeForm{})
		for _, tree := range append(want, "") {
			data, err := stream.Next()
			if tree == "" && err == io.EOF {
				break
			}
			if err != nil || datasettest.Bracketed(data.(*datasets.Treebank).Trees[0]) != tree {
				t.Fatalf("%q\nread from a stream: %+v, %v\nwant %s", file, data, err, tree)
			}
		}
	})
}

// TestTreesTakeAnyBytes checks that for any bytes the reader returns valid trees, or an error that contains its
// position.
func TestTreesTakeAnyBytes(t *testing.T) {
	piece := rapid.SampledFrom([]string{"(", "(", ")", ")", "(NN a)", "(-NONE- 0)", "S", "NP-SBJ", " ", "\n", "\x00",
		"\xff", "é"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "text"), "")
		got, r, err := readTrees(text, rapid.IntRange(0, 3).Draw(t, "max"))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("%q: error %v, want one with a position", text, err)
			}
			return
		}
		for _, tree := range r.Trees {
			if !datasettest.SoundTree(tree) {
				t.Fatalf("%q: in one of the trees %s, a node is a trace, or lacks its label, word or children", text, got)
			}
		}
	})
}
