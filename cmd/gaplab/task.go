package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/campaign"
	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/cluster/slurm"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// taskVerb is the command gaplab task with its flags.
type taskVerb struct {
	sys      system
	first    int
	runner   runner
	requeues int
	offline  bool
}

func newTask(sys system) *cobra.Command {
	v := &taskVerb{sys: sys}
	cmd := &cobra.Command{
		Use:   "task CAMPAIGN N",
		Short: "Run one task of a campaign, as a job does",
		Long: `Run one task of a campaign, with the number --first + N. CAMPAIGN is its folder,
as gaplab run --launcher prints it. Results go to the folder of the runs. A run
that has a result is not repeated; of two processes that make the same run, the
first one to finish writes the result.

The task refuses to run (exit code 2) if the data, or the sources or revisions
of gaplab, differ from those with which the campaign was planned.

On the signal TERM the runs save checkpoints, and the task ends with exit code
143. Start the task again to resume. In a Slurm job, the signal USR1 announces
the end of its time: the runs save checkpoints, and the job is queued again. If
a run fails, the task ends with exit code 3 and is not repeated.`,
		Example: "  gaplab task results/runs/.grids/20261123T214512-ABCDEF 17",
		Args:    between(2, 2),
		RunE:    func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args) },
	}
	cmd.Flags().IntVar(&v.first, "first", 0, "add this number to N")
	cmd.Flags().IntVarP(&v.runner.workers, "workers", "j", 1,
		"number of threads for evaluations; the results do not depend on it")
	cmd.Flags().IntVar(&v.requeues, "requeues", 20, "largest number of times that a job is queued again")
	v.runner.addPrograms(cmd.Flags())
	cmd.Flags().BoolVar(&v.offline, "offline", false, "never download data")
	return cmd
}

// run runs the task, and handles the signals that end it early.
func (v *taskVerb) run(ctx context.Context, args []string) error {
	g, n, err := v.task(args)
	if err != nil {
		return err
	}
	job := slurm.Here(v.sys.getenv)
	if job != nil && job.Restarts > v.requeues {
		return v.giveUp(g, n, fmt.Sprintf("queued again %d times without ending", v.requeues))
	}
	limited, stop := untilTimeLimit(ctx)
	defer stop()
	err = campaign.Task(limited, g, n, v.runner.options(v.sys, v.offline, harness.Options{OnEvent: v.tell}))
	var signal interrupt
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errTimeLimit):
		return v.again(ctx, g, n, job)
	case errors.As(err, &signal) && signal.Signal == syscall.SIGTERM:
		return term.Exit(term.ExitTerminated, "task %d: terminated; start it again to resume its runs", n)
	case errors.As(err, &signal):
		return term.Exit(term.ExitInterrupted, "task %d: interrupted", n)
	}
	return fmt.Errorf("task %d: %w", n, err)
}

// task returns the campaign and the number of the task that the arguments name.
func (v *taskVerb) task(args []string) (*cluster.Campaign, int, error) {
	g, err := cluster.Open(args[0])
	if err != nil {
		return nil, 0, term.Usage("%w", err)
	}
	n, err := strconv.Atoi(args[1])
	if n += v.first; err != nil || n < 0 || n >= len(g.Tasks) {
		return nil, 0, term.Usage("%s has no task with the number %q + --first %d; accepted: a sum from 0 to %d", args[0],
			args[1], v.first, len(g.Tasks)-1)
	}
	return g, n, nil
}

// again queues the job of task n again, since its time limit is reached. If the queue does not answer, again retries.
func (v *taskVerb) again(ctx context.Context, g *cluster.Campaign, n int, job *slurm.Job) error {
	if job == nil {
		return term.Exit(term.ExitTerminated, "task %d: its time is over; start it again to resume its runs", n)
	}
	if job.Restarts >= v.requeues {
		return v.giveUp(g, n, fmt.Sprintf("its time ran out %d times", job.Restarts+1))
	}
	for {
		err := job.Requeue(context.WithoutCancel(ctx))
		if err == nil {
			return term.Exit(term.ExitTerminated, "task %d: its time is over; queued again", n)
		}
		fmt.Fprintf(v.sys.err, "gaplab: %v\n", err)
		select {
		case <-ctx.Done():
			return term.Exit(term.ExitTerminated, "task %d: its time is over, and it cannot be queued again", n)
		case <-time.After(2 * time.Second):
		}
	}
}

// giveUp marks a task as failed, with the reason why, and returns the error for it.
func (v *taskVerb) giveUp(g *cluster.Campaign, n int, why string) error {
	if err := g.Fail(n, why); err != nil {
		return err
	}
	return term.Exit(term.ExitFailed, "task %d: %s", n, why)
}

// tell prints notes and messages about the start and end of runs.
func (v *taskVerb) tell(e schedule.Event) {
	name := e.Run.Experiment + ": " + (&trace.File{Manifest: trace.Manifest{Labels: e.Run.Labels}}).Describe()
	switch e.Kind {
	case schedule.Noted:
		fmt.Fprintln(v.sys.err, e.Why)
	case schedule.Started:
		fmt.Fprintf(v.sys.err, "%s: started\n", name)
	case schedule.Reused:
		fmt.Fprintf(v.sys.err, "%s: finished before\n", name)
	case schedule.Ended:
		fmt.Fprintf(v.sys.err, "%s: %s, %.4g passes, %.2f s: %s\n", name, e.Status, e.Passes, e.Seconds,
			term.FirstLine(e.Why))
	}
}
