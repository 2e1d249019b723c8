package examples

import (
	"slices"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// Structure is a kind of labelling. It lists the labellings of an example, given its number of parts and its truth. It
// also states what the conformance suite does not require of the oracles.
type Structure struct {
	Name string
	// Labellings lists the labellings of an example, each once. It returns nil if the example cannot have this structure.
	Labellings func(*models.Example) []models.Vertex
	// AnyTies allows max-oracles to return any of several best labellings.
	AnyTies bool
	// CountCosts allows the oracle for slack rescaling to accept only small whole numbers as costs.
	CountCosts bool
}

// Of returns the first structure of a list that fits all examples: the truth of each example must be one of its
// labellings, unless it is nil.
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

// OneOf returns the structure in which a labelling consists of one part.
func OneOf() Structure {
	return Structure{Name: "one part", Labellings: func(e *models.Example) []models.Vertex {
		return Classes(e.Features.Parts())(e)
	}}
}

// Chain returns the structure of a chain: a label for each position and a transition for each two neighbours, tied or
// not. The number of labels is computed from the number of parts.
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

// Moves returns the structure of a chain of positions (steps) and labels (cells), for examples without a truth.
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

// Projective returns the structure of projective dependency trees with one word below the root. Package deptree
// describes the order of the arcs.
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

// Derivations returns the structure in which labellings are the trees for the words of an example in the grammar of a
// treebank. The argument unary is the largest number of unary rules in a row. The feature map must be a TreeMap.
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
