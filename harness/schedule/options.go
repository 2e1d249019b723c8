// Package schedule makes the runs of an experiment. It orders the runs, finds results that exist already, compares runs
// at an intermediate point and continues only the best (lang.Choose), and divides the runs among processes. Package
// inputs gives each run its data, package record makes the rows, and package store writes the files.
//
//	plan, err := schedule.NewPlan(spec, schedule.Options{Catalogue: cat, Workers: 2, Out: "results/runs"})
//	err = plan.Run(ctx)
package schedule

import (
	"errors"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/solvers"
)

// Options configure how experiments are run.
type Options struct {
	Catalogue lang.Catalogue
	Workers   int                                 // number of runs at the same time, at least 1
	Turns     *semaphore.Weighted                 // each run acquires 1 from it; nil: no limit other than Workers
	Out       string                              // folder for the files of the runs
	Source    datasets.Source                     // where data files are read from
	Force     bool                                // repeat runs that have a result
	Once      bool                                // with Force: use what this Sitting made for other experiments
	SameCode  bool                                // repeat a run if its code has changed under the same revision
	Weights   bool                                // save the final weights of each run
	Extra     []Named                             // the caller's solvers; each runs on every problem
	OnlyExtra bool                                // leave out the spec's solvers
	Programs  bool                                // run the programs that a user's own spec names
	Quiet     bool                                // timed runs are made again if the machine was busy, as with repeat
	Untimed   bool                                // runs may share the machine, even if the experiment shows seconds
	Clean     bool                                // do not reuse results of a program with uncommitted sources
	Command   []string                            // the command line, for manifests
	Sitting   string                              // name of this process, for manifests
	OneOf     string                              // timed experiments reuse only results of this Sitting; "": of any
	SaveEvery time.Duration                       // wall-clock time between checkpoints of a run; 0: a minute; Never: none
	Shard     *Shard                              // the runs that this process makes; nil: all runs
	Event     func(Event)                         // called for each event; nil: never
	CPU       func() (time.Duration, bool)        // tests only: replaces the clock of the thread's CPU time
	Now       func() time.Time                    // tests only: replaces time.Now in the measurements of a run
	Reference reference                           // tests only: replaces the loop that shows whether the machine is busy
	Wrap      func(solvers.Solver) solvers.Solver // tests only: replaces a solver of the spec by a faulty one
}

// Named is a caller's solver with its name in the results.
type Named = solvers.Named

// Never is the value of Options.SaveEvery with which runs write no checkpoints. Runs still resume from existing
// checkpoints.
const Never = -1

// Shard lists the runs of an experiment that one process makes, if Divide has divided the experiment among processes.
// The process makes no other run. If one of its runs starts from the weights of a run outside the shard, the process
// reads these weights from the folder of the runs.
type Shard struct {
	// Runs maps each run, by the hash of its settings (origin.PlanKey), to the checksum of the data for which the run was
	// planned. The checksum "" allows any data.
	Runs   map[string]string
	Trials bool          // make only the short trial runs from which settings are chosen (see lang.Choose); do not choose
	Late   time.Duration // longest delay until a file of another process becomes visible here, as with NFS
	// Silence is how long a run of another process may show no progress before this process makes the run itself. The
	// machine of the other process may have failed, although an NFS server still has the lock of the run. 0: wait without
	// limit.
	Silence time.Duration
}

// ErrAbsent is wrapped by the error of Run if a Shard needs a result that another process should have made before.
var ErrAbsent = errors.New("a needed result does not exist yet")

// ErrOtherData is wrapped by the error of Run if the data differ from those for which a Shard was planned.
var ErrOtherData = errors.New("other data than planned")
