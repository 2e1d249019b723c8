package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/tabular"
)

// verified is one line of gaplab data verify --format json: a file of a data set.
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

// here reports whether a file of the data set was found.
func here(e datasets.Entry, source datasets.Source) bool {
	for _, f := range datasets.Locate(e, source) {
		if f.State == datasets.Found {
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
	lines := &tabular.Table{Head: []string{"name", "file", "state", "place", "size"}, Right: []string{"size"}}
	for _, f := range all {
		lines.Add(f.Name, f.File.Name, string(f.State), f.Place, amount.Bytes(f.Bytes))
	}
	return term.Results(sys.out, sys.coloursOf(sys.out), format, all, lines)
}
