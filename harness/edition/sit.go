package edition

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/store"
)

// Sitting describes one sitting of an edition.
type Sitting struct {
	Program Program
	Machine Machine
	For     time.Duration // no experiment begins if its forecast does not fit in the rest of this time; 0: no limit
	Now     func() time.Time
	// Make makes the runs of an experiment, and shows their progress.
	Make func(ctx context.Context, e *Experiment, need Need) (*harness.Result, error)
	// Made is called after Make, with its results.
	Made func(e *Experiment, r *harness.Result, err error)
}

// ErrBusy is returned by Sit if another process works on the edition.
var ErrBusy = errors.New("another gaplab reproduce works on this edition")

// Sit makes the experiments that are not complete, in the order of the edition. An experiment that does not fit in the
// time that is left is passed over. If a run fails, the others continue. When ctx ends, the present experiment ends as
// interrupted. Sit returns how the sitting ended, and records its progress after each experiment.
func (d *Edition) Sit(ctx context.Context, o Sitting) (end string, err error) {
	lock, err := store.Open(d.Dir).Lock(ctx, "edition", false)
	if errors.Is(err, store.ErrBusy) {
		return "", ErrBusy
	} else if err != nil {
		return "", err
	}
	defer lock.Unlock()
	began := o.Now()
	if err := d.begin(o.Program, o.Machine, began); err != nil {
		return "", err
	}
	tried := map[*Experiment]bool{}
	for ctx.Err() == nil {
		left := time.Duration(0)
		if o.For > 0 {
			left = max(1, o.For-o.Now().Sub(began))
		}
		e, need := d.next(tried, o.For, left)
		if e == nil {
			break
		}
		tried[e] = true
		if err := d.one(ctx, o, e, need, began); err != nil {
			return "", err
		}
	}
	end = AllMade
	if ctx.Err() != nil {
		end = Interrupted
	} else if slices.ContainsFunc(d.All, func(e *Experiment) bool { return !tried[e] && e.State() != Done }) {
		end = TimeOver
	} else if slices.ContainsFunc(d.All, func(e *Experiment) bool { return e.State() != Done }) {
		end = NotAllMade
	}
	d.leave()
	return end, d.note(began, o.Now(), end)
}

// leave updates what is left, as another process will see it: it cannot use the runs of a timed experiment that this
// process has begun.
func (d *Edition) leave() {
	for _, e := range d.All {
		if e.Process != "" {
			e.Process = "the next sitting"
		}
	}
	each, _ := d.Forecast()
	for i, e := range d.All {
		d.Record.enter(e, each[i])
	}
}

// one makes one experiment, and records it.
func (d *Edition) one(ctx context.Context, o Sitting, e *Experiment, need Need, began time.Time) error {
	session := &d.Record.Sittings[len(d.Record.Sittings)-1]
	session.Experiments = append(session.Experiments, e.ID)
	start := o.Now()
	if err := d.note(began, start, ""); err != nil {
		return err
	}
	result, fault := o.Make(ctx, e, need)
	if err := e.survey(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	runs, _ := newStock(d.All).remaining(e)
	entry := d.Record.enter(e, needOf(e, runs, d.Workers))
	entry.Seconds += o.Now().Sub(start).Seconds()
	if entry.Fault = ""; fault != nil && ctx.Err() == nil {
		entry.Fault = fault.Error()
	}
	if err := d.note(began, o.Now(), ""); err != nil {
		return err
	}
	o.Made(e, result, fault)
	return nil
}

// next returns the first experiment that is neither complete nor tried, and that fits in the time left of a sitting of
// the given length; nil if there is none. If a timed experiment would fit in a whole sitting but does not fit now, next
// also passes over the timed experiments that share runs with it, since the next sitting could not use their runs.
func (d *Edition) next(tried map[*Experiment]bool, length, left time.Duration) (*Experiment, Need) {
	s := newStock(d.All)
	var held []*Experiment
	for _, e := range d.All {
		if tried[e] || e.State() == Done {
			continue
		}
		runs, one := s.remaining(e)
		need := needOf(e, runs, d.Workers)
		takes := time.Duration(need.Seconds * float64(time.Second))
		switch {
		case length > 0 && takes > left:
			if e.Process != "" && takes <= length {
				held = append(held, e)
			}
		case e.Process != "" && len(runs) > 0 && slices.ContainsFunc(held, func(h *Experiment) bool { return share(e, h) }):
		default:
			if e.Plan != nil {
				e.Plan.Options.OneOf = one
			}
			return e, need
		}
	}
	return nil, Need{}
}

// Left returns the experiments that are not complete, with what each still needs.
func (d *Edition) Left() (all []*Experiment, each []Need) {
	needs, _ := d.Forecast()
	for i, e := range d.All {
		if e.State() != Done {
			all, each = append(all, e), append(each, needs[i])
		}
	}
	return all, each
}
