package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness/grid"
	"github.com/gaplab/gaplab/harness/grid/slurm"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/tabular"
)

// gridStatus is what gaplab status --format json prints.
type gridStatus struct {
	ID       string             `json:"id"`
	Folder   string             `json:"folder"`
	Tasks    map[grid.State]int `json:"tasks"`
	Runs     int                `json:"runs"`
	Finished int                `json:"finished"` // runs that have a result
	Ended    []endedTask        `json:"ended"`    // without a result, or held
}

// endedTask is a task that has ended without a result, or that will not run by itself.
type endedTask struct {
	Task  int        `json:"task"`
	State grid.State `json:"state"`
	Runs  string     `json:"runs"`
	Why   string     `json:"why"`
}

func newStatus(sys system) *cobra.Command {
	var where grids
	cmd := &cobra.Command{
		Use:   "status [GRID]",
		Short: "Show how far a grid is",
		Long: `Show how far a grid is: how many of its tasks are done, running, queued, held,
failed or lost, and why those that ended without a result did.

` + gridArgument + `

What files say counts; the queue is asked about tasks that they leave open. A
task is lost that is neither in the queue nor has ended: the command that made
the grid makes one of what is left.`,
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
		s, err := statusOf(cmd.Context(), sys, g)
		if err != nil {
			return err
		}
		if format.Value == "json" {
			return term.Objects(sys.out, "json", []gridStatus{summary(g, s)})
		}
		return printStatus(sys, summary(g, s))
	}
	return cmd
}

// statusOf asks files and queue how far a grid is, and notes if the queue does not answer.
func statusOf(ctx context.Context, sys system, g *grid.Grid) (*grid.Status, error) {
	const patience = 20 * time.Second // with a queue that does not answer
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var queue grid.Queue // none, where nothing was submitted
	if jobs, err := g.Jobs(); err != nil {
		return nil, err
	} else if len(jobs) > 0 {
		queue = &slurm.Queue{}
	}
	s, err := g.Status(ctx, queue)
	if err == nil && s.Unasked != nil {
		sys.note("the queue could not be asked, so this is what files say: %v", s.Unasked)
	}
	return s, err
}

// summary is the status of a grid for its readers.
func summary(g *grid.Grid, s *grid.Status) gridStatus {
	out := gridStatus{ID: g.ID, Folder: g.Dir, Tasks: map[grid.State]int{}, Runs: s.Runs, Finished: s.Finished,
		Ended: []endedTask{}}
	for _, state := range grid.States() {
		out.Tasks[state] = s.Count(state)
	}
	for n, state := range s.Tasks {
		if state != grid.Failed && state != grid.Lost && state != grid.Held {
			continue
		}
		parts := g.Tasks[n].Parts
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

func printStatus(sys system, s gridStatus) error {
	c := sys.coloursOf(sys.out)
	fmt.Fprintf(sys.out, "%s  %s\n", c.Bold(s.ID), s.Folder)
	fmt.Fprintf(sys.out, "tasks   %s\n", counts(s.Tasks))
	fmt.Fprintf(sys.out, "runs    %d of %d have a result\n", s.Finished, s.Runs)
	const most = 20 // tasks that are listed
	lines := &tabular.Table{Head: []string{"task", "state", "runs", "why"}, Right: []string{"task"}}
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
		fmt.Fprintf(sys.out, "  and %s; --format json lists all\n", amount.Count(left, "more"))
	}
	return nil
}

// counts are numbers of tasks in words: of the states that there are.
func counts(tasks map[grid.State]int) string {
	var words []string
	for _, state := range grid.States() {
		if n := tasks[state]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, state))
		}
	}
	return strings.Join(words, ", ")
}
