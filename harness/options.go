package harness

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/shipped"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
	"github.com/gaplab/gaplab/solvers"
)

// Options configures Run, Read and Check. The zero value runs the spec's solvers, one run at a time, and writes their
// traces to the folder runs below ResultsFolder.
type Options struct {
	// With contains the caller's own solvers. Each runs on every problem of the experiment, in addition to the spec's
	// solvers. The method Name() string of a solver returns its name in curves; without this method, the name is the name
	// of the Go type in lower case. No other solver may have the same name. The runs are repeated at each call, because
	// the code of the solver may have changed.
	With []solvers.Solver
	// Only leaves out the spec's solvers, so that only the solvers in With run. This is an error if a problem of the
	// experiment starts from the weights of one of the spec's solvers.
	Only bool

	// Workers is the number of runs that run at the same time; 0 means 1. Results do not depend on it. If a figure, table
	// or claim of the experiment uses seconds, only one run runs at a time, for any value of Workers.
	Workers int
	// Turns limits how many runs of several calls of Run or Check run at the same time: a run first acquires 1 from it.
	// nil: no further limit.
	Turns   *semaphore.Weighted
	OnEvent func(schedule.Event) // if not nil: called as runs progress, never by two goroutines at once
	Source  *datasets.Source     // where data sets are searched; nil: as set in the environment

	Root string // results folder; "" for ResultsFolder()
	Out  string // folder of the traces; "" for the folder runs below Root
	Kept bool   // whether Read looks in the repository first, and then in Out
	// Shipped finds the kept results that come with the program. They are used for experiments that have no kept results
	// in Root. nil: there are none.
	Shipped *shipped.Results
	// Partial allows figures, tables and verdicts from only some of the planned runs, if others are missing, damaged or
	// failed. The output then states how many runs there are.
	Partial bool

	Force        bool // repeat finished runs
	Quiet        bool // make timed runs again if the machine was busy, also without repetitions (see schedule.Options)
	SameCode     bool // repeat finished runs whose code differs from this program's, even if the revisions are the same
	RequireClean bool // refuse a program built from uncommitted sources, and repeat runs that such a program made
	SaveWeights  bool // write the final weights of each run next to its trace, for Load
	// Programs allows solvers of users' specs to run other programs on this machine. Set it only for specs that you trust,
	// because such a program has all your rights.
	Programs bool
	// SaveEvery is the wall-clock interval between the checkpoints of a run; 0 means one minute. A later Run resumes an
	// interrupted run from its checkpoint. If SaveEvery is negative, no checkpoint is written, and an interrupted run
	// starts again.
	SaveEvery time.Duration
	// Command is the command line to store in manifests. The folders of absolute paths in it are removed, because they are
	// private.
	Command []string

	Exact     bool // Check compares all columns except clocks bit by bit, instead of some columns within tolerances
	OverSeeds bool // Check compares curves that differ only in their seed as a distribution (gate.OverSeeds)

	adjust func(*schedule.Options) // for tests only: changes the result of Schedule
}

// Schedule converts o to the options of package schedule, and fills in the catalogue and the defaults.
func (o Options) Schedule() schedule.Options {
	out := schedule.Options{Catalogue: Catalogue(), Workers: max(1, o.Workers), Out: o.Out, OnlyExtra: o.Only,
		Event: o.OnEvent, Force: o.Force, SameCode: o.SameCode, Clean: o.RequireClean, Quiet: o.Quiet, Weights: o.SaveWeights,
		Programs: o.Programs, SaveEvery: o.SaveEvery, Turns: o.Turns}
	if out.Out == "" {
		out.Out = filepath.Join(o.root(), "runs")
	}
	if o.Source != nil {
		out.Source = *o.Source
	} else {
		out.Source = datasets.SourceFromEnv(os.Getenv)
	}
	for _, s := range o.With {
		out.Extra = append(out.Extra, schedule.Named{Name: solverName(s), Solver: s})
	}
	private := regexp.MustCompile(`(^|[=,{\[ "'])/(?:[^/\s,}\]"']+/)*([^/\s,}\]"']+)`)
	for _, arg := range o.Command {
		if filepath.IsAbs(arg) { // the pattern "private" does not match every path
			arg = filepath.Base(arg)
		}
		out.Command = append(out.Command, private.ReplaceAllString(arg, "$1$2"))
	}
	if process, ok := machine.ThisProcess(); ok {
		out.Sitting = trace.Digest([]byte(process))
	}
	if o.adjust != nil {
		o.adjust(&out)
	}
	return out
}

// root returns the results folder.
func (o Options) root() string {
	if o.Root == "" {
		return ResultsFolder()
	}
	return o.Root
}

// ResultsFolder returns the results folder of the checkout. It searches from the working directory upwards for a folder
// that contains both results and experiments. If there is none, it returns results in the working directory.
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

// solverName returns the name of a caller's solver in curves, or "" if the type has no name.
func solverName(s solvers.Solver) string {
	if n, ok := s.(interface{ Name() string }); ok {
		return n.Name()
	}
	t := reflect.TypeOf(s)
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return ""
	}
	return strings.ToLower(t.Name())
}
