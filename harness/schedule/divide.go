package schedule

import (
	"context"
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/harness/choice"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/trace"
)

// Unit is a piece of an experiment that one process can do alone, once the units of earlier stages have ended. There
// are three kinds: one run; one trial, which is a run up to the point where lang.Choose compares it with others; and
// one such comparison, together with the complete run of the winner.
type Unit struct {
	Stage   int        // from 0; a unit needs only the results of earlier stages
	Trials  bool       // the unit is a trial
	Runs    []ShardRun // one run or, for a comparison, all runs that are compared
	Seconds float64    // predicted time of the unit; 0: not known
	Workers int        // threads that the solver uses, at least 1
	Shared  bool       // the unit is one run, whose result other experiments of the paper may share
}

// ShardRun identifies a run of a Unit.
type ShardRun struct {
	Plan string `json:"plan"` // hash of the run's settings, without its data
	Key  string `json:"key"`  // hash that names the file of the result
	Data string `json:"data"` // checksum of the data set
	Name string `json:"name"` // labels of the run, for human readers
}

// Division lists the units of an experiment that have no result yet, in the order of their stages.
type Division struct {
	Units  []Unit
	Runs   int   // number of distinct runs of the plan
	Done   int   // number of these runs that have a result
	Alone  bool  // seconds are shown or used by claims, so each unit needs a machine for itself
	Memory int64 // largest memory of an earlier run, in bytes; 0: not known
}

// Divide lists the units of a plan that have no result yet. Each unit can be given to a separate process as a Shard.
// Divide reads the data of all runs, because results are found by the checksums of their data, but builds no model. It
// predicts the seconds of units from the earlier runs known, as Forecast does.
func (p *Plan) Divide(ctx context.Context, known []*trace.File) (*Division, error) {
	if len(p.Options.Extra) > 0 {
		return nil, fmt.Errorf("%s: cannot divide the runs among processes: some solvers are defined only in the calling "+
			"program (Options.Extra)", p.Spec.ID)
	}
	x, err := newExperiment(ctx, p)
	if err != nil {
		return nil, err
	}
	took := newExperience(known)
	d := &Division{Alone: x.alone, Memory: took.memory}
	stage := 0
	for _, jobs := range x.levels() {
		var first, choices []Unit // first: trials, and runs that are not compared; choices: the comparisons
		candidates, finals, rest := split(jobs)
		for _, group := range grouped(candidates) {
			trials, whole, err := x.choice(ctx, group, took)
			if err != nil {
				return nil, err
			}
			if whole != nil {
				first, choices = append(first, trials...), append(choices, *whole)
			} else {
				d.Done += len(group)
			}
		}
		for _, group := range grouped(finals) {
			whole, err := x.lastUnit(ctx, group, took)
			if err != nil {
				return nil, err
			}
			if whole != nil {
				choices = append(choices, *whole)
			} else {
				d.Done += len(group)
			}
		}
		for _, j := range rest {
			f, err := x.already(ctx, j)
			if err != nil {
				return nil, err
			}
			if f != nil {
				d.Done++
				continue
			}
			u := unit(took.seconds(j), j)
			u.Shared = true
			first = append(first, u)
		}
		d.Runs += len(jobs)
		for _, units := range [][]Unit{first, choices} {
			for i := range units {
				units[i].Stage = stage
			}
			if d.Units = append(d.Units, units...); len(units) > 0 {
				stage++
			}
		}
	}
	return d, nil
}

// already loads the data of a job and computes its key. It returns the job's existing result, or nil if there is none.
func (x *experiment) already(ctx context.Context, j *job) (*trace.File, error) {
	set, err := x.inputs.Data(ctx, j.Run)
	if err != nil {
		return nil, err
	}
	j.data, j.key = set.Checksum, origin.RunKey(x.options.Catalogue, j.Run, set)
	return x.found(j)
}

// choice returns the units for a group of runs that lang.Choose compares. The list has the trials that are missing. The
// second result is the unit that makes the comparison. If the comparison has been made already, choice returns no
// units. took predicts the seconds of the units.
func (x *experiment) choice(ctx context.Context, group []*job, took *experience) ([]Unit, *Unit, error) {
	var trials []Unit
	most, missing := 0.0, false
	for _, j := range group {
		f, err := x.already(ctx, j)
		if err != nil {
			return nil, nil, err
		}
		seconds := took.seconds(j)
		most = max(most, seconds)
		if f != nil {
			j.trial = &trial{f, true}
			continue
		}
		missing = true
		stop := trialStop(j.Run)
		if x.runs.Trial(j.key, pointOf(stop)) != nil && !x.options.Force {
			continue
		}
		if j.Stop.Passes > 0 && stop.Passes < j.Stop.Passes {
			seconds *= stop.Passes / j.Stop.Passes
		}
		u := unit(seconds, j)
		u.Trials = true
		trials = append(trials, u)
	}
	if !missing {
		best := choice.Decide(entrants(group)).Value
		missing = slices.ContainsFunc(group, func(j *job) bool {
			return j.trial.file.End.Labels["chosen"] != (choice.Value(j.Run) == best)
		})
	}
	if !missing {
		return nil, nil, nil
	}
	whole := unit(most, group...)
	return trials, &whole, nil
}

// lastUnit returns the unit that compares the ended runs of a group and makes the final run of the value that wins. It
// returns nil if that run has a result, or if no value can win. finals are the final runs of the group.
func (x *experiment) lastUnit(ctx context.Context, finals []*job, took *experience) (*Unit, error) {
	var compared []*job
	most := 0.0
	for _, j := range x.jobs {
		if j.Choose != nil && j.Choose.Group == finals[0].Choose.Group {
			if _, err := x.already(ctx, j); err != nil {
				return nil, err
			}
			compared = append(compared, j)
		}
	}
	verdict, err := x.verdict(finals[0].Choose.Group)
	if err != nil {
		return nil, err
	}
	for _, j := range finals {
		most = max(most, took.seconds(j))
		f, err := x.found(j)
		if err != nil {
			return nil, err
		}
		wins := verdict.State == choice.Decided && choice.Value(j.Run) == verdict.Value
		if verdict.State == choice.Nobody || wins && f != nil {
			return nil, nil
		}
	}
	whole := unit(most, compared...)
	return &whole, nil
}

func unit(seconds float64, jobs ...*job) Unit {
	u := Unit{Seconds: seconds, Workers: 1}
	for _, j := range jobs {
		u.Runs = append(u.Runs, ShardRun{Plan: j.plan, Key: j.key, Data: j.data,
			Name: (&trace.File{Manifest: trace.Manifest{Labels: j.Labels}}).Describe()})
		u.Workers = max(u.Workers, j.Solver.Workers)
	}
	return u
}
