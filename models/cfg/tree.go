package cfg

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// normalise checks a tree and copies it without the constituents that only repeat the label of their single child (X →
// X). Such a rule could be applied any number of times, so a sentence would have infinitely many trees.
func normalise(t *datasets.Tree) (*datasets.Tree, error) {
	switch {
	case t == nil:
		return nil, errors.New("there is a nil constituent: want a label with children or a word")
	case t.Children == nil:
		return t, nil
	case len(t.Children) == 0:
		return nil, fmt.Errorf("constituent %s has an empty list of children: want at least one child, or, for a word, "+
			"Children nil", t.Label)
	}
	out := &datasets.Tree{Label: t.Label}
	for _, c := range t.Children {
		child, err := normalise(c)
		if err != nil {
			return nil, err
		}
		out.Children = append(out.Children, child)
	}
	if only := out.Children[0]; len(out.Children) == 1 && only.Label == out.Label {
		return only, nil
	}
	return out, nil
}

// longestChain returns the largest number of successive unary rules over one span of the tree.
func longestChain(t *datasets.Tree) int {
	here := 0
	for ; len(t.Children) == 1; t = t.Children[0] {
		here++
	}
	longest := here
	for _, c := range t.Children {
		longest = max(longest, longestChain(c))
	}
	return longest
}

// Vertex returns the labelling of a tree over the sentence. Rules and tags that are not in the training data have no
// part, so the vertex of a tree that uses them has fewer rule or tag parts than any tree of the grammar. Every
// constituent has its bracket; a label that is not in the training data has the bracket of the unknown label.
func (f *features) Vertex(t *datasets.Tree) models.Vertex {
	y, _ := f.append(nil, t, 0, 0)
	slices.Sort(y)
	return y
}

// append adds the parts of a subtree whose first word has the index from. step is the number of unary rules directly
// above the subtree. It also returns the index of the word after the subtree.
func (f *features) append(y models.Vertex, t *datasets.Tree, from, step int) (models.Vertex, int) {
	if t.Children == nil {
		for r := f.start[from]; r < f.start[from+1]; r++ {
			if f.g.names[f.tag[r]] == t.Label {
				y = append(y, f.g.rules+int(r))
			}
		}
		return y, from + 1
	}
	x := f.g.label(t.Label)
	if int(x) >= f.g.phrases {
		x = -1 // in the training data the label occurs only as a tag
	}
	children := make([]int32, len(t.Children))
	for i, c := range t.Children {
		children[i] = f.g.label(c.Label)
	}
	if x >= 0 && !slices.Contains(children, -1) {
		if part := f.g.rule(x, children); part >= 0 {
			y = append(y, int(part))
		}
	}
	below := 0
	if len(children) == 1 {
		below = step + 1
	} else {
		step = -1
	}
	to := from
	for _, c := range t.Children {
		y, to = f.append(y, c, to, below)
	}
	if f.brackets {
		y = append(y, f.bracket(spanIndex(f.words(), from, to), x, step))
	}
	return y, to
}

// constituent is a bracket of a tree that Tree rebuilds. order sorts the brackets over one span from top to bottom.
type constituent struct{ from, to, label, order int }

// Tree rebuilds the tree of a labelling. It needs the brackets, which all validation examples have, and panics without
// them. An oracle returns a labelling without parts if the grammar has no tree; Tree then returns nil.
func (f *features) Tree(y models.Vertex) *datasets.Tree {
	if !f.brackets {
		panic("cfg: the tree cannot be rebuilt from a labelling without brackets")
	}
	if len(y) == 0 {
		return nil
	}
	leaves := make([]*datasets.Tree, f.words())
	for _, r := range y {
		if i := r - f.g.rules; i >= 0 && r < f.firstBracket() {
			t, _ := slices.BinarySearch(f.start, int32(i+1))
			leaves[t-1] = &datasets.Tree{Label: f.g.names[f.tag[i]], Word: f.text[t-1]}
		}
	}
	var preorder []constituent
	for _, r := range f.constituents(y) {
		preorder = append(preorder, f.constituent(r))
	}
	slices.SortFunc(preorder, func(a, b constituent) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to), cmp.Compare(a.order, b.order))
	})
	var build func(from, to int) []*datasets.Tree
	build = func(from, to int) (out []*datasets.Tree) {
		for from < to {
			if len(preorder) == 0 || preorder[0].from > from || preorder[0].to > to {
				out = append(out, leaves[from])
				from++
				continue
			}
			c := preorder[0]
			preorder = preorder[1:]
			out = append(out, &datasets.Tree{Label: f.g.names[c.label], Children: build(c.from, c.to)})
			from = c.to
		}
		return out
	}
	return build(0, f.words())[0]
}

func (f *features) constituent(part int) constituent {
	span, label, kind := f.unbracket(part)
	from, to := spanAt(f.words(), span)
	switch {
	case !f.g.cyclic:
		return constituent{from, to, label, -int(f.g.rank[label])}
	case kind == 0: // derived by a rule with several children: the lowest constituent
		return constituent{from, to, label, f.g.steps + 1}
	}
	return constituent{from, to, label, kind}
}
