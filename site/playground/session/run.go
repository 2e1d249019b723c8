package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// Kinds of steps.
const (
	Row   = "row"   // a run has recorded a row
	Ended = "ended" // a run has ended
	Note  = "note"  // a note on the experiment for the user
)

// Step is one step of the progress of an experiment.
type Step struct {
	Kind   string             `json:"kind"`
	Run    string             `json:"run"`    // name of the run
	Labels map[string]string  `json:"labels"` // labels of the run
	Values map[string]float64 `json:"values,omitempty"`
	Status string             `json:"status,omitempty"`
	Why    string             `json:"why,omitempty"`
	Done   int                `json:"done"`
	Total  int                `json:"total"`
}

// Run makes the runs of a spec at its largest scale, as `gaplab run` does, and calls on for each step. It removes the
// files of earlier calls. The user's data files are read from the working directory. If ctx ends, the runs in progress
// end as interrupted.
func (s *Session) Run(ctx context.Context, text string, on func(Step)) error {
	return s.run(ctx, s.parser, text, on)
}

// RunKnown is Run for a text that is known to have no faults. It starts sooner, because it compiles no schemas.
func (s *Session) RunKnown(ctx context.Context, text string, on func(Step)) error {
	return s.run(ctx, s.parser.Trusting(), text, on)
}

func (s *Session) run(ctx context.Context, parser *lang.Parser, text string, on func(Step)) error {
	f, err := parser.Parse(Name, []byte(text))
	if err != nil {
		return err
	}
	spec, err := f.At("", nil)
	if err != nil {
		return err
	}
	out := filepath.Join(s.folder, "runs")
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	plan, err := schedule.NewPlan(spec, schedule.Options{Catalogue: s.parser.Catalogue(), Workers: 1, Out: out,
		SaveEvery: schedule.Never, Source: datasets.Source{Offline: true},
		Event: func(e schedule.Event) {
			if step, ok := stepOf(e); ok {
				on(step)
			}
		}})
	if err != nil {
		return err
	}
	err = plan.Run(ctx)
	var missing *datasets.MissingError
	if errors.As(err, &missing) {
		return fmt.Errorf("%w; the playground has no files of published data sets: choose a generated data set, "+
			"or add your own file", err)
	}
	return err
}

// stepOf converts an event of the harness. ok is false for events that the page does not show.
func stepOf(e schedule.Event) (step Step, ok bool) {
	step = Step{Done: e.Done, Total: e.Total, Why: e.Why}
	switch e.Kind {
	case schedule.Noted:
		step.Kind = Note
		return step, true
	case schedule.Recorded:
		step.Kind, step.Values = Row, e.Values
	case schedule.Ended, schedule.Reused:
		step.Kind, step.Status = Ended, string(e.Status)
	default:
		return step, false
	}
	step.Run, step.Labels = trace.DescribeLabels(e.Run.Labels), map[string]string{}
	for name, value := range e.Run.Labels {
		step.Labels[name] = trace.FormatLabel(value)
	}
	return step, true
}
