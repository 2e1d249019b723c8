// Package grid hands experiments out to processes on other machines that share a folder: which parts there are and in
// which order they can be done (a manifest, which nobody changes), what one process does (a task), how far all of them
// are, and what a queue of jobs has to do for that. Results are those of package store, under its rules; a queue is
// only asked where files do not say. Package slurm is such a queue.
//
//	g, err := grid.Plan(ctx, experiments, options, 1) // what is not finished yet
//	err = g.Submit(ctx, queue, how)
//	err = g.Do(ctx, 17, spec, options) // in a job
//	now, err := g.Status(ctx, queue)
//
// In the folder of a grid, .grids/ID in the folder of the runs, lie
//
//	manifest.json   what there is to do
//	jobs/N.json     an array of jobs that was submitted
//	tasks/N.begun   when and where the task began, the last time
//	tasks/N.done    it has ended
//	tasks/N.failed  it has ended, and some run has failed; why
//	log/            what the jobs have printed
package grid

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

// folder of the grids in a folder of runs, and what is in that of a grid
const (
	gridsFolder  = ".grids"
	manifestFile = "manifest.json"
)

// Grid is a manifest in its folder.
type Grid struct {
	Manifest
	Dir string // absolute
}

// Manifest says what is to be done and by which program. It is written once.
type Manifest struct {
	Format  string   `json:"format"`
	ID      string   `json:"id"`
	Created string   `json:"created"` // RFC 3339
	Command []string `json:"command,omitempty"`
	// as in the manifest of a run: all sources of the program, and the revisions and sources of what takes part
	Program   string            `json:"program,omitempty"`
	Commit    string            `json:"commit,omitempty"`
	Revisions map[string]int    `json:"revisions"`
	Sources   map[string]string `json:"sources,omitempty"`
	Options   Options           `json:"options"`
	Specs     []Spec            `json:"specs"`
	Arrays    []Array           `json:"arrays"` // in the order of submission
	Tasks     []Task            `json:"tasks"`  // those of an array together, the longest first
}

// Options are those of schedule.Options that determine what a task keeps.
type Options struct {
	Weights   bool          `json:"weights,omitempty"`
	SameCode  bool          `json:"same_code,omitempty"`
	Clean     bool          `json:"clean,omitempty"`
	SaveEvery time.Duration `json:"save_every,omitempty"` // nanoseconds
}

// Spec is an experiment as it was when the grid was planned: later changes of its file change nothing.
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

// Task is what one process does, one part after another.
type Task struct {
	Seconds float64 `json:"seconds,omitempty"` // about; 0: not known
	Parts   []Part  `json:"parts"`
}

// Part is runs of an experiment (schedule.Part).
type Part struct {
	Spec   int                `json:"spec"`
	Trials bool               `json:"trials,omitempty"`
	Runs   []schedule.PartRun `json:"runs"`
}

// write makes the folder of a grid below that of the runs.
func write(out string, m Manifest) (*Grid, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, err
	}
	m.Format = Format
	m.ID = time.Now().UTC().Format("20060102T150405") + "-" + rand.Text()[:6]
	g := &Grid{Manifest: m, Dir: filepath.Join(out, gridsFolder, m.ID)}
	for _, name := range []string{"jobs", "tasks", "log"} {
		if err := os.MkdirAll(filepath.Join(g.Dir, name), 0o777); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return g, renameio.WriteFile(filepath.Join(g.Dir, manifestFile), text, 0o444)
}

// Open reads the manifest of the grid in a folder.
func Open(dir string) (*Grid, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; accepted: the folder of a grid, as gaplab run --launcher prints it", err)
	}
	if err != nil {
		return nil, err
	}
	g := &Grid{Dir: dir}
	if err := json.Unmarshal(text, &g.Manifest); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, manifestFile), err)
	}
	if g.Format != Format {
		return nil, fmt.Errorf("%s: format %q; this program reads %s", filepath.Join(dir, manifestFile), g.Format, Format)
	}
	return g, g.check()
}

// check refuses a manifest whose numbers do not fit together.
func (g *Grid) check() error {
	for i, t := range g.Tasks {
		for _, p := range t.Parts {
			if p.Spec < 0 || p.Spec >= len(g.Specs) || len(p.Runs) == 0 {
				return fmt.Errorf("%s: task %d has %d runs of spec %d of %d", g.Dir, i, len(p.Runs), p.Spec, len(g.Specs))
			}
		}
		if len(t.Parts) == 0 {
			return fmt.Errorf("%s: task %d has no runs", g.Dir, i)
		}
	}
	next := 0
	for i, a := range g.Arrays {
		if a.First != next || a.Count < 1 || slices.ContainsFunc(a.After, func(b int) bool { return b < 0 || b >= i }) {
			return fmt.Errorf("%s: array %d has %d tasks from %d, after %v", g.Dir, i, a.Count, a.First, a.After)
		}
		next += a.Count
	}
	if next != len(g.Tasks) {
		return fmt.Errorf("%s: %d tasks in arrays, and %d in all", g.Dir, next, len(g.Tasks))
	}
	return nil
}

// List names the grids in a folder of runs, the oldest first.
func List(out string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(out, gridsFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var dirs []string
	for _, e := range entries {
		if _, bad := os.Stat(filepath.Join(out, gridsFolder, e.Name(), manifestFile)); bad == nil {
			dirs = append(dirs, filepath.Join(out, gridsFolder, e.Name()))
		}
	}
	return dirs, err
}

// Out is the folder of the runs.
func (g *Grid) Out() string { return filepath.Dir(filepath.Dir(g.Dir)) }
