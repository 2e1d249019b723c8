package harness

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/solvers"
)

// Options say how Run, Read and Check work. The zero value runs the spec's solvers, one run at a time, and keeps their
// traces in the folder runs below ResultsFolder.
type Options struct {
	// With holds the caller's own solvers. Each runs on every problem of the experiment, beside the spec's solvers. Its
	// variant is named by its method Name() string or, without one, by its type; no other solver may have that name. Its
	// runs are repeated each time, because its code may have changed.
	With []solvers.Solver
	// Only leaves out the spec's solvers, so that only those of With run. An experiment in which problems start from the
	// weights of the spec's solvers is refused.
	Only bool

	// Workers is the number of runs at a time; 0 means 1. Results do not depend on it. An experiment that shows or judges
	// seconds runs one run at a time regardless.
	Workers int
	OnEvent func(schedule.Event) // called as runs progress, never by two goroutines at once; nil: nothing is called
	Source  *datasets.Source     // where data sets are looked for; nil: where the environment says

	Root string // the results folder; "": ResultsFolder()
	Out  string // the folder of the traces; "": the folder runs below Root
	Kept bool   // Read prefers the results that git keeps to those in Out

	Force        bool // repeat finished runs
	SameCode     bool // repeat finished runs that were made by different code of the same revisions
	RequireClean bool // refuse a program whose sources are not those of a commit, and repeat the runs that such made
	SaveWeights  bool // write the final weights of each run next to its trace, for Load
	// Programs lets solvers of specs that do not come with gaplab run programs of this machine. Set it only for specs that
	// you trust: such a program can do all that you can.
	Programs bool
	// SaveEvery is the wall-clock interval between the checkpoints of a run, from which a later Run resumes it; 0 means a
	// minute. If it is negative, no checkpoint is written, and an interrupted run starts again.
	SaveEvery time.Duration
	// Command is the command line that manifests keep. Folders of absolute paths are left out, within settings too,
	// because they are private.
	Command []string

	Exact     bool // Check compares all columns except clocks bit by bit, not some of them within tolerances
	OverSeeds bool // Check compares curves that differ only in their seed as a distribution: see gate.OverSeeds

	adjust func(*schedule.Options) // tests only: called last
}

// Schedule returns the options of package schedule, with the catalogue and the defaults filled in.
func (o Options) Schedule() schedule.Options {
	out := schedule.Options{Catalogue: Catalogue(), Workers: max(1, o.Workers), Out: o.Out, OnlyExtra: o.Only,
		Event: o.OnEvent, Force: o.Force, SameCode: o.SameCode, Clean: o.RequireClean, Weights: o.SaveWeights,
		Programs: o.Programs, SaveEvery: o.SaveEvery}
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
		if filepath.IsAbs(arg) { // which may have any characters
			arg = filepath.Base(arg)
		}
		out.Command = append(out.Command, private.ReplaceAllString(arg, "$1$2"))
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

// ResultsFolder returns the folder results in the nearest folder, from the working directory up, that also has a folder
// experiments; without one, it returns results in the working directory.
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

// solverName returns the name of the variant of a caller's solver.
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
