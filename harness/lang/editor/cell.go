// Package editor helps users to write specs: it reads the cells of a notebook, which need fewer keys than a file, and
// lists the keys and values that are accepted at a cursor.
package editor

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/lang/schema"
	"github.com/gaplab/gaplab/harness/lang/tree"
	"github.com/gaplab/gaplab/internal/nearest"
)

// Cell is the experiment in a cell of a notebook.
type Cell struct {
	Name  string // name of the experiment, given by the cell or by the caller of ParseCell
	Named bool   // whether Name is given by the cell
	File  *lang.File
	Base  string // the experiment on which the cell is overlaid; "" if there is none
	// Explore lists the settings to sweep as a Cartesian product; the last setting varies fastest. In File, each of these
	// settings has its first value.
	Explore []Sweep
}

// Frames returns the Cartesian product of the values of Explore; the last setting varies fastest. Each combination is a
// list of assignments for lang.File.At.
func (c Cell) Frames() [][]string {
	out := [][]string{nil}
	for _, s := range c.Explore {
		var longer [][]string
		for _, f := range out {
			for _, v := range s.Values {
				longer = append(longer, append(slices.Clone(f), s.Path+"="+v))
			}
		}
		out = longer
	}
	return out
}

// keys describes the keys that only cells accept.
func keys() schema.Object {
	return schema.Object{
		"base": schema.Object{"type": "string", "description": "the cell or experiment whose keys this cell takes over " +
			"and changes: the name of a cell, the word previous, or an id such as eg/fig06"},
		"without": schema.Object{"type": "array", "items": schema.Object{"type": "string"},
			"description": "names of solvers of the base to leave out"},
		"explore": schema.Object{"type": "object", "description": "settings to sweep as a Cartesian product, each with a " +
			"list of values and a slider: C, lambda, or a path such as stop.passes; the last varies fastest"},
	}
}

// ParseCell reads a cell. A cell is a spec, or a spec below a name:
//
//	sgd:
//	  base: eg-digits
//	  solvers: [{name: sgd, eta0: 0.1}]
//
// The keys apiVersion and id are optional. A cell with the key "base" changes another experiment, as a scale changes a
// spec. The cell's solvers are added to the solvers of that experiment. The key "without" lists solvers of that
// experiment to leave out. The function bases finds the experiment with a given name, or the previous one if the name
// is "previous". With the key "explore", the cell sweeps the settings listed there. file is the file name that errors
// show; unnamed is the name of the result if the cell gives none.
func ParseCell(parser *lang.Parser, file, unnamed string, text []byte, bases func(name string) (*lang.File, error)) (
	Cell, error) {
	c := Cell{Name: unnamed}
	p := &tree.Faults{File: file}
	cell := tree.Read(p, text)
	if cell == nil {
		return c, p.Err()
	}
	if cell.Kind == yaml.MappingNode && len(cell.Content) == 2 && isExperiment(cell.Content[1]) {
		c.Name, c.Named, cell = cell.Content[0].Value, true, cell.Content[1]
	}
	if cell.Kind != yaml.MappingNode {
		p.Add(cell.Line, "", "got %s; accepted: an experiment in YAML, such as base: eg/fig06; an expression begins "+
			"with =, and a verb with %%", tree.Quote(cell))
		return c, p.Err()
	}
	if k, list := tree.Entry(cell, "explore"); k != nil {
		c.Explore = sweeps(p, k.Line, list)
	}
	own := tree.Without(cell, slices.Collect(maps.Keys(keys()))...)
	root := own
	if k, base := tree.Entry(cell, "base"); k != nil {
		c.Base = base.Value
		f, err := bases(c.Base)
		if err != nil {
			p.Add(k.Line, "base", "%v", err)
			return c, p.Err()
		}
		root = overlaid(p, f, own, tree.At(cell, "without"))
	} else if n := tree.At(cell, "without"); n != nil {
		p.Add(n.Line, "without", `the cell has no base; add the key "base"`)
	}
	for _, s := range c.Explore { // give each swept setting its first value, so that the cell need not set it elsewhere
		if len(s.Values) > 0 {
			lang.Assign(p, root, s.Path+"="+s.Values[0], s.line)
		}
	}
	set := func(key, value string) {
		tree.Put(root, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, &yaml.Node{Kind: yaml.ScalarNode, Value: value})
	}
	if tree.At(root, "apiVersion") == nil {
		set("apiVersion", lang.Version)
	}
	if tree.At(own, "id") == nil { // do not take over the id of the other experiment
		set("id", "notebook/"+c.Name)
	}
	whole, err := yaml.Marshal(root) // File.Hash is the hash of this text: the base with the cell's changes
	if err != nil {
		return c, err
	}
	c.File, err = parser.Check(p, root, whole)
	return c, err
}

// isExperiment reports whether a node has a key that only a spec or a cell has.
func isExperiment(n *yaml.Node) bool {
	return slices.ContainsFunc([]string{"base", "explore", "dataset", "model", "solvers", "problems", "figure", "stop"},
		func(key string) bool { k, _ := tree.Entry(n, key); return k != nil })
}

// overlaid applies a cell to the experiment in base. The cell's solvers are added to the solvers of the experiment. A
// solver of the cell replaces a solver with the same variant name. Solvers that are listed under the key "without" are
// left out. Claims and printed numbers of a paper are dropped, since they concern the paper's own experiment.
func overlaid(p *tree.Faults, base *lang.File, cell, without *yaml.Node) *yaml.Node {
	root, scales := base.Tree()
	root = tree.Clone(root)
	tree.SetLine(root, 0) // errors must not name lines of the other experiment as if they were lines of the cell
	leaveOut(p, tree.At(root, "solvers"), without)
	if k, _ := tree.Entry(root, "paper"); k != nil {
		tree.Drop(root, "paper", "claims", "kind")
		if t := tree.At(root, "table"); t != nil {
			tree.Drop(t, "printed")
		}
	}
	out := lang.Overlay(root, cell)
	if scales != nil {
		if k, _ := tree.Entry(out, "scales"); k == nil {
			tree.Put(out, &yaml.Node{Kind: yaml.ScalarNode, Value: "scales"}, scales)
		}
	}
	k, own := tree.Entry(cell, "solvers")
	before := tree.At(root, "solvers")
	if own == nil || before == nil || own.Kind != yaml.SequenceNode || before.Kind != yaml.SequenceNode {
		return out
	}
	both := *own
	both.Content = nil
	for _, s := range before.Content {
		if !slices.ContainsFunc(own.Content, func(t *yaml.Node) bool { return variantOf(t) == variantOf(s) }) {
			both.Content = append(both.Content, s)
		}
	}
	both.Content = append(both.Content, own.Content...)
	tree.Put(out, k, &both)
	return out
}

// leaveOut removes the solvers with the given names from a list.
func leaveOut(p *tree.Faults, list, names *yaml.Node) {
	if names == nil {
		return
	}
	var known []string
	if list != nil {
		for _, s := range list.Content {
			known = append(known, variantOf(s))
		}
	}
	if names.Kind != yaml.SequenceNode {
		p.Add(names.Line, "without", "got %s; accepted: a list of %s", tree.Quote(names), strings.Join(known, ", "))
		return
	}
	for _, n := range names.Content {
		if !slices.Contains(known, n.Value) {
			p.Add(n.Line, "without", "no solver %s%s", tree.Quote(n), nearest.Accepted(n.Value, known))
			continue
		}
		list.Content = slices.DeleteFunc(list.Content, func(s *yaml.Node) bool { return variantOf(s) == n.Value })
	}
}

// variantOf returns the name of a solver's curves: the value of its key "as" or "name". If it has neither, it returns
// the number of the solver's line.
func variantOf(solver *yaml.Node) string {
	for _, key := range []string{"as", "name"} {
		if n := tree.At(solver, key); n != nil {
			return n.Value
		}
	}
	return fmt.Sprintf("line %d", solver.Line)
}
