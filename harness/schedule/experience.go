package schedule

import (
	"fmt"
	"maps"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// experience contains the time and memory of earlier runs.
type experience struct {
	byPlan map[string]float64 // seconds of a run; the key is the hash of its settings
	others map[string]float64 // seconds of the longest run over seeds and folds; the key is the result of anySeed
	like   map[string]float64 // seconds per pass of the slowest run; the key has the names of problem and solver
	memory int64              // largest memory of an earlier run, in bytes
}

func newExperience(known []*trace.File) *experience {
	e := &experience{byPlan: map[string]float64{}, others: map[string]float64{}, like: map[string]float64{}}
	for _, f := range known {
		if !store.Counts(f) || len(f.Rows) == 0 || f.End.Status == trace.Unsupported {
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

// seconds predicts the time of a run. It returns the time of an earlier attempt of the same run if there is one, else
// the time of a run with another seed or fold. Else it multiplies the passes of the run by the seconds per pass of the
// same solver on the same problem. It returns 0 if none of these times is known.
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

// likeness returns a text that names the problem and the solver. A pass takes about the same time in all runs with the
// same text.
func likeness(labels map[string]any) string { return fmt.Sprint(labels["problem"], labels["as"]) }

// anySeed returns the labels of a run as a text, without the seed, the fold, and the labels that are known only once
// the data are read: n and, if C is given, λ.
func anySeed(labels map[string]any) string {
	own := maps.Clone(labels)
	for _, name := range []string{"seed", "fold", "n"} {
		delete(own, name)
	}
	if own[trace.C] != nil { // λ follows from C and the number n of examples
		delete(own, trace.Lambda)
	}
	return fmt.Sprint(own) // Sprint sorts the labels by name
}
