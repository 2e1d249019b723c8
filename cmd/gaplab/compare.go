package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/compare"
	"github.com/gaplab/gaplab/harness/trace"
)

func newCompare(sys system) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compare RUN RUN",
		Short: "Compare two runs: settings, last rows, passes to a gap",
		Long: `Compare two runs: the settings in which they differ, their last rows, and the
passes that each needed for the gaps that both have reached.

Name a run by its key, by six or more first digits of the key, or by its file.`,
		Example: "  gaplab compare fb6ef7aeac27e28e 09b1d2",
		Args:    between(2, 2),
	}
	var results selection
	results.ship(sys, cmd).addOut(cmd)
	format := term.AddFormat(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		var runs []*trace.File
		for _, arg := range args {
			f, err := oneRun(arg, results.folders())
			if err != nil {
				return err
			}
			runs = append(runs, f)
		}
		list := compare.Runs(runs[0], runs[1])
		return term.Results(sys.out, sys.coloursOf(sys.out), format.Value, list, compare.Table(list))
	}
	return cmd
}

// oneRun returns the run that an argument names. If the user's own results and the results in the repository both have
// this run, oneRun returns the user's.
func oneRun(arg string, o harness.Options) (*trace.File, error) {
	key, ok := keyOf(arg)
	if !ok {
		return nil, term.Usage("%q is not a run; accepted: a key as gaplab show prints it, or its first six digits", arg)
	}
	files, err := harness.NewReader(o).Runs(key)
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, f := range files {
		if !slices.Contains(keys, f.Manifest.Key) {
			keys = append(keys, f.Manifest.Key)
		}
	}
	if len(keys) > 1 {
		return nil, term.Usage("%s: %d runs have keys that begin with these digits: %s", arg, len(keys), keys)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: %w", arg, harness.ErrNoResults)
	}
	return files[0], nil
}
