package cluster

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gaplab/gaplab/harness/store"
)

// Phase is the state of a task: not begun, running or ended.
type Phase string

// The phases of a task.
const (
	Queued  Phase = "queued"
	Held    Phase = "held" // in the queue, but runs only after a user releases it
	Running Phase = "running"
	Done    Phase = "done"
	Failed  Phase = "failed"
	Lost    Phase = "lost" // has not ended, and is not in the queue
)

// Phases returns all phases in the order in which commands print them.
func Phases() []Phase { return []Phase{Done, Running, Queued, Held, Failed, Lost} }

// Status describes the progress of a campaign.
type Status struct {
	Tasks    []Phase // the phase of each task
	Runs     int     // number of runs in all tasks, without runs that end at a comparison
	Finished int     // number of these runs that have a result
	Unasked  error   // error of querying the queue; nil if there was none or no need to query
}

// Count returns the number of tasks in a phase.
func (s *Status) Count(of Phase) int {
	n := 0
	for _, t := range s.Tasks {
		if t == of {
			n++
		}
	}
	return n
}

// Ended reports whether no task is queued or running. Tasks that are held count as ended.
func (s *Status) Ended() bool { return s.Count(Queued)+s.Count(Running) == 0 }

// Status reads the phases of the tasks from the result files and from the files that tasks write. If these files do not
// show that a task has ended, Status queries the queue. If q is nil, a task that has not ended counts as running if it
// has begun, and as queued otherwise.
func (c *Campaign) Status(ctx context.Context, q Queue) (*Status, error) {
	s, open, err := c.look()
	if err != nil || len(open) == 0 || q == nil {
		return s, err
	}
	phases, unasked := c.ask(ctx, q)
	if unasked != nil {
		s.Unasked = unasked
		return s, nil
	}
	s, open, err = c.look() // again: a task may have ended since the first look
	for _, n := range open {
		s.Tasks[n] = Lost
		if phase, ok := phases[n]; ok {
			s.Tasks[n] = phase
		}
	}
	return s, err
}

// look reads the phases of the tasks from the files. It also lists the tasks that have not ended.
func (c *Campaign) look() (s *Status, open []int, err error) {
	results := make([]map[string]bool, len(c.Specs))
	runs := store.Open(c.Out())
	for i, s := range c.Specs {
		if results[i], err = namesIn(runs.Folder(s.ID, s.Scale).Dir()); err != nil {
			return nil, nil, err
		}
	}
	marks, err := c.marks()
	if err != nil {
		return nil, nil, err
	}
	s = &Status{Tasks: make([]Phase, len(c.Tasks))}
	for n, t := range c.Tasks {
		all, there := 0, 0
		for _, p := range t.Shards {
			ended := 0
			for _, r := range p.Runs {
				if results[p.Spec][store.ResultName(r.Key)] {
					ended++
				}
			}
			all, there = all+len(p.Runs), there+ended
			if !p.Trials {
				s.Runs, s.Finished = s.Runs+len(p.Runs), s.Finished+ended
			}
		}
		switch {
		case there == all, marks[done][n]:
			s.Tasks[n] = Done
		case marks[failure][n]:
			s.Tasks[n] = Failed
		default:
			s.Tasks[n] = Queued
			if marks[begun][n] {
				s.Tasks[n] = Running
			}
			open = append(open, n)
		}
	}
	return s, open, nil
}

// ask queries the queue. It returns the phases of the tasks that the queue knows.
func (c *Campaign) ask(ctx context.Context, q Queue) (map[int]Phase, error) {
	jobs, err := c.Jobs()
	if err != nil || len(jobs) == 0 {
		return nil, err
	}
	phases, err := q.Phases(ctx, backwards(jobs))
	out := map[int]Phase{}
	for _, j := range jobs {
		for i, phase := range phases[j.Job] {
			if i < j.Count {
				out[j.First+i] = phase
			}
		}
	}
	return out, err
}

// Why explains why a task failed, was lost or is held. For a failed task it returns the reason that the task recorded.
// For a lost task it returns the last line that the task's job printed.
func (c *Campaign) Why(n int, phase Phase) string {
	if phase == Failed {
		return c.why(n)
	}
	if phase == Held {
		return "the queue holds the task's job, perhaps after an error of the queue; release the job, or cancel it and rerun"
	}
	jobs, err := c.Jobs()
	if err != nil {
		return err.Error()
	}
	for _, j := range jobs {
		if n >= j.First && n < j.First+j.Count {
			if line := lastLine(filepath.Join(c.Dir, "log", LogName(j.Job, fmt.Sprint(n-j.First)))); line != "" {
				return line
			}
		}
	}
	return "the task's job has printed nothing"
}

// LogName returns the file name of a job's log, given the name of its array and its index in the array.
func LogName(job, index string) string { return job + "_" + index + ".log" }

// lastLine returns the last non-empty line of a file, or "" if there is none or the file cannot be read.
func lastLine(file string) string {
	const most = 4096 // number of bytes to read from the end of the file
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	text := make([]byte, min(most, info.Size()))
	if _, err := f.ReadAt(text, info.Size()-int64(len(text))); err != nil {
		return ""
	}
	lines := strings.Split(string(bytes.TrimSpace(text)), "\n")
	return lines[len(lines)-1]
}
