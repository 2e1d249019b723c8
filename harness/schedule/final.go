package schedule

import (
	"context"
	"fmt"
	"strings"

	"github.com/gaplab/gaplab/harness/choice"
	"github.com/gaplab/gaplab/harness/trace"
)

// finals makes the final runs of comparisons whose runs have ended (lang.Choose with folds or a path): one run for each
// group, with the value that won. The final runs of other values are not made. If no value won, a note says so.
func (x *experiment) finals(ctx context.Context, jobs []*job) error {
	var winners []*job
	for _, group := range grouped(jobs) {
		verdict, err := x.verdict(group[0].Choose.Group)
		if err != nil {
			return err
		}
		for _, j := range group {
			switch {
			case verdict.State == choice.Decided && choice.Value(j.Run) == verdict.Value:
				winners = append(winners, j)
			case verdict.State == choice.Undecided && j == group[0]: // one final run is still to be made: do not skip the first
			default:
				x.skip(j)
			}
		}
		if verdict.State == choice.Nobody {
			x.note(group[0], "no value of %s is chosen, so no run is made on all data",
				strings.Join(group[0].Choose.Rule.Over, " and "))
		}
	}
	return x.share(ctx, winners, x.whole)
}

// skip removes a job, whose run is not made, from the number of planned runs.
func (x *experiment) skip(j *job) {
	x.inputs.Release(j.Run)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.skipped++
}

// verdict compares the runs of a group by their files.
func (x *experiment) verdict(group string) (choice.Verdict, error) {
	var list []choice.Entrant
	for _, j := range x.jobs {
		if j.Choose == nil || j.Choose.Group != group {
			continue
		}
		e := choice.Entrant{Run: j.Run}
		if !j.Choose.Final {
			var err error
			if e.File, err = x.ofKey(x.byPlan[j.plan].key); err != nil {
				return choice.Verdict{}, fmt.Errorf("the choice of %s: %w", strings.Join(j.Choose.Rule.Over, " and "), err)
			}
		}
		list = append(list, e)
	}
	return choice.Decide(list), nil
}

// ofKey returns the run with a key: its result or, if it has none, the last run that was interrupted or failed.
func (x *experiment) ofKey(key string) (*trace.File, error) {
	if key == "" {
		return nil, nil
	}
	f, err := x.runs.Finished(key)
	if f != nil || err != nil {
		return f, err
	}
	return x.runs.Unfinished(key)
}
