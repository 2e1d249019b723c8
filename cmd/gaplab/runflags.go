package main

import (
	"context"
	"time"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/schedule"
)

// runFlags holds the flags of gaplab run.
type runFlags struct {
	sys       system
	selection *selection
	format    *term.Choice
	runner    runner
	dryRun    bool
	force     bool
	sameCode  bool
	weights   bool
	offline   bool
	clean     bool
	saveEvery time.Duration
}

// plans returns the plans of the experiments that the arguments name, with the changes of the flags. Experiments that
// would surely fail are errors.
func (v *runFlags) plans(args []string) ([]*harness.Plan, error) {
	if err := v.runner.check(); err != nil {
		return nil, err
	}
	if v.saveEvery < 0 {
		return nil, term.Usage("--save-every %v is out of range; accepted: 0, or a time such as 5m", v.saveEvery)
	}
	specs, err := v.selection.specs(args)
	if err != nil {
		return nil, err
	}
	var faults term.Faults
	plans, o := make([]*harness.Plan, len(specs)), v.options()
	for i, s := range specs {
		plans[i], err = harness.NewPlan(s, o)
		faults.Add(err)
	}
	return plans, faults.Err()
}

// one runs one experiment, and shows its progress on standard error.
func (v *runFlags) one(ctx context.Context, p *harness.Plan) (*harness.Result, error) {
	v.sys.noteChosen(p.Spec.ID, p.Runs)
	progress := newProgress(v.sys, p.Spec.ID, p.Runs)
	defer progress.Close()
	p.Options.Event = progress.Event
	return p.Run(ctx)
}

// options returns the options of the harness for the flags.
func (v *runFlags) options() harness.Options {
	o := v.runner.options(v.sys, v.offline, v.selection.folders())
	o.Force, o.RequireClean, o.SameCode, o.SaveWeights = v.force, v.clean, v.sameCode, v.weights
	if o.SaveEvery = v.saveEvery; o.SaveEvery == 0 {
		o.SaveEvery = schedule.Never
	}
	return o
}
