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

// completeExperiments completes, in a shell, the ids of the experiments that come with gaplab, and then file names.
func completeExperiments(_ *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var ids []cobra.Completion
	for _, id := range experiments.IDs() {
		if strings.HasPrefix(id, prefix) {
			ids = append(ids, id)
		}
	}
	return ids, cobra.ShellCompDirectiveDefault
}

// completeDatasets completes, in a shell, the names of the data sets that are read from files.
func completeDatasets(_ *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, e := range catalogue.DataSets() {
		if len(e.Files) > 0 && strings.HasPrefix(e.Name, prefix) {
			names = append(names, cobra.CompletionWithDesc(e.Name, e.Title))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// group finishes the definition of a command that only has subcommands, and returns the command. Without a subcommand,
// the command prints its help. With an unknown one, it returns an error that suggests a similar subcommand.
func group(cmd *cobra.Command) *cobra.Command {
	cmd.SuggestionsMinimumDistance = 2
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			return fmt.Errorf("unknown command %q; did you mean %s?", args[0], strings.Join(near, " or "))
		}
		if !cmd.HasParent() {
			return unknownCommand(cmd, args[0])
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

// atLeastOne returns a check that requires at least one argument. The parameter what describes the argument in the
// error.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s: name %s", cmd.Name(), what)
		}
		return nil
	}
}

// between returns a check that the number of arguments is from least to most, both included.
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

// entries returns the data sets with the given names, or all data sets if there are no names.
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
