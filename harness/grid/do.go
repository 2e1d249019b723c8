package grid

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// late is how long a file that another machine has written may take to be seen here: NFS clients believe for up to a
// minute that it is not there.
const late = 90 * time.Second

// ErrDiffers is wrapped by the error of Do if this program or its data are not those that the grid was planned with.
var ErrDiffers = errors.New("not what the grid was planned with")

// FailedError is the error of Do for a task of which runs have failed: as they would again.
type FailedError struct{ Runs []string } // each with the reason

func (e *FailedError) Error() string { return strings.Join(e.Runs, "\n") }

// Do makes the runs of a task of the grid, by the program that planned it (Same). specs reads the experiments as the
// manifest says, by their numbers. It keeps down that the task has begun and how it ended, unless that was by ctx: then
// the runs keep their state, and Do may be called again, anywhere.
func (g *Grid) Do(ctx context.Context, n int, specs func(int) (*lang.Spec, error), o schedule.Options) error {
	o.Out, o.Weights, o.SameCode, o.Clean = g.Out(), g.Options.Weights, g.Options.SameCode, g.Options.Clean
	o.SaveEvery = g.Options.SaveEvery
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	if err := g.mark(n, begun, fmt.Sprintf("%s %s", time.Now().UTC().Format(time.RFC3339), host)); err != nil {
		return err
	}
	var failed []string
	for _, p := range g.Tasks[n].Parts {
		s, bad := specs(p.Spec)
		if bad != nil {
			err = bad
			break
		}
		runs, bad := g.part(ctx, p, s, o)
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
		return errors.Join(err, g.mark(n, failure, err.Error()))
	}
	return g.mark(n, done, "")
}

// part makes the runs of a part, and returns those that failed, with the reasons.
func (g *Grid) part(ctx context.Context, p Part, s *lang.Spec, o schedule.Options) (failed []string, err error) {
	o.Part = &schedule.Part{Runs: map[string]string{}, Trials: p.Trials, Late: late}
	for _, r := range p.Runs {
		o.Part.Runs[r.Plan] = r.Data
	}
	event := o.Event
	o.Event = func(e schedule.Event) {
		if (e.Kind == schedule.Ended || e.Kind == schedule.Reused) && e.Status == trace.Failed {
			if _, own := o.Part.Runs[schedule.PlanKey(e.Run, s.Repeat.Folds)]; own {
				name := (&trace.File{Manifest: trace.Manifest{Labels: e.Run.Labels}}).Describe()
				failed = append(failed, fmt.Sprintf("%s: %s: failed: %s", s.ID, name, e.Why))
			}
		}
		if event != nil {
			event(e)
		}
	}
	err = schedule.Run(ctx, s, o)
	return failed, err
}

// Fail notes that a task has ended without what it should have made, and will not be begun again.
func (g *Grid) Fail(n int, why string) error { return g.mark(n, failure, why) }

// Same refuses, with what differs, a program that is not the one that the grid was planned with.
func (g *Grid) Same(cat lang.Catalogue) error {
	var differs []string
	for _, p := range cat.All() {
		then, known := g.Revisions[p.Name]
		switch {
		case !known:
		case then != p.Revision:
			differs = append(differs, fmt.Sprintf("%s is of revision %d here, and was of %d", p.Name, p.Revision, then))
		case cat.Sources != nil && g.Sources[p.Name] != cat.Sources(p.Package):
			differs = append(differs, fmt.Sprintf("the code of %s has changed", p.Name))
		}
	}
	slices.Sort(differs)
	if cat.Program != nil && g.Program != cat.Program() {
		differs = append(differs, fmt.Sprintf("the hash of all sources is %s here, and was %s", cat.Program(), g.Program))
	}
	if len(differs) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s; accepted: the same program, or a new grid", ErrDiffers,
		strings.Join(slices.Compact(differs), "; "))
}
