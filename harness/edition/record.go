package edition

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/internal/replace"
)

// File is the name of the file in the folder of an edition that records its progress.
const File = "edition.json"

// format names the layout of the file.
const format = "gaplab-edition/1"

// ErrNoEdition is wrapped by the error of Read if a folder has no edition.
var ErrNoEdition = errors.New("no edition")

// Record is the content of the file.
type Record struct {
	Format      string    `json:"format"`
	Scale       string    `json:"scale"`
	Program     Program   `json:"program"` // of the last sitting
	Machine     Machine   `json:"machine"` // of the last sitting
	Began       string    `json:"began"`   // time of the first sitting (RFC 3339)
	Sittings    []Session `json:"sittings"`
	Experiments []Entry   `json:"experiments"`
}

// Program identifies a program.
type Program struct {
	Commit  string `json:"commit"`
	Unclean bool   `json:"unclean,omitempty"` // its sources had changes that are not committed
	Sources string `json:"sources"`           // hash of all sources
	Go      string `json:"go"`
}

// Machine describes a machine.
type Machine struct {
	CPU        string `json:"cpu"`
	Platform   string `json:"platform"`
	Processors int    `json:"processors"`
}

// The ways in which a sitting ends. A sitting that goes on, or whose process was killed, has none.
const (
	AllMade     = "all made"
	NotAllMade  = "ended, but some runs failed"
	TimeOver    = "time over" // what is left does not fit in the time that is left
	Interrupted = "interrupted"
)

// Session records a sitting.
type Session struct {
	Program     Program  `json:"program"`
	Machine     Machine  `json:"machine"`
	Began       string   `json:"began"`
	Until       string   `json:"until"` // time of its end, or of the last record if it has not ended
	End         string   `json:"end"`   // how it ended
	Seconds     float64  `json:"seconds"`
	Experiments []string `json:"experiments"` // those that it has begun
}

// Entry records an experiment.
type Entry struct {
	ID       string   `json:"id"`
	State    string   `json:"state"`
	Runs     int      `json:"runs"` // number of runs with a result
	Planned  int      `json:"planned"`
	Failed   []string `json:"failed,omitempty"` // the runs that failed, with reasons
	Fault    string   `json:"fault,omitempty"`  // why the last sitting could not go on with the experiment
	Seconds  float64  `json:"seconds"`          // time of all sittings on this experiment
	Forecast float64  `json:"forecast"`         // predicted time of the runs that are left
	Remade   float64  `json:"remade"`           // share of the runs that were made again because the machine was busy
	Commits  []string `json:"commits"`          // commits of the programs that made the results
}

// Here describes this program and this machine.
func Here(list lang.Catalogue) (Program, Machine) {
	o := origin.Here(list)
	return Program{Commit: o.Commit, Unclean: o.Dirty, Sources: o.Program, Go: o.GoVersion},
		Machine{CPU: o.CPU, Platform: o.Platform, Processors: runtime.GOMAXPROCS(0)}
}

// Read reads the record of the edition in a folder. If there is none, it returns an ErrNoEdition.
func Read(dir string) (*Record, error) {
	path := filepath.Join(dir, File)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w in %s: there is no %s", ErrNoEdition, dir, path)
	} else if err != nil {
		return nil, err
	}
	r := &Record{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w; remove it to begin a new record: results are found without it", path, err)
	}
	if r.Format != format {
		return nil, fmt.Errorf("%s: its format is %q; this program reads %s", path, r.Format, format)
	}
	return r, nil
}

// write replaces the file at once, so that no reader sees a part of it.
func (r *Record) write(dir string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return replace.WriteFile(filepath.Join(dir, File), append(text, '\n'), 0o666)
}

// enter updates the entry of an experiment and returns it. need is what the experiment still needs.
func (r *Record) enter(e *Experiment, need Need) *Entry {
	i := slices.IndexFunc(r.Experiments, func(old Entry) bool { return old.ID == e.ID })
	if i < 0 {
		i = len(r.Experiments)
		r.Experiments = append(r.Experiments, Entry{ID: e.ID})
	}
	own := &r.Experiments[i]
	own.State, own.Planned, own.Forecast = e.State(), len(e.Runs), need.Seconds
	own.Runs, own.Failed, own.Commits = 0, nil, nil
	remade := 0
	for _, run := range e.Runs {
		switch {
		case finished(run):
			own.Runs++
			if run.Made.Remade {
				remade++
			}
			if !slices.Contains(own.Commits, run.Made.Commit) {
				own.Commits = append(own.Commits, run.Made.Commit)
			}
		case failed(run):
			why, _, _ := strings.Cut(run.Made.Why, "\n")
			own.Failed = append(own.Failed, fmt.Sprintf("%v: %s", run.Labels["as"], why))
		}
	}
	own.Remade = float64(remade) / float64(max(1, own.Runs))
	return own
}
