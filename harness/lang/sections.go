package lang

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/schema"
	"github.com/gaplab/gaplab/harness/lang/tree"
)

// maxVariants is the largest number of combinations of the grids of one data set, model or solver.
const maxVariants = 10_000

// expandDatasets makes one Dataset for each combination of the grids in the key dataset.
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
			advice := ""
			for _, key := range []string{"name", "format"} {
				if word := schema.Misspelt(c.Node, key); d.Name == "" && word != "" {
					advice += fmt.Sprintf("; write %s in place of %s", key, word)
				}
			}
			b.fault("dataset", `needs exactly one of "name" and "format"%s; accepted: name: %s; format: %s`, advice,
				schema.NameList("dataset", names(b.catalogue.Datasets, false)),
				strings.Join(names(b.catalogue.Datasets, true), ", "))
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

// expandModels makes one Model for each combination of the grids in the key model.
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

// expandSolvers makes one Solver for each combination of the grids in each item of solvers.
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
				b.fault(path, `two variants are named %q, the first on line %d; give one another name by the key "as"`, s.As, line)
				break
			}
			first[s.As] = n.Line
			e, _ := b.catalogue.Solver(s)
			b.decodeSettings(e, item, path, &s.Params, &s.differing, solverKeys()...)
			b.problem.Solvers = append(b.problem.Solvers, s)
		}
	}
}

// selectSolver replaces a solver whose entry selects other solvers (Entry.Select) by the selected solver. It returns
// the item of the spec with the selected settings added. All models of a grid must select the same solver, because each
// variant is a single solver.
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

// alternatives returns the combinations of the grids in the section with a key; nil if the section is missing or has
// faults.
func (b *builder) alternatives(key string) []tree.Combination {
	n := tree.At(b.root, key)
	if n == nil || b.bad[key] || !b.countable(key, n) {
		return nil
	}
	return tree.Expand(n, []string{key})
}

// countable reports whether the grids of a node have at most maxVariants combinations; if they have more, it adds a
// fault.
func (b *builder) countable(path string, n *yaml.Node, except ...string) bool {
	if tree.Count(n, maxVariants, except...) > maxVariants {
		b.fault(path, "its grids have too many combinations; accepted: at most %d", maxVariants)
		return false
	}
	return true
}

// decodeSettings decodes the settings of entry e in an item of the spec. It writes two outputs: *to receives all
// settings, with defaults filled in, and *differing receives only those that differ from the defaults. own lists the
// other keys of the item, which belong to the language. The result is true if there is no fault.
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
