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

// State is how far a task is.
type State string

// The states of tasks.
const (
	Queued  State = "queued"
	Held    State = "held" // queued, and will not run until somebody lets it
	Running State = "running"
	Done    State = "done"
	Failed  State = "failed"
	Lost    State = "lost" // it has neither ended nor is it in the queue
)

// States lists them.
func States() []State { return []State{Done, Running, Queued, Held, Failed, Lost} }

// Status is how far a campaign is.
type Status struct {
	Tasks    []State
	Runs     int   // of the tasks, each once
	Finished int   // of these: have a result
	Unasked  error // why the queue could not be asked; nil: it was, or there was no need
}

// Count is the number of tasks in a state.
func (s *Status) Count(of State) int {
	n := 0
	for _, t := range s.Tasks {
		if t == of {
			n++
		}
	}
	return n
}

// Ended says whether no task is on its way any more by itself.
func (s *Status) Ended() bool { return s.Count(Queued)+s.Count(Running) == 0 }

// Status looks at the files of the results and of the tasks and, where they leave a task open, asks the queue; nil:
// there is none, and what has not begun is taken to be queued.
func (c *Campaign) Status(ctx context.Context, q Queue) (*Status, error) {
	s, open, err := c.look()
	if err != nil || len(open) == 0 || q == nil {
		return s, err
	}
	states, unasked := c.ask(ctx, q)
	if unasked != nil {
		s.Unasked = unasked
		return s, nil
	}
	s, open, err = c.look() // what has ended since is in the files, and no more in the queue
	for _, n := range open {
		s.Tasks[n] = Lost
		if state, ok := states[n]; ok {
			s.Tasks[n] = state
		}
	}
	return s, err
}

// look reads from the files how far the tasks are. Those without an end are open.
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
	s = &Status{Tasks: make([]State, len(c.Tasks))}
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

// ask takes the states of tasks from a queue.
func (c *Campaign) ask(ctx context.Context, q Queue) (map[int]State, error) {
	jobs, err := c.Jobs()
	if err != nil || len(jobs) == 0 {
		return nil, err
	}
	states, err := q.States(ctx, backwards(jobs))
	out := map[int]State{}
	for _, j := range jobs {
		for i, state := range states[j.Job] {
			if i < j.Count {
				out[j.First+i] = state
			}
		}
	}
	return out, err
}

// Why says what became of a task that failed, was lost or is held: the reason that it gave, else the last line that its
// job printed.
func (c *Campaign) Why(n int, state State) string {
	if state == Failed {
		return c.why(n)
	}
	if state == Held {
		return "the queue holds its job, perhaps after a fault of its own: release it there, or cancel and run again"
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
	return "it has printed nothing"
}

// LogName is the name of the file of what a job prints, by its array and its index in that.
func LogName(job, index string) string { return job + "_" + index + ".log" }

// lastLine is the last line of a text that is not empty; "" if there is none.
func lastLine(file string) string {
	const most = 4096 // bytes that are looked at
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
