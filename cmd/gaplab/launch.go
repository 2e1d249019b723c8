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
	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/cluster/slurm"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/internal/amount"
)

// launch is how gaplab run has its runs made by other processes.
type launch struct {
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
		"who makes the runs: this process, jobs of Slurm, or nobody yet (see docs/CLUSTER.md)")
	cmd.Flags().IntVar(&l.atOnce, "slurm-array", 0, "`jobs` at a time (default: as many as Slurm allows)")
	cmd.Flags().StringArrayVar(&l.args, "slurm-arg", nil,
		"an `argument` for sbatch, such as --partition=long; may be repeated")
	cmd.Flags().IntVar(&l.perTask, "runs-per-task", 1, "runs in a job, one after another, where they are short")
	cmd.Flags().BoolVar(&l.wait, "wait", false, "with Slurm: follow the jobs, then show the results")
}

// check refuses flags that do not go together.
func (v *runVerb) checkLaunch() error {
	l := v.launch
	switch {
	case v.force:
		return term.Usage("--force is for --launcher local; accepted: another --out folder")
	case l.perTask < 1:
		return term.Usage("--runs-per-task %d is out of range; accepted: 1 or more", l.perTask)
	case l.atOnce < 0:
		return term.Usage("--slurm-array %d is out of range; accepted: 0 or more", l.atOnce)
	case l.launcher.Value != "slurm" && (l.wait || l.flags.Changed("slurm-array") || len(l.args) > 0):
		return term.Usage("--wait, --slurm-array and --slurm-arg are for --launcher slurm")
	}
	return nil
}

// launched plans a campaign of the experiments and hands it to the launcher.
func (v *runVerb) launched(ctx context.Context, specs []*lang.Spec) error {
	if err := v.checkLaunch(); err != nil {
		return err
	}
	var seed *uint64
	if v.selection.flags.Changed("seed") {
		seed = &v.selection.seed
	}
	queue, largest := &slurm.Queue{Args: v.launch.args}, 0
	if v.launch.launcher.Value == "slurm" {
		var err error
		if largest, err = queue.Largest(ctx); err != nil {
			return err
		}
	}
	g, err := harness.PlanCampaign(ctx, specs, v.selection.set, seed, v.launch.perTask, v.options()...)
	if err != nil {
		return err
	}
	if g == nil {
		v.sys.note("all runs had finished before")
		return v.finished(ctx, specs)
	}
	v.printCampaign(g)
	if v.launch.launcher.Value == "none" {
		v.printArrays(g)
		return nil
	}
	if err := v.submit(ctx, g, queue, largest); err != nil {
		return err
	}
	if v.launch.wait {
		return v.follow(ctx, g)
	}
	for _, verb := range []string{"status", "collect", "cancel"} {
		fmt.Fprintf(v.sys.out, "%-8sgaplab %s %s\n", verb, verb, v.shown(g))
	}
	return nil
}

// submit submits a campaign, and prints what was submitted.
func (v *runVerb) submit(ctx context.Context, g *cluster.Campaign, queue cluster.Queue, largest int) error {
	command, err := v.taskCommand(g)
	if err != nil {
		return err
	}
	jobs, err := g.Submit(ctx, queue, cluster.How{Command: command, AtOnce: v.launch.atOnce, Workers: v.threads(),
		Largest: largest})
	for _, j := range jobs {
		fmt.Fprintf(v.sys.out, "job     %s: %s from task %d\n", j.Job, amount.Count(j.Count, "task"), j.First)
	}
	if err != nil && len(jobs) > 0 {
		return fmt.Errorf("%w; `gaplab cancel %s` takes back what was submitted", err, v.shown(g))
	}
	return err
}

// finished prints results of which none is left to make.
func (v *runVerb) finished(ctx context.Context, specs []*lang.Spec) error {
	results := &printer{sys: v.sys, format: v.format.Value, selection: v.selection}
	for _, s := range specs {
		result, err := v.one(ctx, s)
		if err != nil {
			results.faults.Add(err)
			continue
		}
		results.add(result)
	}
	return results.close()
}

// taskCommand is what a job runs, but for the numbers of the task.
func (v *runVerb) taskCommand(g *cluster.Campaign) ([]string, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	words := []string{program, "task", g.Dir, "-j", fmt.Sprint(v.threads())}
	if v.offline {
		words = append(words, "--offline")
	}
	if v.programs {
		words = append(words, "--programs")
	}
	return words, nil
}

// threads are those of a task: one, unless the user asks for more, since runs at a time are the queue's affair.
func (v *runVerb) threads() int {
	if v.launch.flags.Changed("workers") {
		return v.workers
	}
	return 1
}

// shown is the folder of a campaign as a command line may name it.
func (v *runVerb) shown(g *cluster.Campaign) string {
	if here, err := os.Getwd(); err == nil {
		if short := relative(here, g.Dir); !strings.HasPrefix(short, "..") {
			return short
		}
	}
	return g.Dir
}

func (v *runVerb) printCampaign(g *cluster.Campaign) {
	left, before := 0, 0
	for _, s := range g.Specs {
		left, before = left+s.Runs-s.Done, before+s.Done
	}
	var seconds float64
	for _, t := range g.Tasks {
		seconds += t.Seconds
	}
	fmt.Fprintf(v.sys.out, "folder  %s\n", v.shown(g))
	fmt.Fprintf(v.sys.out, "tasks   %d, for %s", len(g.Tasks), amount.Count(left, "run"))
	if before > 0 {
		fmt.Fprintf(v.sys.out, " beside %d that had finished before", before)
	}
	if seconds > 0 {
		fmt.Fprintf(v.sys.out, "; about %v of work", time.Duration(seconds*float64(time.Second)).Round(time.Second))
	}
	fmt.Fprintln(v.sys.out)
}

// printArrays says in which order the tasks of a campaign can be done.
func (v *runVerb) printArrays(g *cluster.Campaign) {
	for i, a := range g.Arrays {
		fmt.Fprintf(v.sys.out, "array   %d: tasks %d to %d", i, a.First, a.First+a.Count-1)
		if len(a.After) > 0 {
			fmt.Fprintf(v.sys.out, ", after array %s", strings.Trim(fmt.Sprint(a.After), "[]"))
		}
		if a.Alone {
			fmt.Fprint(v.sys.out, ", each alone on its machine")
		}
		fmt.Fprintln(v.sys.out)
	}
	fmt.Fprintf(v.sys.out, "task    gaplab task %s N\n", v.shown(g))
}

// follow prints how far a campaign is until it has ended, then its results.
func (v *runVerb) follow(ctx context.Context, g *cluster.Campaign) error {
	last := ""
	for {
		s, err := statusOf(ctx, g)
		if err != nil {
			return err
		}
		line := counts(summary(g, s).Tasks)
		if s.Unasked != nil {
			line += "; the queue does not answer"
		}
		if line != last {
			fmt.Fprintf(v.sys.err, "%s: %s\n", g.ID, line)
		}
		if last = line; s.Ended() {
			return collect(ctx, v.sys, g, v.format.Value)
		}
		select {
		case <-ctx.Done():
			return term.Exit(term.ExitInterrupted, "the jobs go on; `gaplab cancel %s` ends them", v.shown(g))
		case <-time.After(2 * time.Second):
		}
	}
}
