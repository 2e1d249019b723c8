package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/renameio/v2"
)

// Queue is a scheduler of jobs on many machines.
type Queue interface {
	// Submit hands over an array of jobs, and returns its name in the queue.
	Submit(ctx context.Context, a Submission) (job string, err error)
	// Phases returns the phases of the jobs that the queue still knows, by array and by index in it.
	Phases(ctx context.Context, jobs []string) (map[string]map[int]Phase, error)
	// Cancel ends all jobs of arrays.
	Cancel(ctx context.Context, jobs []string) error
}

// Submission is an array of jobs, one for each task of an Array or of a piece of one.
type Submission struct {
	Array
	Name      string   // of the campaign
	Log       string   // folder of what the jobs print
	Command   []string // of a job, which adds its index in the array at the end
	AtOnce    int      // jobs at a time; 0: any number
	AfterJobs []string // arrays that must have ended, however they did
}

// How says how a campaign is submitted.
type How struct {
	Command []string // of a task, before the flag --first and its number
	AtOnce  int      // tasks at a time, over all arrays, which then come one after another; 0: any number
	Workers int      // threads of a task for evaluations
	Largest int      // jobs that an array may have at most; 0: any number
}

// Job is an array in a queue.
type Job struct {
	Job   string `json:"job"`
	First int    `json:"first"` // task
	Count int    `json:"count"` // of tasks
}

// Submit submits all arrays of a campaign, and records each at once.
func (c *Campaign) Submit(ctx context.Context, q Queue, how How) ([]Job, error) {
	var jobs []Job
	of := make([][]string, len(c.Arrays)) // names of the pieces of each array
	for i, a := range c.Arrays {
		for _, piece := range pieces(a, how.Largest) {
			piece.Workers = max(piece.Workers, how.Workers)
			s := Submission{Array: piece, Name: c.ID, Log: filepath.Join(c.Dir, "log"), AtOnce: how.AtOnce}
			for _, b := range a.After {
				s.AfterJobs = append(s.AfterJobs, of[b]...)
			}
			if last := len(jobs) - 1; how.AtOnce > 0 && last >= 0 {
				s.AfterJobs = []string{jobs[last].Job}
			}
			s.Command = append(slices.Clone(how.Command), "--first", fmt.Sprint(piece.First))
			name, err := q.Submit(ctx, s)
			if err != nil {
				return jobs, err
			}
			job := Job{name, piece.First, piece.Count}
			text, err := json.Marshal(job)
			if err != nil {
				return jobs, err
			}
			file := filepath.Join(c.Dir, "jobs", fmt.Sprintf("%d.json", len(jobs)))
			if err := renameio.WriteFile(file, text, 0o666); err != nil {
				return jobs, err
			}
			jobs, of[i] = append(jobs, job), append(of[i], name)
		}
	}
	return jobs, nil
}

// pieces divides an array into arrays of at most the size that a queue takes.
func pieces(a Array, largest int) (out []Array) {
	for largest > 0 && a.Count > largest {
		piece := a
		piece.Count = largest
		out = append(out, piece)
		a.First, a.Count = a.First+largest, a.Count-largest
	}
	return append(out, a)
}

// Jobs returns the arrays that were submitted.
func (c *Campaign) Jobs() ([]Job, error) {
	var jobs []Job
	for {
		text, err := os.ReadFile(filepath.Join(c.Dir, "jobs", fmt.Sprintf("%d.json", len(jobs))))
		if os.IsNotExist(err) {
			return jobs, nil
		}
		var job Job
		if err == nil {
			err = json.Unmarshal(text, &job)
		}
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, job)
	}
}

// Cancel ends what is left of a campaign in a queue, the last arrays first, so that they do not begin.
func (c *Campaign) Cancel(ctx context.Context, q Queue) ([]Job, error) {
	jobs, err := c.Jobs()
	if err != nil || len(jobs) == 0 {
		return nil, err
	}
	return jobs, q.Cancel(ctx, backwards(jobs))
}

func backwards(jobs []Job) []string {
	var names []string
	for _, j := range slices.Backward(jobs) {
		names = append(names, j.Job)
	}
	return names
}
