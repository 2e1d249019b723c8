package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness"
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

// runVerb is gaplab run.
type runVerb struct {
	sys       system
	selection *selection
	format    *term.Choice
	workers   int
	dryRun    bool
	force     bool
	sameCode  bool
	weights   bool
	offline   bool
	programs  programs
	clean     bool
	saveEvery time.Duration
	launch    launch
}

func newRun(sys system) *cobra.Command {
	v := &runVerb{sys: sys}
	cmd := v.command()
	v.launch.addTo(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args) }
	return cmd
}

// command has the flags of run, and does nothing yet.
func (v *runVerb) command() *cobra.Command {
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

// specs are the experiments of the arguments, as the flags change them, which can run as far as can be foreseen.
func (v *runVerb) specs(args []string) ([]*lang.Spec, error) {
	if v.workers < 1 {
		return nil, term.Usage("-j %d is out of range; accepted: 1 or more", v.workers)
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

func (v *runVerb) run(ctx context.Context, args []string) error {
	specs, err := v.specs(args)
	if err != nil {
		return err
	}
	if v.dryRun {
		return v.forecast(specs)
	}
	if v.launch.launcher.Value != "local" {
		return v.launched(ctx, specs)
	}
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

// one runs one experiment with its progress on standard error.
func (v *runVerb) one(ctx context.Context, s *lang.Spec) (*harness.Result, error) {
	plan, err := s.Plan()
	if err != nil {
		return nil, term.Usage("%w", err)
	}
	v.sys.noteChosen(s.ID, plan)
	progress := newProgress(v.sys, s.ID, plan)
	defer progress.Close()
	return harness.Run(ctx, s, append(v.options(), harness.OnEvent(progress.Event))...)
}

func (v *runVerb) options() []harness.Option {
	options := append(v.selection.options(), harness.Workers(v.workers), harness.Source(v.sys.source(v.offline)),
		harness.SaveEvery(v.saveEvery))
	options = append(options, v.sys.running(v.programs)...)
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

// source is where data sets are looked for, with the progress of downloads on standard error.
func (sys system) source(offline bool) datasets.Source {
	source := datasets.SourceFromEnv(sys.getenv)
	source.Offline = offline
	source.Progress = term.NewDownloads(sys.err).Progress
	return source
}

// note prints a remark that is neither a result nor an error.
func (sys system) note(format string, args ...any) {
	fmt.Fprintf(sys.err, "gaplab: note: "+format+"\n", args...)
}

// noteChosen says which solvers were chosen, where a spec leaves that open, and why.
func (sys system) noteChosen(id string, plan []lang.Run) {
	said := map[string]bool{}
	for _, r := range plan {
		text := fmt.Sprintf("solver %s for model %s: %s", r.Solver.Name, r.Model.Name, r.Solver.Why)
		if r.Solver.Why != "" && !said[text] {
			said[text] = true
			sys.note("%s: %s", id, text)
		}
	}
}

// noteLeft says which files of a result could not be read, and which are of older revisions, if there is a result.
func (sys system) noteLeft(result *harness.Result) {
	if result == nil {
		return
	}
	for _, text := range []string{result.Left, result.Older} {
		if text != "" {
			sys.note("%s: %s", result.Spec.ID, text)
		}
	}
}
