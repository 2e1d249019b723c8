package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/tabular"
)

// parsedFolder is the line that gaplab data cache --format json prints.
type parsedFolder struct {
	Folder string `json:"folder"`
	Sets   int    `json:"sets"`
	Bytes  int64  `json:"bytes"` // total size of all files
	Limit  int64  `json:"limit"` // largest size of the folder in bytes; 0: nothing is cached
}

func newDataCache(sys system) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Show or remove the data that are cached in parsed form",
		Long: `Show the cache of data sets in parsed form, its size and its limit. With
--clear, empty it.

Data read from more than 1 MB of text or images are cached in binary form, under
the checksums of their files. The next run reads them from the cache: they are
the same bit by bit, and so are the results. If a file has changed, or the
cached data are damaged, the files are read again. When the cache exceeds 1000
MB, or GAPLAB_PARSED_MB, the least recently used data are removed.
GAPLAB_PARSED_MB=0 turns the cache off. Trees are not cached. Downloaded files
are never removed.`,
		Args: cobra.NoArgs,
	}
	format := term.AddFormat(cmd)
	clear := cmd.Flags().Bool("clear", false, "remove the parsed data")
	cmd.RunE = func(*cobra.Command, []string) error {
		p := sys.source(true).Parsed
		if *clear {
			if err := p.Clear(); err != nil {
				return err
			}
		}
		sets, bytes, err := p.Size()
		if err != nil {
			return err
		}
		lines := &tabular.Listing{Head: []string{"folder", "sets", "size", "limit"}, Right: []string{"sets", "size", "limit"}}
		lines.Add(p.Folder, fmt.Sprint(sets), amount.Bytes(bytes), amount.Bytes(p.Limit))
		return term.Results(sys.out, sys.coloursOf(sys.out), format.Value,
			[]parsedFolder{{Folder: p.Folder, Sets: sets, Bytes: bytes, Limit: p.Limit}}, lines)
	}
	return cmd
}
