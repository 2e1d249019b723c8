package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/internal/tabular"
)

func newList(sys system) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "list [ID...]",
		Short:             "List the experiments",
		Example:           "  gaplab list\n  gaplab list eg --format json",
		ValidArgsFunction: completeExperiments,
	}
	format := term.AddFormat(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		all, err := listExperiments(args)
		if err != nil {
			return err
		}
		return printList(sys, format.Value, all)
	}
	return cmd
}

// listExperiments describes the experiments that the arguments name, or all that come with gaplab if there are no
// arguments. It takes the descriptions from the index. It reads the specs of experiments that are not in the index.
func listExperiments(args []string) ([]experiments.Item, error) {
	names := experiments.IDs()
	if len(args) > 0 {
		var err error
		if names, err = harness.Resolve(args...); err != nil {
			return nil, term.Usage("%w", err)
		}
	}
	index, err := experiments.Index()
	if err != nil {
		return nil, err
	}
	all := make([]experiments.Item, len(names))
	for i, name := range names {
		if item, ok := index[name]; ok {
			all[i] = item
			continue
		}
		e, err := harness.Find(name)
		if err != nil {
			return nil, term.Usage("%w", err)
		}
		if all[i], err = e.Item(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func printList(sys system, format string, all []experiments.Item) error {
	lines := &tabular.Listing{Head: []string{"id", "kind", "claims", "title"}, Right: []string{"claims"}}
	for _, l := range all {
		lines.Add(l.ID, l.Kind, fmt.Sprint(len(l.Claims)), l.Title)
	}
	return term.Results(sys.out, sys.coloursOf(sys.out), format, all, lines)
}
