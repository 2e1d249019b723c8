package lang

import "reflect"

// Part is something that the rows of a run depend on besides its settings: the code of its data set, model or solver,
// or of the recorder of rows.
type Part struct {
	Name     string // such as "solver eg"
	Revision int    // from 1
	Package  string // import path of its code
}

// Parts are what the rows of a run depend on, including the parts of the runs that it begins with, each once. A
// caller's solver is not among them: its code is not known.
func (c Catalogue) Parts(r Run) []Part {
	var out []Part
	seen := map[string]bool{}
	add := func(p Part) {
		if p.Revision > 0 && !seen[p.Name] {
			seen[p.Name] = true
			out = append(out, p)
		}
	}
	for of := &r; of != nil; of = of.Base {
		if n, ok := c.Dataset(of.Dataset); ok {
			add(n.part("data set "))
		}
		if n, ok := c.Model(of.Model); ok {
			add(n.part("model "))
		}
		if n, ok := c.Solver(of.Solver); ok {
			add(n.part("solver "))
		}
	}
	add(c.Rows)
	return out
}

// All are the parts that a run can have, each with the name that Parts gives it.
func (c Catalogue) All() []Part {
	out := []Part{c.Rows}
	for kind, list := range map[string][]Noun{"data set ": c.Datasets, "model ": c.Models, "solver ": c.Solvers} {
		for _, n := range list {
			if n.Revision > 0 {
				out = append(out, n.part(kind))
			}
		}
	}
	return out
}

// part is a noun as a part of a run.
func (n Noun) part(kind string) Part {
	return Part{Name: kind + n.Name, Revision: n.Revision, Package: reflect.TypeOf(n.New()).Elem().PkgPath()}
}

// Revisions of parts, by their names.
func Revisions(parts []Part) map[string]int {
	out := map[string]int{}
	for _, p := range parts {
		out[p.Name] = p.Revision
	}
	return out
}
