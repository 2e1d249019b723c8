package main

import "github.com/spf13/cobra"

func newBaseline(sys system) *cobra.Command {
	cmd := group(&cobra.Command{Use: "baseline", Short: "Update or compare the results that the repository keeps"})
	cmd.AddCommand(newBaselineUpdate(sys), newBaselineDiff(sys))
	return cmd
}
