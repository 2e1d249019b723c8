package schedule

import (
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/harness/lang"
)

// checkPrograms refuses a spec whose solvers run programs of this machine, unless it comes with gaplab or the caller
// allows it: a spec may be a stranger's, and nothing in it can allow this. A caller's own solvers are the caller's.
func checkPrograms(s *lang.Spec, runs []lang.Run, o Options) error {
	if s.BuiltIn || o.Programs {
		return nil
	}
	for _, r := range runs {
		own := slices.ContainsFunc(o.Extra, func(e Named) bool { return e.Name == r.Solver.Name })
		if noun, ok := o.Catalogue.Solver(r.Solver); ok && noun.Outside && !own {
			return &lang.Fault{File: s.File, Line: max(0, r.Solver.Line), Key: "solvers",
				Reason: fmt.Sprintf("%s runs a program of this machine (%s); accepted: where you trust the spec, --programs on "+
					"the command line, or the option Programs in Go", r.Solver.As, noun.Name)}
		}
	}
	return nil
}
