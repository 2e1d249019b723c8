// Package cluster splits experiments into tasks for processes on many machines that share a folder.
//
// A Campaign lists the tasks and the order in which they can be done. It is written once and never changed. Each
// process does one task. Package store reads and writes the results, in the same folders as without a campaign. A Queue
// is a scheduler of jobs; package slurm implements one. Status reports the progress of all tasks. It reads the files,
// and queries the queue only about tasks that have not ended according to the files.
//
//	c, err := cluster.Plan(ctx, experiments, options, 1) // plans the runs that have no result
//	jobs, err := c.Submit(ctx, queue, how)
//	err = c.Do(ctx, 17, specs, options) // a job does task 17
//	now, err := c.Status(ctx, queue)
//
// The folder of a campaign is .grids/ID in the folder of the runs. It contains
//
//	manifest.json   the campaign
//	jobs/N.json     the Nth array of jobs that was submitted
//	tasks/N.begun   when and where task N was last started
//	tasks/N.done    exists if task N has ended
//	tasks/N.failed  the reason why task N has failed
//	log/            the output of the jobs
package cluster

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/internal/replace"
)

// Format names the layout of a campaign's manifest.
const Format = "gaplab-grid/1"

// Names on disk. They contain grid, the former word for a campaign.
const (
	campaignsFolder = ".grids" // subfolder of the folder of the runs
	manifestFile    = "manifest.json"
)

// Campaign lists tasks and identifies the program that must do them. Its JSON form is the manifest of the campaign.
type Campaign struct {
	Dir string `json:"-"` // absolute path of the campaign's folder

	Format  string   `json:"format"`
	ID      string   `json:"id"`
	Created string   `json:"created"` // time of the planning (RFC 3339)
	Command []string `json:"command,omitempty"`
	// Program is a hash of all sources of the program. Revisions and Sources contain the revision and a hash of the
	// sources of each component that the runs use. The manifest of a run has the same fields.
	Program   string            `json:"program,omitempty"`
	Commit    string            `json:"commit,omitempty"`
	Revisions map[string]int    `json:"revisions"`
	Sources   map[string]string `json:"sources,omitempty"`
	Options   Options           `json:"options"`
	Specs     []Spec            `json:"specs"`
	Arrays    []Array           `json:"arrays"` // in the order of submission
	Tasks     []Task            `json:"tasks"`  // sorted by their array; within an array, the longest first
}

// Options contains the fields of schedule.Options that determine which results a task saves.
type Options struct {
	Weights   bool          `json:"weights,omitempty"`
	SameCode  bool          `json:"same_code,omitempty"`
	Clean     bool          `json:"clean,omitempty"`
	SaveEvery time.Duration `json:"save_every,omitempty"` // interval in nanoseconds between checkpoints of a run
}

// Spec is an experiment as it was when the campaign was planned. Later changes of its file have no effect.
type Spec struct {
	ID    string   `json:"id"`
	File  string   `json:"file,omitempty"` // absolute path of the file; "" for a built-in experiment
	Text  string   `json:"text,omitempty"` // content of the file
	Scale string   `json:"scale"`
	Set   []string `json:"set,omitempty"`
	Seed  *uint64  `json:"seed,omitempty"`
	Runs  int      `json:"runs"` // number of runs in the experiment's plan
	Done  int      `json:"done"` // number of these runs that had a result when the campaign was planned
}

// Array is a list of consecutive tasks that have the same requirements and do not depend on each other.
type Array struct {
	First   int     `json:"first"`           // index of the first task
	Count   int     `json:"count"`           // number of tasks
	After   []int   `json:"after,omitempty"` // indices of arrays that must end first, because the tasks use their results
	Alone   bool    `json:"alone,omitempty"` // whether each task needs its own machine, because times are compared
	Seconds float64 `json:"seconds"`         // expected time of the longest task in seconds; 0: not known
	Memory  int64   `json:"memory"`          // memory in bytes that a task is expected to need; 0: not known
	Workers int     `json:"workers"`         // number of threads of a task
}

// Task lists the shards that one process does, one after another.
type Task struct {
	Seconds float64 `json:"seconds,omitempty"` // expected time; 0: not known
	Shards  []Shard `json:"parts"`
}

// Shard lists the runs of one experiment that one process does (schedule.Shard).
type Shard struct {
	Spec   int                 `json:"spec"`             // index of the experiment in Campaign.Specs
	Trials bool                `json:"trials,omitempty"` // whether the runs end where lang.Choose compares them
	Runs   []schedule.ShardRun `json:"runs"`
}

// write creates the folder of the campaign in the folder of the runs, out, and writes the manifest.
func (c *Campaign) write(out string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	c.Format = Format
	c.ID = newID(time.Now())
	c.Dir = filepath.Join(out, campaignsFolder, c.ID)
	for _, name := range []string{"jobs", "tasks", "log"} {
		if err := os.MkdirAll(filepath.Join(c.Dir, name), 0o777); err != nil {
			return err
		}
	}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return replace.WriteFile(filepath.Join(c.Dir, manifestFile), text, 0o444)
}

// newID returns an id of a campaign that is planned now: the time in UTC to a microsecond, by which List sorts, and
// random characters.
func newID(now time.Time) string {
	return strings.Replace(now.UTC().Format("20060102T150405.000000"), ".", "", 1) + "-" + rand.Text()[:6]
}

// Open reads the manifest in the folder of a campaign.
func Open(dir string) (*Campaign, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; give the folder of a campaign, as gaplab run --launcher prints it", err)
	}
	if err != nil {
		return nil, err
	}
	c := &Campaign{Dir: dir}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, manifestFile), err)
	}
	if c.Format != Format {
		return nil, fmt.Errorf("%s: its format is %q, but this program reads %s", filepath.Join(dir, manifestFile), c.Format,
			Format)
	}
	return c, c.check()
}

// check returns an error if the manifest contradicts itself, for example if a task has no runs.
func (c *Campaign) check() error {
	for i, t := range c.Tasks {
		for _, p := range t.Shards {
			if p.Spec < 0 || p.Spec >= len(c.Specs) || len(p.Runs) == 0 {
				return fmt.Errorf("%s: task %d has %d runs of experiment %d: want at least 1 run, and an experiment from 0 to %d",
					c.Dir, i, len(p.Runs), p.Spec, len(c.Specs)-1)
			}
		}
		if len(t.Shards) == 0 {
			return fmt.Errorf("%s: task %d has no runs", c.Dir, i)
		}
	}
	next := 0
	for i, a := range c.Arrays {
		if a.First != next || a.Count < 1 || slices.ContainsFunc(a.After, func(b int) bool { return b < 0 || b >= i }) {
			return fmt.Errorf("%s: array %d has %d tasks from task %d and waits for arrays %v: want at least 1 task, "+
				"the first task %d, and only earlier arrays", c.Dir, i, a.Count, a.First, a.After, next)
		}
		next += a.Count
	}
	if next != len(c.Tasks) {
		return fmt.Errorf("%s: the arrays have %d tasks, but the campaign has %d", c.Dir, next, len(c.Tasks))
	}
	return nil
}

// List returns the folders of the campaigns in a folder of runs, the oldest first.
func List(out string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(out, campaignsFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var dirs []string
	for _, e := range entries {
		if _, bad := os.Stat(filepath.Join(out, campaignsFolder, e.Name(), manifestFile)); bad == nil {
			dirs = append(dirs, filepath.Join(out, campaignsFolder, e.Name()))
		}
	}
	return dirs, err
}

// Out returns the folder of the runs.
func (c *Campaign) Out() string { return filepath.Dir(filepath.Dir(c.Dir)) }
