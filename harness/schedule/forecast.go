package schedule

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/models"
)

// Forecast is what an experiment would do and cost, for --dry-run.
type Forecast struct {
	Runs    []PlannedRun `json:"runs"`
	Memory  int64        `json:"memory"`  // bytes, about; 0: the data is not here
	Seconds float64      `json:"seconds"` // of solver and evaluation, about, at most; 0: not known
	Note    string       `json:"note"`
}

// PlannedRun is one run of a forecast.
type PlannedRun struct {
	Labels  map[string]any `json:"labels"`
	Key     string         `json:"key"`
	State   string         `json:"state"`   // new, finished, interrupted, failed
	Passes  float64        `json:"passes"`  // at most; 0: no such limit
	Seconds float64        `json:"seconds"` // about, at most; 0: not known, or nothing left to do
}

// Estimate plans an experiment and says what running it would take: from a timed gradient over a few thousand
// examples, the limits on passes, and the size of the data in memory. It downloads nothing and runs nothing.
func Estimate(ctx context.Context, s *lang.Spec, o Options) (*Forecast, error) {
	o.Source.Offline = true
	x, err := newExperiment(s, o)
	if err != nil {
		return nil, err
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f := &Forecast{}
	perPass := map[*models.Task]float64{}
	for _, j := range x.jobs {
		p := PlannedRun{Labels: j.Labels, State: "new", Passes: j.Stop.Passes}
		task, set, err := x.tasks.Of(ctx, j.Run)
		switch {
		case errors.Is(err, datasets.ErrMissing), errors.Is(err, errNoWeights):
			if f.Note = err.Error(); errors.Is(err, errNoWeights) {
				f.Note = "runs that begin with the weights of earlier ones are not estimated before these have ended"
			}
			p.Key = j.plan
			f.Runs = append(f.Runs, p)
			continue
		case err != nil:
			return nil, err
		}
		p.Key = x.runKey(j.Run, set)
		j.key = p.Key
		if old, err := x.runs.Finished(j.key); err == nil && old != nil && store.Counts(old) && !o.Force {
			p.State = "finished"
			x.passWeights(j)
		} else if part, err := x.runs.Unfinished(j.key); err == nil && part != nil && !o.Force {
			p.State = string(part.Status())
		}
		if perPass[task] == 0 {
			perPass[task] = passSeconds(task)
		}
		if p.State != "finished" {
			passes := p.Passes
			if b := j.Budget; b != nil && b.Passes > 0 && (passes == 0 || b.Passes < passes) {
				passes = b.Passes
			}
			const evaluation = 1.5 // factor for a record per pass: a primal, perhaps a bound, and the validation data
			p.Seconds = passes * perPass[task] * (1.5 + evaluation)
			f.Seconds += p.Seconds
		}
		f.Runs = append(f.Runs, p)
	}
	if !Timed(s) {
		f.Seconds /= float64(o.Workers)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(x) // its data are what was measured
	if len(perPass) > 0 {
		var state int64
		for task := range perPass {
			parts := int64(0)
			for i := range task.Train {
				parts += int64(task.Train[i].Features.Parts())
			}
			state = max(state, 8*(4*parts+32*int64(task.Dim))+160*int64(len(task.Train)))
		}
		f.Memory = max(0, int64(after.HeapAlloc)-int64(before.HeapAlloc)) + state*int64(o.Workers)
	}
	return f, nil
}

// passSeconds times one gradient over at most 2,000 examples and scales it to a pass.
func passSeconds(task *models.Task) float64 {
	sample := *task
	sample.Train = task.Train[:min(len(task.Train), 2000)]
	p := &models.Risk{Dim: task.Dim, Lambda: 1, Loss: models.LogLoss(), Examples: sample.Train, Norm: task.Norm}
	if sample.Train[0].Exp == nil {
		p.Loss = models.Hinge()
	}
	g, w := make([]float64, task.Dim), make([]float64, task.Dim)
	start := time.Now()
	p.Gradient(g, w) // of the task's parts, whatever its objective
	return time.Since(start).Seconds() * float64(len(task.Train)) / float64(len(sample.Train))
}
