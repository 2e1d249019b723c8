package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/harness/cluster/slurm"
	"github.com/gaplab/gaplab/internal/amount"
)

func newCancel(sys system) *cobra.Command {
	var where campaigns
	cmd := &cobra.Command{
		Use:   "cancel [CAMPAIGN]",
		Short: "Cancel the tasks of a campaign that have not ended",
		Long: `Cancel the tasks of a campaign that have not ended. Running runs save a
checkpoint; finished results stay. Repeat the command that made the campaign to
plan the runs that are left.

` + campaignArgument,
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
