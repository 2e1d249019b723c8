package lang

import (
	"reflect"

	"gopkg.in/yaml.v3"
)

// resolve replaces a solver that stands for another by that one, and returns the item with its settings; else the item
// as it is. All alternatives of the model must agree on it: a variant is one solver.
func (b *builder) resolve(s *Solver, item *yaml.Node, path string) (*yaml.Node, bool) {
	noun, _ := b.catalogue.Solver(*s)
	if noun.Rule == nil {
		return item, true
	}
	var chosen Choice
	for i, m := range b.problem.Models {
		c, err := noun.Rule(m.Name, m.Loss)
		if err != nil {
			b.fault(path, "%s: %v", s.Name, err)
			return nil, false
		}
		if i > 0 && (c.Solver != chosen.Solver || !reflect.DeepEqual(c.Settings, chosen.Settings)) {
			b.fault(path, "%s stands for %s with one model of the grid, and for %s with another; accepted: a problem for each",
				s.Name, chosen.Solver, c.Solver)
			return nil, false
		}
		chosen = c
	}
	if len(b.problem.Models) == 0 {
		return nil, false // its faults are reported
	}
	settings := &yaml.Node{}
	if err := settings.Encode(chosen.Settings); err != nil {
		b.fault(path, "%s: %v", s.Name, err)
		return nil, false
	}
	s.Name, s.Why = chosen.Solver, chosen.Why
	resolved := *item
	resolved.Content = append(append([]*yaml.Node(nil), item.Content...), settings.Content...)
	return &resolved, true
}
