package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/tabular"
)

func newData(sys system) *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "data",
		Short: "List, fetch and verify data sets",
		Long: `List, fetch and verify data sets. gaplab looks for their files in the folder
that the variable GAPLAB_DATA names, then in the cache (below XDG_CACHE_HOME, or
else ~/.cache). The cache also stores data in parsed form: see gaplab data
cache.`,
	})
	cmd.AddCommand(newDataList(sys), newDataFetch(sys), newDataVerify(sys), newDataCache(sys))
	return cmd
}

// listed is one line of gaplab data list --format json.
type listed struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	State   string `json:"state"`  // found, missing, generator (needs no file) or format (reads the user's file)
	Place   string `json:"place"`  // where the files were found: GAPLAB_DATA or cache
	Folder  string `json:"folder"` // folder of the first file
	Bytes   int64  `json:"bytes"`  // total size of the decompressed files
	Train   int    `json:"train"`  // number of training examples
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

// locate finds the files of a data set without opening them.
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
		if f.Status == datasets.Missing {
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
	lines := &tabular.Listing{Head: []string{"name", "state", "place", "size", "rows", "licence"},
		Right: []string{"size", "rows"}}
	for _, k := range all {
		size, rows := "", ""
		if k.Bytes > 0 {
			size = amount.Bytes(k.Bytes)
		}
		if k.Train > 0 {
			rows = fmt.Sprint(k.Train)
		}
		lines.Add(k.Name, k.State, k.Place, size, rows, k.Licence)
	}
	return term.Results(sys.out, sys.coloursOf(sys.out), format, all, lines)
}

func newDataFetch(sys system) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fetch NAME...",
		Short: "Download data sets into the cache and verify them",
		Long: `Check that the files of data sets exist and have the right content. Download
missing files into the cache or, with --from, copy them from a folder. The next
fetch resumes an interrupted download.`,
		Example:           "  gaplab data fetch mnist\n  gaplab data fetch mnist --from ~/Downloads",
		Args:              atLeastOne("a data set; `gaplab data list` lists them"),
		ValidArgsFunction: completeDatasets,
	}
	from := cmd.Flags().String("from", "", "copy the files from this `folder` instead of downloading them")
	offline := cmd.Flags().Bool("offline", false, "never download")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		list, err := entries(args)
		if err != nil {
			return err
		}
		source := sys.source(*offline)
		var wrong term.Faults
		for _, e := range list {
			if e.Format {
				wrong.Add(term.Usage("%s is a file format, not a data set: there is nothing to fetch", e.Name))
				continue
			}
			if err := datasets.Fetch(cmd.Context(), e, source, *from); err != nil {
				wrong.Add(err)
				continue
			}
			if len(e.Files) == 0 {
				fmt.Fprintf(sys.out, "%s: generated, nothing to fetch\n", e.Name)
			}
			for _, f := range datasets.Locate(e, source) {
				fmt.Fprintln(sys.out, f.Path)
			}
		}
		return wrong.Err()
	}
	return cmd
}

// verified is one line of gaplab data verify --format json, about one file of a data set.
type verified struct {
	Name string `json:"name"`
	datasets.FileStatus
}

func newDataVerify(sys system) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify [NAME...]",
		Short: "Compare the files of data sets with their checksums",
		Long: `Compare the SHA-256 of the decompressed files of data sets with the catalogue.
Without names, verify every data set that has at least one file here. Nothing is
downloaded.`,
		ValidArgsFunction: completeDatasets,
	}
	format := term.AddFormat(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		list, err := entries(args)
		if err != nil {
			return err
		}
		source := sys.source(true)
		var wrong term.Faults
		var all []verified
		for _, e := range list {
			if len(args) == 0 && !here(e, source) {
				continue
			}
			if e.Format {
				wrong.Add(term.Usage("%s is a file format, not a data set: there is nothing to verify", e.Name))
				continue
			}
			files, err := verify(cmd.Context(), e, source)
			all = append(all, files...)
			wrong.Add(err)
		}
		if len(all) > 0 || len(wrong) == 0 {
			wrong.Add(printVerified(sys, format.Value, all))
		}
		return wrong.Err()
	}
	return cmd
}

// here reports whether at least one file of the data set exists here.
func here(e datasets.Entry, source datasets.Source) bool {
	for _, f := range datasets.Locate(e, source) {
		if f.Status == datasets.Found {
			return true
		}
	}
	return false
}

// verify compares the files of a data set with their checksums.
func verify(ctx context.Context, e datasets.Entry, source datasets.Source) ([]verified, error) {
	status, err := datasets.Verify(ctx, e, source)
	if err != nil {
		return nil, err
	}
	var out []verified
	for _, f := range status {
		out = append(out, verified{e.Name, f})
	}
	return out, datasets.StatusError(e.Name, source, status)
}

func printVerified(sys system, format string, all []verified) error {
	lines := &tabular.Listing{Head: []string{"name", "file", "state", "place", "size"}, Right: []string{"size"}}
	for _, f := range all {
		lines.Add(f.Name, f.File.Name, string(f.Status), f.Place, amount.Bytes(f.Bytes))
	}
	return term.Results(sys.out, sys.coloursOf(sys.out), format, all, lines)
}
