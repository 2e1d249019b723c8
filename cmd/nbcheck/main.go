// Command nbcheck reads executed Jupyter notebooks and fails if a cell went wrong.
//
//	nbcheck NOTEBOOK...            # executed: errors, text on standard error, figures that are missing
//	nbcheck -stripped NOTEBOOK...  # as committed: no outputs
//
// It prints a line for each notebook that is fine, and the faults of the others with their cells. It exits with 0 if
// all are fine, 1 if one is not, 2 if one cannot be read or the usage is wrong.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/gaplab/gaplab/notebooks/ipynb"
)

const (
	exitFine    = 0
	exitProblem = 1
	exitUsage   = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, w, wErr io.Writer) int {
	flags := flag.NewFlagSet("nbcheck", flag.ContinueOnError)
	flags.SetOutput(wErr)
	flags.Usage = func() {
		fmt.Fprintln(wErr, "usage: nbcheck [-stripped] NOTEBOOK...")
		flags.PrintDefaults()
	}
	stripped := flags.Bool("stripped", false, "check that the notebooks hold no outputs, as they are committed")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return exitFine
	} else if err != nil {
		return exitUsage
	}
	if flags.NArg() == 0 {
		fmt.Fprintln(wErr, "nbcheck: no notebook given")
		flags.Usage()
		return exitUsage
	}
	code := exitFine
	for _, path := range flags.Args() {
		code = max(code, check(path, *stripped, w, wErr))
	}
	return code
}

func check(path string, stripped bool, w, wErr io.Writer) int {
	nb, err := ipynb.ReadFile(path)
	if err != nil {
		fmt.Fprintln(wErr, "nbcheck:", err)
		return exitUsage
	}
	problems, well := nb.CheckExecuted(), fmt.Sprintf("%d cells executed, %d figures", nb.CodeCells(), nb.Figures())
	if stripped {
		problems, well = nb.CheckStripped(), "no outputs"
	}
	if len(problems) == 0 {
		fmt.Fprintf(w, "%s: %s\n", path, well)
		return exitFine
	}
	for _, p := range problems {
		fmt.Fprintf(w, "%s: %s\n", path, p)
	}
	return exitProblem
}
