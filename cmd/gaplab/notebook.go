package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/kernel"
	"github.com/gaplab/gaplab/notebooks/ipynb"
	"github.com/gaplab/gaplab/notebooks/jupyter"
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

func newNotebookInstall(sys system) *cobra.Command {
	var prefix string
	which := &term.Choice{Value: jupyter.GoNB, Accepted: []string{jupyter.GoNB, "gaplab"}}
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Install the kernel for Jupyter and VS Code",
		Long: `Install a kernel where Jupyter and VS Code look for it. gonb, the kernel of Go
cells, comes with what it needs, in the versions that gaplab is tested with, and
wants a checkout of gaplab; gaplab, whose cells are experiments in YAML, is this
program. The kernel is one folder, which is printed: removing it removes the
kernel.`,
		Example: `  gaplab notebook install
  gaplab notebook install --kernel gaplab
  gaplab notebook install --prefix /opt/jupyter`,
		Args: cobra.NoArgs,
	}
	cmd.Flags().Var(which, "kernel", "which kernel: of Go cells, or of experiments")
	cmd.Flags().StringVar(&prefix, "prefix", "", "install below PREFIX/share/jupyter, not for this user alone")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		data, err := jupyter.DataFolder(prefix)
		if err != nil {
			return err
		}
		install := func() (string, error) { return sys.installGoNB(cmd.Context(), data, sys.err) }
		if which.Value == "gaplab" {
			install = func() (string, error) { return installOwn(data) }
		}
		dir, err := install()
		if err != nil {
			return err
		}
		fmt.Fprintln(sys.out, "kernel", dir)
		if _, err := frontEnd(); err != nil {
			fmt.Fprintln(sys.err, err)
		}
		return nil
	}
	return cmd
}

// installOwn installs this program as a kernel: a copy of it, if it is one that go run will remove.
func installOwn(data string) (dir string, err error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	if strings.Contains(filepath.ToSlash(program), "/go-build") {
		if program, err = copied(program, filepath.Join(data, "kernels", "gaplab")); err != nil {
			return "", err
		}
	}
	return jupyter.Install(jupyter.Spec{Name: "gaplab", Display: "gaplab (experiments)", Language: "gaplab",
		Argv: []string{program, "kernel", "run", "{connection_file}"}, Logo: []byte(kernel.Logo)}, data)
}

// copied is the absolute path of a copy of a program in a folder.
func copied(program, dir string) (string, error) {
	to, err := filepath.Abs(filepath.Join(dir, filepath.Base(program)))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	text, err := os.ReadFile(program)
	if err != nil {
		return "", err
	}
	return to, renameio.WriteFile(to, text, 0o777)
}

// installGoNB installs the kernel from the checkout that holds the working directory.
func (sys system) installGoNB(ctx context.Context, data string, log io.Writer) (dir string, err error) {
	root, err := checkoutRoot()
	if err != nil {
		return "", err
	}
	dir, err = jupyter.InstallGoNB(ctx, root, data, log)
	return dir, notebookError(err)
}

// notebookError has the exit code of what is missing.
func notebookError(err error) error {
	if errors.Is(err, jupyter.ErrMissing) {
		return term.Exit(term.ExitMissing, "%w", err)
	}
	return err
}

// checkoutRoot is the root of the checkout of gaplab that holds the working directory.
func checkoutRoot() (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := at; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "notebooks", "show")); err == nil {
			if _, err := os.Stat(filepath.Join(dir, "tools", "go.mod")); err == nil {
				return dir, nil
			}
		}
		if dir == filepath.Dir(dir) {
			return "", term.Usage("%s is in no checkout of gaplab: its Go cells import gaplab and build the kernel from there",
				at)
		}
	}
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
			if _, err := os.Stat(file); err != nil {
				return term.Usage("%w", err)
			}
			if err := kernelFor(file); err != nil {
				return err
			}
			command, err := frontEnd()
			if err != nil {
				return notebookError(err)
			}
			run := exec.CommandContext(cmd.Context(), command[0], append(command[1:], file)...)
			run.Stdin, run.Stdout, run.Stderr = sys.in, sys.out, sys.err
			return run.Run()
		},
	}
}

// kernelFor says which kernel has to be installed for a notebook, or for one of a folder.
func kernelFor(file string) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		if jupyter.Installed(jupyter.GoNB) || jupyter.Installed("gaplab") {
			return nil
		}
		return term.Exit(term.ExitMissing, "no kernel is installed; do: gaplab notebook install")
	}
	nb, err := ipynb.ReadFile(file)
	if err != nil {
		return term.Usage("%w", err)
	}
	switch name := nb.Metadata.Kernel.Name; {
	case name == "" || jupyter.Installed(name):
		return nil
	case name == jupyter.GoNB || name == "gaplab":
		return term.Exit(term.ExitMissing, "the kernel %s is not installed; do: gaplab notebook install --kernel %[1]s", name)
	default:
		return term.Exit(term.ExitMissing, "the kernel %s, which %s names, is not installed", name, file)
	}
}

// frontEnd is the command that opens a notebook.
func frontEnd() ([]string, error) {
	for _, command := range [][]string{{"jupyter-lab"}, {"jupyter-notebook"}, {"code"}} {
		if _, err := exec.LookPath(command[0]); err == nil {
			return command, nil
		}
	}
	return nil, fmt.Errorf("JupyterLab, Jupyter Notebook or VS Code: %w; on Debian and Ubuntu:\n"+
		"  apt-get install --no-install-recommends jupyter-notebook\nelsewhere:\n  pip install jupyterlab",
		jupyter.ErrMissing)
}
