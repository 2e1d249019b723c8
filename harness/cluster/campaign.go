// Package cluster splits experiments into tasks for processes on many machines that share a folder.
//
// A Campaign is written once and never changed: it lists the tasks and the order in which they can be done. A task is
// what one process does. Status reports how far all tasks are. A Queue is a scheduler of jobs; package slurm has one.
// Results are those of package store, under its rules. The queue is asked only about tasks whose files leave them
// open.
//
//	c, err := cluster.Plan(ctx, experiments, options, 1) // the runs that are not finished
//	jobs, err := c.Submit(ctx, queue, how)
//	err = c.Do(ctx, 17, specs, options) // in a job
//	now, err := c.Status(ctx, queue)
//
// The folder of a campaign is .grids/ID in the folder of the runs. It contains
//
//	manifest.json   the campaign
//	jobs/N.json     an array of jobs that was submitted
//	tasks/N.begun   when and where the task began last
//	tasks/N.done    the task has ended
//	tasks/N.failed  the task has ended, and a run has failed: the reason
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
	"time"

	"github.com/google/renameio/v2"

	"github.com/gaplab/gaplab/harness/schedule"
)

// Format names the layout of a manifest.
const Format = "gaplab-grid/1"

// Names on disk. They are older than the word campaign.
const (
	campaignsFolder = ".grids" // in the folder of the runs
	manifestFile    = "manifest.json"
)

// Campaign lists tasks and names the program that does them. Its JSON form is the manifest.
type Campaign struct {
	Dir string `json:"-"` // its folder, absolute

	Format  string   `json:"format"`
	ID      string   `json:"id"`
	Created string   `json:"created"` // RFC 3339
	Command []string `json:"command,omitempty"`
	// as in the manifest of a run: a hash of all sources of the program, and the revision and a hash of the sources of
	// every component that takes part
	Program   string            `json:"program,omitempty"`
	Commit    string            `json:"commit,omitempty"`
	Revisions map[string]int    `json:"revisions"`
	Sources   map[string]string `json:"sources,omitempty"`
	Options   Options           `json:"options"`
	Specs     []Spec            `json:"specs"`
	Arrays    []Array           `json:"arrays"` // in the order of submission
	Tasks     []Task            `json:"tasks"`  // by array; within one, the longest first
}

// Options are those of schedule.Options that determine what a task keeps.
type Options struct {
	Weights   bool          `json:"weights,omitempty"`
	SameCode  bool          `json:"same_code,omitempty"`
	Clean     bool          `json:"clean,omitempty"`
	SaveEvery time.Duration `json:"save_every,omitempty"` // nanoseconds
}

// Spec is an experiment as it was when the campaign was planned: later changes of its file change nothing.
type Spec struct {
	ID    string   `json:"id"`
	File  string   `json:"file,omitempty"` // absolute; "": it comes with the program
	Text  string   `json:"text,omitempty"` // of the file
	Scale string   `json:"scale"`
	Set   []string `json:"set,omitempty"`
	Seed  *uint64  `json:"seed,omitempty"`
	Runs  int      `json:"runs"` // of its plan
	Done  int      `json:"done"` // of these had results before
}

// Array is tasks that ask for the same and do not need each other.
type Array struct {
	First   int     `json:"first"`           // task
	Count   int     `json:"count"`           // of tasks
	After   []int   `json:"after,omitempty"` // arrays without whose results its tasks cannot begin
	Alone   bool    `json:"alone,omitempty"` // each needs a machine for itself, as seconds are compared
	Seconds float64 `json:"seconds"`         // of the longest task, about; 0: not known
	Memory  int64   `json:"memory"`          // bytes that a task needs, about; 0: not known
	Workers int     `json:"workers"`         // threads of a task
}

// Task is what one process does, one shard after another.
type Task struct {
	Seconds float64 `json:"seconds,omitempty"` // about; 0: not known
	Shards  []Shard `json:"parts"`
}

// Shard lists the runs of one experiment that one process does (schedule.Shard).
type Shard struct {
	Spec   int                 `json:"spec"`
	Trials bool                `json:"trials,omitempty"`
	Runs   []schedule.ShardRun `json:"runs"`
}

// write makes the folder of the campaign below that of the runs.
func (c *Campaign) write(out string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	c.Format = Format
	c.ID = time.Now().UTC().Format("20060102T150405") + "-" + rand.Text()[:6]
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
	return renameio.WriteFile(filepath.Join(c.Dir, manifestFile), text, 0o444)
}

// Open reads the manifest in the folder of a campaign.
func Open(dir string) (*Campaign, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; accepted: the folder of a campaign, as gaplab run --launcher prints it", err)
	}
	if err != nil {
		return nil, err
	}
	c := &Campaign{Dir: dir}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, manifestFile), err)
	}
	if c.Format != Format {
		return nil, fmt.Errorf("%s: format %q; this program reads %s", filepath.Join(dir, manifestFile), c.Format, Format)
	}
	return c, c.check()
}

// check refuses a manifest whose numbers do not fit together.
func (c *Campaign) check() error {
	for i, t := range c.Tasks {
		for _, p := range t.Shards {
			if p.Spec < 0 || p.Spec >= len(c.Specs) || len(p.Runs) == 0 {
				return fmt.Errorf("%s: task %d has %d runs of spec %d of %d", c.Dir, i, len(p.Runs), p.Spec, len(c.Specs))
			}
		}
		if len(t.Shards) == 0 {
			return fmt.Errorf("%s: task %d has no runs", c.Dir, i)
		}
	}
	next := 0
	for i, a := range c.Arrays {
		if a.First != next || a.Count < 1 || slices.ContainsFunc(a.After, func(b int) bool { return b < 0 || b >= i }) {
			return fmt.Errorf("%s: array %d has %d tasks from %d, after %v", c.Dir, i, a.Count, a.First, a.After)
		}
		next += a.Count
	}
	if next != len(c.Tasks) {
		return fmt.Errorf("%s: %d tasks in arrays, and %d in all", c.Dir, next, len(c.Tasks))
	}
	return nil
}

// List names the campaigns in a folder of runs, the oldest first.
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

// Out is the folder of the runs.
func (c *Campaign) Out() string { return filepath.Dir(filepath.Dir(c.Dir)) }
