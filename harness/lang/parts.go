package lang

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// problemsKey is the key of an experiment on several learning problems, each a part with its own runs.
const problemsKey = "problems"

// partKeys lists what a problem can say for itself.
func partKeys() []string {
	return []string{"from", "dataset", "model", "regularisation", "solvers", "choose", "seeds", "stop", "budget", "record",
		"keep"}
}

// buildParts builds an experiment on several problems: each is the experiment with the problem's keys laid over it, as
// those of a scale are. Figure, table and claims belong to all problems together.
func (g *grammar) buildParts(p *problems, tree *yaml.Node, scale string) *Spec {
	bare := *tree
	list := at(tree, problemsKey)
	drop(&bare, problemsKey)
	if !checkParts(p, tree, list) || !checkFrom(p, list) {
		return &Spec{File: p.file, Scale: scale, catalogue: g.catalogue}
	}
	parts := make([]*Spec, len(list.Content)/2)
	var variants []string
	for i := len(parts) - 1; i >= 0; i-- { // the first one last: its figure and claims may name the variants of all
		whole := overlay(&bare, list.Content[2*i+1])
		if i > 0 {
			own := *whole
			drop(&own, "figure", "table", "claims")
			whole = &own
		}
		parts[i] = g.buildPart(p, whole, scale, variants)
		parts[i].Problem = list.Content[2*i].Value
		for _, v := range parts[i].Solvers {
			variants = append(variants, v.As)
		}
	}
	all := *parts[0]
	all.Problem, all.Parts, all.Solvers, all.Models = "", parts, nil, nil
	for _, part := range parts {
		all.Solvers = append(all.Solvers, part.Solvers...)
		all.Models = append(all.Models, part.Models...)
	}
	return &all
}

// checkParts refuses problems that are not maps, and keys that belong to the experiment.
func checkParts(p *problems, tree, list *yaml.Node) bool {
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
			if k := n.Content[j]; !slices.Contains(partKeys(), k.Value) {
				p.add(k.Line, join(path, k.Value), "unknown key%s; accepted: %s", nearest(k.Value, partKeys()),
					strings.Join(partKeys(), ", "))
			}
		}
	}
	return len(p.list) == before
}

// overlayParts lays the problems of a scale over those of an experiment, each as an experiment's keys.
func overlayParts(base, over *yaml.Node) *yaml.Node {
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

// checkFrom refuses problems that begin with what no earlier problem leaves.
func checkFrom(p *problems, list *yaml.Node) bool {
	before := len(p.list)
	var earlier []string
	for i := 0; i < len(list.Content); i += 2 {
		name := list.Content[i].Value
		if from := at(list.Content[i+1], "from"); from != nil && !slices.Contains(earlier, from.Value) {
			accepted := "a problem that stands before this one"
			if len(earlier) > 0 {
				accepted += ": " + strings.Join(earlier, ", ")
			}
			p.add(from.Line, join(join(problemsKey, name), "from"), "no problem %q%s; accepted: %s", from.Value,
				nearest(from.Value, earlier), accepted)
		}
		earlier = append(earlier, name)
	}
	return len(p.list) == before
}

// beginning finds the run of an earlier problem that r begins with. Labels that only one of the two has do not
// matter, nor those of model, solver and regularisation, nor the seed if there is one run for all seeds.
func beginning(runs []Run, from string, r Run) (*Run, error) {
	own := []string{"problem", "as", "solver", "model", "loss", "C", "lambda"}
	agreeing := func(ignored []string) (found []*Run) {
		for i := range runs {
			if runs[i].Labels["problem"] == from && agree(runs[i].Labels, r.Labels, ignored) {
				found = append(found, &runs[i])
			}
		}
		return found
	}
	found := agreeing(own)
	if len(found) == 0 { // one earlier run for all seeds
		found = agreeing(append(own, "seed"))
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("problem %v begins with the weights of problem %s, of which %d runs agree with it in data "+
			"set, seed and folds; accepted: exactly one", r.Labels["problem"], from, len(found))
	}
	return found[0], nil
}

// agree says whether the labels that both runs have are the same, but for those that are ignored.
func agree(a, b map[string]any, ignored []string) bool {
	for k, v := range a {
		if other, ok := b[k]; ok && other != v && !slices.Contains(ignored, k) {
			return false
		}
	}
	return true
}

// planParts concatenates the plans of the problems. The label problem tells them apart.
func (s *Spec) planParts() ([]Run, error) {
	var runs []Run
	for _, part := range s.Parts {
		part.ID, part.Scale = s.ID, s.Scale
		list, err := part.Plan()
		if err != nil {
			return nil, err
		}
		for i := range list {
			list[i].Labels["problem"] = part.Problem
			if c := list[i].Choose; c != nil {
				c.Group = part.Problem + " " + c.Group
			}
			if part.From != "" {
				if list[i].Base, err = beginning(runs, part.From, list[i]); err != nil {
					return nil, fmt.Errorf("%s: %w", s.File, err)
				}
			}
		}
		runs = append(runs, list...)
	}
	return runs, nil
}
