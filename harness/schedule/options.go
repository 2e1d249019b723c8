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

// Options say how experiments are run.
type Options struct {
	Catalogue lang.Catalogue
	Workers   int    // runs at a time, at least 1
	Out       string // folder of the runs
	Source    datasets.Source
	Force     bool          // repeat runs that have a result
	SameCode  bool          // do not reuse results made by different code of the same revisions
	Weights   bool          // save the last weights of each run
	Extra     []Named       // the caller's solvers, on every problem
	OnlyExtra bool          // leave out the spec's solvers
	Programs  bool          // run the programs that a spec names, though the spec does not come with gaplab
	Untimed   bool          // nobody looks at seconds: runs may share the machine, whatever the experiment shows
	Clean     bool          // reuse no result of a program whose sources are not those of a commit
	Command   []string      // the command line, for manifests
	SaveEvery time.Duration // wall-clock time between two checkpoints of a run; 0: a minute; or Never
	Shard     *Shard        // nil: the whole experiment
	Event     func(Event)
	CPU       func() (time.Duration, bool)        // tests only: in place of the thread's clock
	Wrap      func(solvers.Solver) solvers.Solver // tests only: plants a regression in the spec's solvers
}

// Named is a caller's solver with the name of its variant.
type Named = solvers.Named

// Never is the Options.SaveEvery of runs that write no checkpoint. They resume from one that exists.
const Never = -1

// Shard is what one process does of an experiment that was divided before (Divide). The process makes nothing outside
// of it: it reads the weights that its runs begin with from the folder of the runs.
type Shard struct {
	// Runs are its runs by plan key (origin.PlanKey), each with the checksum of the data that it was planned for; "":
	// any data.
	Runs   map[string]string
	Trials bool          // candidates run up to the point of their choice, which is not made
	Late   time.Duration // the longest time until a file of another process is seen here, as with NFS
	// Silence is how long a run that another process has begun may show no progress until this process makes it too.
	// The other process may be on a machine that has failed, whose lock an NFS server keeps. 0: wait without limit.
	Silence time.Duration
}

// ErrAbsent is wrapped by the error of Run if a Shard lacks a result that another process should have made before.
var ErrAbsent = errors.New("not there yet")

// ErrOtherData is wrapped by the error of Run if a Shard finds other data than it was planned for.
var ErrOtherData = errors.New("other data than planned")
