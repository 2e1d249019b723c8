package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/trace"
)

func newCompare(sys system) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compare RUN RUN",
		Short: "Set two runs side by side: settings, ends, passes to a gap",
		Long: `Set two runs side by side: the settings in which they differ, what they ended
with, and the passes that each took to the gaps that both have reached.

A run is named by its key (or six digits of it) or by its file.`,
		Example: "  gaplab compare fb6ef7aeac27e28e 09b1d2",
		Args:    between(2, 2),
	}
	selection := addSelection(cmd)
	format := term.AddFormat(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		var runs []*trace.File
		for _, arg := range args {
			f, err := oneRun(arg, selection.options())
			if err != nil {
				return err
			}
			runs = append(runs, f)
		}
		list := harness.Compare(runs[0], runs[1])
		return term.Results(sys.out, sys.coloursOf(sys.out), format.Value, list, harness.Contrasts(list))
	}
	return cmd
}

// oneRun is the run that an argument names: where it lies in several places, the one that was made here.
func oneRun(arg string, options []harness.Option) (*trace.File, error) {
	key, ok := keyOf(arg)
	if !ok {
		return nil, term.Usage("%q is no run; accepted: a key as gaplab show prints it, or six digits of it", arg)
	}
	files, err := harness.FindRuns(key, options...)
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
		return nil, term.Usage("%s: %d runs have keys that begin so: %s", arg, len(keys), keys)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: %w", arg, harness.ErrNoResults)
	}
	return files[0], nil
}
