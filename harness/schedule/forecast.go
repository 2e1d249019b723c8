package schedule

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// Forecast is what an experiment would do and cost, for --dry-run.
type Forecast struct {
	Runs    []PlannedRun `json:"runs"`
	Memory  int64        `json:"memory"`  // bytes, the most that an earlier run of the experiment held; 0: not known
	Seconds float64      `json:"seconds"` // about, of the runs that are left and of which that is known; 0: of none
	Notes   []string     `json:"notes"`
}

// PlannedRun is one run of a forecast.
type PlannedRun struct {
	Labels  map[string]any `json:"labels"`
	Key     string         `json:"key"`     // of its result; before there is one, of the plan
	State   string         `json:"state"`   // new, finished, interrupted, failed
	Passes  float64        `json:"passes"`  // at most; 0: no such limit
	Seconds float64        `json:"seconds"` // about; 0: not known, or nothing left to do
}

// forecast predicts what the runs take by those in the folder of runs and known ones.
func (x *experiment) forecast(known []*trace.File) *Forecast {
	made := map[string]*trace.File{}
	if there, err := x.runs.Runs(); err == nil {
		made = there.Files
	}
	known = slices.Concat(known, slices.Collect(maps.Values(made)))
	f, took := &Forecast{}, newExperience(known)
	for _, j := range x.jobs {
		p := PlannedRun{Labels: j.Labels, Key: j.plan, State: "new", Passes: j.Stop.Passes}
		if old := made[j.plan]; old != nil && !x.options.Force {
			p.Key, p.State = old.Manifest.Key, x.state(j, old)
		}
		if p.State != "finished" {
			p.Seconds = took.seconds(j)
			f.Seconds += p.Seconds
		}
		f.Runs = append(f.Runs, p)
	}
	if !x.alone {
		f.Seconds /= float64(max(1, x.options.Workers))
	}
	f.Memory = took.memory
	return f
}

// state is what there is of a run of the plan, in the words of a PlannedRun.
func (x *experiment) state(j *job, old *trace.File) string {
	switch {
	case old.Manifest.OlderThan(lang.Revisions(x.options.Catalogue.Components(j.Run))) != "":
		return "new"
	case store.Counts(old):
		return "finished"
	}
	return string(old.Status())
}

// experience is what earlier runs took.
type experience struct {
	byPlan map[string]float64 // seconds
	others map[string]float64 // seconds of the longest run that differs in its seed or fold only
	like   map[string]float64 // seconds a pass of the slowest run of a solver on a problem
	memory int64              // bytes, the most of a run
}

func newExperience(known []*trace.File) *experience {
	e := &experience{byPlan: map[string]float64{}, others: map[string]float64{}, like: map[string]float64{}}
	for _, f := range known {
		if !store.Counts(f) || len(f.Rows) == 0 || f.End.Status == trace.Failed || f.End.Status == trace.Unsupported {
			continue
		}
		seconds := max(f.End.Seconds, f.End.CPUSeconds)
		e.byPlan[f.Manifest.Plan] = seconds
		e.others[anySeed(f.Manifest.Labels)] = max(e.others[anySeed(f.Manifest.Labels)], seconds)
		e.memory = max(e.memory, f.End.PeakBytes)
		if passes := f.Rows[len(f.Rows)-1].Values[trace.Passes]; passes > 0 {
			name := likeness(f.Manifest.Labels)
			e.like[name] = max(e.like[name], seconds/passes)
		}
	}
	return e
}

// seconds are those that a run took earlier, else those of one with another seed or fold, else its passes at the pace
// of one of the same solver on the same problem.
func (e *experience) seconds(j *job) float64 {
	if s, ok := e.byPlan[j.plan]; ok {
		return s
	}
	if s, ok := e.others[anySeed(j.Labels)]; ok {
		return s
	}
	passes := j.Stop.Passes
	if b := j.Budget; b != nil && b.Passes > 0 && (passes == 0 || b.Passes < passes) {
		passes = b.Passes
	}
	return passes * e.like[likeness(j.Labels)]
}

// likeness is what runs have in common whose passes take about as long.
func likeness(labels map[string]any) string { return fmt.Sprint(labels["problem"], labels["as"]) }

// anySeed are the labels of a run without seed and fold, and without those that only its data give.
func anySeed(labels map[string]any) string {
	own := maps.Clone(labels)
	for _, name := range []string{"seed", "fold", "n"} {
		delete(own, name)
	}
	if own[trace.C] != nil { // λ follows from it
		delete(own, trace.Lambda)
	}
	return fmt.Sprint(own) // sorted by name
}
