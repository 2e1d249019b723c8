package harness

import (
	"os"
	"path/filepath"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// Option changes how Run, Read and the others work.
type Option func(*options)

type options struct {
	workers int
	root    string // the results folder
	out     string // where traces are written; "": root/runs
	source  datasets.Source
	force   bool
	weights bool
	exact   bool
	extra   []named
	event   func(Event)
	wrap    func(solvers.Solver) solvers.Solver // tests only: plants a regression in the spec's solvers
}

// With runs a solver of the caller's on every problem of the experiment, beside the spec's solvers. Its variant is
// called what its method Name() string returns, else by its type; the name must be no other solver's. Its runs are made
// again each time, as its code may have changed.
func With(s solvers.Solver) Option {
	return func(o *options) { o.extra = append(o.extra, named{solverName(s), s}) }
}

// Workers is the number of runs at a time, at least 1. Results do not depend on it; experiments with seconds on an
// axis or in a claim run one at a time whatever it is.
func Workers(n int) Option { return func(o *options) { o.workers = max(1, n) } }

// Root is the results folder; by default ResultsFolder.
func Root(dir string) Option { return func(o *options) { o.root = dir } }

// Out is where traces are written, instead of the folder runs below Root.
func Out(dir string) Option { return func(o *options) { o.out = dir } }

// Source is where data sets are looked for; by default what the environment says.
func Source(s datasets.Source) Option { return func(o *options) { o.source = s } }

// Force runs finished keys again.
func Force() Option { return func(o *options) { o.force = true } }

// SaveWeights writes the last weights of each run beside its trace, for Predict.
func SaveWeights() Option { return func(o *options) { o.weights = true } }

// Exact has Check compare all columns but clocks, bit by bit, in place of a few within tolerances.
func Exact() Option { return func(o *options) { o.exact = true } }

// OnEvent is told of the progress of runs. Calls do not overlap.
func OnEvent(f func(Event)) Option { return func(o *options) { o.event = f } }

func newOptions(opts []Option) *options {
	o := &options{workers: 1, source: datasets.SourceFromEnv(os.Getenv)}
	for _, f := range opts {
		f(o)
	}
	if o.root == "" {
		o.root = ResultsFolder()
	}
	if o.out == "" {
		o.out = filepath.Join(o.root, "runs")
	}
	return o
}

// ResultsFolder is the folder results of the nearest folder, from the working directory up, that has a folder
// experiments as well; else results in the working directory.
func ResultsFolder() string {
	here, err := os.Getwd()
	if err != nil {
		return "results"
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if isDir(filepath.Join(dir, "results")) && isDir(filepath.Join(dir, "experiments")) {
			return filepath.Join(dir, "results")
		}
		if dir == filepath.Dir(dir) {
			return "results"
		}
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// EventKind says what happened.
type EventKind string

const (
	Started  EventKind = "start"
	Recorded EventKind = "record"
	Ended    EventKind = "end"
	Reused   EventKind = "reused" // the key was finished before
	Noted    EventKind = "note"   // Why says something about the experiment that a user may want to know
)

// Event is one step of the progress of an experiment.
type Event struct {
	Kind    EventKind
	Run     lang.Run
	Status  trace.Status // of Ended and Reused
	Why     string
	Passes  float64 // so far
	Target  float64 // passes at which the run ends at the latest; 0: not known
	Gap     float64 // relative; NaN if not known
	Seconds float64 // of solver time so far
	Done    int     // runs that ended
	Total   int
}
