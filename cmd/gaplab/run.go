package main

import (
	"context"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/internal/amount"
)

const runLong = `Run experiments, then draw their figures and check their claims.

An experiment is named by its id (eg/fig06), a pattern ('eg/fig0*'), a paper
(eg), or the path of a YAML file of your own. Finished runs are not repeated:
after an interrupt, the same command continues with the remaining runs. Runs of
more than a minute keep their state and go on from there, with the same bits,
if their solver has one (gaplab list solvers).

Without --scale, the smallest scale is run: smoke, on generated data, for the
experiments that come with gaplab. A file without scales is run as written.

With --set or --seed the figure has a name of its own, and says what was set.`

func newRun(sys system) *cobra.Command {
	v := &runFlags{sys: sys}
	l := &launch{runFlags: v}
	cmd := v.command()
	l.addTo(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		specs, err := v.specs(args)
		switch {
		case err != nil:
			return err
		case v.dryRun:
			return v.forecast(specs)
		case l.launcher.Value != "local":
			return l.run(cmd.Context(), specs)
		}
		return v.run(cmd.Context(), specs)
	}
	return cmd
}

// command has the flags of run, and does nothing yet.
func (v *runFlags) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run ID...",
		Short: "Run experiments, draw their figures and check their claims",
		Long:  runLong,
		Example: `  gaplab run eg/fig06
  gaplab run 'eg/*' --scale quick -j 2
  gaplab run letters.yaml --set stop.passes=50 --format json`,
		Args: atLeastOne("an experiment, such as eg/fig06, or a YAML file; `gaplab list` shows what there is"),
	}
	v.selection = addSelection(cmd)
	v.format = term.AddFormat(cmd)
	cmd.Flags().IntVarP(&v.workers, "workers", "j", runtime.GOMAXPROCS(0), "runs at a time; results do not depend on it")
	cmd.Flags().BoolVar(&v.dryRun, "dry-run", false, "show the runs, and what they took before; read and run nothing")
	cmd.Flags().BoolVar(&v.force, "force", false, "repeat finished runs")
	cmd.Flags().BoolVar(&v.sameCode, "same-code", false,
		"repeat finished runs that were made by different code of the same revisions")
	cmd.Flags().BoolVar(&v.weights, "save-weights", false,
		"save the final weights of each run, for gaplab predict")
	v.programs.addTo(cmd.Flags())
	cmd.Flags().BoolVar(&v.clean, "require-clean", false,
		"refuse a program built from sources that are not a commit's; repeat its runs")
	cmd.Flags().DurationVar(&v.saveEvery, "save-every", time.Minute,
		"how often a run keeps its state, to go on after an interrupt; 0: never")
	cmd.Flags().BoolVar(&v.offline, "offline", false, "never download data")
	return cmd
}

func (v *runFlags) run(ctx context.Context, specs []*lang.Spec) error {
	results := &printer{sys: v.sys, format: v.format.Value, selection: v.selection}
	for i, s := range specs {
		result, err := v.one(ctx, s)
		switch {
		case ctx.Err() != nil && (err != nil || len(result.Files) == 0):
			results.faults.Add(term.Exit(term.ExitInterrupted, "%s: interrupted before a run began", s.ID))
		case err != nil:
			results.faults.Add(err)
		default:
			results.add(result)
			if ctx.Err() != nil && !result.Interrupted() { // runs were made again that had ended before
				results.faults.Add(term.Exit(term.ExitInterrupted, "%s: interrupted: what is shown may be of earlier runs", s.ID))
			}
		}
		if left := len(specs) - i - 1; ctx.Err() != nil && left > 0 {
			results.faults.Add(term.Exit(term.ExitInterrupted, "interrupted: %s not started", amount.Count(left, "experiment")))
			break
		}
	}
	return results.close()
}
