package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gaplab/gaplab/internal/replace"
)

// Queue is a scheduler that runs jobs on many machines.
type Queue interface {
	// Submit submits an array of jobs and returns the array's name in the queue.
	Submit(ctx context.Context, a Submission) (job string, err error)
	// Phases returns the phases of the jobs in the given arrays, by the name of the array and by the index in the array.
	// It leaves out jobs that the queue no longer knows.
	Phases(ctx context.Context, jobs []string) (map[string]map[int]Phase, error)
	// Cancel ends all jobs of the arrays.
	Cancel(ctx context.Context, jobs []string) error
}

// Submission describes an array of jobs to submit. It has one job for each task of an Array or, if the Array is too
// large for the queue, of a piece of the Array.
type Submission struct {
	Array
	Name      string   // name of the campaign
	Log       string   // folder for the output of the jobs
	Command   []string // command of a job; the queue appends the job's index in the array
	AtOnce    int      // largest number of jobs that run at the same time; 0: no limit
	AfterJobs []string // names of arrays that must end first, with or without success
}

// How contains the user's options for submitting a campaign.
type How struct {
	Command []string // command of a task, before the flag --first and its number
	AtOnce  int      // largest number of tasks at the same time (0: no limit); if set, arrays run one after another
	Workers int      // smallest number of threads of a task; threads that the solver does not use evaluate rows
	Largest int      // largest number of jobs in an array; 0: no limit
}

// Job is an array of jobs that was submitted to a queue.
type Job struct {
	Job   string `json:"job"`   // name of the array in the queue
	First int    `json:"first"` // index of the first task
	Count int    `json:"count"` // number of tasks
}

// Submit submits all arrays of a campaign. It records each array immediately, so that Cancel finds it even if a later
// submission fails.
func (c *Campaign) Submit(ctx context.Context, q Queue, how How) ([]Job, error) {
	var jobs []Job
	of := make([][]string, len(c.Arrays)) // for each array, the names of its pieces in the queue
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
			if err := replace.WriteFile(file, text, 0o666); err != nil {
				return jobs, err
			}
			jobs, of[i] = append(jobs, job), append(of[i], name)
		}
	}
	return jobs, nil
}

// pieces divides an array into arrays of at most "largest" tasks each. If largest is 0, there is no limit.
func pieces(a Array, largest int) (out []Array) {
	for largest > 0 && a.Count > largest {
		piece := a
		piece.Count = largest
		out = append(out, piece)
		a.First, a.Count = a.First+largest, a.Count-largest
	}
	return append(out, a)
}

// Jobs returns the arrays of the campaign that were submitted.
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

// Cancel ends all jobs of a campaign that are in the queue. It cancels the arrays in reverse order, because an array
// would start if the arrays that it waits for ended.
func (c *Campaign) Cancel(ctx context.Context, q Queue) ([]Job, error) {
	jobs, err := c.Jobs()
	if err != nil || len(jobs) == 0 {
		return nil, err
	}
	return jobs, q.Cancel(ctx, backwards(jobs))
}

// backwards returns the names of the arrays in reverse order.
func backwards(jobs []Job) []string {
	var names []string
	for _, j := range slices.Backward(jobs) {
		names = append(names, j.Job)
	}
	return names
}
