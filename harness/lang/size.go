package lang

import (
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// planSize returns the number of runs of an experiment, at most maxRuns+1. It multiplies the numbers of values in the
// trees of its problems, before anything is checked or expanded. So refusing a plan that is too large takes no time.
// Equal runs are counted as often as the trees list them.
func planSize(common *yaml.Node, problems []namedKeys) int {
	total := 0
	for _, p := range problems {
		if total += problemSize(Overlay(common, p.own)); total > maxRuns {
			return maxRuns + 1
		}
	}
	return total
}

// problemSize returns the number of runs of one problem, at most maxRuns+1.
func problemSize(root *yaml.Node) int {
	size := product(combinations(tree.At(root, "dataset")), combinations(tree.At(root, "model")))
	for _, key := range []string{"folds", "times"} {
		if times := tree.At(root, "repeat", key); times != nil {
			if n, err := strconv.Atoi(times.Value); err == nil {
				size = product(size, max(1, n))
			}
		}
	}
	list := tree.At(root, "solvers")
	if list == nil {
		return 0
	}
	targets := 0
	for _, s := range list.Content {
		values := 1
		if tree.At(s, "path") == nil {
			values = max(length(tree.At(s, "C")), length(tree.At(s, "lambda")))
			if values == 0 {
				values = max(length(tree.At(root, "regularisation", "C")), length(tree.At(root, "regularisation", "lambda")))
			}
		}
		seeds := length(tree.At(s, "seeds"))
		if seeds == 0 {
			seeds = length(tree.At(root, "seeds")) + length(tree.At(root, "repeat", "seeds"))
		}
		own := product(combinations(s, "C", "lambda"), max(1, values))
		targets = min(targets+product(own, max(1, seeds)), maxRuns+1)
	}
	return product(size, targets)
}

// product returns a·b, at most maxRuns+1.
func product(a, b int) int {
	if b > 0 && a > maxRuns/b {
		return maxRuns + 1
	}
	return a * b
}

// combinations returns the number of combinations of the grids of a section, at least 1. It does not count the keys in
// except. If there are more than maxVariants combinations, it returns 1, because a later check refuses them with a
// better message.
func combinations(n *yaml.Node, except ...string) int {
	if n == nil {
		return 1
	}
	if count := tree.Count(n, maxVariants, except...); count <= maxVariants {
		return max(1, count)
	}
	return 1
}

// length returns how many values a key gives: the number of items if n is a list or a grid, else 1; 0 if n is nil.
func length(n *yaml.Node) int {
	if n == nil {
		return 0
	}
	if items, ok := tree.GridItems(n); ok {
		n = items
	}
	if n.Kind == yaml.SequenceNode {
		return len(n.Content)
	}
	return 1
}
