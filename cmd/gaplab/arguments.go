package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/experiments"
)

// completeExperiments offers the ids of the committed experiments, then the user's files.
func completeExperiments(_ *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var ids []cobra.Completion
	for _, id := range experiments.IDs() {
		if strings.HasPrefix(id, prefix) {
			ids = append(ids, id)
		}
	}
	return ids, cobra.ShellCompDirectiveDefault
}

// completeDatasets offers the data sets that have files.
func completeDatasets(_ *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, e := range catalogue.DataSets() {
		if len(e.Files) > 0 && strings.HasPrefix(e.Name, prefix) {
			names = append(names, cobra.CompletionWithDesc(e.Name, e.Title))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// group makes a command that only holds others: by itself it shows its help. A word that it does not know is an error
// that names the nearest one that it does.
func group(cmd *cobra.Command) *cobra.Command {
	cmd.SuggestionsMinimumDistance = 2
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			return fmt.Errorf("unknown command %q; did you mean %s?", args[0], strings.Join(near, " or "))
		}
		var names []string
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				names = append(names, c.Name())
			}
		}
		slices.Sort(names)
		return fmt.Errorf("unknown command %q; accepted: %s", args[0], strings.Join(names, ", "))
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	return cmd
}

// atLeastOne asks for arguments. The error says what they are.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s: name %s", cmd.Name(), what)
		}
		return nil
	}
}

// between asks for some number of arguments, as the usage line names them.
func between(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			s := "s"
			if len(args) == 1 {
				s = ""
			}
			return fmt.Errorf("%s: got %d argument%s; want: %s", cmd.Name(), len(args), s, cmd.UseLine())
		}
		return nil
	}
}

// entries are the data sets of the names, or all.
func entries(names []string) ([]datasets.Entry, error) {
	if len(names) == 0 {
		return catalogue.DataSets(), nil
	}
	var out []datasets.Entry
	for _, name := range names {
		e, err := datasets.Find(catalogue.DataSets(), name)
		if err != nil {
			return nil, term.Usage("%w", err)
		}
		out = append(out, e)
	}
	return out, nil
}
