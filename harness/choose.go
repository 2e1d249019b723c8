package harness

import (
	"context"
	"fmt"
	"math"

	"github.com/gaplab/gaplab/harness/spec"
	"github.com/gaplab/gaplab/harness/trace"
)

// trial is a candidate's run up to the point where its rule compares.
type trial struct {
	rows   []trace.Row
	writer *trace.Writer // open until it is known whether the candidate goes on; nil if the rows are an earlier run's
	out    outcome
	run    *execution
	file   *trace.File
}

// trial runs a candidate up to the point of its choice, unless an earlier run has got there.
func (x *experiment) trial(ctx context.Context, j *job, evaluators int) error {
	path, f, err := x.finished(ctx, j)
	if err != nil {
		return err
	}
	if f != nil {
		j.trial = &trial{rows: f.Rows, file: f}
		return nil
	}
	at := j.Choose.Rule.At
	t := &trial{}
	w, out, run, err := x.execute(ctx, j, path, spec.Stop{Passes: at.Passes, Epochs: at.Epochs}, evaluators)
	if err != nil {
		return err
	}
	t.writer, t.out, t.run = w, out, run
	if f, err := trace.Read(path); err == nil {
		t.rows = f.Rows
	}
	j.trial = t
	return nil
}

// decide picks, in each group, the value of the rule's parameter that is best at its point, ends the runs of the
// others there, and returns the jobs that go on. A group whose trials were interrupted is left as it is.
func (x *experiment) decide() ([]*job, error) {
	groups := map[string][]*job{}
	var order []string
	for _, j := range x.jobs {
		if j.Choose == nil {
			continue
		}
		if groups[j.Choose.Group] == nil {
			order = append(order, j.Choose.Group)
		}
		groups[j.Choose.Group] = append(groups[j.Choose.Group], j)
	}
	var winners []*job
	for _, name := range order {
		group := groups[name]
		best, ok := winner(group)
		for _, j := range group {
			won := ok && trace.FormatLabel(j.Choose.Value) == best
			if ok {
				j.chosen = &won
			}
			switch {
			case j.trial == nil: // interrupted before it began
			case won:
				if j.trial.writer != nil { // it starts again, to its own stop; the rows so far come out the same
					if err := j.trial.writer.Close(trace.End{Status: trace.Interrupted, Why: "chosen: it goes on"}); err != nil {
						return nil, err
					}
				}
			case j.trial.writer != nil:
				out := j.trial.out
				if ok && out.status == trace.Done {
					out.rule, out.why = "chosen", fmt.Sprintf("%s %s is best by %s: %s goes no further", j.Choose.Rule.Over, best, j.Choose.Rule.By, out.why)
				}
				if err := x.close(j, j.trial.writer, out, j.trial.run); err != nil {
					return nil, err
				}
			default:
				x.tell(Event{Kind: Reused, Run: j.Run, Status: j.trial.file.Status()}, true)
			}
			if won {
				winners = append(winners, j)
			}
		}
	}
	return winners, nil
}

// winner is the value of the rule's parameter with the best mean at the point of the choice; false if a trial is
// missing or none has the column.
func winner(group []*job) (string, bool) {
	rule := group[0].Choose.Rule
	type score struct{ by, ties float64 }
	sums, counts := map[string]score{}, map[string]float64{}
	var values []string
	for _, j := range group {
		if j.trial == nil || j.trial.out.status == trace.Interrupted {
			return "", false
		}
		v := trace.FormatLabel(j.Choose.Value)
		if counts[v] == 0 {
			values = append(values, v)
		}
		s := sums[v]
		s.by += atPoint(j.trial.rows, rule.At, rule.By)
		s.ties += atPoint(j.trial.rows, rule.At, rule.Ties)
		sums[v] = s
		counts[v]++
	}
	best, found := "", false
	var top score
	for _, v := range values {
		s := score{sums[v].by / counts[v], sums[v].ties / counts[v]}
		if rule.Best == "max" {
			s.by = -s.by
		}
		if math.IsNaN(s.by) {
			continue // it diverged, or lacks the column
		}
		if !found || s.by < top.by || s.by == top.by && s.ties < top.ties {
			best, top, found = v, s, true
		}
	}
	return best, found
}

// atPoint is a column in the last row up to the point; NaN if the run ended before it or lacks the column there.
func atPoint(rows []trace.Row, at spec.At, column string) float64 {
	const slack = 1e-9
	v, reached := math.NaN(), false
	for _, r := range rows {
		before := r.Values[trace.Passes] <= at.Passes+slack
		if at.Epochs > 0 {
			before = r.Values[trace.Epoch] <= float64(at.Epochs)
		}
		if !before && reached {
			break
		}
		if x, ok := r.Values[column]; ok {
			v = x
		} else {
			v = math.NaN()
		}
		reached = at.Epochs > 0 && r.Values[trace.Epoch] >= float64(at.Epochs) || at.Epochs == 0 && r.Values[trace.Passes]+slack >= at.Passes
		if !before {
			break
		}
	}
	if !reached {
		return math.NaN()
	}
	return v
}
