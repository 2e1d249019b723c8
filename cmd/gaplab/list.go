package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness"
)

func newList(sys system) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "list [ID...]",
		Short:             "List the experiments",
		Example:           "  gaplab list\n  gaplab list eg --format json",
		ValidArgsFunction: completeExperiments,
	}
	format := addFormat(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		all, err := listExperiments(args)
		if err != nil {
			return err
		}
		return printList(sys, format.value, all)
	}
	return cmd
}

// listExperiments describes the experiments of the arguments, or all that come with gaplab: from the index of their
// paper, else by reading them.
func listExperiments(args []string) ([]experiments.Item, error) {
	names := experiments.IDs()
	if len(args) > 0 {
		var err error
		if names, err = harness.Resolve(args...); err != nil {
			return nil, usage("%w", err)
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
		read, err := harness.ReadNamed(name)
		if err != nil {
			return nil, usage("%w", err)
		}
		if all[i], err = read[0].Item(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func printList(sys system, format string, all []experiments.Item) error {
	if format == "json" || format == "csv" {
		return printObjects(sys.out, format, all)
	}
	lines := &listing{head: []string{"id", "kind", "claims", "scales", "title"}, right: []string{"claims"}}
	for _, l := range all {
		lines.add(l.ID, l.Kind, fmt.Sprint(len(l.Claims)), strings.Join(l.Scales, " "), l.Title)
	}
	if format == "md" {
		lines.markdown(sys.out)
		return nil
	}
	lines.text(sys.out, "", nil)
	return nil
}
