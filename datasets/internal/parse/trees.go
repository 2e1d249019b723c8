package parse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
)

// deepest is the largest depth of nested brackets. The depth is limited because functions on trees are recursive.
const deepest = 1000

// TreeForm describes a format of bracketed trees. The zero value is the format of the Penn Treebank.
type TreeForm struct {
	Comments string   // lines that begin with this text are comments and skipped; "": none
	Leaf     []string // names of the fields of a leaf: tag and word occur once, other fields are not read; nil: tag, word
}

// Names of the fields of a leaf that are read.
const (
	FieldTag  = "tag"
	FieldWord = "word"
)

// TreeReader reads the trees of bracketed files, such as those of the Penn Treebank:
//
//	( (S (NP-SBJ-1 (NNP Mr.) (NNP Vinken)) (VP (VBZ is) (NP-PRD (NN chairman))) (. .)) )
//
// A tree may span several lines. An outermost bracket without a label is removed if it holds one tree, and gets the
// label TOP if it holds several. Traces, which are leaves with the tag -NONE-, are removed, and so are phrases that are
// then empty. In the label of a phrase, the text from the first -, = or | on is removed. This text holds function tags,
// indices and alternative labels (as in NP-SBJ-1, NP=2, ADVP|PRT).
type TreeReader struct {
	maxWords int    // trees with more words are omitted; 0: no limit
	comments string // lines that begin with this text are comments and skipped; "": none
	fields   int    // number of fields of a leaf
	tag      int    // index of the tag among these fields
	word     int    // index of the word among these fields
	want     string // form of a leaf, for error messages

	Trees  []*datasets.Tree // trees so far
	Longer int              // number of trees that were omitted because they have too many words
	Empty  int              // number of trees that were omitted because they had only traces

	open   []bracket         // brackets that are not closed yet, the outermost first
	leaf   []string          // texts so far in the innermost open bracket, if this bracket has no trees in it
	words  int               // number of words so far in the current tree
	intern map[string]string // labels and words, each stored once
}

// bracket is a bracket of the text that is not closed yet.
type bracket struct {
	tree     datasets.Tree
	line, at int  // line and byte at which the bracket opens
	items    int  // number of trees and traces so far in the bracket
	labelled bool // the label has been read, or can no longer follow
}

// NewTreeReader returns a reader of trees with at most maxWords words. If maxWords is 0, there is no limit.
func NewTreeReader(maxWords int, form TreeForm) *TreeReader {
	leaf := form.Leaf
	if leaf == nil {
		leaf = []string{FieldTag, FieldWord}
	}
	want := slices.Clone(leaf)
	t := &TreeReader{maxWords: maxWords, comments: form.Comments, fields: len(leaf), tag: slices.Index(leaf, FieldTag),
		word: slices.Index(leaf, FieldWord), intern: map[string]string{}}
	want[t.tag] = "TAG"
	t.want = "(" + strings.Join(want, " ") + ")"
	return t
}

// Count returns the number of trees so far.
func (t *TreeReader) Count() int { return len(t.Trees) }

// Read appends the trees of one file to t.Trees.
func (t *TreeReader) Read(path string, r io.Reader) error {
	in := NewLines(path, r)
	before, longer := len(t.Trees), t.Longer
	for {
		line, err := in.ReadText()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if t.comment(line) {
			continue
		}
		if err := t.line(&in, line); err != nil {
			return err
		}
	}
	if err := t.closed(path); err != nil {
		return err
	}
	switch {
	case len(t.Trees) > before:
		return nil
	case t.Longer > longer:
		return fmt.Errorf("%s: no trees of at most %d words", path, t.maxWords)
	}
	return fmt.Errorf("%s: no trees", path)
}

// comment reports whether a line is a comment, which is skipped.
func (t *TreeReader) comment(line []byte) bool {
	return t.comments != "" && bytes.HasPrefix(line, []byte(t.comments))
}

// line reads the brackets of a line.
func (t *TreeReader) line(in *Lines, line []byte) (err error) {
	for at := SkipSpace(line, 0); at < len(line); at = SkipSpace(line, at) {
		end := at + 1
		switch line[at] {
		case '(':
			err = t.begin(in, at)
		case ')':
			err = t.end(in, at)
		default:
			for end < len(line) && !IsSpace(line[end]) && line[end] != '(' && line[end] != ')' {
				end++
			}
			err = t.text(in, at, line[at:end])
		}
		if err != nil {
			return err
		}
		at = end
	}
	return nil
}

// closed returns an error if a bracket is open at the end of the file.
func (t *TreeReader) closed(path string) error {
	if len(t.open) == 0 {
		return nil
	}
	first := t.open[0]
	return &datasets.SyntaxError{Path: path, Line: first.line, Column: first.at + 1,
		Msg: "the bracket that opens here is not closed"}
}

// begin opens a bracket.
func (t *TreeReader) begin(in *Lines, at int) error {
	if len(t.open) == deepest {
		return in.Fault(at, "more than %d brackets are open: is a closing bracket missing?", deepest)
	}
	if n := len(t.open); n > 0 {
		outer := &t.open[n-1]
		switch {
		case len(t.leaf) > 1:
			return in.Fault(at, "a bracket beside %q: want %s", t.leaf[len(t.leaf)-1], t.want)
		case !outer.labelled && n > 1:
			return in.Fault(at, "want a label before this bracket: only the outermost bracket may have none")
		}
		outer.items++
		outer.labelled = true // the label of the outer bracket can no longer follow
	}
	t.leaf = t.leaf[:0]
	t.open = append(t.open, bracket{line: in.Line, at: at})
	return nil
}

// text reads the label of the innermost bracket, or another field of a leaf.
func (t *TreeReader) text(in *Lines, at int, text []byte) error {
	if len(t.open) == 0 {
		return in.Fault(at, "%q outside of brackets", text)
	}
	inner := &t.open[len(t.open)-1]
	switch {
	case !inner.labelled:
		inner.tree.Label, inner.labelled = t.once(text), true
		t.leaf = append(t.leaf, inner.tree.Label)
	case inner.items > 0:
		return in.Fault(at, "word %q beside brackets: want %s", text, t.want)
	case len(t.leaf) == t.fields:
		return in.Fault(at, "%q after %q: want %s", text, t.leaf[len(t.leaf)-1], t.want)
	default:
		t.leaf = append(t.leaf, t.once(text))
	}
	return nil
}

// end closes the innermost bracket. It adds the tree of this bracket to the bracket around it or, if there is none, to
// t.Trees.
func (t *TreeReader) end(in *Lines, at int) error {
	n := len(t.open) - 1
	if n < 0 {
		return in.Fault(at, "no bracket is open here")
	}
	b := &t.open[n]
	if b.items == 0 {
		switch {
		case len(t.leaf) < 2:
			return in.Fault(at, "the bracket holds no word: want %s or (LABEL %s ...)", t.want, t.want)
		case len(t.leaf) < t.fields:
			return in.Fault(at, "the bracket ends after %q: want %s", t.leaf[len(t.leaf)-1], t.want)
		}
		b.tree.Label, b.tree.Word = t.leaf[t.tag], t.leaf[t.word]
	}
	t.leaf = t.leaf[:0]
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
		t.Empty++
	case t.maxWords > 0 && t.words > t.maxWords:
		t.Longer++
	default:
		t.Trees = append(t.Trees, tree)
	}
	t.words = 0
	return nil
}

// finish returns the tree of the closed bracket b, or nil if b has only traces.
func (b *bracket) finish(t *TreeReader) *datasets.Tree {
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

// once returns the text as a string. Equal texts share one string in memory.
func (t *TreeReader) once(text []byte) string {
	if s, ok := t.intern[string(text)]; ok {
		return s
	}
	s := string(text)
	t.intern[s] = s
	return s
}

// phrase returns the category in the label of a phrase: the text before the first -, = or |. A label that begins with
// one of these is not changed.
func phrase(label string) string {
	if cut := strings.IndexAny(label, "-=|"); cut > 0 {
		return label[:cut]
	}
	return label
}

// FillTrees fills a data set with trees that were read: the first limit training trees, or all if limit is 0, and the
// validation trees. The lists train and validation hold indices into reader.Trees.
func FillTrees(set *datasets.Set, reader *TreeReader, train, validation []int, limit int) error {
	if err := check.Limit("train", limit, len(train), "training trees of "+set.Name); err != nil {
		return err
	}
	if limit > 0 {
		train = train[:limit]
	}
	pick := func(list []int) *datasets.Treebank {
		bank := &datasets.Treebank{Trees: make([]*datasets.Tree, len(list))}
		for k, i := range list {
			bank.Trees[k] = reader.Trees[i]
		}
		return bank
	}
	set.Train = pick(train)
	if len(validation) > 0 {
		set.Validation = pick(validation)
	}
	if reader.Empty > 0 {
		set.Warnings = append(set.Warnings, fmt.Sprintf("left out %d trees without words", reader.Empty))
	}
	return nil
}
