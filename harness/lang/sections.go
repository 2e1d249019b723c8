package lang

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// maxVariants bounds the combinations of the grids of one data set, model or solver.
const maxVariants = 10_000

// expandDatasets expands the grids of the data set.
func (b *builder) expandDatasets() {
	for _, c := range b.alternatives("dataset") {
		d := Dataset{axes: c.Axes, Line: c.Node.Line}
		if v := tree.At(c.Node, "name"); v != nil {
			d.Name = v.Value
		}
		if v := tree.At(c.Node, "format"); v != nil {
			d.Format = v.Value
		}
		if (d.Name == "") == (d.Format == "") {
			b.fault("dataset", "exactly one of name and format is needed; accepted: name %s; format %s",
				strings.Join(names(b.catalogue.Datasets, false), ", "), strings.Join(names(b.catalogue.Datasets, true), ", "))
			return
		}
		key := "name"
		if d.Format != "" {
			key = "format"
		}
		if tree.IsGrid(tree.At(b.root, "dataset", key)) &&
			!b.validItem(b.Faults, b.root, DatasetKind, c.Node, "dataset") {
			return
		}
		e, _ := b.catalogue.Dataset(d)
		if b.decodeSettings(e, c.Node, "dataset", &d.Params, &d.differing, "name", "format") {
			b.problem.Datasets = append(b.problem.Datasets, d)
		}
	}
}

// expandModels expands the grids of the model.
func (b *builder) expandModels() {
	for _, c := range b.alternatives("model") {
		if tree.IsGrid(tree.At(b.root, "model", "name")) && !b.validItem(b.Faults, b.root, ModelKind, c.Node, "model") {
			return
		}
		m := Model{Name: tree.At(c.Node, "name").Value, axes: c.Axes, Line: c.Node.Line}
		if v := tree.At(c.Node, "loss"); v != nil {
			m.Loss = v.Value
		}
		e, _ := b.catalogue.Model(m)
		if b.decodeSettings(e, c.Node, "model", &m.Params, &m.differing, "name", "loss") {
			b.problem.Models = append(b.problem.Models, m)
		}
	}
}

// expandSolvers expands the grids of each solver.
func (b *builder) expandSolvers() {
	list := tree.At(b.root, "solvers")
	if list == nil || b.bad["solvers"] {
		return
	}
	first := make(map[string]int)
	for i, n := range list.Content {
		path := tree.Join("solvers", strconv.Itoa(i))
		if !b.countable(path, n, "C", "lambda") {
			continue
		}
		for j, c := range tree.Expand(n, []string{"solver"}, "C", "lambda") {
			s := Solver{Line: n.Line, axes: c.Axes}
			if err := c.Node.Decode(&s); err != nil {
				b.AddDecode(c.Node, path, err)
				break
			}
			item, ok := b.selectSolver(&s, c.Node, path)
			if !ok {
				break
			}
			if s.As == "" {
				s.As = s.Name
			}
			if line, ok := first[s.As]; ok && j == 0 {
				b.fault(path, "second variant named %q, first on line %d; give it another name by the key as", s.As, line)
				break
			}
			first[s.As] = n.Line
			e, _ := b.catalogue.Solver(s)
			b.decodeSettings(e, item, path, &s.Params, &s.differing, solverKeys()...)
			b.problem.Solvers = append(b.problem.Solvers, s)
		}
	}
}

// selectSolver replaces a solver that is a name for other solvers (Entry.Select) by the selected one, and returns the
// item with the selected settings. All models of a grid must select the same solver, because a variant is one solver.
func (b *builder) selectSolver(s *Solver, item *yaml.Node, path string) (*yaml.Node, bool) {
	e, _ := b.catalogue.Solver(*s)
	if e.Select == nil {
		return item, true
	}
	var chosen Selection
	for i, m := range b.problem.Models {
		c, err := e.Select(m.Name, m.Loss)
		if err != nil {
			b.fault(path, "%s: %v", s.Name, err)
			return nil, false
		}
		if i > 0 && (c.Solver != chosen.Solver || !reflect.DeepEqual(c.Settings, chosen.Settings)) {
			b.fault(path, "%s selects %s for one model of the grid, and %s for another; make a problem for each model", s.Name,
				chosen.Solver, c.Solver)
			return nil, false
		}
		chosen = c
	}
	if len(b.problem.Models) == 0 {
		return nil, false // the faults of the model are already reported
	}
	settings := &yaml.Node{}
	if err := settings.Encode(chosen.Settings); err != nil {
		b.fault(path, "%s: %v", s.Name, err)
		return nil, false
	}
	s.Name, s.Why = chosen.Solver, chosen.Why
	out := *item
	out.Content = slices.Concat(item.Content, settings.Content)
	return &out, true
}

// alternatives returns the combinations of the grids of a section.
func (b *builder) alternatives(key string) []tree.Combination {
	n := tree.At(b.root, key)
	if n == nil || b.bad[key] || !b.countable(key, n) {
		return nil
	}
	return tree.Expand(n, []string{key})
}

// countable reports whether the grids of a node have at most maxVariants combinations, and adds a fault if not.
func (b *builder) countable(path string, n *yaml.Node, except ...string) bool {
	if tree.Count(n, maxVariants, except...) > maxVariants {
		b.fault(path, "its grids have too many combinations; accepted: at most %d", maxVariants)
		return false
	}
	return true
}

// decodeSettings decodes the entry's own keys of an item. It stores all settings, with defaults filled in, and those
// that differ from the defaults. own are the keys of the language. The result is true if there is no fault.
func (b *builder) decodeSettings(e Entry, item *yaml.Node, path string, to *yaml.Node, differing *map[string]any,
	own ...string) bool {
	settings, err := e.Decode(*tree.Without(item, own...))
	if err == nil {
		err = to.Encode(settings)
	}
	if err == nil {
		*differing, err = e.differing(*to)
	}
	if err != nil {
		b.AddDecode(item, path, err)
	}
	return err == nil
}
