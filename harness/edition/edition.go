package edition

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Edition is an edition in a folder, with the experiments to make, in the order in which they are made.
type Edition struct {
	Dir     string
	Record  *Record
	All     []*Experiment
	Workers int // number of runs at the same time; timed experiments make one run at a time
}

// ErrScale is wrapped by the error of Open if the folder has an edition of another scale.
var ErrScale = errors.New("it has an edition of another scale")

// Open continues the edition in a folder or, if the folder has none, begins one. It sorts the experiments (Order). It
// writes nothing.
func Open(dir, scale string, all []*Experiment, workers int) (*Edition, error) {
	r, err := Read(dir)
	switch {
	case errors.Is(err, ErrNoEdition):
		r = &Record{Format: format, Scale: scale}
	case err != nil:
		return nil, err
	case r.Scale != scale:
		return nil, fmt.Errorf("%s: %w, %s; use another folder for scale %s", dir, ErrScale, r.Scale, scale)
	}
	Order(all, workers)
	return &Edition{Dir: dir, Record: r, All: all, Workers: workers}, nil
}

// Forecast returns what each experiment still needs, and all together.
func (d *Edition) Forecast() (each []Need, whole Need) { return Forecast(d.All, d.Workers) }

// Others returns the commits of the results that this program can use although another program made them, with the
// numbers of results.
func (d *Edition) Others(commit string) map[string]int {
	out := map[string]int{}
	for _, e := range d.All {
		for _, r := range e.Runs {
			if finished(r) && r.Made.Commit != commit {
				out[cmp.Or(r.Made.Commit, "unknown")]++
			}
		}
	}
	return out
}

// begin records the begin of a sitting, and the present state of all experiments.
func (d *Edition) begin(p Program, m Machine, now time.Time) error {
	r := d.Record
	r.Program, r.Machine = p, m
	if r.Began == "" {
		r.Began = stamp(now)
	}
	r.Sittings = append(r.Sittings, Session{Program: p, Machine: m, Began: stamp(now), Until: stamp(now),
		Experiments: []string{}})
	each, _ := d.Forecast()
	for i, e := range d.All {
		r.enter(e, each[i]).Fault = ""
	}
	order := map[string]int{}
	for i, e := range d.All {
		order[e.ID] = i + 1
	}
	slices.SortStableFunc(r.Experiments, func(a, b Entry) int { // those that are not part of this sitting come first
		return cmp.Compare(order[a.ID], order[b.ID])
	})
	return r.write(d.Dir)
}

// note records the time and how the present sitting ended; "" while it goes on.
func (d *Edition) note(began, now time.Time, end string) error {
	s := &d.Record.Sittings[len(d.Record.Sittings)-1]
	s.Until, s.Seconds, s.End = stamp(now), now.Sub(began).Seconds(), end
	return d.Record.write(d.Dir)
}

// stamp formats a time for the record.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
