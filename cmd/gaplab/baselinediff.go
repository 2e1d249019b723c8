package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/baseline"
	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/internal/tabular"
)

// newBaselineDiff returns the command that compares two results folders or revisions.
func newBaselineDiff(sys system) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff BEFORE AFTER [ID...]",
		Short: "Compare the results of two revisions or folders",
		Long: `Compare the results of two places, curve by curve, with the rules of gaplab
check. A place is a git revision, a results folder, or a folder of runs. All
experiments of either place are compared, unless some are named; for a folder of
runs, name them. The exit code is 1 if a curve moved.`,
		Example: "  gaplab baseline diff main results\n  gaplab baseline diff results results/runs eg/fig06 --scale paper",
	}
	scale, format := addResultsScale(cmd), term.AddFormat(cmd)
	exact := cmd.Flags().Bool("exact", false, "compare every column except clocks, bit by bit")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) < 2 {
			return term.Usage("%s: got %d arguments, want two or more: %s", cmd.Name(), len(args), cmd.UseLine())
		}
		var ids []string
		if len(args) > 2 {
			found, err := harness.Select(args[2:]...)
			if err != nil {
				return term.Usage("%w", err)
			}
			for _, e := range found {
				ids = append(ids, e.ID)
			}
		}
		before, dropBefore, err := referencesOf(args[0], scale.Value)
		if err != nil {
			return err
		}
		defer dropBefore()
		after, dropAfter, err := referencesOf(args[1], scale.Value)
		if err != nil {
			return err
		}
		defer dropAfter()
		found, err := baseline.Diff(before, after, scale.Value, ids, harness.Options{Exact: *exact})
		if err != nil {
			return err
		}
		return printDiff(sys, format.Value, found)
	}
	return cmd
}

// printDiff prints the curves that moved, which means that they differ from their references beyond the tolerance. In
// formats other than text it prints all curves.
func printDiff(sys system, format string, found []gate.Comparison) error {
	lines := &tabular.Listing{Head: []string{"experiment", "curve", "work", "what moved"}, Right: []string{"work"}}
	for _, c := range found {
		if !c.OK {
			lines.Add(c.Experiment, c.Curve, work(c), c.Message)
		}
	}
	var err error
	switch {
	case format != "text":
		err = term.Results(sys.out, sys.coloursOf(sys.out), format, found, lines)
	case len(lines.Rows) > 0:
		err = lines.Text(sys.out, tabular.Layout{Sparse: true})
	}
	if len(lines.Rows) > 0 {
		err = errors.Join(err, term.Exit(term.ExitShort, "%d of %d curves moved", len(lines.Rows), len(found)))
	}
	if len(lines.Rows) == 0 && err == nil {
		sys.note("%d curves are the same", len(found))
	}
	return err
}
