package main

import "github.com/spf13/cobra"

func newBaseline(sys system) *cobra.Command {
	cmd := group(&cobra.Command{Use: "baseline", Short: "Keep results in the repository"})
	cmd.AddCommand(newBaselineUpdate(sys), newBaselineDiff(sys))
	return cmd
}
