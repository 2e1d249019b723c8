package schedule

import (
	"context"
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// Plan is an experiment with the list of its runs, which is made once and then serves Foresee, Forecast, Run and Read.
type Plan struct {
	Spec    *lang.Spec
	Options Options
	Own     []lang.Run // the runs of the spec's solvers
	Runs    []lang.Run // the runs to make: Own, unless Options.OnlyExtra is set, then those of the caller's solvers
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
				continue // its problems are its stages
			}
			extra := extraRun(s, r, e)
			if id := fmt.Sprint(extra.Labels); !seen[id] {
				seen[id] = true
				p.Runs = append(p.Runs, extra)
			}
		}
		if len(seen) == 0 {
			return nil, fmt.Errorf("%s: no problem for %s to run on: all its runs are paths", s.ID, e.Name)
		}
	}
	return p, nil
}

// Run plans an experiment and runs it: see Plan.Run.
func Run(ctx context.Context, s *lang.Spec, o Options) error {
	p, err := NewPlan(s, o)
	if err != nil {
		return err
	}
	return p.Run(ctx)
}

// Run makes the runs that are not finished yet. A run that fails, diverges or is unsupported is a result like any
// other; an error means that the experiment itself could not continue (no data, a full disk, a faulty spec). When ctx
// ends, the runs in progress end as interrupted, with their rows. The next call resumes those that have a checkpoint,
// which long runs of solvers with a state write (solvers.Iterate.State), and repeats the others. Several processes may
// run one experiment in one folder: they divide its runs among them, and wait for each other's last ones.
func (p *Plan) Run(ctx context.Context) error {
	x, err := newExperiment(p)
	if err != nil {
		return err
	}
	return x.run(ctx)
}

// Forecast predicts what running the plan would take, by the seconds and the memory of earlier runs: those in
// Options.Out, and known ones of the experiment at this scale. It reads no data: it takes a run as finished if a result
// with the same settings is there.
func (p *Plan) Forecast(known []*trace.File) (*Forecast, error) {
	x, err := newExperiment(p)
	if err != nil {
		return nil, err
	}
	return x.forecast(known), nil
}
