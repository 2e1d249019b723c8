// Package schedule makes the runs of an experiment. It orders them, finds results that exist already, decides which
// candidates of a choice continue, and divides the runs among processes. Package inputs gives each run its data,
// package record makes the rows, and package store keeps them.
//
//	plan, err := schedule.NewPlan(spec, schedule.Options{Catalogue: cat, Workers: 2, Out: "results/runs"})
//	err = plan.Run(ctx)
package schedule

import (
	"errors"
	"time"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/solvers"
)

// Options configure how experiments are run.
type Options struct {
	Catalogue lang.Catalogue
	Workers   int                                 // number of runs at a time, at least 1
	Out       string                              // folder of the runs
	Source    datasets.Source                     // where data files are found
	Force     bool                                // repeat runs that have a result
	SameCode  bool                                // do not reuse results whose code has changed under the same revision
	Weights   bool                                // save the last weights of each run
	Extra     []Named                             // the caller's solvers, on every problem
	OnlyExtra bool                                // leave out the spec's solvers
	Programs  bool                                // run the programs that a user's own spec names
	Untimed   bool                                // runs may share the machine, even if the experiment shows seconds
	Clean     bool                                // do not reuse results that were made with uncommitted sources
	Command   []string                            // the command line, for manifests
	SaveEvery time.Duration                       // wall-clock time between checkpoints of a run; 0: a minute; or Never
	Shard     *Shard                              // the part of the experiment to make; nil: the whole experiment
	Event     func(Event)                         // called for each event; nil: never
	CPU       func() (time.Duration, bool)        // tests only: replaces the thread's clock
	Wrap      func(solvers.Solver) solvers.Solver // tests only: plants a regression in the spec's solvers
}

// Named is a caller's solver with the name of its variant.
type Named = solvers.Named

// Never is the value of Options.SaveEvery with which runs write no checkpoints. They still resume from existing ones.
const Never = -1

// Shard is the part of a divided experiment (Divide) that one process makes. The process makes no run outside of the
// shard. If a run begins with the weights of a run outside, the process reads these from the folder of the runs.
type Shard struct {
	// Runs maps the plan keys of the runs (origin.PlanKey) to the checksums of the data for which they were planned. ""
	// allows any data.
	Runs   map[string]string
	Trials bool          // run candidates only up to the point of their choice, and do not make the choice
	Late   time.Duration // longest delay until a file of another process is visible here, as with NFS
	// Silence is how long a run of another process may show no progress before this process makes the run itself. The
	// other process may be on a machine that has failed, whose lock an NFS server still keeps. 0: wait without limit.
	Silence time.Duration
}

// ErrAbsent is wrapped by the error of Run if a Shard needs a result that another process should have made before.
var ErrAbsent = errors.New("not there yet")

// ErrOtherData is wrapped by the error of Run if the data of a Shard are not those for which it was planned.
var ErrOtherData = errors.New("other data than planned")
