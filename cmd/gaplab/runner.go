package main

import (
	"runtime"

	"github.com/spf13/pflag"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
)

// runner holds the flags that are common to all commands that run experiments.
type runner struct {
	workers  int
	programs bool
}

// addTo defines the flags.
func (r *runner) addTo(flags *pflag.FlagSet) {
	flags.IntVarP(&r.workers, "workers", "j", runtime.GOMAXPROCS(0),
		"number of runs at a time; the results do not depend on it")
	r.addPrograms(flags)
}

// addPrograms defines the flag --programs.
func (r *runner) addPrograms(flags *pflag.FlagSet) {
	flags.BoolVar(&r.programs, "programs", false, "allow specs from outside gaplab to run the programs that they name")
}

// check returns an error if the number of workers is out of range.
func (r *runner) check() error {
	if r.workers < 1 {
		return term.Usage("-j %d is out of range; accepted: 1 or more", r.workers)
	}
	return nil
}

// options returns o with the values of the flags. If offline is true, no data are downloaded.
func (r *runner) options(sys system, offline bool, o harness.Options) harness.Options {
	source := sys.source(offline)
	o.Workers, o.Source, o.Programs = r.workers, &source, r.programs
	o.Command = append([]string{"gaplab"}, sys.args...)
	return o
}
