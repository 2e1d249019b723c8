package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/campaign"
	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/internal/amount"
)

func newCollect(sys system) *cobra.Command {
	var where campaigns
	cmd := &cobra.Command{
		Use:   "collect [CAMPAIGN]",
		Short: "Draw the figures and check the claims of a campaign that has ended",
		Long: `Draw the figures and check the claims of the experiments of a campaign, as
gaplab run does at its end, with the same exit codes. If results are missing,
they are listed, and the exit code is 4.

` + campaignArgument,
		Example: "  gaplab collect",
		Args:    between(0, 1),
	}
	where.addTo(cmd.Flags())
	format := term.AddFormat(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		g, err := where.find(args)
		if err != nil {
			return err
		}
		return collect(cmd.Context(), sys, g, format.Value)
	}
	return cmd
}

// collect prints the results of a campaign. Missing results are an error.
func collect(ctx context.Context, sys system, g *cluster.Campaign, format string) error {
	const late = 90 * time.Second // longest delay until NFS shows what a task has written
	missing, err := g.Missing(ctx, late)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return missingResults(g, missing)
	}
	specs, err := campaign.Specs(g)
	if err != nil {
		return err
	}
	results := &printer{sys: sys, format: format, selection: selectionOf(g)}
	reader := harness.NewReader(results.selection.folders())
	for _, s := range specs {
		result, err := reader.Made(s)
		if err != nil {
			results.faults.Add(err)
			continue
		}
		results.add(result)
	}
	return results.close()
}

// missingResults returns an error that lists the runs without a result.
func missingResults(g *cluster.Campaign, missing []cluster.Missing) error {
	const most = 10
	text := &strings.Builder{}
	fmt.Fprintf(text, "%s: %s missing", g.ID, amount.Count(len(missing), "result"))
	for _, m := range missing[:min(most, len(missing))] {
		fmt.Fprintf(text, "\n%s: %s (task %d", m.ID, m.Name, m.Task)
		if m.Why != "" {
			fmt.Fprintf(text, ": %s", term.FirstLine(m.Why))
		}
		text.WriteString(")")
	}
	if left := len(missing) - most; left > 0 {
		fmt.Fprintf(text, "\nand %d more", left)
	}
	return term.Exit(term.ExitMissing, "%s", text)
}
