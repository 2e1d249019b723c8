package lang

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/internal/nearest"
)

// build checks a tree and makes its Spec. Each problem is checked as an experiment of its own, with the problem's keys
// overlaid as those of a scale are. The Spec is of use only if no fault was reported.
func (g *grammar) build(p *faults, tree *yaml.Node, scale string) *Spec {
	if from := at(tree, "from"); from != nil {
		p.add(lineOf(tree, "from"), "from", "not here; accepted: in a problem of problems")
		return nil
	}
	bare, list := problemsOf(p, tree)
	if list == nil {
		return nil
	}
	var whole *Spec
	problems := make([]Problem, len(list))
	var variants []string
	for i := len(list) - 1; i >= 0; i-- { // the first one last: its figure and claims may name the variants of all
		one := overlay(bare, list[i].own)
		if i > 0 { // figure, table and claims belong to all problems together, and are checked once
			own := *one
			drop(&own, "figure", "table", "claims")
			one = &own
		}
		whole, problems[i] = g.buildOne(p, one, variants)
		problems[i].Name = list[i].name
		for _, v := range problems[i].Solvers {
			variants = append(variants, v.As)
		}
	}
	whole.File, whole.Scale, whole.Problems = p.file, scale, problems
	return whole
}

// namedKeys are the keys of one problem.
type namedKeys struct {
	name string // "" without the key problems
	own  *yaml.Node
}

// problemsOf lists the problems of an experiment, at least one, and returns what they have in common; nil if the key
// problems is at fault.
func problemsOf(p *faults, tree *yaml.Node) (common *yaml.Node, list []namedKeys) {
	n := at(tree, problemsKey)
	if n == nil {
		return tree, []namedKeys{{own: &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}}}
	}
	if !checkProblems(p, tree, n) || !checkFrom(p, n) {
		return nil, nil
	}
	bare := *tree
	drop(&bare, problemsKey)
	for i := 0; i < len(n.Content); i += 2 {
		list = append(list, namedKeys{n.Content[i].Value, n.Content[i+1]})
	}
	return &bare, list
}

// checkProblems refuses problems that are not maps, and keys that belong to the experiment.
func checkProblems(p *faults, tree, list *yaml.Node) bool {
	before := len(p.list)
	line := lineOf(tree, problemsKey)
	if list.Kind != yaml.MappingNode || len(list.Content) == 0 {
		p.add(line, problemsKey, "got %s; accepted: a map of problems, such as {letters: {dataset: ..., model: ...}}",
			quoteNode(list))
		return false
	}
	for i := 0; i < len(list.Content); i += 2 {
		name, n := list.Content[i], list.Content[i+1]
		path := join(problemsKey, name.Value)
		if n.Kind != yaml.MappingNode {
			p.add(name.Line, path, "got %s; accepted: a map of the keys that differ", quoteNode(n))
			continue
		}
		for j := 0; j < len(n.Content); j += 2 {
			if k := n.Content[j]; !slices.Contains(problemKeys(), k.Value) {
				p.add(k.Line, join(path, k.Value), "unknown key%s; accepted: %s", nearest.DidYouMean(k.Value, problemKeys()),
					strings.Join(problemKeys(), ", "))
			}
		}
	}
	return len(p.list) == before
}

// overlayProblems overlays the problems of a scale on those of an experiment, each like the keys of an experiment.
func overlayProblems(base, over *yaml.Node) *yaml.Node {
	if base == nil || base.Kind != yaml.MappingNode || over.Kind != yaml.MappingNode {
		return over
	}
	out := *base
	out.Content = slices.Clone(base.Content)
	for i := 0; i < len(over.Content); i += 2 {
		k, v := over.Content[i], over.Content[i+1]
		if isNull(v) {
			drop(&out, k.Value)
			continue
		}
		if _, old := entry(&out, k.Value); old != nil {
			v = overlay(old, v)
		}
		put(&out, k, v)
	}
	return &out
}
