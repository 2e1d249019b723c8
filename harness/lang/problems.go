package lang

import (
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
	"github.com/gaplab/gaplab/internal/nearest"
)

// build checks a tree and makes a Spec of it. Each problem is checked as a separate experiment, in which the keys of
// the problem replace the keys of the tree. The Spec is valid only if no fault was reported.
func (r *Parser) build(p *tree.Faults, root *yaml.Node, scale string) *Spec {
	if from := tree.At(root, "from"); from != nil {
		p.Add(tree.LineOf(root, "from"), "from",
			`not allowed at the top level; move it into a problem below the key "problems"`)
		return nil
	}
	bare, list := problemsOf(p, root)
	if list == nil {
		return nil
	}
	if size := planSize(bare, list); size > maxRuns {
		p.Add(tree.LineOf(root, "solvers"), "solvers", "the plan has more than %d runs; make its grids smaller", maxRuns)
		return nil
	}
	var whole *Spec
	problems := make([]Problem, len(list))
	var variants []string
	// in reverse order: the first problem is checked last, together with the figure and the claims, because these may name
	// the solvers of all problems
	for i := len(list) - 1; i >= 0; i-- {
		one := Overlay(bare, list[i].own)
		if i > 0 { // check figure, table and claims, which belong to all problems together, only once
			one = tree.Without(one, "figure", "table", "claims")
		}
		whole, problems[i] = r.buildOne(p, one, variants)
		problems[i].Name = list[i].name
		for _, v := range problems[i].Solvers {
			variants = append(variants, v.As)
		}
	}
	whole.File, whole.Scale, whole.Problems = p.File, scale, problems
	return whole
}

// namedKeys contains the keys of one problem.
type namedKeys struct {
	name string // "" without the key problems
	own  *yaml.Node
}

// problemsOf returns the keys that all problems have in common, and the keys of each problem. The list has at least one
// problem; it is nil if the key "problems" has faults.
func problemsOf(p *tree.Faults, root *yaml.Node) (common *yaml.Node, list []namedKeys) {
	n := tree.At(root, problemsKey)
	if n == nil {
		return root, []namedKeys{{own: &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}}}
	}
	if !checkProblems(p, root, n) || !checkFrom(p, n) {
		return nil, nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		list = append(list, namedKeys{n.Content[i].Value, n.Content[i+1]})
	}
	return tree.Without(root, problemsKey), list
}

// checkProblems reports problems that are not maps, and keys in them that only the experiment may have. It returns true
// if it reports nothing.
func checkProblems(p *tree.Faults, root, list *yaml.Node) bool {
	before := len(p.List)
	line := tree.LineOf(root, problemsKey)
	if list.Kind != yaml.MappingNode || len(list.Content) == 0 {
		p.Add(line, problemsKey, "got %s; accepted: a map of problems, such as {letters: {dataset: ..., model: ...}}",
			tree.Quote(list))
		return false
	}
	for i := 0; i < len(list.Content); i += 2 {
		name, n := list.Content[i], list.Content[i+1]
		path := tree.Join(problemsKey, name.Value)
		if n.Kind != yaml.MappingNode {
			p.Add(name.Line, path, "got %s; accepted: a map of the keys that differ", tree.Quote(n))
			continue
		}
		for j := 0; j < len(n.Content); j += 2 {
			if k := n.Content[j]; !slices.Contains(problemKeys(), k.Value) {
				p.Add(k.Line, tree.Join(path, k.Value), "unknown key%s", nearest.Accepted(k.Value, problemKeys()))
			}
		}
	}
	return len(p.List) == before
}

// checkFrom reports problems whose key "from" does not name an earlier problem. It returns true if it reports nothing.
func checkFrom(p *tree.Faults, list *yaml.Node) bool {
	before := len(p.List)
	var earlier []string
	for i := 0; i < len(list.Content); i += 2 {
		name := list.Content[i].Value
		if from := tree.At(list.Content[i+1], "from"); from != nil && !slices.Contains(earlier, from.Value) {
			accepted := "an earlier problem"
			if len(earlier) > 0 {
				accepted += ": " + strings.Join(earlier, ", ")
			}
			p.Add(from.Line, tree.Join(tree.Join(problemsKey, name), "from"), "no earlier problem %q%s; accepted: %s",
				from.Value, nearest.DidYouMean(from.Value, earlier), accepted)
		}
		earlier = append(earlier, name)
	}
	return len(p.List) == before
}

// buildOne checks and builds an experiment with one problem. variants names the solvers of other problems, which its
// figure and claims may use too.
func (r *Parser) buildOne(p *tree.Faults, root *yaml.Node, variants []string) (*Spec, Problem) {
	r.validate(p, root)
	b := &builder{Parser: r, Faults: p, root: root, bad: p.Sections(), spec: &Spec{}, variants: variants}
	if b.bad[""] {
		return b.spec, b.problem
	}
	clean := tree.Without(root, slices.Collect(maps.Keys(b.bad))...)
	before := len(p.List)
	for _, to := range []any{b.spec, &b.problem} {
		if err := clean.Decode(to); err != nil {
			p.AddDecode(root, "", err)
		}
	}
	if len(p.List) > before {
		return b.spec, b.problem
	}
	b.checkIdentity()
	b.expandDatasets()
	b.expandModels()
	b.expandSolvers()
	b.checkRegularisation()
	b.checkRunning()
	b.checkFigure()
	b.checkClaims()
	b.checkExpressions()
	if len(p.List) == 0 {
		b.checkChoices()
	}
	return b.spec, b.problem
}
