package crate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// The verdicts on a run that was made again.
const (
	Equal   = "equal"
	Differs = "differs"
	Missing = "missing" // the run could not be made here
)

// Row compares a run of the crate with the same run, made again.
type Row struct {
	Experiment string   `json:"experiment"`
	Scale      string   `json:"scale"`
	Key        string   `json:"key"`
	Run        string   `json:"run"`
	Verdict    string   `json:"verdict"`       // equal, differs or missing
	Why        string   `json:"why,omitempty"` // the first difference, or why the run could not be made
	Rows       int      `json:"rows"`          // number of rows that the crate has of the run
	Then       float64  `json:"cpu_seconds_then"`
	Low        float64  `json:"cpu_seconds_low,omitempty"` // the range over the repetitions; 0: the run has none
	High       float64  `json:"cpu_seconds_high,omitempty"`
	Now        float64  `json:"cpu_seconds_now"`
	Ratio      float64  `json:"ratio,omitempty"`       // Now / Then; 0: not known
	Times      string   `json:"times,omitempty"`       // inside, near or outside the range
	OtherCode  []string `json:"other_code,omitempty"`  // components whose code differs from this program's
	Needed     int      `json:"needed,omitempty"`      // number of other runs that had to be made first
	NeededTook float64  `json:"needed_took,omitempty"` // seconds of their solvers
}

// Remake makes runs of the crate again with this program, in the folder options.Out, and compares their rows. Each runs
// alone, after the runs that it needs. Remake calls done after each run, if done is not nil. If ctx ends, the error is
// the cause.
func (o *Opened) Remake(ctx context.Context, runs []Run, options harness.Options,
	done func(Row)) ([]Row, error) {
	var out []Row
	options.Workers = 1
	for _, r := range runs {
		m := r.File.Manifest
		row := Row{Experiment: r.Experiment, Scale: r.Scale, Key: m.Key, Run: r.File.Describe(), Rows: len(r.File.Rows),
			Then: seconds(r.File)}
		now, err := o.again(ctx, r, options, &row)
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		switch {
		case err != nil:
			text, _, _ := strings.Cut(err.Error(), "\n")
			row.Verdict, row.Why = Missing, text
		default:
			if row.Why = match(r.File, now); row.Why == "" {
				row.Verdict = Equal
			} else {
				row.Verdict = Differs
			}
			row.OtherCode = trace.Differing(m.Sources, now.Manifest.Sources)
			row.times(r, now)
		}
		out = append(out, row)
		if done != nil {
			done(row)
		}
	}
	return out, nil
}

// again makes a run and the runs that it needs, and returns it.
func (o *Opened) again(ctx context.Context, r Run, options harness.Options, row *Row) (*trace.File, error) {
	spec, err := o.spec(r)
	if err != nil {
		return nil, err
	}
	own := r.File.Manifest.Plan
	settings := options.Schedule()
	settings.Event = func(e schedule.Event) {
		if e.Kind == schedule.Ended && origin.PlanKey(e.Run) != own {
			row.Needed, row.NeededTook = row.Needed+1, row.NeededTook+e.Seconds
		}
	}
	plan, err := schedule.NewPlan(spec, settings)
	if err != nil {
		return nil, err
	}
	keys := needs(plan.Runs, own)
	if keys == nil {
		return nil, fmt.Errorf("the spec in the crate plans no such run with this program (plan key %s)", own)
	}
	shard := &schedule.Shard{Runs: map[string]string{}}
	for key := range keys {
		shard.Runs[key] = ""
	}
	shard.Runs[own] = r.File.Manifest.Data.Checksum
	plan.Options.Shard = shard
	if err := plan.Run(ctx); err != nil {
		if errors.Is(err, datasets.ErrMissing) || errors.Is(err, schedule.ErrOtherData) {
			return nil, err
		}
		return nil, fmt.Errorf("it could not be made: %w", err)
	}
	all, err := store.Open(settings.Out).Folder(r.Experiment, r.Scale).Runs()
	if err != nil {
		return nil, err
	}
	for _, f := range all.Files {
		if f.Manifest.Plan == own {
			return f, nil
		}
	}
	return nil, errors.New("it was not made, because another setting was chosen")
}

// spec returns the spec of a run, at its scale. A spec of this program may run other programs; another one only if the
// user allows it.
func (o *Opened) spec(r Run) (*lang.Spec, error) {
	name := path.Join(specs, r.Experiment+".yaml")
	text, err := o.read(name)
	if err != nil {
		return nil, fmt.Errorf("the crate has no %s", name)
	}
	if built, err := fs.ReadFile(experiments.FS, r.Experiment+".yaml"); err == nil && string(built) == string(text) {
		e, err := harness.Find(r.Experiment)
		if err != nil {
			return nil, err
		}
		return e.At(r.Scale, nil)
	}
	f, err := lang.Parse(name, text, harness.Catalogue())
	if err != nil {
		return nil, err
	}
	if f.ID != r.Experiment {
		return nil, fmt.Errorf("%s is the spec of %s", name, f.ID)
	}
	return f.At(r.Scale, nil)
}

// times compares the CPU seconds with those of the crate. If the run was repeated, Times tells whether the new time
// lies in the range over the repetitions (inside), or at most the width of the range away from it (near).
func (row *Row) times(r Run, now *trace.File) {
	row.Now = seconds(now)
	if row.Then > 0 && row.Now > 0 {
		row.Ratio = row.Now / row.Then
	}
	low, high := math.Inf(1), 0.0
	for _, f := range r.Repeats {
		low, high = min(low, seconds(f)), max(high, seconds(f))
	}
	if len(r.Repeats) < 2 || low <= 0 {
		return
	}
	row.Low, row.High = low, high
	switch width := high - low; {
	case low <= row.Now && row.Now <= high:
		row.Times = "inside"
	case low-width <= row.Now && row.Now <= high+width:
		row.Times = "near"
	default:
		row.Times = "outside"
	}
}

// seconds returns the CPU seconds of a run; 0 if they are not known.
func seconds(f *trace.File) float64 {
	if f.End == nil {
		return 0
	}
	return f.End.CPUSeconds
}
