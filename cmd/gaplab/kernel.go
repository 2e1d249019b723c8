package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/kernel"
	"github.com/gaplab/gaplab/kernel/protocol"
)

// newKernel is what Jupyter starts; people install it with gaplab notebook install.
func newKernel(sys system) *cobra.Command {
	cmd := group(&cobra.Command{
		Use:    "kernel",
		Short:  "The Jupyter kernel of experiments, which Jupyter starts",
		Hidden: true,
	})
	cmd.AddCommand(&cobra.Command{
		Use:   "run CONNECTION-FILE",
		Short: "Run the kernel whose cells are experiments",
		Long: `Run the Jupyter kernel whose cells are experiments, until a front end shuts it
down. Jupyter starts it, with the file that says where to listen; install it
with gaplab notebook install --kernel gaplab.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := protocol.ReadConnection(args[0])
			if err != nil {
				return term.Usage("%w", err)
			}
			k, err := kernel.New(kernel.Host{Version: programVersion(), Verbs: cellVerbs(), Verb: sys.fromCell,
				Options: []harness.Option{harness.Source(sys.source(false)), harness.Command("gaplab", "kernel")}})
			if err != nil {
				return err
			}
			return protocol.Serve(cmd.Context(), c, k)
		},
	})
	return cmd
}

// cellVerbs are the verbs of the command line that a cell may use.
func cellVerbs() []string {
	return []string{"list", "show", "claims", "plot", "data", "export", "report", "predict"}
}

// fromCell carries out a command line of a cell.
func (sys system) fromCell(ctx context.Context, args []string, out, err io.Writer) error {
	inner := sys
	inner.in, inner.out, inner.err = nil, out, err
	if code := run(ctx, inner, args); code != 0 && code != term.ExitShort {
		return fmt.Errorf("%s: exit code %d", args[0], code)
	}
	return nil
}
