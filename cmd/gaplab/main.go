// Command gaplab runs the experiments of papers on training structured predictors: it regenerates their figures and
// tables, checks their claims, and guards their convergence curves.
//
//	gaplab run eg/fig06                  # a figure and its claims within a minute, without any data
//	gaplab run 'eg/*' --scale paper      # the sizes of the paper
//	gaplab run letters.yaml              # an experiment of your own
//
// Results go to standard output, progress and messages to standard error. The exit code is 0 for success, 1 if a claim
// was not reproduced or a curve differs from its reference, 2 if the spec or the command line is wrong, 3 if a run
// failed, 4 if data, a result or a reference is missing or damaged, 130 after an interrupt, and 143 if a task of a
// campaign was terminated.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
)

func main() {
	delayCollection(os.Getenv)
	ctx := interruptible(context.Background(), os.Stderr, os.Args[1:])
	os.Exit(run(ctx, system{in: os.Stdin, out: os.Stdout, err: os.Stderr, getenv: os.Getenv}, os.Args[1:]))
}

// run executes one command line, without the program's name. It prints the error and returns the exit code.
func run(ctx context.Context, sys system, args []string) int {
	err := perform(ctx, sys, args)
	if err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			fmt.Fprintf(sys.err, "gaplab: %s\n", line)
		}
	}
	return term.ExitCode(ctx, err)
}
