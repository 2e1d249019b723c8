package main

import (
	"github.com/spf13/cobra"
)

func newNotebook(sys system) *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "notebook",
		Short: "Install the kernel of notebooks, open notebooks, or execute them",
		Long: `The notebooks of gaplab have cells in Go, which the kernel GoNB runs. Install
the kernel for Jupyter and VS Code, open a notebook, or execute notebooks from
beginning to end and make HTML pages of them.`,
	})
	cmd.AddCommand(newNotebookInstall(sys), newNotebookOpen(sys), newNotebookRun(sys))
	return cmd
}
