package lang

import (
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// Overlay applies the changes of a scale, the node over, to an experiment, the node root. A data set with another name
// or format replaces the old data set as a whole.
func Overlay(root, over *yaml.Node) *yaml.Node {
	if tree.IsNull(over) {
		return root
	}
	if otherDataset(tree.At(root, "dataset"), tree.At(over, "dataset")) {
		root = tree.Without(root, "dataset")
	}
	out := tree.Merge(root, over)
	k, own := tree.Entry(over, problemsKey)
	if base := tree.At(root, problemsKey); base != nil && own != nil && !tree.IsNull(own) {
		tree.Put(out, k, overlayProblems(base, own))
	}
	return out
}

// otherDataset reports whether the node over names another data set than the node base.
func otherDataset(base, over *yaml.Node) bool {
	name, format := tree.At(over, "name"), tree.At(over, "format")
	if name == nil && format == nil {
		return false
	}
	return !tree.Same(name, tree.At(base, "name")) || !tree.Same(format, tree.At(base, "format"))
}

// overlayProblems applies the changes of a scale to the problems of an experiment. Each problem is changed as by
// Overlay.
func overlayProblems(base, over *yaml.Node) *yaml.Node {
	if base == nil || base.Kind != yaml.MappingNode || over.Kind != yaml.MappingNode {
		return over
	}
	out := *base
	out.Content = slices.Clone(base.Content)
	for i := 0; i < len(over.Content); i += 2 {
		k, v := over.Content[i], over.Content[i+1]
		if tree.IsNull(v) {
			tree.Drop(&out, k.Value)
			continue
		}
		if _, old := tree.Entry(&out, k.Value); old != nil {
			v = Overlay(old, v)
		}
		tree.Put(&out, k, v)
	}
	return &out
}
