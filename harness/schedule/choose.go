package schedule

import (
	"fmt"
	"maps"

	"github.com/gaplab/gaplab/harness/choice"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// decide compares runs at a point before their ends (lang.Choose). In each group of such runs it selects the value of
// the setting with the best metric at this point. It returns the runs with the selected value, which then run to their
// ends. Of each other run, it publishes the rows up to this point as the result. If a run of a group is missing or was
// interrupted, it selects no run of this group.
func (x *experiment) decide(candidates []*job) ([]*job, error) {
	var winners []*job
	for _, group := range grouped(candidates) {
		verdict := choice.Decide(entrants(group))
		for _, j := range group {
			var err error
			switch {
			case verdict.State == choice.Undecided:
				err = x.postpone(j)
			case verdict.State == choice.Nobody:
				err = x.endTrial(j, fmt.Sprintf("none of the compared runs has %s at the point of the comparison",
					j.Choose.Rule.By))
			case choice.Value(j.Run) == verdict.Value:
				winners = append(winners, j)
				j.chosen = new(bool)
				*j.chosen = true // the winner runs again from its start, with the same rows up to the comparison
			default:
				j.chosen = new(bool)
				err = x.endTrial(j, "")
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return winners, nil
}

// grouped divides jobs into the groups within which runs are compared, in the order of the plan.
func grouped(jobs []*job) (groups [][]*job) {
	at := map[string]int{}
	for _, j := range jobs {
		i, ok := at[j.Choose.Group]
		if !ok {
			i = len(groups)
			at[j.Choose.Group], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], j)
	}
	return groups
}

// entrants returns the runs of the jobs in a group, each with the file of its trial if it has one.
func entrants(group []*job) []choice.Entrant {
	out := make([]choice.Entrant, len(group))
	for i, j := range group {
		out[i].Run = j.Run
		if j.trial != nil {
			out[i].File = j.trial.file
		}
	}
	return out
}

// postpone saves a run as interrupted, because the comparison with other runs could not be made yet. It copies the rows
// up to the comparison from the file of the trial to a new file. The file of the trial remains.
func (x *experiment) postpone(j *job) error {
	if j.trial == nil || j.trial.result || j.trial.status() == trace.Interrupted {
		return nil
	}
	draft, err := x.copied(j)
	if err != nil {
		return err
	}
	_, err = draft.Leave(trace.End{Status: trace.Interrupted, Why: "not yet compared with the other runs of its group"})
	return err
}

// copied begins a new file for a run, and copies into it the rows up to the comparison with other runs.
func (x *experiment) copied(j *job) (*store.Draft, error) {
	draft, err := x.runs.Begin(j.key, j.trial.file.Manifest)
	if err != nil {
		return nil, err
	}
	for _, r := range j.trial.file.Rows {
		if err := draft.Append(r); err != nil {
			return nil, err
		}
	}
	return draft, nil
}

// endTrial publishes the run of a job, which ended at the comparison with others, as a result. If the comparison found
// no best value, failure is the reason; a run that had ended normally is then published as failed.
func (x *experiment) endTrial(j *job, failure string) error {
	end := *j.trial.file.End
	if failure != "" && !j.trial.result && (end.Status == trace.Done || end.Status == trace.Stalled) {
		end.Status, end.Why, end.Rule = trace.Failed, failure, ""
	}
	if j.chosen != nil {
		if end.Labels = maps.Clone(end.Labels); end.Labels == nil {
			end.Labels = map[string]any{}
		}
		end.Labels["chosen"] = *j.chosen
	}
	if !j.trial.result || j.chosen != nil && j.trial.file.End.Labels["chosen"] != *j.chosen {
		draft, err := x.copied(j)
		if err != nil {
			return err
		}
		if _, err := x.put(j, draft, end); err != nil {
			return err
		}
	}
	if j.trial.result {
		x.reused(j, end.Status)
		return nil
	}
	last := 0.0
	if rows := j.trial.file.Rows; len(rows) > 0 {
		last = rows[len(rows)-1].Values[trace.Passes]
	}
	x.ended(Event{Kind: Ended, Run: j.Run, Status: end.Status, Why: end.Why, Passes: last, Seconds: end.Seconds})
	return nil
}
