package schedule

import (
	"context"
	"maps"
	"slices"

	"github.com/gaplab/gaplab/harness/choice"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// Forecast lists the planned runs of an experiment with their predicted time and memory, for --dry-run.
type Forecast struct {
	Runs    []PlannedRun `json:"runs"`
	Memory  int64        `json:"memory"`  // largest memory of an earlier run, in bytes; 0: not known
	Seconds float64      `json:"seconds"` // predicted time of the unfinished runs whose time is known; 0: none is known
	Notes   []string     `json:"notes"`
	// Changed has the names of the components, such as "solver eg", whose code is not the code that made the kept results.
	Changed []string `json:"-"`
}

// PlannedRun is one run of a forecast. A result that the options do not allow to be reused counts as new.
type PlannedRun struct {
	Labels  map[string]any `json:"labels"`
	Key     string         `json:"key"`     // key of the result; if there is none, hash of the settings
	State   string         `json:"state"`   // new, finished, interrupted, failed
	Passes  float64        `json:"passes"`  // limit on the passes; 0: none
	Seconds float64        `json:"seconds"` // predicted time; 0: not known, or the run is finished
	Details `json:"-"`
}

// Details describes a planned run and its existing result in more detail, for a plan of several experiments.
type Details struct {
	Plan  string  // hash of the settings; two runs with the same hash need to be made only once
	Own   bool    // other experiments cannot use the result, because it is compared with others before it ends
	Saves bool    // it saves its final weights, because other runs of the experiment start from them
	Whole float64 // predicted time, also of a finished run
	Known bool    // whether Whole is known
	Bytes int64   // predicted size of the run's file; 0: not known
	Made  *Made   // the existing file of the run; nil if there is none
}

// Made describes the existing file of a run.
type Made struct {
	Status  trace.Status
	Why     string // the reason for the status
	Sitting string // name of the process that made the run; "" if several processes made it
	Alone   bool   // no other run was made at the same time
	Remade  bool   // it was made again because the machine was busy
	Weights bool   // its final weights are saved, and runs can start from them
	Commit  string // commit of the program; "" if not known
}

// Forecast predicts the time and the memory of a Run of the plan from earlier runs. These are the runs in Options.Out,
// and known: other runs of the experiment at this scale. Forecast reads no data. Therefore it considers a run finished
// if a result with the same settings exists.
func (p *Plan) Forecast(ctx context.Context, known []*trace.File) (*Forecast, error) {
	x, err := newExperiment(ctx, p)
	if err != nil {
		return nil, err
	}
	made := map[string]*trace.File{}
	if there, err := x.runs.Runs(); err == nil {
		made = there.Files
	}
	took := newExperience(slices.Concat(known, slices.Collect(maps.Values(made))))
	f := &Forecast{Memory: took.memory}
	skip := choice.Superfluous(p.Runs, func(i int) *trace.File { return made[origin.PlanKey(p.Runs[i])] })
	for _, j := range x.jobs {
		if skip[j.order] {
			continue
		}
		p := PlannedRun{Labels: j.Labels, Key: j.plan, State: "new", Passes: j.Stop.Passes}
		p.Plan, p.Own, p.Saves, p.Bytes = j.plan, j.Early(), j.needed, took.bytes[j.plan]
		p.Whole, p.Known = took.time(j)
		if old := made[j.plan]; old != nil && !x.options.Force {
			p.Key, p.State, p.Made = old.Manifest.Key, x.state(j, old), madeOf(old)
		}
		if p.State != "finished" {
			p.Seconds = p.Whole
			f.Seconds += p.Seconds
		}
		f.Runs = append(f.Runs, p)
	}
	if !x.alone {
		f.Seconds /= float64(max(1, x.options.Workers))
	}
	return f, nil
}

// state returns the text for PlannedRun.State. old is the existing file of the job's run.
func (x *experiment) state(j *job, old *trace.File) string {
	switch {
	case old.Manifest.OlderThan(lang.Revisions(x.options.Catalogue.Components(j.Run))) != "":
		return "new"
	case store.Counts(old) && !x.satisfies(j, old):
		return "new"
	case store.Counts(old):
		return "finished"
	}
	return string(old.Status())
}

// madeOf describes the file of a run.
func madeOf(f *trace.File) *Made {
	m := &Made{Status: f.Status(), Sitting: f.Manifest.Sitting, Alone: f.Manifest.Alone, Commit: f.Manifest.Commit,
		Weights: store.HasWeights(f, true)}
	if f.End != nil {
		m.Why, m.Remade = f.End.Why, f.End.Remade > 0
		if f.End.Resumed > 0 {
			m.Sitting = ""
		}
	}
	return m
}
