package main

import (
	"context"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/kernel"
	"github.com/gaplab/gaplab/kernel/protocol"
)

// newKernel returns the command that Jupyter starts as a kernel. Users install the kernel with gaplab notebook install.
// execute runs the command line in a cell of a notebook.
func newKernel(sys system, execute func(context.Context, system, []string) error) *cobra.Command {
	cmd := group(&cobra.Command{
		Use:    "kernel",
		Short:  "Run the Jupyter kernel of experiments (for Jupyter)",
		Hidden: true,
	})
	cmd.AddCommand(&cobra.Command{
		Use:   "run CONNECTION-FILE",
		Short: "Run the kernel whose cells are experiments",
		Long: `Run the Jupyter kernel whose cells are experiments, until a front end shuts it
down. Jupyter starts it with a file of addresses to listen on. Install it with
gaplab notebook install --kernel gaplab.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := protocol.ReadConnection(args[0])
			if err != nil {
				return term.Usage("%w", err)
			}
			sys.args = []string{"kernel"} // so manifests do not record the name of Jupyter's connection file
			k, err := kernel.New(kernel.Host{Version: programVersion(), Verbs: cellVerbs(), Run: sys.runInCell,
				Verb: func(ctx context.Context, args []string, out, err io.Writer) error {
					cell := sys
					cell.in, cell.out, cell.err, cell.inCell = nil, out, err, true
					return unlessShort(ctx, execute(ctx, cell, args))
				},
				Options: (&runner{workers: runtime.GOMAXPROCS(0)}).options(sys, false, harness.Options{Shipped: sys.shipped(cmd)})})
			if err != nil {
				return err
			}
			return protocol.Serve(cmd.Context(), c, k)
		},
	})
	return cmd
}

// cellVerbs returns the commands that a notebook cell may use.
func cellVerbs() []string {
	return []string{"list", "show", "claims", "compare", "plot", "data", "export", "report", "predict"}
}

// runInCell parses the arguments of gaplab run in a cell, and returns the plans of the experiments to run. With
// --dry-run it prints the forecast and returns none.
func (sys system) runInCell(ctx context.Context, args []string, out, err io.Writer) ([]*harness.Plan, error) {
	sys.in, sys.out, sys.err, sys.inCell = nil, out, err, true
	v := &runFlags{sys: sys}
	cmd := v.command()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetOut(out)
	cmd.SetFlagErrorFunc(badFlag)
	var plans []*harness.Plan
	cmd.RunE = func(_ *cobra.Command, args []string) (err error) {
		if plans, err = v.plans(ctx, args); err == nil && v.dryRun {
			err = v.forecast(ctx, plans)
			plans = nil
		}
		return err
	}
	cmd.SetArgs(args)
	if err := cmd.Execute(); err != nil {
		return nil, err
	}
	return plans, nil
}

// unlessShort returns the error of a command line in a cell. It returns nil if the command only found that a claim is
// not reproduced or that a curve differs from its reference.
func unlessShort(ctx context.Context, err error) error {
	if term.ExitCode(ctx, err) == term.ExitShort {
		return nil
	}
	return err
}
