package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/notebooks/ipynb"
	"github.com/gaplab/gaplab/notebooks/jupyter"
)

func newNotebook(sys system) *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "notebook",
		Short: "Install the kernel of notebooks, open notebooks, or execute them",
		Long: `Install a kernel for Jupyter and VS Code, open a notebook, or execute notebooks
from beginning to end and make HTML pages of them. Notebooks of gaplab have
cells in Go, which the kernel gonb runs, or in YAML, which gaplab itself runs.`,
	})
	cmd.AddCommand(newNotebookInstall(sys), newNotebookOpen(sys), newNotebookRun(sys))
	return cmd
}

func newNotebookOpen(sys system) *cobra.Command {
	return &cobra.Command{
		Use:   "open [FILE]",
		Short: "Open a notebook in JupyterLab, Jupyter Notebook or VS Code",
		Long: `Open a notebook, or the folder of the notebooks, in the first of JupyterLab,
Jupyter Notebook and VS Code that is installed.`,
		Example: `  gaplab notebook open
  gaplab notebook open notebooks/own-solver.ipynb`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			file := "notebooks"
			if len(args) == 1 {
				file = args[0]
			}
			if _, err := os.Stat(file); len(args) == 0 && errors.Is(err, fs.ErrNotExist) {
				return term.Usage("notebook open: this folder has no folder notebooks; change to a checkout of gaplab, or " +
					"name a notebook")
			} else if err != nil {
				return term.Usage("%w", err)
			}
			if err := kernelFor(file); err != nil {
				return err
			}
			command, err := frontEnd()
			if err != nil {
				return err
			}
			run := exec.CommandContext(cmd.Context(), command[0], append(command[1:], file)...)
			run.Stdin, run.Stdout, run.Stderr = sys.in, sys.out, sys.err
			return run.Run()
		},
	}
}

// kernelFor checks that the kernel of a notebook is installed. If file is a folder, it checks that at least one kernel
// is installed.
func kernelFor(file string) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		if jupyter.Installed(jupyter.GoNB) || jupyter.Installed("gaplab") {
			return nil
		}
		return term.Exit(term.ExitMissing, "no kernel is installed; install it with: gaplab notebook install")
	}
	nb, err := ipynb.ReadFile(file)
	if err != nil {
		return term.Usage("%w", err)
	}
	switch name := nb.Metadata.Kernel.Name; {
	case name == "" || jupyter.Installed(name):
		return nil
	case name == jupyter.GoNB || name == "gaplab":
		return term.Exit(term.ExitMissing,
			"the kernel %s is not installed; install it with: gaplab notebook install --kernel %[1]s", name)
	default:
		return term.Exit(term.ExitMissing, "the kernel %s, which %s names, is not installed", name, file)
	}
}
