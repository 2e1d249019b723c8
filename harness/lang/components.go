package lang

// Components lists the components on which the rows of a run depend, each once. The list includes the components of the
// earlier runs whose weights the run starts from. A solver of the caller's own is not listed, because its revision is
// unknown.
func (c Catalogue) Components(r Run) []Component {
	var out []Component
	seen := map[string]bool{}
	add := func(p Component) {
		if p.Revision > 0 && !seen[p.Name] {
			seen[p.Name] = true
			out = append(out, p)
		}
	}
	for of := &r; of != nil; of = of.Base {
		if e, ok := c.Dataset(of.Dataset); ok {
			add(e.component("data set "))
		}
		if e, ok := c.Model(of.Model); ok {
			add(e.component("model "))
		}
		if e, ok := c.Solver(of.Solver); ok {
			add(e.component("solver "))
		}
	}
	add(c.Rows)
	return out
}

// AllComponents lists all components (recorder, data sets, models, solvers) that occur in at least one possible run.
func (c Catalogue) AllComponents() []Component {
	out := []Component{c.Rows}
	for kind, list := range map[string][]Entry{"data set ": c.Datasets, "model ": c.Models, "solver ": c.Solvers} {
		for _, e := range list {
			if e.Revision > 0 {
				out = append(out, e.component(kind))
			}
		}
	}
	return out
}

// Revisions maps the names of components to their revisions.
func Revisions(list []Component) map[string]int {
	out := map[string]int{}
	for _, c := range list {
		out[c.Name] = c.Revision
	}
	return out
}
