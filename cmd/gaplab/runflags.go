package main

import (
	"context"
	"time"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
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

// specs returns the experiments that the arguments name, with the changes of the flags. Experiments that would surely
// fail are errors.
func (v *runFlags) specs(args []string) ([]*lang.Spec, error) {
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
	for _, s := range specs {
		faults.Add(harness.Foresee(s))
	}
	return specs, faults.Err()
}

// one runs one experiment, and shows its progress on standard error.
func (v *runFlags) one(ctx context.Context, s *lang.Spec) (*harness.Result, error) {
	plan, err := s.Plan()
	if err != nil {
		return nil, term.Usage("%w", err)
	}
	v.sys.noteChosen(s.ID, plan)
	progress := newProgress(v.sys, s.ID, plan)
	defer progress.Close()
	return harness.Run(ctx, s, append(v.options(), harness.OnEvent(progress.Event))...)
}

// options returns the options of the harness for the flags.
func (v *runFlags) options() []harness.Option {
	options := append(v.selection.options(), harness.SaveEvery(v.saveEvery))
	options = append(options, v.runner.options(v.sys, v.offline)...)
	if v.force {
		options = append(options, harness.Force())
	}
	if v.clean {
		options = append(options, harness.RequireClean())
	}
	if v.sameCode {
		options = append(options, harness.SameCode())
	}
	if v.weights {
		options = append(options, harness.SaveWeights())
	}
	return options
}
