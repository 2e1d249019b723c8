package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/internal/replace"
	"github.com/gaplab/gaplab/kernel"
	"github.com/gaplab/gaplab/notebooks/jupyter"
)

func newNotebookInstall(sys system) *cobra.Command {
	var prefix string
	which := &term.Choice{Value: jupyter.GoNB, Accepted: []string{jupyter.GoNB, "gaplab"}}
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Install the kernel for Jupyter and VS Code",
		Long: `Install a kernel in the folder where Jupyter and VS Code look for kernels.

  gonb    runs cells in Go. It is installed with its tools, in the versions that
          gaplab is tested with, and needs a checkout of gaplab.
  gaplab  runs cells that are experiments in YAML. It is this program.

The kernel is one folder, whose path is printed. Remove the folder to remove the
kernel.`,
		Example: `  gaplab notebook install
  gaplab notebook install --kernel gaplab
  gaplab notebook install --prefix /opt/jupyter`,
		Args: cobra.NoArgs,
	}
	cmd.Flags().Var(which, "kernel", "install the kernel of Go cells, or that of experiments")
	cmd.Flags().StringVar(&prefix, "prefix", "", "install below `PREFIX`/share/jupyter, for all users")
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

// installOwn installs this program as a kernel of Jupyter. If the program is a temporary file of go run, it installs a
// copy.
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

// copied copies a program into a folder, and returns the absolute path of the copy.
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
	return to, replace.WriteFile(to, text, 0o777)
}

// installGoNB installs the kernel for cells in Go from the checkout that contains the working directory.
func (sys system) installGoNB(ctx context.Context, data string, log io.Writer) (dir string, err error) {
	root, err := checkoutRoot()
	if err != nil {
		return "", err
	}
	dir, err = jupyter.InstallGoNB(ctx, root, data, log)
	return dir, err
}

// checkoutRoot returns the root of the checkout of gaplab that contains the working directory.
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
			return "", term.Usage("%s is not in a checkout of gaplab; change to one: Go cells import gaplab from there", at)
		}
	}
}

// frontEnd returns the command that opens a notebook.
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
