package datasets

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// deepest is the nesting of brackets beyond which a text is no tree of a sentence: what walks trees recurses.
const deepest = 1000

// treeReader gathers the trees of bracketed files, as those of the Penn Treebank:
//
//	( (S (NP-SBJ-1 (NNP Mr.) (NNP Vinken)) (VP (VBZ is) (NP-PRD (NN chairman))) (. .)) )
//
// A tree may stand on several lines. The outer bracket without a label is removed, or labelled TOP if it holds several
// trees. Traces, which are leaves of the tag -NONE-, are removed with the phrases that they leave empty. Phrase labels
// lose what follows a -, = or |: functions, numbers and second choices (NP-SBJ-1, NP=2, ADVP|PRT).
type treeReader struct {
	maxWords int // longer trees are left out; 0: none

	trees  []*Tree
	longer int // left out for their length
	empty  int // left out because they held nothing but traces

	open   []bracket         // brackets that are not closed yet, the outermost first
	words  int               // of the present tree
	intern map[string]string // labels and words, stored once each
}

// bracket is one that is open.
type bracket struct {
	tree     Tree
	line, at int  // where it opens
	items    int  // trees and traces in it so far
	labelled bool // has its label
}

func newTreeReader(maxWords int) *treeReader {
	return &treeReader{maxWords: maxWords, intern: map[string]string{}}
}

// count is the number of trees so far.
func (t *treeReader) count() int { return len(t.trees) }

// read appends the trees of one file.
func (t *treeReader) read(path string, r io.Reader) error {
	in := newLineReader(path, r)
	before, longer := len(t.trees), t.longer
	for {
		line, err := in.readText()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		for at := skipSpace(line, 0); at < len(line); at = skipSpace(line, at) {
			end := at + 1
			switch line[at] {
			case '(':
				err = t.begin(&in, at)
			case ')':
				err = t.end(&in, at)
			default:
				for end < len(line) && !isSpace(line[end]) && line[end] != '(' && line[end] != ')' {
					end++
				}
				err = t.text(&in, at, line[at:end])
			}
			if err != nil {
				return err
			}
			at = end
		}
	}
	if len(t.open) > 0 {
		first := t.open[0]
		return &SyntaxError{path, first.line, first.at + 1, "the bracket that opens here is not closed"}
	}
	switch {
	case len(t.trees) > before:
		return nil
	case t.longer > longer:
		return fmt.Errorf("%s: no trees of at most %d words", path, t.maxWords)
	}
	return fmt.Errorf("%s: no trees", path)
}

// begin opens a bracket.
func (t *treeReader) begin(in *lineReader, at int) error {
	if len(t.open) == deepest {
		return in.fault(at, "more than %d brackets are open: is one not closed?", deepest)
	}
	if n := len(t.open); n > 0 {
		outer := &t.open[n-1]
		switch {
		case outer.tree.Word != "":
			return in.fault(at, "a bracket beside the word %q: want (TAG word)", outer.tree.Word)
		case !outer.labelled && n > 1:
			return in.fault(at, "want the label of the bracket before this one: only the outermost may have none")
		}
		outer.items++
		outer.labelled = true // too late for a label
	}
	t.open = append(t.open, bracket{line: in.line, at: at})
	return nil
}

// text is the label of the innermost bracket, or its word.
func (t *treeReader) text(in *lineReader, at int, text []byte) error {
	if len(t.open) == 0 {
		return in.fault(at, "%q outside of brackets", text)
	}
	inner := &t.open[len(t.open)-1]
	switch {
	case !inner.labelled:
		inner.tree.Label, inner.labelled = t.once(text), true
	case inner.items > 0:
		return in.fault(at, "word %q beside brackets: want (TAG word)", text)
	case inner.tree.Word != "":
		return in.fault(at, "word %q after the word %q: want (TAG word)", text, inner.tree.Word)
	default:
		inner.tree.Word = t.once(text)
	}
	return nil
}

// end closes the innermost bracket and hands its tree to the one around it.
func (t *treeReader) end(in *lineReader, at int) error {
	n := len(t.open) - 1
	if n < 0 {
		return in.fault(at, "no bracket is open here")
	}
	b := &t.open[n]
	if b.items == 0 && b.tree.Word == "" {
		return in.fault(at, "the bracket holds no word: want (TAG word) or (LABEL (TAG word) ...)")
	}
	t.open = t.open[:n]
	tree := b.finish(t)
	if n > 0 {
		if tree != nil {
			outer := &t.open[n-1].tree
			outer.Children = append(outer.Children, tree)
		}
		return nil
	}
	switch {
	case tree == nil:
		t.empty++
	case t.maxWords > 0 && t.words > t.maxWords:
		t.longer++
	default:
		t.trees = append(t.trees, tree)
	}
	t.words = 0
	return nil
}

// finish is the tree of a bracket, or nil if nothing but traces was in it.
func (b *bracket) finish(t *treeReader) *Tree {
	switch {
	case b.tree.Word != "" && b.tree.Label == "-NONE-":
		return nil
	case b.tree.Word != "":
		t.words++
	case len(b.tree.Children) == 0:
		return nil
	case b.tree.Label == "" && len(b.tree.Children) == 1:
		return b.tree.Children[0]
	case b.tree.Label == "":
		b.tree.Label = "TOP"
	default:
		b.tree.Label = phrase(b.tree.Label)
	}
	tree := b.tree
	return &tree
}

// once is the text, stored once however often it stands.
func (t *treeReader) once(text []byte) string {
	if s, ok := t.intern[string(text)]; ok {
		return s
	}
	s := string(text)
	t.intern[s] = s
	return s
}

// phrase cuts what follows the category in the label of a phrase. A label that begins with one of the signs is whole.
func phrase(label string) string {
	if cut := strings.IndexAny(label, "-=|"); cut > 0 {
		return label[:cut]
	}
	return label
}
