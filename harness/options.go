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

// Option changes how Run, Read and the others work.
type Option func(*options)

type options struct {
	schedule.Options
	root      string // the results folder
	exact     bool
	overSeeds bool
	because   string

	keptFirst bool                                    // results that git keeps come before those in Out
	others    func(id, scale string) (*Result, error) // finds the results of another experiment; nil: reader does
}

// reader finds the results of other experiments in the same folders.
func (o *options) reader() func(id, scale string) (*Result, error) {
	if o.others != nil {
		return o.others
	}
	own := *o
	own.Extra, own.OnlyExtra = nil, false // a caller's solver has run here, not there
	return func(id, scale string) (*Result, error) {
		e, err := Find(id)
		if err != nil {
			return nil, err
		}
		s, err := e.At(scale, nil)
		if err != nil {
			return nil, err
		}
		return read(s, &own)
	}
}

// With runs the caller's own solver on every problem of the experiment, along with the spec's solvers. Its variant is
// named by its method Name() string, else by its type; no other solver may have that name. Its runs are made again each
// time, as its code may have changed.
func With(s solvers.Solver) Option {
	return func(o *options) { o.Extra = append(o.Extra, schedule.Named{Name: solverName(s), Solver: s}) }
}

// Only leaves out the spec's solvers, so that only those of With run. Problems that begin with the weights of a spec's
// solver are refused.
func Only() Option { return func(o *options) { o.OnlyExtra = true } }

// Workers is the number of runs at a time, at least 1. Results do not depend on it; experiments with seconds on an axis
// or in a claim run one at a time regardless.
func Workers(n int) Option { return func(o *options) { o.Workers = max(1, n) } }

// Root is the results folder; by default ResultsFolder.
func Root(dir string) Option { return func(o *options) { o.root = dir } }

// Out is where traces are written, instead of the folder runs below Root.
func Out(dir string) Option { return func(o *options) { o.Out = dir } }

// Kept makes Read take the results that git keeps, if there are any, and not those in Out.
func Kept() Option { return func(o *options) { o.keptFirst = true } }

// Source is where data sets are looked for; by default, as the environment says.
func Source(s datasets.Source) Option { return func(o *options) { o.Source = s } }

// Force runs finished keys again.
func Force() Option { return func(o *options) { o.Force = true } }

// SaveEvery is how often a run keeps its state, of the wall, so that a later Run goes on with it after an interrupt; by
// default each minute. 0 is never: a run then begins anew.
func SaveEvery(d time.Duration) Option {
	if d <= 0 {
		d = schedule.Never
	}
	return func(o *options) { o.SaveEvery = d }
}

// Programs lets solvers of specs that do not come with gaplab run programs of this machine. It is for specs that the
// caller trusts: such a program can do all that the caller can.
func Programs() Option { return func(o *options) { o.Programs = true } }

// Command is the command line that manifests keep. The folders of absolute paths are left out, within settings too:
// they are private.
func Command(args ...string) Option {
	private := regexp.MustCompile(`(^|[=,{\[ "'])/(?:[^/\s,}\]"']+/)*([^/\s,}\]"']+)`)
	return func(o *options) {
		o.Command = nil
		for _, arg := range args {
			if filepath.IsAbs(arg) { // which may have any characters
				arg = filepath.Base(arg)
			}
			o.Command = append(o.Command, private.ReplaceAllString(arg, "$1$2"))
		}
	}
}

// RequireClean makes Run refuse to work in a program whose sources are not those of a commit, and repeat the results of
// such programs.
func RequireClean() Option { return func(o *options) { o.Clean = true } }

// SaveWeights writes the last weights of each run next to its trace, for Predict.
func SaveWeights() Option { return func(o *options) { o.Weights = true } }

// Exact makes Check compare all columns but clocks bit by bit, instead of a few within tolerances.
func Exact() Option { return func(o *options) { o.exact = true } }

// OverSeeds makes Check compare curves that differ in their seed only, where one of them moved, as a distribution of
// the work to reach a gap: see gate.OverSeeds.
func OverSeeds() Option { return func(o *options) { o.overSeeds = true } }

// Because is the reason of a new baseline, which the manifests of its runs keep.
func Because(text string) Option { return func(o *options) { o.because = text } }

// SameCode makes Run repeat the results that were made by different code of the same revisions.
func SameCode() Option { return func(o *options) { o.SameCode = true } }

// untimed lets runs share the machine though the experiment shows seconds: for callers who look at none.
func untimed(o *options) { o.Untimed = true }

// OnEvent has f called as runs progress. Calls do not overlap.
func OnEvent(f func(Event)) Option { return func(o *options) { o.Event = f } }

func newOptions(opts []Option) *options {
	o := &options{Options: schedule.Options{Catalogue: Catalogue(), Workers: 1, Source: datasets.SourceFromEnv(os.Getenv)}}
	for _, f := range opts {
		f(o)
	}
	if o.root == "" {
		o.root = ResultsFolder()
	}
	if o.Out == "" {
		o.Out = filepath.Join(o.root, "runs")
	}
	return o
}

// ResultsFolder is the folder results in the nearest folder, from the working directory up, that also has a folder
// experiments; otherwise results in the working directory.
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

// Event is one step of the progress of an experiment.
type Event = schedule.Event

// EventKind says what happened.
type EventKind = schedule.EventKind

// The kinds of events.
const (
	Started  = schedule.Started
	Recorded = schedule.Recorded
	Ended    = schedule.Ended
	Reused   = schedule.Reused // the key had been finished before
	Noted    = schedule.Noted  // Why says something about the experiment that a user may want to know
)

// solverName is the variant's name of a caller's solver.
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
