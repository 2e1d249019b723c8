package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/harness/grid/slurm"
	"github.com/gaplab/gaplab/internal/amount"
)

func newCancel(sys system) *cobra.Command {
	var where grids
	cmd := &cobra.Command{
		Use:   "cancel [GRID]",
		Short: "Take what is left of a grid out of the queue",
		Long: `Take what is left of a grid out of the queue. Runs that are at work keep their
state; what has ended stays. The command that made the grid makes one of what is
left.

` + gridArgument,
		Example: "  gaplab cancel",
		Args:    between(0, 1),
	}
	where.addTo(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		g, err := where.find(args)
		if err != nil {
			return err
		}
		jobs, err := g.Cancel(cmd.Context(), &slurm.Queue{})
		if err != nil {
			return err
		}
		fmt.Fprintf(sys.out, "cancelled %s of %s\n", amount.Count(len(jobs), "array"), g.ID)
		return nil
	}
	return cmd
}
