package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/cluster/slurm"
	"github.com/gaplab/gaplab/internal/tabular"
)

// campaignStatus is the line that gaplab status --format json prints.
type campaignStatus struct {
	ID       string                `json:"id"`
	Folder   string                `json:"folder"`
	Tasks    map[cluster.Phase]int `json:"tasks"`
	Runs     int                   `json:"runs"`
	Finished int                   `json:"finished"` // number of runs that have a result
	Ended    []endedTask           `json:"ended"`    // tasks that have failed, were lost, or are held by the queue
}

// endedTask is a task that has ended without a result, or that the queue holds until a user releases it.
type endedTask struct {
	Task  int           `json:"task"`
	State cluster.Phase `json:"state"`
	Runs  string        `json:"runs"`
	Why   string        `json:"why"`
}

func newStatus(sys system) *cobra.Command {
	var where campaigns
	cmd := &cobra.Command{
		Use:   "status [CAMPAIGN]",
		Short: "Show the progress of a campaign",
		Long: `Show the progress of a campaign: how many of its tasks are done, running,
queued, held, failed or lost, and why tasks ended without a result.

` + campaignArgument + `

The states are read from files. The queue is asked only about tasks whose state
the files do not show. A task is lost if it has not ended and is not in the
queue. Repeat the command that made the campaign to plan the runs that are left.`,
		Example: "  gaplab status",
		Args:    between(0, 1),
	}
	where.addTo(cmd.Flags())
	format := &term.Choice{Value: "text", Accepted: []string{"text", "json"}}
	format.AddTo(cmd, "format", "text, or json: one object")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		g, err := where.find(args)
		if err != nil {
			return err
		}
		s, err := statusOf(cmd.Context(), g)
		if err != nil {
			return err
		}
		if s.Unasked != nil {
			sys.note("the queue did not answer, so the states come from files only: %v", s.Unasked)
		}
		if format.Value == "json" {
			return term.Objects(sys.out, "json", []campaignStatus{progressOf(g, s)})
		}
		return printStatus(sys, progressOf(g, s))
	}
	return cmd
}

// statusOf reads the states of a campaign's tasks from its files. It asks the queue about tasks whose state the files
// do not show.
func statusOf(ctx context.Context, g *cluster.Campaign) (*cluster.Status, error) {
	const patience = 20 * time.Second // longest time to wait for the answer of the queue
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var queue cluster.Queue // nil if no job was submitted
	if jobs, err := g.Jobs(); err != nil {
		return nil, err
	} else if len(jobs) > 0 {
		queue = &slurm.Queue{}
	}
	return g.Status(ctx, queue)
}

// progressOf converts the status of a campaign to the form in which it is printed.
func progressOf(g *cluster.Campaign, s *cluster.Status) campaignStatus {
	out := campaignStatus{ID: g.ID, Folder: g.Dir, Tasks: map[cluster.Phase]int{}, Runs: s.Runs, Finished: s.Finished,
		Ended: []endedTask{}}
	for _, state := range cluster.Phases() {
		out.Tasks[state] = s.Count(state)
	}
	for n, state := range s.Tasks {
		if state != cluster.Failed && state != cluster.Lost && state != cluster.Held {
			continue
		}
		parts := g.Tasks[n].Shards
		names, more := g.Specs[parts[0].Spec].ID+": "+parts[0].Runs[0].Name, -1
		for _, p := range parts {
			more += len(p.Runs)
		}
		if more > 0 {
			names += fmt.Sprintf(" and %d more", more)
		}
		out.Ended = append(out.Ended, endedTask{n, state, names, g.Why(n, state)})
	}
	return out
}

// printStatus prints the status of a campaign, and the tasks without a result.
func printStatus(sys system, s campaignStatus) error {
	c := sys.coloursOf(sys.out)
	fmt.Fprintf(sys.out, "%s  %s\n", c.Bold(s.ID), s.Folder)
	fmt.Fprintf(sys.out, "tasks   %s\n", counts(s.Tasks))
	fmt.Fprintf(sys.out, "runs    %d of %d have a result\n", s.Finished, s.Runs)
	const most = 20 // largest number of tasks that are listed
	lines := &tabular.Listing{Head: []string{"task", "state", "runs", "why"}, Right: []string{"task"}}
	for _, t := range s.Ended[:min(most, len(s.Ended))] {
		lines.Add(fmt.Sprint(t.Task), string(t.State), t.Runs, term.FirstLine(t.Why))
	}
	if len(s.Ended) == 0 {
		return nil
	}
	fmt.Fprintln(sys.out)
	if err := term.Lines(sys.out, c, "  ", lines); err != nil {
		return err
	}
	if left := len(s.Ended) - most; left > 0 {
		fmt.Fprintf(sys.out, "  and %d more; --format json lists all\n", left)
	}
	return nil
}

// counts formats the number of tasks in each state, such as "3 done, 1 failed".
func counts(tasks map[cluster.Phase]int) string {
	var words []string
	for _, state := range cluster.Phases() {
		if n := tasks[state]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, state))
		}
	}
	return strings.Join(words, ", ")
}
