package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/harness/origin"
)

func newVersion(sys system) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit, Go's version and the platform",
		Args:  between(0, 0),
		RunE: func(*cobra.Command, []string) error {
			commit, dirty := origin.Revision()
			switch {
			case commit == "":
				commit = "unknown"
			case dirty:
				commit += " (changed since)"
			}
			_, err := fmt.Fprintf(sys.out, "gaplab %s\ncommit %s\n%s %s/%s\n", programVersion(), commit, runtime.Version(),
				runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// programVersion returns the version of the program, as the Go build records it.
func programVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
