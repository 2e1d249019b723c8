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
	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/cluster/slurm"
	"github.com/gaplab/gaplab/harness/trace"
)

// taskVerb is gaplab task.
type taskVerb struct {
	sys      system
	first    int
	workers  int
	requeues int
	offline  bool
	programs programs
}

func newTask(sys system) *cobra.Command {
	v := &taskVerb{sys: sys}
	cmd := &cobra.Command{
		Use:   "task CAMPAIGN N",
		Short: "Do one task of a campaign: what a job runs",
		Long: `Do one task of a campaign, the Nth from that of --first. CAMPAIGN is its folder,
as gaplab run --launcher prints it. Results go to the folder of the runs. A run
that has a result is not repeated; of two processes that make the same run, the
first one to finish writes the result.

A program whose sources or revisions are not those that planned the campaign is
refused (exit code 2), and so are other data.

At TERM the runs keep their state and the task ends (exit code 143); whoever
starts it again goes on from there. In a job of Slurm, USR1 announces the end
of its time: the runs keep their state, and the job is queued again. A run that
failed would fail again: the task ends with exit code 3.`,
		Example: "  gaplab task results/runs/.grids/20261123T214512-ABCDEF 17",
		Args:    between(2, 2),
		RunE:    func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args) },
	}
	cmd.Flags().IntVar(&v.first, "first", 0, "the task that is number 0")
	cmd.Flags().IntVarP(&v.workers, "workers", "j", 1, "threads for evaluations; results do not depend on it")
	cmd.Flags().IntVar(&v.requeues, "requeues", 20, "how often a job may be queued again")
	v.programs.addTo(cmd.Flags())
	cmd.Flags().BoolVar(&v.offline, "offline", false, "never download data")
	return cmd
}

func (v *taskVerb) run(ctx context.Context, args []string) error {
	g, n, err := v.task(args)
	if err != nil {
		return err
	}
	job := slurm.Here(v.sys.getenv)
	if job != nil && job.Restarts > v.requeues {
		return v.giveUp(g, n, fmt.Sprintf("queued again %d times, and not ended", v.requeues))
	}
	limited, stop := untilTimeLimit(ctx)
	defer stop()
	options := append(v.sys.running(v.programs), harness.Workers(v.workers), harness.Source(v.sys.source(v.offline)),
		harness.OnEvent(v.tell))
	err = harness.Task(limited, g, n, options...)
	var signal interrupt
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errTimeLimit):
		return v.again(ctx, g, n, job)
	case errors.As(err, &signal) && signal.Signal == syscall.SIGTERM:
		return term.Exit(term.ExitTerminated, "task %d: told to stop: what its runs have kept is gone on with", n)
	case errors.As(err, &signal):
		return term.Exit(term.ExitInterrupted, "task %d: interrupted", n)
	}
	return fmt.Errorf("task %d: %w", n, err)
}

// task is the campaign of the arguments and the number of a task in it.
func (v *taskVerb) task(args []string) (*cluster.Campaign, int, error) {
	g, err := cluster.Open(args[0])
	if err != nil {
		return nil, 0, term.Usage("%w", err)
	}
	n, err := strconv.Atoi(args[1])
	if n += v.first; err != nil || n < 0 || n >= len(g.Tasks) {
		return nil, 0, term.Usage("%s: no task %q from %d; accepted: 0 to %d", args[0], args[1], v.first, len(g.Tasks)-1)
	}
	return g, n, nil
}

// again queues a job again whose time is over. The queue may be away for a while.
func (v *taskVerb) again(ctx context.Context, g *cluster.Campaign, n int, job *slurm.Job) error {
	if job == nil {
		return term.Exit(term.ExitTerminated, "task %d: its time is over: what its runs have kept is gone on with", n)
	}
	if job.Restarts >= v.requeues {
		return v.giveUp(g, n, fmt.Sprintf("its time was over %d times", job.Restarts+1))
	}
	for {
		err := job.Requeue(context.WithoutCancel(ctx))
		if err == nil {
			return term.Exit(term.ExitTerminated, "task %d: its time is over: queued again", n)
		}
		fmt.Fprintf(v.sys.err, "gaplab: %v\n", err)
		select {
		case <-ctx.Done():
			return term.Exit(term.ExitTerminated, "task %d: its time is over, and it could not be queued again", n)
		case <-time.After(2 * time.Second):
		}
	}
}

// giveUp ends a task as failed.
func (v *taskVerb) giveUp(g *cluster.Campaign, n int, why string) error {
	if err := g.Fail(n, why); err != nil {
		return err
	}
	return term.Exit(term.ExitFailed, "task %d: %s", n, why)
}

// tell prints the ends of runs, and notes: a log is read from its end.
func (v *taskVerb) tell(e harness.Event) {
	name := e.Run.Experiment + ": " + (&trace.File{Manifest: trace.Manifest{Labels: e.Run.Labels}}).Describe()
	switch e.Kind {
	case harness.Noted:
		fmt.Fprintln(v.sys.err, e.Why)
	case harness.Started:
		fmt.Fprintf(v.sys.err, "%s: started\n", name)
	case harness.Reused:
		fmt.Fprintf(v.sys.err, "%s: finished before\n", name)
	case harness.Ended:
		fmt.Fprintf(v.sys.err, "%s: %s, %.4g passes, %.2f s: %s\n", name, e.Status, e.Passes, e.Seconds,
			term.FirstLine(e.Why))
	}
}
