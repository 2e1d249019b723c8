package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/datasets"
)

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
