package schedule

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/gaplab/gaplab/harness/inputs"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
)

// experiment is the state of a plan while its runs are made, predicted (Forecast) or divided among processes (Divide).
type experiment struct {
	spec    *lang.Spec
	options Options
	alone   bool // each run has the machine to itself, because seconds matter
	inputs  *inputs.Inputs
	store   *store.Store
	runs    *store.Folder   // runs of the experiment at its scale
	jobs    []*job          // the runs to make, in the order of the plan
	byPlan  map[string]*job // the first job of each plan key (hash of the settings), without jobs of the caller's solvers
	other   otherCode
	rates   machine.Rates // of this machine, if alone
	// The next two are used only if the spec repeats its runs to measure times.
	reference reference
	busyness  busyness

	mu         sync.Mutex
	done       int             // number of jobs that have ended
	skipped    int             // number of jobs whose runs are not made, because another value was chosen
	waiting    bool            // the user has been told that this process waits for other processes
	introduced map[string]bool // the topics about which the user has been told; see introduce
}

// job is one run of the plan.
type job struct {
	lang.Run
	plan    string // hash of the settings, without the data
	order   int    // position in the plan
	extra   bool   // the solver is not in the spec, but from Options.Extra
	base    *job   // the job whose final weights are this job's initial weights; nil: none
	needed  bool   // other jobs start from this job's final weights
	outside bool   // not in Options.Shard, so another process makes it
	key     string // key of the result, a hash of settings and data; "" before the data are loaded
	data    string // checksum of the data; set by Divide only
	// The next two are nil for a run that lang.Choose does not compare with others before it ends.
	chosen *bool  // whether the run was chosen; nil if not yet known
	trial  *trial // the run up to the point where lang.Choose compares; nil if not yet made
}

// trial is a run up to the point where lang.Choose compares it with others. Only the winners continue after this point.
type trial struct {
	file   *trace.File
	result bool // file is the final result: of a winner, or of a run that an earlier call compared and stopped
}

func (t *trial) status() trace.Status { return t.file.Status() }

// newExperiment prepares the jobs of a plan. If ctx ends meanwhile, the error is the cause of its end.
func newExperiment(ctx context.Context, p *Plan) (*experiment, error) {
	s, o := p.Spec, p.Options
	x := &experiment{spec: s, options: o, alone: Timed(s) && !o.Untimed, inputs: inputs.New(s, o.Catalogue, o.Source),
		store: store.Open(o.Out), byPlan: map[string]*job{}, introduced: map[string]bool{}}
	x.runs = x.store.Folder(s.ID, s.Scale)
	if o.Reference != nil {
		x.reference = o.Reference
	}
	if err := checkExtras(s, o); err != nil {
		return nil, err
	}
	if err := checkPrograms(s, p.Runs, o); err != nil {
		return nil, err
	}
	for i, r := range p.Runs {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		j := &job{Run: r, plan: origin.PlanKey(r), order: i,
			extra: slices.ContainsFunc(o.Extra, func(e Named) bool { return e.Name == r.Solver.Name })}
		x.jobs = append(x.jobs, j)
		if old := x.byPlan[j.plan]; !j.extra && (old == nil || old.final() && !j.final()) {
			x.byPlan[j.plan] = j
		}
	}
	for _, j := range x.jobs {
		if j.Base != nil {
			j.base = x.byPlan[origin.PlanKey(*j.Base)]
			j.base.needed = true
		}
	}
	return x, x.restrict(o.Shard)
}

// restrict removes all jobs except the jobs of the shard and the jobs from whose final weights they start.
func (x *experiment) restrict(p *Shard) error {
	if p == nil {
		return nil
	}
	wanted := map[*job]bool{}
	found := map[string]bool{}
	for _, j := range x.jobs {
		if _, ok := p.Runs[j.plan]; !ok {
			continue
		}
		wanted[j], found[j.plan] = true, true
		for b := j.base; b != nil; b = b.base {
			if _, ok := p.Runs[b.plan]; !ok {
				b.outside = true
			}
			wanted[b] = true
		}
	}
	for plan := range p.Runs {
		if !found[plan] {
			return fmt.Errorf("%s: its plan has no run %s: the shard belongs to another experiment", x.spec.ID, plan)
		}
	}
	x.jobs = slices.DeleteFunc(x.jobs, func(j *job) bool { return !wanted[j] })
	return nil
}

// levels groups the jobs by the order in which they can run. The first level has the jobs that do not start from the
// weights of another job. The jobs of each further level start from weights of the previous level. It also calls Hold
// for the run of each job, so that the inputs of the job stay in memory until it has ended.
func (x *experiment) levels() (levels [][]*job) {
	for _, j := range x.jobs {
		if !j.extra && x.byPlan[j.plan] != j {
			x.done++
			continue // another problem has the same run; it is made only once
		}
		depth := 0
		for b := j.base; b != nil; b = b.base {
			depth++
		}
		for len(levels) <= depth {
			levels = append(levels, nil)
		}
		levels[depth] = append(levels[depth], j)
		x.inputs.Hold(j.Run)
	}
	return levels
}

// split divides jobs into three lists: jobs that lang.Choose compares with others before they end (candidates), jobs
// that are made only if their value is chosen (finals), and all other jobs (rest). A candidate that another process
// makes, because it is not in the shard, is returned in rest.
func split(jobs []*job) (candidates, finals, rest []*job) {
	for _, j := range jobs {
		switch {
		case j.Early() && !j.outside:
			candidates = append(candidates, j)
		case j.final() && !j.outside:
			finals = append(finals, j)
		default:
			rest = append(rest, j)
		}
	}
	return candidates, finals, rest
}

// final reports whether the run of a job is made only if its value is chosen.
func (j *job) final() bool { return j.Choose != nil && j.Choose.Final }

// report sends an event to the caller.
func (x *experiment) report(e Event) { x.send(e, 0) }

// ended counts a job as done, releases its inputs and sends an event.
func (x *experiment) ended(e Event) {
	x.inputs.Release(e.Run)
	x.send(e, 1)
}

func (x *experiment) send(e Event, done int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.done += done
	e.Done, e.Total = x.done, len(x.jobs)-x.skipped
	if x.options.Event != nil {
		x.options.Event(e)
	}
}

// note sends the user a note on a job.
func (x *experiment) note(j *job, format string, args ...any) {
	x.report(Event{Kind: Noted, Run: j.Run, Why: fmt.Sprintf(format, args...)})
}

// reused reports that a job had a result already.
func (x *experiment) reused(j *job, status trace.Status) {
	x.ended(Event{Kind: Reused, Run: j.Run, Status: status})
}
