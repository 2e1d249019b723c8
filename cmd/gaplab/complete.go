package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/catalogue"
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
