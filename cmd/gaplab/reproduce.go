package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/edition"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/shipped"
	"github.com/gaplab/gaplab/internal/amount"
)

// reproduceVerb is the command gaplab reproduce with its flags.
type reproduceVerb struct {
	sys     system
	dir     string
	scale   term.Choice
	length  time.Duration
	runner  runner
	dryRun  bool
	status  bool
	unclean bool
	offline bool
	shipped *shipped.Results
}

const reproduceLong = `Make the experiments (all, unless some are named) again with one program, in as
many sittings as it takes. The folder --edition gets the results; other commands
read them with --out. The same command goes on after an interrupt, a kill, or
the end of --for: it does not make again what is complete and of this program.

First the command prints the forecast: the time, memory and disk that the runs
need, by the times of earlier runs, and the components whose code has changed
since the kept results were made. With --for, no experiment begins whose
forecast does not fit in the time that is left.

Experiments that share runs, or whose claims read each other, form a group. The
groups are made one after another, the shortest first. Within a group, timed
experiments come first, the longest of them before those whose runs it contains.
A timed experiment makes one run at a time. Times are compared only if one
process has measured them, so an interrupted timed experiment begins again. The
other experiments keep their finished runs and resume from checkpoints.

The program must be built at a commit without changes. A result of another
program is kept if the code of its data set, model, solver and rows is the same,
as with gaplab run --same-code; all others are made again.

The file ` + edition.File + ` in the folder records the program, the machine, the
sittings and the experiments; --status prints it. At the end of a sitting the
command prints the claims whose verdicts differ from those of the kept results,
and what is left. The exit codes are those of gaplab run. gaplab baseline update
--from copies the results into the repository.`

func newReproduce(sys system) *cobra.Command {
	v := &reproduceVerb{sys: sys, scale: term.Choice{Value: lang.ScalePaper, Accepted: scales()}}
	cmd := &cobra.Command{
		Use:   "reproduce [ID...] --edition DIR",
		Short: "Make all experiments of a scale again, in several sittings",
		Long:  reproduceLong,
		Example: "  gaplab reproduce --edition editions/may --dry-run\n" +
			"  gaplab reproduce eg bethe/tab3 --edition editions/may --for 2h\n" +
			"  gaplab reproduce --edition editions/may --status",
		ValidArgsFunction: completeExperiments,
		RunE:              v.run,
	}
	flags := cmd.Flags()
	flags.StringVar(&v.dir, "edition", "", "`folder` of the edition, which need not exist")
	v.scale.AddTo(cmd, "scale", "scale of the experiments")
	flags.DurationVar(&v.length, "for", 0, "`time` of the sitting, such as 2h; 0: no limit")
	flags.IntVarP(&v.runner.workers, "workers", "j", 2, "number of runs at a time, in experiments that are not timed")
	v.runner.addPrograms(flags)
	flags.BoolVar(&v.dryRun, "dry-run", false, "print the forecast; run nothing")
	flags.BoolVar(&v.status, "status", false, "print the state of the edition; run nothing")
	flags.BoolVar(&v.unclean, "unclean", false,
		"allow a program whose commit is not known, or whose sources have changes")
	flags.BoolVar(&v.offline, "offline", false, "never download data")
	v.shipped = sys.shipped(cmd)
	return cmd
}

func (v *reproduceVerb) run(cmd *cobra.Command, args []string) error {
	if err := v.check(); err != nil {
		return err
	}
	if v.status {
		return v.printStatus()
	}
	ctx, o := cmd.Context(), v.options(v.runner.workers)
	if err := o.CheckClean(); err != nil && v.dryRun {
		v.sys.note("%v; without --dry-run, the command needs --unclean", err)
	} else if err != nil {
		return fmt.Errorf("%w, or use --unclean", err)
	}
	plans, err := v.plans(ctx, args)
	if err != nil {
		return err
	}
	all, err := edition.Survey(ctx, plans)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	} else if err != nil {
		return err
	}
	d, err := edition.Open(v.dir, v.scale.Value, all, v.runner.workers)
	if err != nil {
		return term.Usage("%w", err)
	}
	if err := v.printForecast(d); err != nil || v.dryRun {
		return err
	}
	return v.sit(ctx, d)
}

// check returns an error if flags are missing, contradict each other or are out of range.
func (v *reproduceVerb) check() error {
	switch info, err := os.Stat(v.dir); {
	case v.dir == "":
		return term.Usage("reproduce: name the folder of the edition: --edition DIR")
	case err == nil && !info.IsDir():
		return term.Usage("--edition %s is a file; accepted: a folder, which need not exist", v.dir)
	case v.length < 0:
		return term.Usage("--for %v is out of range; accepted: 0, or a time such as 2h", v.length)
	case v.status && v.dryRun:
		return term.Usage("--status and --dry-run exclude each other")
	}
	return v.runner.check()
}

// options returns the options of the harness for experiments with the given number of runs at a time.
func (v *reproduceVerb) options(workers int) harness.Options {
	r := v.runner
	r.workers = workers
	o := r.options(v.sys, v.offline, harness.Options{Root: resultsFolder(), Out: v.dir, Shipped: v.shipped})
	o.SameCode, o.RequireClean, o.Quiet = true, !v.unclean, true
	return o
}

// plans returns the plans of the experiments that the arguments name. Without arguments it returns those of all
// experiments that have the scale.
func (v *reproduceVerb) plans(ctx context.Context, args []string) ([]*harness.Plan, error) {
	found, err := namedOrAll(args)
	if err != nil {
		return nil, err
	}
	var plans []*harness.Plan
	var faults term.Faults
	for _, e := range found {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if len(args) == 0 && !slices.Contains(e.Scales(), v.scale.Value) {
			continue
		}
		s, err := e.At(v.scale.Value, nil)
		if err != nil {
			return nil, term.Usage("%w", err)
		}
		workers := v.runner.workers
		if schedule.Timed(s) {
			workers = 1
		}
		p, err := harness.NewPlan(s, v.options(workers))
		faults.Add(err)
		plans = append(plans, p)
	}
	return plans, faults.Err()
}

// sit makes the experiments of an edition that are left, and prints a summary.
func (v *reproduceVerb) sit(ctx context.Context, d *edition.Edition) error {
	program, machine := edition.Here(harness.Catalogue())
	results := &printer{sys: v.sys} // collects the faults of runs
	end, err := d.Sit(ctx, edition.Sitting{Program: program, Machine: machine, For: v.length, Now: time.Now,
		Make: v.make,
		Made: func(e *edition.Experiment, r *harness.Result, err error) {
			switch {
			case err != nil && ctx.Err() == nil:
				results.faults.Add(err)
				fmt.Fprintf(v.sys.out, "%s: not made: %s\n", e.ID, term.FirstLine(err.Error()))
			case err == nil:
				results.failures(r)
				v.sys.notes(e.ID, warnings(r))
				fmt.Fprintf(v.sys.out, "%s: %s\n", e.ID, e.State())
			}
		}})
	if errors.Is(err, edition.ErrBusy) {
		return term.Usage("%s: %w", v.dir, err)
	} else if err != nil {
		return err
	}
	if end == edition.Interrupted {
		results.faults.Add(term.Exit(term.ExitInterrupted, "interrupted; the same command makes what is left"))
	}
	results.faults.Add(v.printSummary(d, end))
	return results.faults.Err()
}

// make makes the runs of one experiment, and shows their progress on standard error.
func (v *reproduceVerb) make(ctx context.Context, e *edition.Experiment, need edition.Need) (*harness.Result, error) {
	fmt.Fprintf(v.sys.err, "%s: %s to make%s\n", e.ID, amount.Count(need.Runs, "run"), about(need))
	progress := newProgress(v.sys, e.ID, e.Plan.Runs)
	defer progress.Close()
	e.Plan.Options.Event = progress.Event
	return e.Plan.Run(ctx)
}
