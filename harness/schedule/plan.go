package schedule

import (
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/harness/lang"
)

// Plan is an experiment with the list of its runs. The list is computed once, for Foresee, Forecast, Run and Read.
type Plan struct {
	Spec    *lang.Spec
	Options Options
	Own     []lang.Run // the runs of the spec's solvers
	Runs    []lang.Run // runs to make: first Own (not if Options.OnlyExtra), then the caller's solvers
}

// NewPlan lists the runs of an experiment. Each of the caller's solvers runs on every problem, seed and fold.
func NewPlan(s *lang.Spec, o Options) (*Plan, error) {
	own, err := s.Plan()
	if err != nil {
		return nil, err
	}
	p := &Plan{Spec: s, Options: o, Own: own, Runs: slices.Clone(own)}
	if o.OnlyExtra {
		if err := checkOnly(s, own, o.Extra); err != nil {
			return nil, err
		}
		p.Runs = nil
	}
	for _, e := range o.Extra {
		seen := map[string]bool{}
		for _, r := range own {
			if r.Solver.Path != nil {
				continue // a path consists of several problems, but a caller's solver solves only one
			}
			if r.Screen() {
				continue // skip runs of folds: only final runs solve the problem of the spec
			}
			extra := extraRun(s, r, e)
			if id := fmt.Sprint(extra.Labels); !seen[id] {
				seen[id] = true
				p.Runs = append(p.Runs, extra)
			}
		}
		if len(seen) == 0 {
			return nil, fmt.Errorf("%s: %s has no problem to run on: all runs of the experiment are paths "+
				"(sequences of values of C)", s.ID, e.Name)
		}
	}
	return p, nil
}
