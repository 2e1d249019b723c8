package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// late is the longest time until a file that another machine wrote is visible on this machine. NFS clients may cache
// for a minute that a file does not exist.
const late = 90 * time.Second

// silence is how long a run of another process may show no progress before this process makes the run itself. A run
// shows progress when it writes a row. If its solver can save its state, it also writes a checkpoint each minute.
const silence = 30 * time.Minute

// ErrDiffers is wrapped by the errors of Same and Do if the program or the data have changed since the campaign was
// planned.
var ErrDiffers = errors.New("the program or the data have changed since the plan was made")

// FailedError is the error of Do if runs of the task failed. These runs would fail again, so they should not be
// repeated.
type FailedError struct{ Runs []string } // names of the failed runs, each with its reason

func (e *FailedError) Error() string { return strings.Join(e.Runs, "\n") }

// Do makes the runs of task n. The same program must have planned the campaign (see Same). The function specs returns
// the experiment with a given index in the manifest. Do records when the task begins and how it ends. If ctx is
// cancelled, the runs save their checkpoints, and Do may be called again on any machine.
func (c *Campaign) Do(ctx context.Context, n int, specs func(int) (*lang.Spec, error), o schedule.Options) error {
	o.Out, o.Weights, o.SameCode, o.Clean = c.Out(), c.Options.Weights, c.Options.SameCode, c.Options.Clean
	o.SaveEvery = c.Options.SaveEvery
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	if err := c.mark(n, begun, fmt.Sprintf("%s %s", time.Now().UTC().Format(time.RFC3339), host)); err != nil {
		return err
	}
	var failed []string
	for _, p := range c.Tasks[n].Shards {
		s, bad := specs(p.Spec)
		if bad != nil {
			err = bad
			break
		}
		runs, bad := c.shard(ctx, p, s, o)
		failed = append(failed, runs...)
		if err = bad; err != nil || ctx.Err() != nil {
			break
		}
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, schedule.ErrOtherData):
		err = fmt.Errorf("%w: %w", ErrDiffers, err)
	case err == nil && len(failed) > 0:
		err = &FailedError{failed}
	}
	if err != nil {
		return errors.Join(err, c.mark(n, failure, err.Error()))
	}
	return c.mark(n, done, "")
}

// shard makes the runs of a shard. It returns the runs that failed, with their reasons.
func (c *Campaign) shard(ctx context.Context, p Shard, s *lang.Spec, o schedule.Options) (failed []string, err error) {
	o.Shard = &schedule.Shard{Runs: map[string]string{}, Trials: p.Trials, Late: late, Silence: silence}
	for _, r := range p.Runs {
		o.Shard.Runs[r.Plan] = r.Data
	}
	event := o.Event
	o.Event = func(e schedule.Event) {
		if (e.Kind == schedule.Ended || e.Kind == schedule.Reused) && e.Status == trace.Failed {
			if _, own := o.Shard.Runs[origin.PlanKey(e.Run)]; own {
				name := (&trace.File{Manifest: trace.Manifest{Labels: e.Run.Labels}}).Describe()
				failed = append(failed, fmt.Sprintf("%s: %s: failed: %s", s.ID, name, e.Why))
			}
		}
		if event != nil {
			event(e)
		}
	}
	plan, err := schedule.NewPlan(s, o)
	if err == nil {
		err = plan.Run(ctx)
	}
	return failed, err
}

// Fail records that task n has failed, with the reason why. The task is not repeated, so its results remain missing.
func (c *Campaign) Fail(n int, why string) error { return c.mark(n, failure, why) }

// Same returns an error if another program planned the campaign. The error lists the differences.
func (c *Campaign) Same(cat lang.Catalogue) error {
	var differs []string
	for _, p := range cat.AllComponents() {
		then, known := c.Revisions[p.Name]
		switch {
		case !known:
		case then != p.Revision:
			differs = append(differs, fmt.Sprintf("%s has revision %d here, but %d in the plan", p.Name, p.Revision, then))
		case cat.Sources != nil && c.Sources[p.Name] != cat.Sources(p.Package):
			differs = append(differs, fmt.Sprintf("the code of %s has changed since the plan was made", p.Name))
		}
	}
	slices.Sort(differs)
	if cat.Program != nil && c.Program != cat.Program() {
		differs = append(differs, fmt.Sprintf("the hash of all sources is %s here, but %s in the plan", cat.Program(),
			c.Program))
	}
	if len(differs) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s; use the program that planned it, or plan a new campaign", ErrDiffers,
		strings.Join(slices.Compact(differs), "; "))
}
