package lang

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/internal/nearest"
)

// Cell is an experiment as a notebook's cell has it: it may leave out what a file must say.
type Cell struct {
	Name  string // that the cell gives it, or that of ParseCell's caller
	Named bool   // the cell gives it
	File  *File
	Base  string // whose experiment it is laid over; "" for none
	// Explore are settings to go through, all with all: the last one is the fastest. File has the first values.
	Explore []Exploration
}

// Exploration is a setting and the values that it is to take.
type Exploration struct {
	Name   string   // as the cell has it
	Path   string   // of the setting, as assignments have it
	Values []string // in YAML
	line   int
}

// mostFrames is how many combinations of values a cell may go through.
const mostFrames = 100

// cellKeys are the keys that a cell has and a file does not.
func cellKeys() object {
	return object{
		"base": object{"type": "string", "description": "the cell or the experiment that this one is laid over: a cell's " +
			"name, previous, or an id such as eg/fig06"},
		"without": object{"type": "array", "items": object{"type": "string"},
			"description": "solvers of the base that are left out, by their names"},
		"explore": object{"type": "object", "description": "settings with a list of values each, which a slider goes " +
			"through: C, lambda, or a path such as stop.passes"},
	}
}

// ParseCell reads a cell. It is a spec, or one below a name:
//
//	sgd:
//	  base: eg-digits
//	  solvers: [{name: sgd, eta0: 0.1}]
//
// apiVersion and id need not be given, and with base the cell is laid over another's experiment as a scale is over a
// spec, its solvers beside those that the key without does not name: bases finds the experiment of a name, or of
// "previous". With explore, the settings that it names are gone through. File is the name that errors show, and unnamed
// that of a cell that gives none.
func (r *Parser) ParseCell(file, unnamed string, text []byte, bases func(name string) (*File, error)) (Cell, error) {
	c := Cell{Name: unnamed}
	p := &faults{file: file}
	root := read(p, text)
	if root == nil {
		return c, p.err()
	}
	inspect(p, root, nil)
	if root.Kind == yaml.MappingNode && len(root.Content) == 2 && experiment(root.Content[1]) {
		c.Name, c.Named, root = root.Content[0].Value, true, root.Content[1]
	}
	if root.Kind != yaml.MappingNode {
		p.add(root.Line, "", "got %s; accepted: an experiment in YAML, such as base: eg/fig06", quoteNode(root))
		return c, p.err()
	}
	k, base := entry(root, "base")
	if at, list := entry(root, "explore"); at != nil {
		c.Explore = explorations(p, at.Line, list)
	}
	cell, bare := root, *root
	drop(&bare, slices.Collect(maps.Keys(cellKeys()))...)
	root = &bare
	if k != nil {
		c.Base = base.Value
		f, err := bases(c.Base)
		if err != nil {
			p.add(k.Line, "base", "%v", err)
			return c, p.err()
		}
		root = over(p, f, root, at(cell, "without"))
	} else if n := at(cell, "without"); n != nil {
		p.add(n.Line, "without", "there is no base whose solvers could be left out; accepted: with base")
	}
	for _, e := range c.Explore { // what is explored need not be given
		if len(e.Values) > 0 {
			assign(p, root, e.Path+"="+e.Values[0], e.line)
		}
	}
	set := func(key, value string) {
		put(root, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, &yaml.Node{Kind: yaml.ScalarNode, Value: value})
	}
	if at(root, "apiVersion") == nil {
		set("apiVersion", Version)
	}
	if at(&bare, "id") == nil { // not that of the base
		set("id", "notebook/"+c.Name)
	}
	whole, err := yaml.Marshal(root) // with the base, of which the hash is as well
	if err != nil {
		return c, err
	}
	c.File, err = r.checked(p, root, whole)
	return c, err
}

// explorations reads the key explore of a cell.
func explorations(p *faults, line int, n *yaml.Node) (out []Exploration) {
	const wants = "accepted: settings with a list of values each, such as {C: [100, 10, 1]}"
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		p.add(line, "explore", "got %s; %s", quoteNode(n), wants)
		return nil
	}
	frames := 1
	for i := 0; i < len(n.Content); i += 2 {
		k, list := n.Content[i], n.Content[i+1]
		e := Exploration{Name: k.Value, Path: k.Value, line: k.Line}
		if k.Value == "C" || k.Value == "lambda" {
			e.Path = "regularisation." + k.Value
		}
		if list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
			p.add(k.Line, join("explore", k.Value), "got %s; %s", quoteNode(list), wants)
			continue
		}
		for _, v := range list.Content {
			text, err := yaml.Marshal(v)
			if err != nil || v.Kind != yaml.ScalarNode {
				p.add(v.Line, join("explore", k.Value), "got %s; accepted: numbers and words", quoteNode(v))
				continue
			}
			e.Values = append(e.Values, strings.TrimSpace(string(text)))
		}
		root := []string{"C", "lambda"}
		if !strings.Contains(k.Value, ".") && !slices.Contains(root, k.Value) {
			p.add(k.Line, join("explore", k.Value), "unknown setting%s; accepted: C, lambda, or a path such as stop.passes",
				nearest.DidYouMean(k.Value, root))
			continue
		}
		frames *= len(list.Content)
		out = append(out, e)
	}
	if frames > mostFrames {
		p.add(line, "explore", "%d combinations; accepted: at most %d", frames, mostFrames)
	}
	return out
}

// Frames are the combinations of the values: assignments, as At takes them.
func (c Cell) Frames() [][]string {
	out := [][]string{nil}
	for _, e := range c.Explore {
		var longer [][]string
		for _, f := range out {
			for _, v := range e.Values {
				longer = append(longer, append(slices.Clone(f), e.Path+"="+v))
			}
		}
		out = longer
	}
	return out
}

// experiment says whether a node looks like a spec, and not like one of its parts.
func experiment(n *yaml.Node) bool {
	return slices.ContainsFunc([]string{"base", "explore", "dataset", "model", "solvers", problemsKey, "figure", "stop"},
		func(key string) bool { k, _ := entry(n, key); return k != nil })
}

// over lays a cell over an experiment. Its solvers come beside those of the experiment; one of the same name and
// variant takes the other's place, and those that without names are left out. What a paper says of its own experiment
// stays behind: claims and printed numbers.
func over(p *faults, base *File, cell, without *yaml.Node) *yaml.Node {
	root := clone(base.root)
	mark(root, 0) // its lines are not those of the cell
	leaveOut(p, at(root, "solvers"), without)
	if k, _ := entry(root, "paper"); k != nil {
		drop(root, "paper", "claims", "kind")
		if t := at(root, "table"); t != nil {
			drop(t, "printed")
		}
	}
	out := overlay(root, cell)
	if base.scales != nil {
		if k, _ := entry(out, "scales"); k == nil {
			put(out, &yaml.Node{Kind: yaml.ScalarNode, Value: "scales"}, base.scales)
		}
	}
	k, own := entry(cell, "solvers")
	before := at(root, "solvers")
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
	put(out, k, &both)
	return out
}

// leaveOut takes the solvers of some names out of a list.
func leaveOut(p *faults, list, names *yaml.Node) {
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
		p.add(names.Line, "without", "got %s; accepted: a list of %s", quoteNode(names), strings.Join(known, ", "))
		return
	}
	for _, n := range names.Content {
		if !slices.Contains(known, n.Value) {
			p.add(n.Line, "without", "no solver %s%s; accepted: %s", quoteNode(n), nearest.DidYouMean(n.Value, known),
				strings.Join(known, ", "))
			continue
		}
		list.Content = slices.DeleteFunc(list.Content, func(s *yaml.Node) bool { return variantOf(s) == n.Value })
	}
}

// variantOf is the name under which a solver's curves are shown.
func variantOf(solver *yaml.Node) string {
	if as := at(solver, "as"); as != nil {
		return as.Value
	}
	if name := at(solver, "name"); name != nil {
		return name.Value
	}
	return fmt.Sprintf("line %d", solver.Line)
}
