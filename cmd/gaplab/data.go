package main

import (
	"github.com/spf13/cobra"
)

func newData(sys system) *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "data",
		Short: "List, fetch and verify data sets",
		Long: `List, fetch and verify data sets. Their files are looked for in the folder
GAPLAB_DATA, then in the cache (below XDG_CACHE_HOME, or else ~/.cache). Data
that were read once are kept there in parsed form: see gaplab data cache.`,
	})
	cmd.AddCommand(newDataList(sys), newDataFetch(sys), newDataVerify(sys), newDataCache(sys))
	return cmd
}
