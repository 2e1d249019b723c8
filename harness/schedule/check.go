package schedule

import (
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/harness/lang"
)

// checkExtras returns an error if one of the caller's solvers is nil, has no name, or has a name that is used already.
func checkExtras(s *lang.Spec, o Options) error {
	taken := map[string]string{}
	for _, n := range o.Catalogue.Solvers {
		taken[n.Name] = "the name of a solver of gaplab"
	}
	for _, p := range s.Problems {
		for _, v := range p.Solvers {
			taken[v.As] = "the name of a variant of " + s.ID
		}
	}
	for _, e := range o.Extra {
		const advice = "give its type a method Name() string"
		switch {
		case e.Solver == nil:
			return fmt.Errorf("harness: With: the solver is nil")
		case e.Name == "":
			return fmt.Errorf("harness: With: a solver of type %T has no name; %s", e.Solver, advice)
		case taken[e.Name] != "":
			return fmt.Errorf("harness: With: the name %q of your solver is also %s; %s that returns another name", e.Name,
				taken[e.Name], advice)
		}
		taken[e.Name] = "the name of another solver of With"
	}
	return nil
}

// checkOnly returns an error if the option OnlyExtra is set but the spec's own solvers are needed. They are needed if
// the caller gives no solver, or if a problem of the spec starts from their weights.
func checkOnly(s *lang.Spec, runs []lang.Run, extra []Named) error {
	if len(extra) == 0 {
		return fmt.Errorf("%s: harness: the option Only leaves no solver; give one in the option With", s.ID)
	}
	if slices.ContainsFunc(runs, func(r lang.Run) bool { return r.Base != nil }) {
		return fmt.Errorf("%s: harness: the option Only cannot leave out the spec's solvers, because problems of the spec "+
			"start from the weights of these solvers", s.ID)
	}
	return nil
}

// checkPrograms refuses a spec whose solvers run programs of this machine, unless the spec is built into gaplab or the
// caller allows programs. The spec itself cannot allow programs, because its author may be unknown. The caller's own
// solvers may run programs.
func checkPrograms(s *lang.Spec, runs []lang.Run, o Options) error {
	if s.BuiltIn || o.Programs {
		return nil
	}
	for _, r := range runs {
		own := slices.ContainsFunc(o.Extra, func(e Named) bool { return e.Name == r.Solver.Name })
		if noun, ok := o.Catalogue.Solver(r.Solver); ok && noun.Outside && !own {
			return &lang.Fault{File: s.File, Line: max(0, r.Solver.Line), Key: "solvers",
				Reason: fmt.Sprintf("%s runs a program of this machine (%s); if you trust the spec, pass --programs or, in Go, "+
					"set the option Programs", r.Solver.As, noun.Name)}
		}
	}
	return nil
}
