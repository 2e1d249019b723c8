package schedule

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// experience contains the time and memory of earlier runs. The time of a run includes the evaluation of its rows.
type experience struct {
	byPlan map[string]float64 // seconds of a run; the key is the hash of its settings
	others map[string]float64 // seconds of the longest run over seeds and folds; the key is the result of anySeed
	like   map[string]float64 // seconds per pass of the slowest run; the key has the names of problem and solver
	memory int64              // largest memory of an earlier run, in bytes
	bytes  map[string]int64   // size of a run's file; the key is the hash of its settings
}

func newExperience(known []*trace.File) *experience {
	e := &experience{byPlan: map[string]float64{}, others: map[string]float64{}, like: map[string]float64{},
		bytes: map[string]int64{}}
	for _, f := range known {
		if store.Counts(f) && f.End.Status == trace.Unsupported {
			e.byPlan[f.Manifest.Plan] = 0 // it ends at once
		}
		if !store.Counts(f) || len(f.Rows) == 0 || f.End.Status == trace.Unsupported {
			continue
		}
		e.bytes[f.Manifest.Plan] = sizeOf(f)
		seconds := max(f.End.Seconds, f.End.CPUSeconds) + f.End.RecordSeconds
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

// sizeOf estimates the size in bytes of the file of a run. If the file has only some of the rows of the run, sizeOf
// counts all of them.
func sizeOf(f *trace.File) int64 {
	row, err := json.Marshal(f.Rows[len(f.Rows)-1])
	if err != nil {
		return 0
	}
	manifest, err := json.Marshal(f.Manifest)
	if err != nil {
		return 0
	}
	return int64(max(len(f.Rows), f.Manifest.Thinned)*len(row) + len(manifest))
}

// seconds predicts the time of a run, as the method time does. It returns 0 if the time is not known.
func (e *experience) seconds(j *job) float64 {
	s, _ := e.time(j)
	return s
}

// time predicts the time of a run. It returns the time of an earlier attempt of the same run if there is one, else the
// time of a run with another seed, fold or repetition. Else it multiplies the passes of the run by the seconds per pass
// of the same solver on the same problem. known is false if there is none of these.
func (e *experience) time(j *job) (seconds float64, known bool) {
	if s, ok := e.byPlan[j.plan]; ok {
		return s, true
	}
	if s, ok := e.others[anySeed(j.Labels)]; ok {
		return s, true
	}
	passes := j.Stop.Passes
	if b := j.Budget; b != nil && b.Passes > 0 && (passes == 0 || b.Passes < passes) {
		passes = b.Passes
	}
	seconds = passes * e.like[likeness(j.Labels)]
	return seconds, seconds > 0
}

// likeness returns a text that names the problem and the solver. A pass takes about the same time in all runs with the
// same text.
func likeness(labels map[string]any) string { return fmt.Sprint(labels["problem"], labels["as"]) }

// anySeed returns the labels of a run as a text, without the seed, the fold, the repetition, and the labels that are
// known only once the data are read: n and, if C is given, λ.
func anySeed(labels map[string]any) string {
	own := maps.Clone(labels)
	for _, name := range []string{"seed", "fold", trace.Repetition, "n"} {
		delete(own, name)
	}
	if own[trace.C] != nil { // λ follows from C and the number n of examples
		delete(own, trace.Lambda)
	}
	return fmt.Sprint(own) // Sprint sorts the labels by name
}
