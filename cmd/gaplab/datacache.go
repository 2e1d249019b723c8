package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/tabular"
)

// parsedFolder is the line of gaplab data cache --format json.
type parsedFolder struct {
	Folder string `json:"folder"`
	Sets   int    `json:"sets"`
	Bytes  int64  `json:"bytes"` // of all files
	Limit  int64  `json:"limit"` // bytes; 0: nothing is kept
}

func newDataCache(sys system) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Show or remove the data that are kept in parsed form",
		Long: `Show where data sets are kept in parsed form, how much room they take and may
take, or remove them with --clear.

Data of which more than 1 MB of text or images had to be read are kept in binary
form, by the checksums of their files, and read from there the next time: the
data are the same, to the bit, and so are results. Files that have changed are
read anew, and so are damaged data. Data that have not been used for longest
make room beyond 1000 MB, or GAPLAB_PARSED_MB; with GAPLAB_PARSED_MB=0 nothing
is kept or used. Trees are not kept. Downloaded files are not touched.`,
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
		lines := &tabular.Table{Head: []string{"folder", "sets", "size", "limit"}, Right: []string{"sets", "size", "limit"}}
		lines.Add(p.Folder, fmt.Sprint(sets), amount.Bytes(bytes), amount.Bytes(p.Limit))
		return term.Results(sys.out, sys.coloursOf(sys.out), format.Value,
			[]parsedFolder{{Folder: p.Folder, Sets: sets, Bytes: bytes, Limit: p.Limit}}, lines)
	}
	return cmd
}
