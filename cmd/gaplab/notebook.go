package main

import (
	"github.com/spf13/cobra"
)

func newNotebook(sys system) *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "notebook",
		Short: "Install the notebooks' kernel, open them, or execute them",
		Long: `Notebooks of gaplab have cells in Go, by the kernel GoNB. Install it where
Jupyter and VS Code look for kernels, open a notebook, or execute notebooks from
beginning to end and make pages of them.`,
	})
	cmd.AddCommand(newNotebookInstall(sys), newNotebookOpen(sys), newNotebookRun(sys))
	return cmd
}
