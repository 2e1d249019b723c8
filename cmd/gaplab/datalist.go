package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/tabular"
)

// listed is one line of gaplab data list --format json.
type listed struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	State   string `json:"state"`  // found, missing, generator, format
	Place   string `json:"place"`  // GAPLAB_DATA, cache
	Folder  string `json:"folder"` // of the first file
	Bytes   int64  `json:"bytes"`  // decompressed
	Train   int    `json:"train"`
	Licence string `json:"licence"`
}

func newDataList(sys system) *cobra.Command {
	cmd := &cobra.Command{Use: "list [NAME...]", Short: "List the data sets, where they are, and their licences",
		ValidArgsFunction: completeDatasets}
	format := term.AddFormat(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		list, err := entries(args)
		if err != nil {
			return err
		}
		var all []listed
		for _, e := range list {
			all = append(all, locate(e, sys.source(true)))
		}
		return printData(sys, format.Value, all)
	}
	return cmd
}

// locate returns where a data set is, without reading it.
func locate(e datasets.Entry, source datasets.Source) listed {
	k := listed{Name: e.Name, Title: e.Title, Train: e.Expect.Train, Licence: e.Licence, State: string(datasets.Found)}
	switch {
	case e.Format:
		k.State = "format"
	case e.Synthetic:
		k.State = "generator"
	}
	for i, f := range datasets.Locate(e, source) {
		k.Bytes += f.File.Bytes
		if i == 0 {
			k.Place, k.Folder = f.Place, folderOf(f.Path)
		}
		if f.State == datasets.Missing {
			k.State, k.Place, k.Folder = string(datasets.Missing), "", ""
			for _, rest := range datasets.Locate(e, source)[i+1:] {
				k.Bytes += rest.File.Bytes
			}
			break
		}
	}
	return k
}

func printData(sys system, format string, all []listed) error {
	lines := &tabular.Table{Head: []string{"name", "state", "place", "size", "rows", "licence"},
		Right: []string{"size", "rows"}}
	for _, k := range all {
		size, rows := "", ""
		if k.Bytes > 0 {
			size = amount.Bytes(k.Bytes)
		}
		if k.Train > 0 {
			rows = fmt.Sprint(k.Train)
		}
		lines.Add(k.Name, k.State, k.Place, size, rows, tabular.Clip(k.Licence, 48))
	}
	return term.Results(sys.out, sys.coloursOf(sys.out), format, all, lines)
}
