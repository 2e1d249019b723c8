package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/internal/amount"
)

const runLong = `Run experiments, then draw their figures and check their claims.

Name an experiment by its id (eg/fig06), by a pattern ('eg/fig0*'), by its paper
(eg), or by the path of your own YAML file. Finished runs are not repeated:
after an interrupt, the same command makes the remaining runs. A run that takes
more than a minute saves checkpoints, if its solver can, and resumes from them
with the same bits.

With --watch, a page shows the curves of the runs while they go on: the gap
against the time. Its address is printed first; only this machine can read it.

Standard error shows the progress: on a terminal in one line, and elsewhere with
a line when a run ends and lines during each run, at most one a minute.

Without --scale, the smallest scale is run. For the experiments that come with
gaplab this is smoke, on generated data. A file without scales is run as it is.

With --set or --seed, the name and the caption of the figure show the change.`

func newRun(sys system) *cobra.Command {
	v := &runFlags{sys: sys}
	l := &launch{runFlags: v}
	cmd := v.command()
	l.addTo(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		plans, err := v.plans(cmd.Context(), args)
		switch {
		case err != nil:
			return err
		case v.dryRun:
			return v.forecast(cmd.Context(), plans)
		case l.launcher.Value != "local" && v.weights != "" && v.weights != besideTraces:
			return term.Usage("--save-weights=%s needs --launcher local; with --save-weights alone the weights stay in the "+
				"folder of the traces, where gaplab predict finds them by the spec", v.weights)
		case l.launcher.Value != "local" && v.watch != "":
			return term.Usage("--watch needs --launcher local; gaplab status shows how a campaign proceeds")
		case l.launcher.Value != "local":
			return l.run(cmd.Context(), plans)
		}
		return v.run(cmd.Context(), plans)
	}
	return cmd
}

// command returns the command run with its flags, but without the flags of the launcher and without the function RunE.
func (v *runFlags) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run ID...",
		Short: "Run experiments, draw their figures and check their claims",
		Long:  runLong,
		Example: `  gaplab run eg/fig06
  gaplab run 'eg/*' --scale quick -j 2
  gaplab run letters.yaml --set stop.passes=50 --format json`,
		Args: atLeastOne("an experiment, such as eg/fig06, or a YAML file; `gaplab list` lists them"),
	}
	v.selection = addSelection(cmd).ship(v.sys, cmd)
	v.format = term.AddFormat(cmd)
	v.runner.addTo(cmd.Flags())
	cmd.Flags().BoolVar(&v.dryRun, "dry-run", false, "show the plan and its expected time; run nothing")
	cmd.Flags().BoolVar(&v.force, "force", false, "repeat finished runs")
	cmd.Flags().BoolVar(&v.sameCode, "same-code", false,
		"repeat finished runs if their code has changed since, even with the same revisions")
	cmd.Flags().StringVar(&v.weights, "save-weights", "",
		"save the weights of the best run for gaplab predict and gaplab serve, with =`FILE` in this file too")
	cmd.Flags().Lookup("save-weights").NoOptDefVal = besideTraces
	cmd.Flags().StringVar(&v.watch, "watch", "",
		"show the curves while the runs go on, on a page that this machine serves to itself; with =`PORT` on this port")
	cmd.Flags().Lookup("watch").NoOptDefVal = "0"
	cmd.Flags().BoolVar(&v.clean, "require-clean", false,
		"require a gaplab built from a commit without changes; repeat runs that another gaplab made")
	cmd.Flags().DurationVar(&v.saveEvery, "save-every", time.Minute,
		"`time` between two checkpoints of a run; 0: save none")
	cmd.Flags().BoolVar(&v.offline, "offline", false, "never download data")
	return cmd
}

// run runs the experiments, one after another, and prints their results.
func (v *runFlags) run(ctx context.Context, plans []*harness.Plan) error {
	results := &printer{sys: v.sys, format: v.format.Value, selection: v.selection, saved: v.weights}
	if v.watch != "" {
		var err error
		if v.watcher, err = watch(ctx, v.sys, v.watch); err != nil {
			return err
		}
		defer v.watcher.close()
	}
	for i, p := range plans {
		s := p.Spec
		result, err := v.one(ctx, p)
		switch {
		case ctx.Err() != nil && (err != nil || len(result.Files) == 0):
			results.faults.Add(term.Exit(term.ExitInterrupted, "%s: interrupted before a run began", s.ID))
		case err != nil:
			results.faults.Add(err)
		default:
			results.add(result)
			if ctx.Err() != nil && !result.Interrupted() { // interrupted while it repeated finished runs (--force)
				results.faults.Add(term.Exit(term.ExitInterrupted,
					"%s: interrupted; some results shown may be of earlier runs", s.ID))
			}
		}
		if left := len(plans) - i - 1; ctx.Err() != nil && left > 0 {
			results.faults.Add(term.Exit(term.ExitInterrupted, "interrupted: %s not started", amount.Count(left, "experiment")))
			break
		}
	}
	return results.close()
}

// besideTraces is the value of --save-weights without a file: the weights are saved in the folder of the traces only.
const besideTraces = "beside the traces"

// runFlags holds the flags of gaplab run.
type runFlags struct {
	sys       system
	selection *selection
	format    *term.Choice
	runner    runner
	dryRun    bool
	force     bool
	sameCode  bool
	weights   string // value of --save-weights: "" without the flag, else besideTraces or a file
	offline   bool
	clean     bool
	saveEvery time.Duration
	watch     string   // port of --watch; "" without the flag
	watcher   *watcher // nil without the flag
}

// plans returns the plans of the experiments that the arguments name, with the changes that the flags demand. It
// returns an error if an experiment would certainly fail, or if the context ends.
func (v *runFlags) plans(ctx context.Context, args []string) ([]*harness.Plan, error) {
	if err := v.runner.check(); err != nil {
		return nil, err
	}
	if last := args[len(args)-1]; v.weights == besideTraces && strings.HasSuffix(last, ".gz") {
		return nil, term.Usage("%s is not an experiment; write --save-weights=%s to save the weights in this file", last,
			last)
	}
	if v.saveEvery < 0 {
		return nil, term.Usage("--save-every %v is out of range; accepted: 0, or a time such as 5m", v.saveEvery)
	}
	specs, err := v.selection.specs(ctx, args)
	if err != nil {
		return nil, err
	}
	var faults term.Faults
	plans, o := make([]*harness.Plan, len(specs)), v.options()
	for i, s := range specs {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		plans[i], err = harness.NewPlan(s, o)
		if err == nil && v.weights != "" {
			if err = plans[i].OneBest(); err != nil {
				err = term.Usage("--save-weights: %w", err)
			}
		}
		faults.Add(err)
	}
	if v.weights != "" && v.weights != besideTraces && len(specs) > 1 {
		return nil, term.Usage("--save-weights=%s saves the weights of one experiment; got %d experiments", v.weights,
			len(specs))
	}
	return plans, faults.Err()
}

// one runs one experiment, and shows its progress on standard error.
func (v *runFlags) one(ctx context.Context, p *harness.Plan) (*harness.Result, error) {
	v.sys.noteChosen(p.Spec.ID, p.Runs)
	progress := newProgress(v.sys, p.Spec.ID, p.Runs)
	defer progress.Close()
	p.Options.Event = progress.Event
	if live := v.watcher.begin(p.Spec.ID, p.Spec.Title); live != nil {
		p.Options.Event = func(e schedule.Event) {
			progress.Event(e)
			live.Event(e)
		}
	}
	return p.Run(ctx)
}

// options returns the options of the harness for the flags.
func (v *runFlags) options() harness.Options {
	o := v.runner.options(v.sys, v.offline, v.selection.folders())
	o.Force, o.RequireClean, o.SameCode, o.SaveWeights = v.force, v.clean, v.sameCode, v.weights != ""
	if o.SaveEvery = v.saveEvery; o.SaveEvery == 0 {
		o.SaveEvery = schedule.Never
	}
	return o
}
