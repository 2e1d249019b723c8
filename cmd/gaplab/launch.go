package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/campaign"
	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/cluster/slurm"
	"github.com/gaplab/gaplab/internal/amount"
)

// launch is the command gaplab run with a launcher other than local: the runs are made by jobs of a cluster.
type launch struct {
	*runFlags
	launcher term.Choice
	atOnce   int
	args     []string
	perTask  int
	wait     bool

	flags interface{ Changed(name string) bool }
}

func (l *launch) addTo(cmd *cobra.Command) {
	l.flags = cmd.Flags()
	l.launcher = term.Choice{Value: "local", Accepted: []string{"local", "slurm", "none"}}
	l.launcher.AddTo(cmd, "launcher",
		"where to run: in this process, in Slurm jobs, or only plan (docs/CLUSTER.md)")
	cmd.Flags().IntVar(&l.atOnce, "slurm-array", 0, "largest number of `jobs` at a time (default: the limit of Slurm)")
	cmd.Flags().StringArrayVar(&l.args, "slurm-arg", nil,
		"an `argument` for sbatch, such as --partition=long; may be repeated")
	cmd.Flags().IntVar(&l.perTask, "runs-per-task", 1, "number of runs in a job, one after another; useful for short runs")
	cmd.Flags().BoolVar(&l.wait, "wait", false, "with Slurm: wait for the jobs, then show the results")
}

// check returns an error if the flags contradict each other or are out of range.
func (l *launch) check() error {
	switch {
	case l.force:
		return term.Usage("--force needs --launcher local; to repeat runs with another launcher, use another --out folder")
	case l.perTask < 1:
		return term.Usage("--runs-per-task %d is out of range; accepted: 1 or more", l.perTask)
	case l.atOnce < 0:
		return term.Usage("--slurm-array %d is out of range; accepted: 0 or more", l.atOnce)
	case l.launcher.Value != "slurm" && (l.wait || l.flags.Changed("slurm-array") || len(l.args) > 0):
		return term.Usage("--wait, --slurm-array and --slurm-arg need --launcher slurm")
	}
	return nil
}

// run plans a campaign of the experiments and submits it to the launcher.
func (l *launch) run(ctx context.Context, plans []*harness.Plan) error {
	if err := l.check(); err != nil {
		return err
	}
	var seed *uint64
	if l.selection.flags.Changed("seed") {
		seed = &l.selection.seed
	}
	queue, largest := &slurm.Queue{Args: l.args}, 0
	if l.launcher.Value == "slurm" {
		var err error
		if largest, err = queue.Largest(ctx); err != nil {
			return err
		}
	}
	g, err := campaign.Plan(ctx, plans, l.selection.set, seed, l.perTask, l.options())
	if err != nil {
		return err
	}
	if g == nil {
		l.sys.note("all runs had finished before")
		return l.finished(ctx, plans)
	}
	l.printCampaign(g)
	if l.launcher.Value == "none" {
		l.printArrays(g)
		return nil
	}
	if err := l.submit(ctx, g, queue, largest); err != nil {
		return err
	}
	if l.wait {
		return l.follow(ctx, g)
	}
	for _, verb := range []string{"status", "collect", "cancel"} {
		fmt.Fprintf(l.sys.out, "%-8sgaplab %s %s\n", verb, verb, l.shown(g))
	}
	return nil
}

// submit submits a campaign to the queue, and prints the jobs.
func (l *launch) submit(ctx context.Context, g *cluster.Campaign, queue cluster.Queue, largest int) error {
	command, err := l.taskCommand(g)
	if err != nil {
		return err
	}
	jobs, err := g.Submit(ctx, queue, cluster.How{Command: command, AtOnce: l.atOnce, Workers: l.threads(),
		Largest: largest})
	for _, j := range jobs {
		fmt.Fprintf(l.sys.out, "job     %s: %s from task %d\n", j.Job, amount.Count(j.Count, "task"), j.First)
	}
	if err != nil && len(jobs) > 0 {
		return fmt.Errorf("%w; `gaplab cancel %s` cancels the jobs that were submitted", err, l.shown(g))
	}
	return err
}

// finished prints the results of experiments whose runs have all finished.
func (l *launch) finished(ctx context.Context, plans []*harness.Plan) error {
	results := &printer{sys: l.sys, format: l.format.Value, selection: l.selection}
	for _, p := range plans {
		result, err := l.one(ctx, p)
		if err != nil {
			results.faults.Add(err)
			continue
		}
		results.add(result)
	}
	return results.close()
}

// taskCommand returns the command that a job runs; the number of a task must be appended to it.
func (l *launch) taskCommand(g *cluster.Campaign) ([]string, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	words := []string{program, "task", g.Dir, "-j", fmt.Sprint(l.threads())}
	if l.offline {
		words = append(words, "--offline")
	}
	if l.runner.programs {
		words = append(words, "--programs")
	}
	return words, nil
}

// threads returns the number of threads of a task: the flag -j, or 1 if it is not given, since the queue decides how
// many tasks run at a time.
func (l *launch) threads() int {
	if l.flags.Changed("workers") {
		return l.runner.workers
	}
	return 1
}

// shown returns the path of a campaign's folder, relative to the working directory if the folder is below it.
func (l *launch) shown(g *cluster.Campaign) string {
	if here, err := os.Getwd(); err == nil {
		if short := relative(here, g.Dir); !strings.HasPrefix(short, "..") {
			return short
		}
	}
	return g.Dir
}

// printCampaign prints the folder of a campaign and the number of its tasks.
func (l *launch) printCampaign(g *cluster.Campaign) {
	left, before := 0, 0
	for _, s := range g.Specs {
		left, before = left+s.Runs-s.Done, before+s.Done
	}
	var seconds float64
	for _, t := range g.Tasks {
		seconds += t.Seconds
	}
	fmt.Fprintf(l.sys.out, "folder  %s\n", l.shown(g))
	fmt.Fprintf(l.sys.out, "tasks   %d, for %s", len(g.Tasks), amount.Count(left, "run"))
	if before > 0 {
		fmt.Fprintf(l.sys.out, "; %d had finished before", before)
	}
	if seconds >= 0.5 { // less is rounded to 0s
		fmt.Fprintf(l.sys.out, "; about %v of work", time.Duration(seconds*float64(time.Second)).Round(time.Second))
	}
	fmt.Fprintln(l.sys.out)
}

// printArrays prints the order in which the tasks of a campaign can run.
func (l *launch) printArrays(g *cluster.Campaign) {
	for i, a := range g.Arrays {
		fmt.Fprintf(l.sys.out, "array   %d: tasks %d to %d", i, a.First, a.First+a.Count-1)
		if len(a.After) > 0 {
			fmt.Fprintf(l.sys.out, ", after array %s", strings.Trim(fmt.Sprint(a.After), "[]"))
		}
		if a.Alone {
			fmt.Fprint(l.sys.out, ", each alone on its machine")
		}
		fmt.Fprintln(l.sys.out)
	}
	fmt.Fprintf(l.sys.out, "task    gaplab task %s N\n", l.shown(g))
}

// follow prints the progress of a campaign until all its tasks have ended, and then its results.
func (l *launch) follow(ctx context.Context, g *cluster.Campaign) error {
	last := ""
	for {
		s, err := statusOf(ctx, g)
		if err != nil {
			return err
		}
		line := counts(progressOf(g, s).Tasks)
		if s.Unasked != nil {
			line += "; the queue does not answer"
		}
		if line != last {
			fmt.Fprintf(l.sys.err, "%s: %s\n", g.ID, line)
		}
		if last = line; s.Ended() {
			return collect(ctx, l.sys, g, l.format.Value)
		}
		select {
		case <-ctx.Done():
			return term.Exit(term.ExitInterrupted, "the jobs continue; `gaplab cancel %s` ends them", l.shown(g))
		case <-time.After(2 * time.Second):
		}
	}
}
