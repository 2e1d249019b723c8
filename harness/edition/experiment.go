// Package edition makes all experiments of a scale again with one program, in several sittings, and records the
// progress in a file. A sitting is one call of Sit, in one process. Package harness makes the runs.
//
//	all, err := edition.Survey(ctx, plans)
//	ed, err := edition.Open("editions/may", "paper", all, 2)
//	program, machine := edition.Here(harness.Catalogue())
//	end, err := ed.Sit(ctx, edition.Sitting{Program: program, Machine: machine, For: 2 * time.Hour,
//		Now: time.Now, Make: run, Made: told})
//
// The files: experiment.go what an experiment needs, need.go its forecast, order.go the order, sit.go a sitting,
// record.go the file of the progress, verdicts.go the comparison with the kept results, adopt.go the record of the part
// whose results were copied into the repository.
package edition

import (
	"context"
	"path"
	"regexp"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// Experiment is an experiment of an edition: the runs that it needs, and which of them have a result.
type Experiment struct {
	ID     string
	Timed  bool     // its times matter, so its runs need the machine for themselves, and one process must make them all
	Reads  []string // ids of other experiments that its claims read
	Runs   []schedule.PlannedRun
	Memory int64 // largest memory of an earlier run, in bytes; 0: not known
	Notes  []string
	// Changed has the names of the components whose code is not the code that made the kept results.
	Changed []string
	Plan    *harness.Plan
	// Process is the name of this process in manifests (Sitting); "" if several processes may make the runs.
	Process string
}

// The states of an experiment.
const (
	Done    = "done"
	Failed  = "failed"  // all runs have ended, but some of them failed
	Begun   = "begun"   // some runs have a result
	Waiting = "waiting" // no run has a result
)

// Survey returns the experiments of plans. For each run it looks for an existing result that the options of the plan
// allow to be reused, and predicts its time.
func Survey(ctx context.Context, plans []*harness.Plan) ([]*Experiment, error) {
	out := make([]*Experiment, len(plans))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range plans {
		g.Go(func() error {
			out[i] = &Experiment{ID: p.Spec.ID, Timed: schedule.Timed(p.Spec), Reads: readBy(p.Spec), Plan: p}
			if out[i].Timed {
				out[i].Process = p.Options.Sitting
			}
			return out[i].survey(ctx)
		})
	}
	return out, g.Wait()
}

// survey looks again for results of the experiment.
func (e *Experiment) survey(ctx context.Context) error {
	p := *e.Plan
	inner := *p.Plan
	inner.Options.OneOf = "" // the method remaining compares the sittings
	p.Plan = &inner
	f, err := p.Forecast(ctx)
	if err != nil {
		return err
	}
	e.Memory, e.Notes, e.Changed, e.Runs = f.Memory, f.Notes, f.Changed, nil
	seen := map[string]bool{}
	for _, r := range f.Runs {
		if !seen[r.Plan] { // two problems of an experiment may have the same run
			seen[r.Plan] = true
			e.Runs = append(e.Runs, r)
		}
	}
	return nil
}

// readBy returns the ids of the experiments that the claims of a spec read.
func readBy(s *lang.Spec) (ids []string) {
	other := regexp.MustCompile(`\bexperiment\("([^"]+)"`)
	for _, c := range s.Claims {
		for _, m := range other.FindAllStringSubmatch(c.Assert+" "+c.Measure, -1) {
			if m[1] != s.ID && !slices.Contains(ids, m[1]) {
				ids = append(ids, m[1])
			}
		}
	}
	return ids
}

// paper returns the first part of the experiment's id. Only experiments of one paper share runs.
func (e *Experiment) paper() string { return path.Dir(e.ID) }

// finished reports whether a run has a result that may be reused.
func finished(r schedule.PlannedRun) bool { return r.State == "finished" }

// failed reports whether a run has failed.
func failed(r schedule.PlannedRun) bool { return r.Made != nil && r.Made.Status == trace.Failed }

// State returns the state of the experiment.
func (e *Experiment) State() string {
	have, lost, sittings := 0, 0, map[string]bool{}
	for _, r := range e.Runs {
		switch {
		case finished(r):
			have++
			sittings[r.Made.Sitting] = true
		case failed(r):
			lost++
		}
	}
	switch {
	case have+lost == 0:
		return Waiting
	case have+lost < len(e.Runs) || e.Process != "" && (len(sittings) > 1 || sittings[""]):
		return Begun
	case lost > 0:
		return Failed
	}
	return Done
}
