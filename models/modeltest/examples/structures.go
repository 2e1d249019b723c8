package examples

import (
	"slices"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// Structure is a form of labellings. It lists the labellings of an example, which follow from its number of parts and
// its truth, and limits what the conformance suite requires of oracles for them.
type Structure struct {
	Name string
	// Labellings lists the labellings of an example, each once. It returns nil if they cannot be of this form.
	Labellings func(*models.Example) []models.Vertex
	// AnyTies reports that max-oracles may return any of several best labellings.
	AnyTies bool
	// CountCosts reports that the oracle of slack rescaling accepts only small whole numbers as costs.
	CountCosts bool
}

// Of returns the first of a list of structures that fits all examples: their truths, where they have any, are among its
// labellings.
func Of(list []Structure, all []models.Example) (s Structure, ok bool) {
	at := slices.IndexFunc(list, func(s Structure) bool {
		for i := range all {
			y := s.Labellings(&all[i])
			if len(y) == 0 || all[i].Truth != nil && !slices.ContainsFunc(y, all[i].Truth.Equal) {
				return false
			}
		}
		return true
	})
	if at < 0 {
		return Structure{}, false
	}
	return list[at], true
}

// OneOf returns the structure in which a labelling is one of the parts.
func OneOf() Structure {
	return Structure{Name: "one part", Labellings: func(e *models.Example) []models.Vertex {
		return Classes(e.Features.Parts())(e)
	}}
}

// Chain returns the structure of a chain: a label for each position and a transition between neighbours, tied or not.
// The number of labels follows from that of the parts.
func Chain() Structure {
	return Structure{Name: "chain", CountCosts: true, Labellings: func(e *models.Example) []models.Vertex {
		l, parts := (len(e.Truth)+1)/2, e.Features.Parts()
		for k := 1; l*k <= parts && l > 0 && len(e.Truth) == 2*l-1; k++ {
			switch parts {
			case l*k + k*k:
				return Chains(k, false)(e)
			case l*k + (l-1)*k*k:
				return Chains(k, true)(e)
			}
		}
		return nil
	}}
}

// Moves returns the structure of a chain with these numbers of steps and cells, whose truth is not known.
func Moves(steps, cells int) Structure {
	return Structure{Name: "moves", CountCosts: true, Labellings: func(e *models.Example) []models.Vertex {
		switch nodes, pairs := steps*cells, cells*cells; e.Features.Parts() {
		case nodes + pairs:
			return chains(steps, cells, false)
		case nodes + (steps-1)*pairs:
			return chains(steps, cells, true)
		}
		return nil
	}}
}

// Projective returns the structure of projective dependency trees with one word below the root; see package deptree for
// the order of arcs.
func Projective() Structure {
	return Structure{Name: "projective tree", AnyTies: true, CountCosts: true,
		Labellings: func(e *models.Example) []models.Vertex {
			l := len(e.Truth)
			if e.Features.Parts() != l*l {
				return nil
			}
			return ProjectiveTrees(l, false)
		}}
}

// Derivations returns the structure of the trees of a treebank's grammar over the words of an example, with at most
// this many unary rules in a row. The feature map must be a TreeMap.
func Derivations(bank *datasets.Treebank, unary int) Structure {
	const most = 10_000
	g := GrammarOf(bank, unary)
	return Structure{Name: "derivation", AnyTies: true, Labellings: func(e *models.Example) (all []models.Vertex) {
		f, ok := e.Features.(TreeMap)
		if !ok {
			return nil
		}
		list, ok := g.Parses(Words(f.Tree(e.Truth)), most)
		if !ok {
			return nil
		}
		for _, tree := range list {
			all = append(all, f.Vertex(tree))
		}
		return all
	}}
}
